"""Names of players at a table: sealing a name, and taking a seat under a unique one.

Events contain no names, so the rules cannot compare them. They are compared here, at exactly the
version at which the seat is then taken.
"""

from __future__ import annotations

from typing import Final

from club.accounts import check_name
from events.likeness import TakenNames
from events.transact import Busy, CommandReceipt, Moved
from games.table.events import TakeSeat
from games.table.state import TableState
from projections.names import bot_names, stand_ins
from service.access.request_name import RequestName
from service.access.view_scope import look_up
from service.api.command_execution import execute
from service.app_context import AppContext
from service.contract.bodies import NewSeat
from service.http.principals import Principal
from service.http.problems import Refused
from service.http.replies import wanted_version
from service.http.requests import StrictRequest

_TRIES: Final = 32


async def sealed_name(app_context: AppContext, caller: Principal, requested: NewSeat) -> str:
    """The seal of the requested name or, by default, of the caller's own.

    Raises:
        Rejected: bad-name.
        Refused: bot-with-name, account-deleted, too-many-names.
        StoreFull: there is no room for a new name.
    """
    if requested.bot is not None:
        if requested.name is not None:
            raise Refused("bot-with-name", "a house bot is named by its kind and its seat")
        return ""
    if requested.name is None:
        return caller.name_seal
    check_name(requested.name)
    return await app_context.account_service.seal(
        caller.player, requested.name, app_context.room.refusal(TakeSeat())
    )


async def sit_down(
    app_context: AppContext,
    request: StrictRequest,
    game: str,
    command: TakeSeat,
    named: RequestName,
) -> CommandReceipt:
    """Take a seat at a version at which nobody else at the table has this name.

    Raises:
        Refused: name-taken, unless the request was accepted before; game-not-found.
        Busy: the table kept changing.
        Moved, Rejected, KeyReused, LogUnavailable: see ``TableService.command``.
    """
    caller = request.caller
    actor = caller.as_player
    for _ in range(_TRIES):
        seen = await look_up(app_context, caller, game)
        taken = await _taken(app_context, caller, seen.state, command)
        try:
            return await execute(
                app_context, request, game, command, actor, named, after=seen.version, refusal=taken
            )
        except Moved:
            if wanted_version(request) is not None:
                raise
    raise Busy(f"{game} moved {_TRIES} times while a seat was being taken")


async def _taken(
    app_context: AppContext, caller: Principal, state: TableState, command: TakeSeat
) -> Refused | None:
    """The refusal if the name is taken and nothing else would prevent sitting down."""
    if command.bot is not None or state.phase != "open" or state.seats_of(caller.player):
        return None
    name = await app_context.tables.names.of(caller.player, command.name_seal)
    if name is None:
        return None
    others = await app_context.tables.names.seats(state.seats)
    if name in TakenNames(other.name for other in others.values() if other.name is not None):
        return Refused(
            "name-taken",
            "another player at this table has this name, or one that looks like it; "
            "choose a different one",
        )
    bots = TakenNames(
        called
        for bot in app_context.tables.game_registry.bots
        for seat in range(1, state.seat_count + 1)
        for called in bot_names(bot, seat)
    )
    if name in bots:
        return Refused("name-taken", "house bots are called by this name; choose a different one")
    if name in stand_ins(state.seat_count):
        return Refused("name-taken", "a seat without a name is called so; choose a different one")
    return None
