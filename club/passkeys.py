"""Passkeys of an account: made, called something, used to sign in, revoked (pure).

A passkey is a key pair that a device keeps (WebAuthn); the account knows the public half of it.
Whether a signature is right is found out before a command comes here; what is decided here is what
depends on the account: that the passkey is one of its own, is not revoked, and has signed more
often than before if it counts. Two devices that count alike are one and its copy.
"""

from __future__ import annotations

from typing import Final

from club import account_events as ev
from club.account_state import Account, AccountCode, Passkey
from club.sign_ins import issue, make_room, require_person
from events.kernel import Rejected, Working
from events.names import require_seal

PASSKEYS_MAX: Final = 20
"""The most passkeys of an account that are not revoked."""


def make(work: Working[Account], c: ev.MakePasskey) -> None:
    """Add a passkey.

    Raises:
        Rejected: passkey-exists, too-many-passkeys; scope-not-granted, if the token that asks is no
            person's; and as ``authority_of``.
    """
    require_person(work, c.under)
    state = work.state
    if c.passkey in state.passkeys:
        raise Rejected(AccountCode.PASSKEY_EXISTS, "the account has this passkey already")
    if len(state.live_passkeys) >= PASSKEYS_MAX:
        raise Rejected(
            AccountCode.TOO_MANY_PASSKEYS, f"an account has at most {PASSKEYS_MAX} passkeys"
        )
    work.emit(
        ev.PasskeyMade(
            passkey=c.passkey,
            by=work.context.actor.id,
            at=work.context.now,
            counter=c.counter,
            credential=c.credential,
            public_key=c.public_key,
            label_seal=require_seal(c.label_seal),
        )
    )


def label(work: Working[Account], c: ev.LabelPasskey) -> None:
    """Call a passkey something.

    Raises:
        Rejected: unknown-passkey, passkey-revoked; and as ``make``.
    """
    require_person(work, c.under)
    require_live(work.state, c.passkey)
    by, now = work.context.actor.id, work.context.now
    seal = require_seal(c.label_seal)
    work.emit(ev.PasskeyLabelled(passkey=c.passkey, by=by, at=now, label_seal=seal))


def use(work: Working[Account], c: ev.UsePasskey, *, limit: int) -> None:
    """Sign in with a passkey.

    Whoever signs in often is not to run out of tokens: where there are too many, the oldest that a
    passkey gave are revoked, and then the oldest of all.

    Raises:
        Rejected: unknown-passkey, passkey-revoked, passkey-counter-behind, token-exists.
    """
    passkey = require_live(work.state, c.passkey)
    if max(c.counter, passkey.counter) > 0 and c.counter <= passkey.counter:
        raise Rejected(
            AccountCode.PASSKEY_COUNTER_BEHIND, "this passkey has signed more often before"
        )
    state = work.state
    make_room(
        work, sorted(state.live_tokens, key=lambda name: not _is_of_passkey(state, name)), limit
    )
    work.emit(ev.PasskeyUsed(passkey=c.passkey, at=work.context.now, counter=c.counter))
    issue(work, c.token, c.token_hash, "passkey")


def revoke(work: Working[Account], c: ev.RevokePasskey) -> None:
    """Make a passkey worthless.

    Raises:
        Rejected: as ``label``.
    """
    require_person(work, c.under)
    require_live(work.state, c.passkey)
    by, now = work.context.actor.id, work.context.now
    work.emit(ev.PasskeyRevoked(passkey=c.passkey, by=by, at=now))


def _is_of_passkey(state: Account, token: str) -> bool:
    return state.tokens[token].origin == "passkey"


def require_live(account: Account, name: str) -> Passkey:
    """A passkey of an account that signs somebody in.

    Raises:
        Rejected: unknown-passkey, passkey-revoked.
    """
    passkey = account.passkeys.get(name)
    if passkey is None:
        raise Rejected(AccountCode.UNKNOWN_PASSKEY, "this account has no such passkey")
    if passkey.revoked_at is not None:
        raise Rejected(AccountCode.PASSKEY_REVOKED, "this passkey has been revoked")
    return passkey
