"""``/v1/games/{game}/invitations``: inviting players to a table that has not begun."""

from __future__ import annotations

import asyncio
from typing import Final

from litestar import delete, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from events.kernel import Rejected
from events.layout import BadStreamIdError
from events.transact import Receipt as LogReceipt
from games.table import Code
from games.table_events import DeclineInvitation, InvitePlayers, WithdrawInvitation
from service.commanding import Named, execute, key_if_given, name_command, receipt_of
from service.house import House, house_of
from service.operations import HOSTING, operation
from service.principals import Principal
from service.replies import Reply
from service.requests import StrictRequest
from service.seeing import look_up, may_know, no_game, require_game_id
from service.wire import NewInvitations, Receipt


@post(
    "/games/{game:str}/invitations",
    operation_id="InvitePlayers",
    tags=["games"],
    status_code=201,
    opt=operation(
        "commands",
        Receipt,
        scopes=HOSTING,
        status=201,
        keyed=True,
        problems=(
            "game-not-found",
            "player-not-found",
            "table-not-open",
            "not-the-host",
            "already-invited",
            "player-seated",
            "too-many-invitations",
        ),
    ),
)
async def invite_players(
    request: StrictRequest, game: FromPath[str], data: JSONBody[NewInvitations]
) -> Reply:
    """Invite players to your table, all of them or none. Each hears of it by `GET /v1/stream`."""
    house, caller, key = house_of(request), request.caller, request.idempotency_key()
    await look_up(house, caller, game, known=True)
    house.quotas.require_invitations(caller, len(data.players))
    await asyncio.gather(*(house.registrar.account(player) for player in set(data.players)))
    limit = house.quotas.invitations(caller)
    command = InvitePlayers(players=data.players, limit=limit)
    named = name_command(house, request, caller, key, data)
    receipt = await execute(house, request, game, command, caller.as_player, named)
    return receipt_of(game, receipt, status=201)


@delete(
    "/games/{game:str}/invitations/{player:str}",
    operation_id="WithdrawInvitation",
    tags=["games"],
    status_code=200,
    opt=operation(
        "commands",
        Receipt,
        scopes=HOSTING,
        problems=(
            "game-not-found",
            "table-not-open",
            "not-the-host",
            "unknown-invitation",
            "idempotency-key-invalid",
            "idempotency-key-reused",
            "too-busy",
        ),
    ),
)
async def withdraw_invitation(
    request: StrictRequest, game: FromPath[str], player: FromPath[str]
) -> Reply:
    """Take an invitation back, as the host; or decline your own.

    The `Idempotency-Key` may be left out: then a repetition finds no invitation.
    """
    house, caller = house_of(request), request.caller
    named = name_command(house, request, caller, key_if_given(request))
    if player == caller.player:
        return receipt_of(game, await _decline(house, request, caller, game, named))
    await look_up(house, caller, game, known=True)
    command = WithdrawInvitation(player=player)
    return receipt_of(game, await execute(house, request, game, command, caller.as_player, named))


async def _decline(
    house: House, request: StrictRequest, caller: Principal, game: str, named: Named
) -> LogReceipt:
    """Decline; a repetition has its answer though the table is none of the caller's by then.

    Raises:
        Refused: game-not-found, where a private table has not invited the caller.
        Rejected: unknown-invitation, table-not-open.
    """
    require_game_id(game)
    actor = caller.as_player
    try:
        return await execute(house, request, game, DeclineInvitation(), actor, named)
    except BadStreamIdError:
        raise no_game() from None
    except Rejected as refusal:
        if refusal.code == Code.UNKNOWN_INVITATION:
            state = (await house.desk.load(game)).state
            if not may_know(state, caller):
                raise no_game() from None
        raise


HANDLERS: Final[list[HTTPRouteHandler]] = [invite_players, withdraw_invitation]
