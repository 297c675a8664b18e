"""Games of Room 25 that have just begun, many of them, without a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from events.draw import Draw
from events.kernel import Actor, Context, Event, Seat, Working
from games.contract import Roster, TableOpening
from games.room25 import ROOM25
from games.room25.model.state import State

Cast = dict[Seat, tuple[str, ...]]


def opening(mode: str, seats: int, rulebook: str = "first_edition", **options: Any) -> TableOpening:
    """A table, of the first edition unless another is named, its options completed."""
    requested = TableOpening(rulebook=rulebook, mode=mode, seats=seats, options=options)
    return ROOM25.open(requested)


def cast_all(requested: TableOpening, order: list[Seat] | None = None) -> Cast:
    """Every seat gets the first characters that are free for it."""
    cast: Cast = {}
    for seat in order or range(1, requested.seats + 1):
        cast[seat] = ROOM25.cast(requested, cast, seat, ())
    return cast


def begun(
    requested: TableOpening, seed: str, characters: Mapping[Seat, tuple[str, ...]] | None = None
) -> tuple[State, list[Event]]:
    """A game set up with a seed: its state at the first decision, and what happened."""
    context = Context(now=0, actor=Actor("player", "host"), draw=Draw(seed.encode()))
    work = Working(ROOM25.evolve, ROOM25.initial(), context)
    ROOM25.begin(work, Roster(opening=requested, characters=characters or cast_all(requested)))
    return work.state, work.events


def many(requested: TableOpening, count: int) -> Iterator[State]:
    """Many games of one kind, differently dealt."""
    cast = cast_all(requested)
    for number in range(count):
        yield begun(requested, f"seed {number}", cast)[0]


def situation(mode: str, seats: int, rulebook: str = "first_edition", /, **given: Any) -> State:
    """A game in an explicit situation, at its first decision."""
    requested = TableOpening(rulebook=rulebook, mode=mode, seats=seats, options={}, situation=given)
    requested = ROOM25.open(requested)
    cast = {seat: ROOM25.cast(requested, {}, seat, ()) for seat in range(1, seats + 1)}
    return begun(requested, "seed", cast)[0]
