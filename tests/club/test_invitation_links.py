"""Links to tables: given events, when a command, then events or a rejection."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from club.account_events import (
    AccountDeleted,
    InvitationLinkMade,
    InvitationLinkUsed,
    InvitationLinkWithdrawn,
    MakeInvitationLink,
    TokenRevoked,
    UseInvitationLink,
    WithdrawInvitationLink,
)
from club.account_state import INVITATION_LINKS_KEPT, AccountCode
from club.invitation_links import LINKS_MAX
from events.kernel import Actor
from tests.club.test_accounts import ADA, BOB, NOW, registered

CLEO = Actor("player", "p00-00000000000000000000000003")
MADE = InvitationLinkMade(
    link="i1", game="g1", by=ADA.id, at=NOW, expires_at=NOW + 60_000, uses=1, secret_hash="ss"
)
OPEN = replace(MADE, uses=None)
MAKE = MakeInvitationLink(
    link="i1", game="g1", under="t1", lasts_ms=60_000, uses=1, secret_hash="ss"
)
USE = UseInvitationLink(secret_hash="ss")
USED = InvitationLinkUsed(link="i1", player=BOB.id, at=NOW)
WITHDRAW = WithdrawInvitationLink(link="i1", under="t1")
WITHDRAWN = InvitationLinkWithdrawn(link="i1", by=ADA.id, at=NOW)


def test_a_link_is_made_for_a_table_and_a_time() -> None:
    assert registered().when(MAKE) == [MADE]
    assert registered().when(replace(MAKE, uses=None)) == [OPEN]
    registered().rejects(MAKE, AccountCode.NOT_YOUR_ACCOUNT, BOB)
    gone = registered(TokenRevoked(token="t1", by=ADA.id, at=NOW))
    gone.rejects(MAKE, AccountCode.TOKEN_REVOKED)


def test_whoever_has_it_comes_by_it_once_and_it_is_used_up() -> None:
    assert registered(MADE).when(USE, BOB) == [USED]
    used = registered(MADE, USED)
    used.rejects(USE, AccountCode.INVITATION_LINK_USED_UP, CLEO)
    assert registered(OPEN, USED).when(USE, CLEO)
    registered(OPEN, USED).rejects(USE, AccountCode.UNKNOWN_INVITATION_LINK, BOB)


def test_it_expires_and_is_withdrawn() -> None:
    late = replace(MADE, expires_at=NOW)
    registered(late).rejects(USE, AccountCode.INVITATION_LINK_EXPIRED, BOB)
    assert registered(MADE).when(WITHDRAW) == [WITHDRAWN]
    gone = registered(MADE, WITHDRAWN)
    gone.rejects(USE, AccountCode.INVITATION_LINK_WITHDRAWN, BOB)
    gone.rejects(WITHDRAW, AccountCode.INVITATION_LINK_WITHDRAWN)
    registered(MADE).rejects(WITHDRAW, AccountCode.NOT_YOUR_ACCOUNT, BOB)
    registered().rejects(WITHDRAW, AccountCode.UNKNOWN_INVITATION_LINK)


@pytest.mark.parametrize("secret", ["other", None])
def test_a_secret_that_is_not_there_invites_nobody(secret: str | None) -> None:
    use = UseInvitationLink() if secret is None else UseInvitationLink(secret_hash=secret)
    bare = InvitationLinkMade(link="i2", game="g1", by=ADA.id, at=NOW, expires_at=NOW + 1)
    registered(MADE, bare).rejects(use, AccountCode.UNKNOWN_INVITATION_LINK, BOB)


def test_a_deleted_account_invites_nobody() -> None:
    deleted = registered(MADE, AccountDeleted(by=ADA.id, at=NOW))
    deleted.rejects(USE, AccountCode.UNKNOWN_INVITATION_LINK, BOB)


def test_an_account_has_so_many_links_that_invite_and_remembers_so_many() -> None:
    many = [replace(MADE, link=f"i{n}") for n in range(LINKS_MAX)]
    another = replace(MAKE, link="another")
    full = registered(*many)
    full.rejects(another, AccountCode.TOO_MANY_INVITATION_LINKS)
    assert registered(*many, replace(WITHDRAWN, link="i3")).when(another)
    old = [replace(MADE, link=f"o{n}", expires_at=NOW) for n in range(INVITATION_LINKS_KEPT)]
    kept = registered(*old, MADE).state().invitation_links
    assert (len(kept), "o0" in kept, "o1" in kept, "i1" in kept) == (
        INVITATION_LINKS_KEPT,
        False,
        True,
        True,
    )
