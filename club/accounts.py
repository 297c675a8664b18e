"""The account of a player: a name, and tokens with scopes (pure).

A token grants its scopes and no more: it may issue tokens with scopes of its own, and revoke tokens
that grant no more than itself; a person's token may issue programs' tokens too. Only ``admin`` may
issue other scopes, and for any account. No token is both a person's and a program's. The names of
the player and the labels of tokens are known here by their seals alone (``events.names``), so
callers check a name before sealing it (``check_name``, ``check_label``).
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from club import account_events as ev
from club import invitation_links, passkeys, sign_ins
from club.account_state import RECORDERS, Account, AccountCode
from club.authority import authority_of, not_granted, require_live, require_within
from events.kernel import Command, Context, Decision, Event, Rejected, Seat, TimestampMs, Working
from events.likeness import MARKS_MAX, is_piled_up, is_visible
from events.names import DELETED, require_seal

NAME_MAX: Final = 40
LABEL_MAX: Final = 80
TOKENS_MAX: Final = 20
"""The most live tokens of an account, unless the operator says otherwise."""


class Accounts:
    """The decider of an account.

    Args:
        tokens: the most live tokens of an account; an admin may exceed it.
    """

    def __init__(self, tokens: int = TOKENS_MAX) -> None:
        self._handlers: dict[type[Command], Callable[[Working[Account], Any], None]] = {
            ev.RegisterPlayer: _register,
            ev.RenamePlayer: _rename,
            ev.IssueToken: partial(_issue, limit=tokens),
            ev.LabelToken: _label,
            ev.RevokeToken: _revoke,
            ev.RevokeOtherTokens: _revoke_others,
            ev.MakeDeviceLink: sign_ins.make_link,
            ev.WithdrawDeviceLink: sign_ins.withdraw_link,
            ev.UseDeviceLink: partial(sign_ins.use_link, limit=tokens),
            ev.MakeRecoveryFile: sign_ins.make_file,
            ev.UseRecoveryFile: partial(sign_ins.use_file, limit=tokens),
            ev.MakePasskey: passkeys.make,
            ev.LabelPasskey: passkeys.label,
            ev.UsePasskey: partial(passkeys.use, limit=tokens),
            ev.RevokePasskey: passkeys.revoke,
            ev.MakeInvitationLink: invitation_links.make,
            ev.UseInvitationLink: invitation_links.use,
            ev.WithdrawInvitationLink: invitation_links.withdraw,
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
        RECORDERS[type(event)](state, event)
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


def _rename(work: Working[Account], c: ev.RenamePlayer) -> None:
    require_within(ev.FIRST_SCOPES, authority_of(work, c.under, admin=c.admin))
    if require_seal(c.name_seal) == work.state.name_seal:
        raise Rejected(AccountCode.NAME_UNCHANGED, "this is the player's name already")
    by, now = work.context.actor.id, work.context.now
    work.emit(ev.PlayerRenamed(name_seal=c.name_seal, by=by, at=now))


def _issue(work: Working[Account], c: ev.IssueToken, *, limit: int) -> None:
    state, now = work.state, work.context.now
    authority = authority_of(work, c.under, admin=c.admin)
    scopes = tuple(scope for scope in ev.SCOPES if scope in c.scopes)
    if not scopes or len(scopes) != len(c.scopes):
        raise Rejected(AccountCode.BAD_SCOPES, "a token has at least one scope, and each only once")
    if {"play", "bot"}.issubset(scopes):
        raise Rejected(AccountCode.PERSON_OR_PROGRAM, "a token acts as a person or as a program")
    require_within(scopes, authority)
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
    require_live(work, c.token, authority_of(work, c.under, admin=c.admin))
    by, now = work.context.actor.id, work.context.now
    seal = require_seal(c.label_seal)
    work.emit(ev.TokenLabelled(token=c.token, by=by, at=now, label_seal=seal))


def _revoke(work: Working[Account], c: ev.RevokeToken) -> None:
    require_live(work, c.token, authority_of(work, c.under, admin=c.admin))
    _emit_revoked(work, c.token)


def _revoke_others(work: Working[Account], c: ev.RevokeOtherTokens) -> None:
    authority = authority_of(work, c.under, admin=False)
    others = [
        name
        for name, token in work.state.tokens.items()
        if name != c.under and token.revoked_at is None
    ]
    if not others:
        raise Rejected(AccountCode.NO_OTHER_TOKENS, "this is the only live token of the account")
    within = [name for name in others if authority.issuperset(work.state.tokens[name].scopes)]
    if not within:
        raise not_granted()
    for name in within:
        _emit_revoked(work, name)


def _emit_revoked(work: Working[Account], token: str) -> None:
    work.emit(ev.TokenRevoked(token=token, by=work.context.actor.id, at=work.context.now))


def _delete(work: Working[Account], c: ev.DeleteAccount) -> None:
    authority = authority_of(work, c.under, admin=c.admin)
    require_within(("play",), authority)
    work.emit(ev.AccountDeleted(by=work.context.actor.id, at=work.context.now))


def check_name(name: str) -> None:
    """Refuse an invalid player name (bad-name)."""
    if not _is_text(name, 1, NAME_MAX) or name != name.strip() or not is_visible(name):
        raise Rejected(AccountCode.BAD_NAME, f"a name is 1 to {NAME_MAX} printable characters")
    if is_piled_up(name):
        raise Rejected(
            AccountCode.BAD_NAME,
            f"a name begins with no combining mark, and has at most {MARKS_MAX} of them in a row",
        )


def check_label(label: str) -> None:
    """Refuse an invalid token label (bad-label)."""
    if not _is_text(label, 0, LABEL_MAX):
        raise Rejected(
            AccountCode.BAD_LABEL, f"a label has at most {LABEL_MAX} printable characters"
        )


def _is_text(text: str, least: int, most: int) -> bool:
    return least <= len(text) <= most and text.isprintable()
