"""Cards with one fault each.

A filter is left out, a number is one more or one less, or a word of the language is another that
could stand in its place; a card is of another type, can be played in a window more, or in one less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, get_args

from msgspec import Struct
from msgspec.structs import replace

from games.cerveauuu.model import language as words
from games.cerveauuu.model.language import Card

NUMBERS: Final = frozenset({"distance", "number", "points", "steps", "value"})
"""The fields of the language that count something; the others that are numbers name slots."""

FILTERS: Final = frozenset({"filters", "flags", "relations"})
"""The fields of the language that ask something of what is named."""


WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "at": ("wins", "loses", "eats"),
    "card_type": get_args(words.CardType),
    "cause": ("card", "melee", "any"),
    "change": ("leave", "join"),
    "flag": get_args(words.CellFlag),
    "kind": get_args(words.PieceKind),
    "lasts": get_args(words.Duration),
    "right": ("win", "none"),
    "stat": get_args(words.PieceStat),
    "state": get_args(words.EdgeChange),
    "what": ("human", "zombie_blocked", "zombie_ready"),
    "who": ("me", "others", "everyone"),
}
"""The fields of the language that are words, and all that may stand there."""


class Fault(NamedTuple):
    """A card that is wrong in one place, and what is wrong."""

    card: Card
    what: str


def faults(card: Card) -> Iterator[Fault]:
    """All faults of a card: type and windows, then slot by slot and effect by effect."""
    for kind in get_args(words.CardType):
        if kind != card.type:
            yield Fault(replace(card, type=kind), f"type {kind}")
    for window in words.WINDOWS:
        others = tuple(each for each in card.when if each != window)
        if window in card.when:
            yield Fault(replace(card, when=others), f"not in {window}")
        else:
            yield Fault(replace(card, when=(*others, window)), f"in {window}")
    for field in ("target", "effect"):
        parts = getattr(card, field)
        for place, part in enumerate(parts):
            for wrong, what in _wrong(part):
                several = (*parts[:place], wrong, *parts[place + 1 :])
                yield Fault(replace(card, **{field: several}), f"{field} {place + 1}: {what}")


def _wrong(part: Struct) -> Iterator[tuple[Any, str]]:
    """A part of a card with one fault, in itself or in a part of its own."""
    for field in part.__struct_fields__:
        value = getattr(part, field)
        for wrong in _others(part, field):
            yield replace(part, **{field: wrong}), f"{field} {wrong} for {value}"
        if field in FILTERS:
            for place, each in enumerate(value):
                fewer = (*value[:place], *value[place + 1 :])
                yield replace(part, **{field: fewer}), f"without {each}"
        yield from _inside(part, field)


def _inside(part: Struct, field: str) -> Iterator[tuple[Any, str]]:
    """The faults of what a field of a part holds, which is one part, or several, or none."""
    value = getattr(part, field)
    if isinstance(value, Struct):
        for wrong, what in _wrong(value):
            yield replace(part, **{field: wrong}), what
    for place, each in enumerate(value if isinstance(value, tuple) else ()):
        for wrong, what in _wrong(each) if isinstance(each, Struct) else ():
            several = (*value[:place], wrong, *value[place + 1 :])
            yield replace(part, **{field: several}), what


def _others(part: Struct, field: str) -> Iterator[Any]:
    """What else a field of a part could say."""
    value = getattr(part, field)
    if field in NUMBERS:
        yield from (value - 1, value + 1)
    allowed = WORDS.get(field, ())
    if value in allowed:
        yield from (each for each in allowed if each != value and not _as_good(part, each))


def _as_good(part: Struct, word: str) -> bool:
    """Whether a word says the same in its place: whoever is somebody's, or moves, is a zombie."""
    asked = {*getattr(part, "flags", ()), *getattr(part, "filters", ())}
    return word == "X" and not asked.isdisjoint({"own", "other", "mover"})
