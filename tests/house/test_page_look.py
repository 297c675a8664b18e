"""What the look of the page promises: a drawing of each thing that a game names, small fonts."""

from __future__ import annotations

import re
from typing import Final

import pytest

from games.registry import GAMES
from games.words import LANGUAGES
from tests.house import tree

BOARD: Final = "web/games/room25/board"
FONTS_MOST: Final = 60_000
"""Bytes of all fonts together."""


def drawn(module: str, head: str) -> frozenset[str]:
    """The names of the members of an object that a module of the board begins with ``head``."""
    text = tree.read(f"{BOARD}/{module}") or ""
    _, found, rest = text.partition(head)
    assert found, f"{module} has no {head}"
    return frozenset(re.findall(r"^  (\w+):", rest.partition("\n};")[0], re.MULTILINE))


def named(part: str) -> frozenset[str]:
    """The ids of all things of a kind that any rulebook of Room 25 has."""
    published, tags = GAMES["room25"].published, GAMES["room25"].rules.tags
    lists = [published.rulebook(each, LANGUAGES[0])[part] for each in tags]
    return frozenset(str(each["id"]) for one in lists for each in one)


@pytest.mark.parametrize(
    ("part", "module", "head"),
    [("rooms", "heroes.js", "HEROES = {"), ("characters", "bust.js", "BUSTS = {")],
)
def test_each_room_and_each_character_has_a_drawing(part: str, module: str, head: str) -> None:
    things, drawings = named(part), drawn(module, head)
    assert things - drawings == frozenset()
    missed = min(things)  # a control
    assert things - (drawings - {missed}) == {missed}


def test_both_fonts_are_small() -> None:
    sizes = [path.stat().st_size for path in (tree.ROOT / "web/fonts").glob("*.woff2")]
    assert len(sizes) > 1
    assert sum(sizes) <= FONTS_MOST
