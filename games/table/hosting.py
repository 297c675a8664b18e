"""What a host does at a table before the game begins: inviting, and calling it off (pure).

Invitations say who may sit down at a private table, and who is welcome at any other. Each is for
one player: the host makes and withdraws it, and the invited player may decline it.
"""

from __future__ import annotations

from typing import Final

from events.kernel import Rejected, Working
from games.dispatch import on
from games.table import events as ev
from games.table.checks import TableCode, require_open
from games.table.ending import end_table
from games.table.state import TableState


def invite(work: Working[TableState], c: ev.InvitePlayers) -> None:
    """Invite players, all of them or none.

    Raises:
        Rejected: table-not-open, not-the-host, too-many-invitations, player-seated,
            already-invited, unknown-invitation (nobody is named).
    """
    _require_host(work)
    if not c.players:
        raise Rejected(TableCode.UNKNOWN_INVITATION, "nobody is named")
    if work.state.invitations_made + len(c.players) > c.limit:
        raise Rejected(
            TableCode.TOO_MANY_INVITATIONS, f"a table invites at most {c.limit} players in all"
        )
    for player in c.players:
        if work.state.seats_of(player):
            raise Rejected(TableCode.PLAYER_SEATED, "this player has a seat at the table")
        if player in {work.state.host, *work.state.invited}:
            raise Rejected(TableCode.ALREADY_INVITED, "this player has been invited")
        work.emit(ev.PlayerInvited(player=player))


def withdraw(work: Working[TableState], c: ev.WithdrawInvitation) -> None:
    """Withdraw an invitation. A player who already sits keeps the seat.

    Raises:
        Rejected: table-not-open, not-the-host, unknown-invitation.
    """
    _require_host(work)
    if c.player not in work.state.invited:
        raise Rejected(TableCode.UNKNOWN_INVITATION, "this player is not invited")
    work.emit(ev.InvitationWithdrawn(player=c.player))


def decline(work: Working[TableState], _: ev.DeclineInvitation) -> None:
    """Decline one's own invitation.

    Anyone else learns nothing of the table, not even whether it is open.

    Raises:
        Rejected: unknown-invitation, table-not-open.
    """
    player = work.context.actor.id
    if player not in work.state.invited:
        raise Rejected(TableCode.UNKNOWN_INVITATION, "you are not invited")
    require_open(work.state)
    work.emit(ev.InvitationDeclined(player=player))


def call_off(work: Working[TableState], _: ev.CloseTable) -> None:
    """End a table that has not begun.

    Raises:
        Rejected: table-not-open, not-the-host.
    """
    _require_host(work)
    end_table(work, ev.TableClosed(reason="cancelled", outcome="cancelled", winners=()))


def _require_host(work: Working[TableState]) -> None:
    require_open(work.state)
    if work.context.actor.id != work.state.host:
        raise Rejected(TableCode.NOT_THE_HOST, "only the host does this")


HOSTING: Final = (
    on(ev.InvitePlayers, invite)
    | on(ev.WithdrawInvitation, withdraw)
    | on(ev.DeclineInvitation, decline)
    | on(ev.CloseTable, call_off)
)
"""The handler of each of these commands."""
