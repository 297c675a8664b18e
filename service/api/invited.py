"""Whom a new table may invite."""

from __future__ import annotations

from collections.abc import Sequence

from events.kernel import Rejected
from games.table.checks import TableCode
from service.app_context import AppContext
from service.http.principals import Principal


async def require_invited(
    app_context: AppContext, caller: Principal, players: Sequence[str]
) -> None:
    """Require that a caller may open a table that invites these players.

    Raises:
        Rejected: already-invited, if one is named twice or is the host.
        Refused: too-many-invitations, player-not-found.
    """
    app_context.quotas.require_invitations(caller, len(players))
    if len({caller.player, *players}) <= len(players):
        raise Rejected(
            TableCode.ALREADY_INVITED, "each is invited once, the host needs no invitation"
        )
    await app_context.account_service.require_accounts(players)
