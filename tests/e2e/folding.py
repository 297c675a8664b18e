"""The page's fold under test: how to call it in the browser, and games to give it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

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
