"""Rows of games that have ended, as the lists have them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from games.contract import Finish
from games.table.state import Result
from projections.rows import Row, RowSeat

QUARTER_MS = 92 * 24 * 3600 * 1000
BEGAN = 1_700_000_000_000
"""A time in the season ``2023-4``."""


def player(number: int) -> str:
    """A player's id."""
    return f"p00-{number:026}"


def seat(number: int, party: str, rank: int, side: str | None = None, **more: Any) -> RowSeat:
    """A seat at which the player of its number sits."""
    finish = Finish(party=party, side=side, rank=rank)
    return replace(RowSeat(number, player(number), finish=finish), **more)


def row(*seats: RowSeat, number: int = 1, at: int = BEGAN, **more: Any) -> Row:
    """A public game that was played to its end at a time; whoever came first has won."""
    winners = tuple(each.seat for each in seats if each.finish and each.finish.rank == 1)
    plain = Row(
        id=f"g00-{number:026}",
        game="toy",
        rulebook="toybook",
        mode="plain",
        status="finished",
        seat_count=len(seats),
        seats=seats,
        host=player(1),
        visibility="public",
        invited=(),
        scenario=False,
        paused=False,
        created_at=at - 1,
        updated_at=at,
        version=9,
        turn=3,
        result=Result("finished", "most-points", winners),
    )
    return replace(plain, **more)


def duel(winner: int = 1, loser: int = 2, **more: Any) -> Row:
    """A game of two people, the winner a guest of the first side."""
    return row(seat(winner, "one", 1, "first"), seat(loser, "two", 2, "later"), **more)
