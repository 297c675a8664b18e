"""Positions in short: how one differs from a base, put in full (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from games.cerveauuu.deck import CARDS
from games.cerveauuu.scenarios.bases import BASES, BOARDS, HARMLESS, board
from games.scenarios import Json, ShorthandError


class BasedSituation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position as it differs from a base, whose mode and seats need not be said again.

    ``pieces`` names all there are, in place of the base's: ``h01 r4c4 moved; z01 r4c3 seat=1``. A
    cell stands alone, as does what is true; what has a value is ``name=value``, lists joined by
    ``+``. ``map`` is a text or the name of a board, ``default20``, ``hall``, ``elbow`` or
    ``open-12x1``. ``hands`` are cards by seat and ``deck`` the cards on top, with blanks between
    them; a deck that is not named begins with harmless cards.
    """

    base: str
    pieces: Mapping[str, Any] | str | UnsetType = UNSET
    map: str | UnsetType = UNSET
    hands: Mapping[str, tuple[str, ...] | str] = {}
    deck: tuple[str, ...] | str | UnsetType = UNSET


FLAGS: Final = ("blocked", "moved", "activated", "attacked")
VALUES: Final = ("seat", "touched_by")
"""The facts of a piece by what they hold; its ``cell`` has no name."""

_CELL: Final = re.compile(r"r\d+c\d+")
_PIECE: Final = re.compile(r"[hz]\d{2,3}")
_SEATS: Final = re.compile(r"\d(\+\d)*")


def spread(short: BasedSituation) -> Json:
    """The position in full, as JSON."""
    situation = dict(BASES[short.base].situation)
    if isinstance(short.pieces, str):
        situation["pieces"] = dict(_pieces(short.pieces))
    elif short.pieces is not UNSET:
        situation["pieces"] = short.pieces
    if short.map is not UNSET:
        situation["map"] = _map(short.map)
    hands = {seat: _cards(cards, f"hands.{seat}") for seat, cards in short.hands.items()}
    held = {card for hand in hands.values() for card in hand}
    if short.deck is UNSET:
        situation["deck"] = [card for card in HARMLESS if card not in held]
    else:
        situation["deck"] = _cards(short.deck, "deck")
    return {**situation, **({"hands": hands} if hands else {})}


def _map(text: str) -> str:
    """The text of a map stands for itself; any other word is the name of a board."""
    if "\n" in text:
        return text
    found = board(text)
    if found is None:
        raise ShorthandError("map", f"{text!r} is no board", text, (*BOARDS, "open-9x9"))
    return found


def _cards(cards: Sequence[str] | str, place: str) -> list[str]:
    named = cards.split() if isinstance(cards, str) else list(cards)
    for card in named:
        if card not in CARDS:
            raise ShorthandError(place, f"{card!r} is no card", card, CARDS)
    return named


def _pieces(text: str) -> Iterator[tuple[str, Json]]:
    """The pieces by id, each as a position tells it."""
    seen: set[str] = set()
    for part in text.split(";"):
        name, *words = part.split() or [""]
        place = f"pieces.{name}"
        if not _PIECE.fullmatch(name):
            raise ShorthandError("pieces", f"{name!r} is no piece, such as h01 or z01")
        if name in seen:
            raise ShorthandError("pieces", f"{name} is given twice")
        seen.add(name)
        facts: dict[str, object] = {}
        for word in words:
            fact, value = _fact(word, place)
            if fact in facts:
                raise ShorthandError(place, f"{fact} is given twice")
            facts[fact] = value
        if "cell" not in facts:
            raise ShorthandError(place, "it stands on no cell")
        yield name, facts


def _fact(word: str, place: str) -> tuple[str, object]:
    if _CELL.fullmatch(word):
        return "cell", word
    fact, given, value = word.partition("=")
    known = VALUES if given else FLAGS
    if fact not in known:
        what = "fact with a value" if given else "fact"
        raise ShorthandError(place, f"{fact!r} is no {what}", fact, known)
    if not given:
        return fact, True
    if not _SEATS.fullmatch(value) or (fact == "seat" and len(value) > 1):
        raise ShorthandError(place, f"{value!r} is no seat")
    return fact, int(value) if fact == "seat" else [int(each) for each in value.split("+")]
