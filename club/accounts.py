"""The account of a player: a name, and tokens with scopes (pure).

A token grants its scopes and no more: it may issue tokens with scopes of its own, and revoke tokens
that grant no more than itself; a person's token may issue programs' tokens too. Only ``admin`` may
issue other scopes, and for any account. No token is both a person's and a program's. The names of
the player and the labels of tokens are known here by their seals alone (``events.names``), so
callers check a name before sealing it (``check_name``, ``check_label``).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import partial
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from club import account_events as ev
from events.kernel import Command, Context, Decision, Event, Rejected, Seat, TimestampMs, Working
from events.names import DELETED, require_seal

NAME_MAX: Final = 40
LABEL_MAX: Final = 80
TOKENS_MAX: Final = 20
"""The most live tokens of an account, unless the operator says otherwise."""


class AccountCode(StrEnum):
    """Why an account refuses a command. Stable; documented in ``docs/problems.md``."""

    ACCOUNT_EXISTS = "account-exists"
    ACCOUNT_DELETED = "account-deleted"
    UNKNOWN_ACCOUNT = "unknown-account"
    NOT_YOUR_ACCOUNT = "not-your-account"
    BAD_NAME = "bad-name"
    BAD_LABEL = "bad-label"
    BAD_SCOPES = "bad-scopes"
    PERSON_OR_PROGRAM = "person-or-program"
    SCOPE_NOT_GRANTED = "scope-not-granted"
    TOKEN_EXISTS = "token-exists"  # noqa: S105 (a code)
    UNKNOWN_TOKEN = "unknown-token"  # noqa: S105 (a code)
    TOKEN_REVOKED = "token-revoked"  # noqa: S105 (a code)
    TOO_MANY_TOKENS = "too-many-tokens"
    NO_OTHER_TOKENS = "no-other-tokens"


class TokenState(Struct, frozen=True):
    """A token as the account knows it; ``revoked_at`` is None while it is live."""

    scopes: tuple[ev.Scope, ...]
    issued_at: TimestampMs
    token_hash: str | None = None
    label_seal: str = ""
    revoked_at: TimestampMs | None = None
    origin: ev.Origin = "request"


class Account(Struct):
    """A player's account; ``player`` is empty before the registration."""

    player: str = ""
    name_seal: str = ""
    registered_at: TimestampMs = 0
    deleted_at: TimestampMs | None = None
    tokens: Mapping[str, TokenState] = {}


class Accounts:
    """The decider of an account.

    Args:
        tokens: the most live tokens of an account; an admin may exceed it.
    """

    def __init__(self, tokens: int = TOKENS_MAX) -> None:
        self._handlers: dict[type[Command], Callable[[Working[Account], Any], None]] = {
            ev.RegisterPlayer: _register,
            ev.IssueToken: partial(_issue, limit=tokens),
            ev.LabelToken: _label,
            ev.RevokeToken: _revoke,
            ev.RevokeOtherTokens: _revoke_others,
            ev.DeleteAccount: _delete,
        }

    def initial(self) -> Account:
        """The state of the empty stream."""
        return Account()

    def copy(self, state: Account) -> Account:
        """A private copy; every part is immutable."""
        return copy.copy(state)

    def evolve(self, state: Account, event: Event) -> Account:
        """Fold one fact."""
        _RECORDERS[type(event)](state, event)
        return state

    def decide(self, command: Command, state: Account, context: Context) -> list[Event]:
        """The events of a command.

        Raises:
            Rejected: with a code of ``AccountCode``; the requester is checked before the request.
            ValueError: a name was passed in place of its seal.
        """
        return self.carry_out(command, state, context).events

    def carry_out(self, command: Command, state: Account, context: Context) -> Working[Account]:
        """The events of a command, and the account after them.

        Raises:
            Rejected: as ``decide``.
        """
        work = Working(self.evolve, self.copy(state), context)
        self._handlers[type(command)](work, command)
        return work

    def decisions(self, state: Account, seat: Seat) -> list[Decision]:  # noqa: ARG002 (Decider)
        """None: an account never waits."""
        return []

    def seed(self, state: Account) -> bytes:  # noqa: ARG002 (Decider)
        """None: nothing is drawn."""
        return b""

    def wake_at(self, state: Account) -> TimestampMs | None:  # noqa: ARG002 (Decider)
        """Never."""
        return None

    def status(self, state: Account) -> str:
        """``none``, ``registered`` or ``deleted``."""
        if state.deleted_at is not None:
            return DELETED
        return "registered" if state.player else "none"


def _register(work: Working[Account], c: ev.RegisterPlayer) -> None:
    if work.state.player:
        raise Rejected(AccountCode.ACCOUNT_EXISTS, "this account exists")
    player, now = work.context.actor.id, work.context.now
    work.emit(ev.AccountRegistered(player=player, name_seal=require_seal(c.name_seal), at=now))
    work.emit(
        ev.TokenIssued(
            token=c.token, scopes=ev.FIRST_SCOPES, by=player, at=now, token_hash=c.token_hash
        )
    )


