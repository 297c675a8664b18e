"""The page's fold under test: how to call it in the browser, and games to give it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from events import seal
from events.kernel import PUBLIC, Viewer
from tools.vectors import GOLDEN, Told

Json = dict[str, Any]
Call = Callable[..., Any]

GAMES: Final = sorted([*GOLDEN.glob("records/*.jsonl"), *GOLDEN.glob("unfinished/*.jsonl")])

# As one text each way: playwright itself takes its time over large values.
_CALL: Final = """async ([name, given]) => {
    const found = await (await import("/pages/fold.js"))[name](...JSON.parse(given));
    return JSON.stringify(found);
}"""


def caller(page: Page) -> Call:
    """Calls functions of ``pages/fold.js`` by name, at a page of ``modules``."""
    return lambda name, *given: json.loads(page.evaluate(_CALL, [name, json.dumps(given)]))


def named(path: Path) -> str:
    """The name of a file, for a test's."""
    return path.stem


_TYPE: Final = re.compile(rb'"type":"([a-z-]+)"')
_BOOK: Final = re.compile(rb'"game":"(\w+)".*?"rulebook":"(\w+)"')


@cache
def kinds(path: Path) -> frozenset[object]:
    """What a golden game is an example of: its rulebook, its events and commands, and its end."""
    content = path.read_bytes()
    first = _BOOK.search(content)
    assert first is not None, path
    game, rulebook = first.groups()
    types = {(game, each) for each in _TYPE.findall(content)}
    return frozenset({(game, rulebook), path.parent.name, *types})


def _few(paths: Sequence[Path]) -> frozenset[Path]:
    """Games that are examples of all that there is, and as short as can be had for little thought.

    Each next one shows the most, by its length, that those before have not.
    """
    left = set().union(*map(kinds, paths))
    found = set()
    while left:
        best = max(paths, key=lambda path: len(kinds(path) & left) / path.stat().st_size)
        found.add(best)
        left -= kinds(best)
    return frozenset(found)


BY_DAY: Final = _few(GAMES)
"""The golden games that tests of all of them see by day."""

DAY_AND_NIGHT: Final = [
    pytest.param(path, id=named(path), marks=() if path in BY_DAY else pytest.mark.nightly)
    for path in GAMES
]
"""Each golden game; what those of the night are made of, some by day are made of as well."""


def golden(stem: str) -> Told:
    """A golden game."""
    return Told(next(path for path in GAMES if path.stem == stem).read_bytes())


def lines(told: Told, viewer: Viewer = PUBLIC) -> list[str]:
    """A game's lines as a viewer gets them."""
    return [line.decode() for line in told.lines(viewer)]


def canonical(value: object) -> str:
    """The text of a JSON value by which it is compared."""
    return seal.canonical_plain(value).decode()


def sha256(text: str) -> str:
    """The digest of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def astray(found: Sequence[str], wanted: Sequence[object]) -> list[int]:
    """The versions whose digest is not that of the view that it should be."""
    return unlike(found, [seal.canonical_plain(view) for view in wanted])


def unlike(found: Sequence[str], wanted: Sequence[bytes]) -> list[int]:
    """The versions whose digest is not that of the canonical text that the view should have."""
    pairs = enumerate(zip(found, wanted, strict=True), 1)
    return [v for v, (mine, text) in pairs if mine != hashlib.sha256(text).hexdigest()]


def difference(found: str, wanted: object) -> str:
    """What a state as canonical text has, and what it should have."""
    mine, should = json.loads(found), json.loads(canonical(wanted))
    told = []
    for where in ("", "play"):
        a, b = (mine.get(where), should.get(where)) if where else (mine, should)
        told += [
            f"{where}.{key} is {a.get(key)}, not {b.get(key)}"
            for key in sorted({*(a or {}), *(b or {})})
            if key != "play" and a.get(key) != b.get(key)
        ]
    return "\n".join(told)
