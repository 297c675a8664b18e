"""Links by which whoever has one may come to a table of this account's player (pure).

A link is the host's, not the table's: the table's log, which others keep for ever, says who was
invited and nothing of links. Of the secret the account knows the SHA-256 alone. A link lasts until
a time, and for so many players or for as long as the table has a free seat, which the table knows.
"""

from __future__ import annotations

from typing import Final

from msgspec import UnsetType

from club import account_events as ev
from club.account_state import Account, AccountCode, InvitationLink
from club.authority import authority_of
from club.sign_ins import are_equal
from events.kernel import Rejected, TimestampMs, Working

LINKS_MAX: Final = 20
"""The most links of an account that still invite somebody."""


def make(work: Working[Account], c: ev.MakeInvitationLink) -> None:
    """Make a link.

    Raises:
        Rejected: too-many-invitation-links; and as ``authority_of``.
    """
    authority_of(work, c.under, admin=False)
    now = work.context.now
    live = [each for each in work.state.invitation_links.values() if each.is_live(now)]
    if len(live) >= LINKS_MAX:
        raise Rejected(
            AccountCode.TOO_MANY_INVITATION_LINKS, f"an account has at most {LINKS_MAX} such links"
        )
    work.emit(
        ev.InvitationLinkMade(
            link=c.link,
            game=c.game,
            by=work.context.actor.id,
            at=now,
            expires_at=now + c.lasts_ms,
            uses=c.uses,
            secret_hash=c.secret_hash,
        )
    )


def use(work: Working[Account], c: ev.UseInvitationLink) -> None:
    """Let the player who asks come to the table.

    Raises:
        Rejected: unknown-invitation-link, also if the player has used it before;
            invitation-link-withdrawn, invitation-link-expired, invitation-link-used-up.
    """
    player, now = work.context.actor.id, work.context.now
    name, link = link_by(work.state, c.secret_hash)
    require_usable(link, now)
    if player in link.users:
        raise unknown_link()
    work.emit(ev.InvitationLinkUsed(link=name, player=player, at=now))


def withdraw(work: Working[Account], c: ev.WithdrawInvitationLink) -> None:
    """Make a link worthless. Who has used it stays invited.

    Raises:
        Rejected: unknown-invitation-link, invitation-link-withdrawn; and as ``authority_of``.
    """
    authority_of(work, c.under, admin=False)
    link = work.state.invitation_links.get(c.link)
    if link is None:
        raise unknown_link()
    if link.is_withdrawn:
        raise _withdrawn()
    by, now = work.context.actor.id, work.context.now
    work.emit(ev.InvitationLinkWithdrawn(link=c.link, by=by, at=now))


def link_by(state: Account, secret_hash: str | UnsetType) -> tuple[str, InvitationLink]:
    """The link of a secret, and its id.

    Raises:
        Rejected: unknown-invitation-link.
    """
    for name, link in state.invitation_links.items():
        if are_equal(link.secret_hash, secret_hash):
            return name, link
    raise unknown_link()


def require_usable(link: InvitationLink, now: TimestampMs) -> None:
    """Require that somebody can still come by a link.

    Raises:
        Rejected: invitation-link-withdrawn, invitation-link-expired, invitation-link-used-up.
    """
    if link.is_withdrawn:
        raise _withdrawn()
    if now >= link.expires_at:
        raise Rejected(AccountCode.INVITATION_LINK_EXPIRED, "this invitation has expired")
    if not link.is_live(now):
        raise Rejected(
            AccountCode.INVITATION_LINK_USED_UP, "as many have come by this link as were invited"
        )


def unknown_link() -> Rejected:
    """The answer to a secret that is none."""
    return Rejected(AccountCode.UNKNOWN_INVITATION_LINK, "this link invites nobody")


def _withdrawn() -> Rejected:
    return Rejected(AccountCode.INVITATION_LINK_WITHDRAWN, "this invitation was withdrawn")
