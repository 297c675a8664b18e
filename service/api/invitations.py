"""``/v1/games/{game}/invitations``: inviting players to a table that has not begun."""

from __future__ import annotations

from typing import Final

from litestar import delete, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from events.kernel import Rejected
from events.layout import BadStreamIdError
from events.transact import CommandReceipt
from games.table.checks import TableCode
from games.table.events import DeclineInvitation, InvitePlayers, WithdrawInvitation
from service.access.request_name import RequestName
from service.access.view_scope import look_up, may_know, no_game, require_game_id
from service.api.command_execution import (
    execute,
    key_if_given,
    name_command,
    receipt_of,
)
from service.app_context import AppContext, app_context_of
from service.contract.bodies import NewInvitations, Receipt
from service.contract.operations import HOSTING, operation
from service.http.principals import Principal
from service.http.replies import Reply
from service.http.requests import StrictRequest


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
    """Invite players to your table, all of them or none. Each is notified by `GET /v1/stream`."""
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    await look_up(app_context, caller, game, known=True)
    app_context.quotas.require_invitations(caller, len(data.players))
    await app_context.account_service.require_accounts(data.players)
    limit = app_context.quotas.invitations(caller)
    command = InvitePlayers(players=data.players, limit=limit)
    named = name_command(app_context, request, caller, key, data)
    receipt = await execute(app_context, request, game, command, caller.as_player, named)
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
    """Withdraw an invitation, as the host, or decline your own.

    The `Idempotency-Key` is optional: without it, a repetition finds no invitation.
    """
    app_context, caller = app_context_of(request), request.caller
    named = name_command(app_context, request, caller, key_if_given(request))
    if player == caller.player:
        return receipt_of(game, await _decline(app_context, request, caller, game, named))
    await look_up(app_context, caller, game, known=True)
    command = WithdrawInvitation(player=player)
    return receipt_of(
        game, await execute(app_context, request, game, command, caller.as_player, named)
    )


async def _decline(
    app_context: AppContext,
    request: StrictRequest,
    caller: Principal,
    game: str,
    named: RequestName,
) -> CommandReceipt:
    """Decline; a repetition gets its answer although the caller no longer sees the table.

    Raises:
        Refused: game-not-found, where a private table has not invited the caller.
        Rejected: unknown-invitation, table-not-open.
    """
    require_game_id(game)
    actor = caller.as_player
    try:
        return await execute(app_context, request, game, DeclineInvitation(), actor, named)
    except BadStreamIdError:
        raise no_game() from None
    except Rejected as refusal:
        if refusal.code == TableCode.UNKNOWN_INVITATION:
            state = (await app_context.tables.load(game)).state
            if not may_know(state, caller):
                raise no_game() from None
        raise


HANDLERS: Final[list[HTTPRouteHandler]] = [invite_players, withdraw_invitation]
