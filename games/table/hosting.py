"""What a host does at a table before the game begins: inviting, and calling it off (pure).

Invitations say who may sit down at a private table, and whom any table would like to see. Each is
one player's: the host makes and withdraws it, and whoever is invited may decline it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from events.kernel import Command, Rejected, Working
from games import table_events as ev
from games.ending import end_table
from games.table_checks import Code, require_open
from games.table_state import TableState


def invite(work: Working[TableState], c: ev.InvitePlayers) -> None:
    """Invite players, all of them or none.

    Raises:
        Rejected: table-not-open, not-the-host, too-many-invitations, player-seated,
            already-invited, unknown-invitation (nobody is named).
    """
    _require_host(work)
    if not c.players:
        raise Rejected(Code.UNKNOWN_INVITATION, "nobody is named")
    if work.state.invitations_made + len(c.players) > c.limit:
        raise Rejected(
            Code.TOO_MANY_INVITATIONS, f"a table invites at most {c.limit} players in all"
        )
    for player in c.players:
        if work.state.seats_of(player):
            raise Rejected(Code.PLAYER_SEATED, "this player has a seat at the table")
        if player in {work.state.host, *work.state.invited}:
            raise Rejected(Code.ALREADY_INVITED, "this player has been invited")
        work.emit(ev.PlayerInvited(player=player))


def withdraw(work: Working[TableState], c: ev.WithdrawInvitation) -> None:
    """Take an invitation back. Whoever sits already keeps the seat.

    Raises:
        Rejected: table-not-open, not-the-host, unknown-invitation.
    """
    _require_host(work)
    if c.player not in work.state.invited:
        raise Rejected(Code.UNKNOWN_INVITATION, "this player is not invited")
    work.emit(ev.InvitationWithdrawn(player=c.player))


def decline(work: Working[TableState], _: ev.DeclineInvitation) -> None:
    """Decline one's own invitation.

    Who is not invited learns nothing of the table, not even whether it is open.

    Raises:
        Rejected: unknown-invitation, table-not-open.
    """
    player = work.context.actor.id
    if player not in work.state.invited:
        raise Rejected(Code.UNKNOWN_INVITATION, "you are not invited")
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
        raise Rejected(Code.NOT_THE_HOST, "only the host does this")


HOSTING: Final[dict[type[Command], Callable[[Working[TableState], Any], None]]] = {
    ev.InvitePlayers: invite,
    ev.WithdrawInvitation: withdraw,
    ev.DeclineInvitation: decline,
    ev.CloseTable: call_off,
}
"""What carries out each of these commands."""
