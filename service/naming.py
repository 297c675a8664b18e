"""What players are called at a table: sealing a name, and sitting down under one of one's own.

Names are in no event, so no rule can compare them. Here they are compared with those of the version
at which the seat is then taken, and at no other.
"""

from __future__ import annotations

from typing import Final

from club.accounts import check_name
from events.names import alike
from events.transact import Busy, Moved
from events.transact import Receipt as LogReceipt
from games.table_events import TakeSeat
from games.table_state import TableState
from projections.names import bot_name
from service.commanding import Named, execute
from service.house import House
from service.principals import Principal
from service.problems import Refused
from service.replies import wanted_version
from service.requests import StrictRequest
from service.seeing import look_up
from service.wire import NewSeat

_TRIES: Final = 32


async def sealed_name(house: House, caller: Principal, wish: NewSeat) -> str:
    """The seal of the name to sit down under: the one that was asked for, or one's own.

    Raises:
        Rejected: bad-name.
        Refused: bot-with-name, account-deleted, too-many-names.
        StoreFull: there is no room for a new name.
    """
    if wish.bot is not None:
        if wish.name is not None:
            raise Refused("bot-with-name", "a house bot is called by its kind and its seat")
        return ""
    if wish.name is None:
        return caller.name_seal
    check_name(wish.name)
    return await house.registrar.seal(caller.player, wish.name, house.room.refusal(TakeSeat()))


async def sit_down(
    house: House,
    request: StrictRequest,
    game: str,
    command: TakeSeat,
    named: Named,
) -> LogReceipt:
    """Take a seat at the very version at which nobody else there has this name.

    Raises:
        Refused: name-taken, unless the request was accepted before; game-not-found.
        Busy: the table moved on again and again.
        Moved, Rejected, KeyReused, LogUnavailable: see ``Desk.command``.
    """
    caller = request.caller
    actor = caller.as_player
    for _ in range(_TRIES):
        seen = await look_up(house, caller, game)
        taken = await _taken(house, caller, seen.state, command)
        try:
            return await execute(
                house, request, game, command, actor, named, after=seen.version, refusal=taken
            )
        except Moved:
            if wanted_version(request) is not None:
                raise
    raise Busy(f"{game} moved {_TRIES} times while somebody sat down")


async def _taken(
    house: House, caller: Principal, state: TableState, command: TakeSeat
) -> Refused | None:
    """That the name is another's at this table already, where that would be what is in the way."""
    if command.bot is not None or state.phase != "open" or state.seats_of(caller.player):
        return None
    name = await house.desk.names.of(caller.player, command.name_seal)
    if name is None:
        return None
    others = await house.desk.names.seats(state.seats)
    shown = [other.name for other in others.values() if other.name is not None]
    shown += [
        bot_name(bot, seat)
        for bot in house.desk.shelf.bots
        for seat in range(1, state.seat_count + 1)
    ]
    if any(alike(name, other) for other in shown):
        return Refused("name-taken", "somebody at this table has this name; choose another one")
    return None