def _issue(work: Working[Account], c: ev.IssueToken, *, limit: int) -> None:
    state, now = work.state, work.context.now
    authority = _authority(work, c.under, admin=c.admin)
    scopes = tuple(scope for scope in ev.SCOPES if scope in c.scopes)
    if not scopes or len(scopes) != len(c.scopes):
        raise Rejected(AccountCode.BAD_SCOPES, "a token has at least one scope, and each only once")
    if {"play", "bot"}.issubset(scopes):
        raise Rejected(AccountCode.PERSON_OR_PROGRAM, "a token acts as a person or as a program")
    _require_within(scopes, authority)
    if c.token in state.tokens:
        raise Rejected(AccountCode.TOKEN_EXISTS, "this token exists")
    live = sum(token.revoked_at is None for token in state.tokens.values())
    if live >= limit and not c.admin:
        raise Rejected(AccountCode.TOO_MANY_TOKENS, f"an account has at most {limit} live tokens")
    work.emit(
        ev.TokenIssued(
            token=c.token,
            scopes=scopes,
            by=work.context.actor.id,
            at=now,
            token_hash=c.token_hash,
            label_seal=require_seal(c.label_seal),
        )
    )


def _label(work: Working[Account], c: ev.LabelToken) -> None:
    _require_live(work, c.token, _authority(work, c.under, admin=c.admin))
    by, now = work.context.actor.id, work.context.now
    seal = require_seal(c.label_seal)
    work.emit(ev.TokenLabelled(token=c.token, by=by, at=now, label_seal=seal))


def _revoke(work: Working[Account], c: ev.RevokeToken) -> None:
    _require_live(work, c.token, _authority(work, c.under, admin=c.admin))
    _emit_revoked(work, c.token)


def _revoke_others(work: Working[Account], c: ev.RevokeOtherTokens) -> None:
    authority = _authority(work, c.under, admin=False)
    others = [
        name
        for name, token in work.state.tokens.items()
        if name != c.under and token.revoked_at is None
    ]
    if not others:
        raise Rejected(AccountCode.NO_OTHER_TOKENS, "this is the only live token of the account")
    within = [name for name in others if authority.issuperset(work.state.tokens[name].scopes)]
    if not within:
        raise _not_granted()
    for name in within:
        _emit_revoked(work, name)


def _emit_revoked(work: Working[Account], token: str) -> None:
    work.emit(ev.TokenRevoked(token=token, by=work.context.actor.id, at=work.context.now))


def _require_live(work: Working[Account], name: str, authority: frozenset[ev.Scope]) -> None:
    """Require that a token is live, and that one of this authority may change it."""
    token = work.state.tokens.get(name)
    if token is None:
        raise Rejected(AccountCode.UNKNOWN_TOKEN, "this account has no such token")
    if token.revoked_at is not None:
        raise Rejected(AccountCode.TOKEN_REVOKED, "this token has been revoked")
    _require_within(token.scopes, authority)


def _delete(work: Working[Account], c: ev.DeleteAccount) -> None:
    authority = _authority(work, c.under, admin=c.admin)
    _require_within(("play",), authority)
    work.emit(ev.AccountDeleted(by=work.context.actor.id, at=work.context.now))


def _authority(work: Working[Account], under: str, *, admin: bool) -> frozenset[ev.Scope]:
    """The scopes of the token making the request, from the account's own facts if it has them.

    So a token that is being revoked cannot issue a successor at the same moment.
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


def _require_within(scopes: tuple[ev.Scope, ...], authority: frozenset[ev.Scope]) -> None:
    if not authority.issuperset(scopes):
        raise _not_granted()


def _not_granted() -> Rejected:
    return Rejected(AccountCode.SCOPE_NOT_GRANTED, "your token does not have all of these scopes")


def check_name(name: str) -> None:
    """Refuse an invalid player name (bad-name)."""
    if not _is_text(name, 1, NAME_MAX) or name != name.strip():
        raise Rejected(AccountCode.BAD_NAME, f"a name is 1 to {NAME_MAX} printable characters")


def check_label(label: str) -> None:
    """Refuse an invalid token label (bad-label)."""
    if not _is_text(label, 0, LABEL_MAX):
        raise Rejected(
            AccountCode.BAD_LABEL, f"a label has at most {LABEL_MAX} printable characters"
        )


def _is_text(text: str, least: int, most: int) -> bool:
    return least <= len(text) <= most and text.isprintable()


def _known(value: str | UnsetType) -> str | None:
    return None if value is UNSET else value


def _record_registered(s: Account, e: ev.AccountRegistered) -> None:
    s.player, s.name_seal, s.registered_at = e.player, e.name_seal, e.at


def _record_issued(s: Account, e: ev.TokenIssued) -> None:
    origin: ev.Origin = e.origin if s.tokens else "registration"
    token = TokenState(e.scopes, e.at, _known(e.token_hash), e.label_seal, origin=origin)
    s.tokens = {**s.tokens, e.token: token}


def _record_labelled(s: Account, e: ev.TokenLabelled) -> None:
    s.tokens = {**s.tokens, e.token: replace(s.tokens[e.token], label_seal=e.label_seal)}


def _record_revoked(s: Account, e: ev.TokenRevoked) -> None:
    s.tokens = {**s.tokens, e.token: replace(s.tokens[e.token], revoked_at=e.at)}


def _record_deleted(s: Account, e: ev.AccountDeleted) -> None:
    s.deleted_at = e.at
    s.tokens = {
        name: token if token.revoked_at is not None else replace(token, revoked_at=e.at)
        for name, token in s.tokens.items()
    }


_RECORDERS: dict[type[Event], Callable[[Account, Any], None]] = {
    ev.AccountRegistered: _record_registered,
    ev.TokenIssued: _record_issued,
    ev.TokenLabelled: _record_labelled,
    ev.TokenRevoked: _record_revoked,
    ev.AccountDeleted: _record_deleted,
}
