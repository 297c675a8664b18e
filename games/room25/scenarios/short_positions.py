"""Positions in short: a base, what is other about its characters, and a board in one line (pure).

Raises throughout: ShorthandError.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from games.room25.model.board import AXIS, CELLS
from games.room25.model.catalogue import ROOM_KINDS
from games.room25.model.characters import CHARACTERS
from games.room25.scenarios.bases import BASES
from games.scenarios import Json, ShorthandError


class BasedSituation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position as it differs from a base, whose mode and seats need not be said again.

    ``characters`` says of whom what is other: ``emmett r1c2 used=look+move; kevin dead``. A cell
    stands alone, as does what is true; what has a value is ``name=value``, lists joined by ``+``.
    Who names as many characters as the base has seats them in this order instead of its own.
    ``tiles`` is the board in one line, ``r1c2=acid r0c0=vortex:down``: a kind, and behind colons
    ``down``, ``known``, ``seal``, ``lock``, ``vertical``, ``horizontal`` or seat 2's ``reminder2``.
    """

    base: str
    characters: str = ""
    tiles: Mapping[str, Any] | str = ""


FLAGS: Final = (
    "dead",
    "role_public",
    "free",
    "delayed",
    "passed",
    "hidden",
    "cold_next",
    "returned",
)
LISTS: Final = ("program", "lost", "used", "looked", "stack", "next_stack")
NUMBERS: Final = ("seat", "acted", "trap", "flood", "entry", "spares", "locks")
WORDS: Final = ("role", "identity", "adrenaline")
"""The facts of a character by what they hold; its ``cell`` has no name."""

MARKS: Final[Mapping[str, tuple[str, object]]] = {
    "down": ("face", "down"),
    "known": ("known", True),
    "seal": ("seal", True),
    "lock": ("lock", True),
    **{axis: ("axis", axis) for axis in AXIS.values()},
}
"""What may be said of a tile beside its kind and its reminders."""

_CELL: Final = re.compile(r"r\d+c\d+")
_REMINDER: Final = re.compile(r"reminder(\d)")
_NUMBER: Final = re.compile(r"\d{1,4}")
_NAMES: Final = tuple(character.id for character in CHARACTERS)


def spread(short: BasedSituation) -> Json:
    """The position in full, as JSON."""
    situation = BASES[short.base].situation
    characters = _characters(short.characters, situation["characters"])
    tiles = _tiles(short.tiles) if isinstance(short.tiles, str) else short.tiles
    return {**situation, "characters": characters, **({"tiles": tiles} if tiles else {})}


def _characters(text: str, seated: Mapping[str, Json]) -> dict[str, Json]:
    """The characters of the base as the text changes them, or others in their seats."""
    told: dict[str, list[str]] = {}
    for part in text.split(";") if text.strip() else ():
        name, *facts = part.split() or [""]
        _require_known("characters", name, _NAMES, "character")
        _require_new("characters", name, told)
        told[name] = facts
    if len(told) == len(seated):
        seated = dict(zip(told, seated.values(), strict=True))
    for name in told:
        if name not in seated:
            said = f"{name} is not in the base: name all of its {len(seated)} characters by seat"
            raise ShorthandError("characters", said)
    return {
        name: {**figure, **dict(_facts(name, told.get(name, [])))}
        for name, figure in seated.items()
    }


def _facts(name: str, words: list[str]) -> Iterator[tuple[str, object]]:
    place = f"characters.{name}"
    seen: set[str] = set()
    for word in words:
        fact, given, value = word.partition("=")
        found: object = True
        if _CELL.fullmatch(word):
            _require_known(place, word, CELLS, "cell")
            fact, found = "cell", word
        else:
            named = (*LISTS, *NUMBERS, *WORDS) if given else FLAGS
            _require_known(place, fact, named, "fact with a value" if given else "fact")
            found = _value(fact, value, place) if given else True
        _require_new(place, fact, seen)
        seen.add(fact)
        yield fact, found


def _value(fact: str, value: str, place: str) -> object:
    if fact in LISTS:
        return value.split("+") if value else []
    if fact in WORDS:
        return value
    if not _NUMBER.fullmatch(value):
        raise ShorthandError(place, f"{value!r} is no number of {fact}")
    return int(value)


def _tiles(text: str) -> dict[str, object]:
    """The tiles by cell, each as a situation tells it."""
    tiles: dict[str, object] = {}
    for word in text.split():
        cell, given, told = word.partition("=")
        if not given:
            raise ShorthandError("tiles", f"{word!r} is no tile, such as r1c2=acid")
        _require_known("tiles", cell, CELLS, "cell")
        _require_new("tiles", cell, tiles)
        kind, *marks = told.split(":")
        _require_known(f"tiles.{cell}", kind, ROOM_KINDS, "room")
        tiles[cell] = {"kind": kind, **_marked(marks, f"tiles.{cell}")} if marks else kind
    return tiles


def _marked(marks: list[str], place: str) -> dict[str, object]:
    facts: dict[str, object] = {}
    reminders: list[int] = []
    for mark in marks:
        reminder = _REMINDER.fullmatch(mark)
        if reminder:
            reminders.append(int(reminder[1]))
            continue
        _require_known(place, mark, (*MARKS, "reminder1"), "mark of a tile")
        name, value = MARKS[mark]
        _require_new(place, name, facts)
        facts[name] = value
    return {**facts, **({"reminders": reminders} if reminders else {})}


def _require_known(place: str, word: str, known: Collection[str], what: str) -> None:
    if word not in known:
        raise ShorthandError(place, f"{word!r} is no {what}", word, known)


def _require_new(place: str, word: str, seen: Container[str]) -> None:
    if word in seen:
        raise ShorthandError(place, f"{word} is given twice")
