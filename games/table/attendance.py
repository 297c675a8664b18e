"""Who is there: strikes, absence, and coming back (R18, R117, H19; pure).

A seat that lets its time run out gets a strike, as the class of the wait says: one for the running
turn, however often it is asked in that turn, or one each time, or none. An act of its own wipes its
strikes, and so does saying that it is here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from events.kernel import Decision, Option, Seat
from games.contract import Asked, Strikes
from games.table.state import SeatState, TableState


def turn_missed(running: int) -> int:
    """The turn that a time-out counts for; what comes before the first turn belongs to it (H19).

    Args:
        running: the game's turn, 0 before the first.
    """
    return max(1, running)


def strikes_after(place: SeatState, turn: int, counted: Strikes) -> int:
    """The strikes of a seat once it has let its time run out in ``turn``: one more at most.

    Args:
        place: the seat before.
        turn: as ``turn_missed`` gives it.
        counted: how the class of the wait counts.
    """
    if counted == "none" or (counted == "turn" and place.missed_turn == turn):
        return place.strikes
    return place.strikes + 1


def is_gone(place: SeatState) -> bool:
    """Whether a seat gets its defaults at once: absent or resigned."""
    return place.absent or place.resigned


def all_gone(state: TableState, asked: Iterable[Asked]) -> bool:
    """Whether nobody who is asked is there to answer."""
    seats = state.seats
    # Asked with every command: a generator and calls would cost several times as much.
    for each in asked:
        place = seats[each.seat]
        if not (place.absent or place.resigned):
            return False
    return True


def nobody_gone(state: TableState) -> bool:
    """Whether every seat answers for itself."""
    for place in state.seats.values():  # noqa: SIM110 (as above)
        if place.absent or place.resigned:
            return False
    return True


def must_return(place: SeatState) -> bool:
    """Whether an act of this seat brings it back from something: from absence, or from strikes."""
    return place.absent or place.strikes > 0


OWN_KINDS: Final = frozenset({"resign", "return"})
"""The kinds of the table's own decisions; no game has decisions of these kinds."""


def own_decisions(seat: Seat, place: SeatState) -> list[Decision]:
    """What the table itself lets a seat do unasked: resign, and say that it is here.

    The id of a return counts the returns before it, so it stays while it is open, also when more
    strikes or absence are added, and never comes back.
    """
    found = [_voluntary("resign", f"resign-s{seat}", seat)]
    if must_return(place):
        found.insert(0, _voluntary("return", f"return-s{seat}-{place.returns}", seat))
    return found


def _voluntary(kind: str, name: str, seat: Seat) -> Decision:
    return Decision(id=name, kind=kind, seat=seat, options=(Option(kind),), optional=True)
