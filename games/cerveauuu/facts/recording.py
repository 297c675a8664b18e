"""How facts are written into the state's immutable parts (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from events.kernel import Seat
from games.cerveauuu.model.ids import by_id
from games.cerveauuu.model.state import Activation, Cell, Piece, State

K = TypeVar("K")
V = TypeVar("V")


def known(value: V | UnsetType) -> V | None:
    """The value of a field, or None if this viewer may not know it."""
    return None if value is UNSET else value


def change(s: State, names: Iterable[str], **changes: Any) -> None:  # noqa: ANN401 (of a piece's fields)
    """Change the same fields of several pieces."""
    pieces = dict(s.pieces)
    for name in names:
        pieces[name] = replace(pieces[name], **changes)
    s.pieces = pieces


def add(s: State, piece: Piece) -> None:
    """Put a new piece on the board, at its place in the order "by id"."""
    pieces = {**s.pieces, piece.id: piece}
    s.pieces = {name: pieces[name] for name in by_id(pieces)}
    kind, number = piece.id[0], int(piece.id[1:])
    s.counters = {**s.counters, kind: max(number, s.counters.get(kind, 0))}


def remove(s: State, piece: str) -> None:
    """Take a piece off the board.

    Modifiers that followed it alone stay, and hold for nobody, since no id is used twice (§2.6);
    triggers have to: that a combatant has lost is told after its death (§4.9.8).
    """
    s.pieces = without(s.pieces, piece)


def move(s: State, piece: str, path: tuple[Cell, ...]) -> None:
    """Set a piece on the last cell of a path, and remember the path if it is in mid-movement.

    Who joined a fight by card stands in it by that card only until it moves (§7).
    """
    change(s, (piece,), cell=path[-1])
    if s.activation is not None and s.activation.zombie == piece:
        s.activation = replace(s.activation, trail=(*s.activation.trail, *path))
    if s.panic is not None and s.panic.runner == piece:
        s.panic = replace(s.panic, trail=(*s.panic.trail, *path))
    if s.fight is not None and piece in s.fight.exempt:
        s.fight = replace(s.fight, exempt=without(s.fight.exempt, piece))


def walked(activation: Activation, cells: tuple[Cell, ...]) -> Activation:
    """An activation that has gone on along its path."""
    return replace(
        activation, trail=(*activation.trail, *cells), rest=activation.rest[len(cells) :]
    )


def give(s: State, seat: Seat, number: int, card: str | None) -> None:
    """Put a card into a hand, under its next number."""
    hand = {**s.hands.get(seat, {}), number: card}
    s.hands = {**s.hands, seat: hand}
    s.next_numbers = {**s.next_numbers, seat: max(number, s.next_numbers.get(seat, 0))}


def take_away(s: State, seat: Seat, numbers: Iterable[int]) -> None:
    """Take cards out of a hand."""
    hand = s.hands[seat]
    gone = set(numbers)
    s.hands = {**s.hands, seat: {n: card for n, card in hand.items() if n not in gone}}


def in_order(cards: Mapping[int, str]) -> list[str]:
    """Cards by their numbers in a hand; as text, in a stored event, number 10 comes before 9."""
    return [cards[number] for number in sorted(cards)]


def pile_up(s: State, seat: Seat, cards: Iterable[str]) -> None:
    """Put cards onto a seat's pile."""
    s.piles = {**s.piles, seat: (*s.piles.get(seat, ()), *cards)}


def without(mapping: Mapping[K, V], *keys: K) -> dict[K, V]:
    """A mapping without some of its keys."""
    return {k: v for k, v in mapping.items() if k not in keys}


def add_to(counts: Mapping[Seat, int], seat: Seat, number: int) -> dict[Seat, int]:
    """Counts by seat with one of them changed."""
    return {**counts, seat: counts.get(seat, 0) + number}
