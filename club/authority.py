"""Who may change an account: the token that asks, and what it may hand out and take back (pure)."""

from __future__ import annotations

from collections.abc import Iterable

from club import account_events as ev
from club.account_state import Account, AccountCode
from events.kernel import Rejected, Working


def authority_of(work: Working[Account], under: str, *, admin: bool) -> frozenset[ev.Scope]:
    """The scopes of the token making the request, from the account's own facts if it has them.

    So a token that is being revoked cannot issue a successor at the same moment.

    Raises:
        Rejected: unknown-account, account-deleted, not-your-account, unknown-token, token-revoked.
    """
    state = work.state
    if not state.player:
        raise Rejected(AccountCode.UNKNOWN_ACCOUNT, "there is no such account")
    if admin:
        if state.deleted_at is not None:
            raise Rejected(AccountCode.ACCOUNT_DELETED, "this account has been deleted")
        return frozenset(ev.SCOPES)
    if work.context.actor.id != state.player:
        raise Rejected(AccountCode.NOT_YOUR_ACCOUNT, "this account is somebody else's")
    token = state.tokens.get(under)
    if token is None:
        raise Rejected(AccountCode.UNKNOWN_TOKEN, "this account has no such token")
    if token.revoked_at is not None:
        raise Rejected(AccountCode.TOKEN_REVOKED, "this token has been revoked")
    return lends(token.scopes)


def lends(scopes: Iterable[ev.Scope]) -> frozenset[ev.Scope]:
    """The scopes that a token of these scopes may issue and revoke.

    A player may let their own program play; a program cannot turn itself into a person.
    """
    held = frozenset(scopes)
    if "admin" in held:
        return frozenset(ev.SCOPES)
    return held | {"bot"} if "play" in held else held


def require_within(scopes: tuple[ev.Scope, ...], authority: frozenset[ev.Scope]) -> None:
    """Require that scopes may be handed out, or taken back.

    Raises:
        Rejected: scope-not-granted.
    """
    if not authority.issuperset(scopes):
        raise not_granted()


def not_granted() -> Rejected:
    """The refusal of who asks for more than their token may hand out or take back."""
    return Rejected(AccountCode.SCOPE_NOT_GRANTED, "your token does not have all of these scopes")


def require_live(work: Working[Account], name: str, authority: frozenset[ev.Scope]) -> None:
    """Require that a token is live, and that one of this authority may change it.

    Raises:
        Rejected: unknown-token, token-revoked, scope-not-granted.
    """
    token = work.state.tokens.get(name)
    if token is None:
        raise Rejected(AccountCode.UNKNOWN_TOKEN, "this account has no such token")
    if token.revoked_at is not None:
        raise Rejected(AccountCode.TOKEN_REVOKED, "this token has been revoked")
    require_within(token.scopes, authority)
