"""The seat that a caller plays for at a table."""

from __future__ import annotations

from msgspec import UNSET

from events.kernel import Seat
from events.transact import Loaded
from games.table.state import TableState
from service.access.view_scope import look_up
from service.app_context import AppContext
from service.http.principals import Principal
from service.http.problems import Refused


async def own_seat(
    app_context: AppContext, caller: Principal, game: str, decision: str | None = None
) -> tuple[Loaded[TableState], Seat]:
    """The state of a game as the caller's command needs it, and the caller's seat.

    Who has several, which is so at a branch of one's own alone, plays for the one whose
    ``decision`` it is, else for the first.

    Raises:
        Refused: game-not-found, not-seated, wrong-kind-of-token.
        NoSuchStream, Damaged, LogUnavailable: see ``Transactor.load``.
    """
    loaded = await look_up(app_context, caller, game, known=True)
    seats = loaded.state.seats_of(caller.player)
    if not seats:
        loaded = await look_up(app_context, caller, game)
        seats = loaded.state.seats_of(caller.player)
    if not seats:
        raise Refused("not-seated", "you do not have a seat at this table")
    if _is_other_kind(loaded.state, seats[0], caller):
        # The player may have left and returned as the other kind.
        loaded = await look_up(app_context, caller, game)
        if _is_other_kind(loaded.state, seats[0], caller):
            raise Refused("wrong-kind-of-token", "this seat was taken with the other kind of token")
    if decision is None or loaded.state.origin is UNSET:
        return loaded, seats[0]
    loaded = await look_up(app_context, caller, game)
    seats = loaded.state.seats_of(caller.player)
    find = app_context.tables.table.find
    asked = (seat for seat in seats if find(loaded.state, seat, decision) is not None)
    return loaded, next(asked, seats[0])


def _is_other_kind(state: TableState, seat: Seat, caller: Principal) -> bool:
    """Whether a person took the seat and a program calls, or the other way round."""
    place = state.seats.get(seat)
    return place is not None and (place.program is True) != caller.is_program
