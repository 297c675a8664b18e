"""How a browser without a token gets one: by a device link or a recovery file (pure).

Either holds a secret of 256 bits, of which the account knows the SHA-256 alone. A device link is
made in a browser that is signed in, lasts ten minutes, and signs one device in. A recovery file
lasts until the next one is made. What signs in gets a token of its own, with the scopes of a first
one and no others, whatever the token may do that made link or file.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Final

from msgspec import UnsetType

from club import account_events as ev
from club.account_state import Account, AccountCode
from club.authority import authority_of, require_within
from events.kernel import DurationMs, Rejected, Working

LINK_LASTS_MS: Final[DurationMs] = 10 * 60_000
"""How long a device link can be used."""


def make_link(work: Working[Account], c: ev.MakeDeviceLink) -> None:
    """Make a device link, in the place of any earlier one.

    Raises:
        Rejected: scope-not-granted, if the token that asks is no person's; and as ``authority_of``.
    """
    require_person(work, c.under)
    now = work.context.now
    work.emit(
        ev.DeviceLinkMade(
            link=c.link,
            under=c.under,
            by=work.context.actor.id,
            at=now,
            expires_at=now + LINK_LASTS_MS,
            secret_hash=c.secret_hash,
        )
    )


def withdraw_link(work: Working[Account], c: ev.WithdrawDeviceLink) -> None:
    """Make a device link worthless.

    Raises:
        Rejected: unknown-device-link, device-link-used; and as ``make_link``.
    """
    require_person(work, c.under)
    link = work.state.device_link
    if link is None or link.id != c.link:
        raise _no_link()
    if link.is_used:
        raise Rejected(AccountCode.DEVICE_LINK_USED, "a device has signed in with this link")
    event = ev.DeviceLinkWithdrawn(link=link.id, by=work.context.actor.id, at=work.context.now)
    work.emit(event)


def use_link(work: Working[Account], c: ev.UseDeviceLink, *, limit: int) -> None:
    """Sign a device in, once.

    Raises:
        Rejected: unknown-device-link, also when it was withdrawn, or the token that asked for it
            was revoked; device-link-used, device-link-expired, too-many-tokens, token-exists.
    """
    state, now = work.state, work.context.now
    link = state.device_link
    if link is None or not are_equal(link.secret_hash, c.secret_hash):
        raise _no_link()
    if link.is_used:
        raise Rejected(AccountCode.DEVICE_LINK_USED, "a device has signed in with this link")
    if not state.is_live(link.under):
        raise _no_link()
    if now >= link.expires_at:
        raise Rejected(AccountCode.DEVICE_LINK_EXPIRED, "this device link has expired")
    if len(state.live_tokens) >= limit:
        raise Rejected(AccountCode.TOO_MANY_TOKENS, f"an account has at most {limit} live tokens")
    work.emit(ev.DeviceLinkUsed(link=link.id, at=now))
    issue(work, c.token, c.token_hash, "device-link")


def make_file(work: Working[Account], c: ev.MakeRecoveryFile) -> None:
    """Make a recovery file, in the place of any earlier one.

    Raises:
        Rejected: as ``make_link``.
    """
    require_person(work, c.under)
    by, now = work.context.actor.id, work.context.now
    work.emit(ev.RecoveryFileMade(by=by, at=now, secret_hash=c.secret_hash))


def use_file(work: Working[Account], c: ev.UseRecoveryFile, *, limit: int) -> None:
    """Sign in with a recovery file.

    Nobody is to be locked out by tokens that they cannot revoke without one: where there are too
    many, the oldest are revoked.

    Raises:
        Rejected: recovery-file-invalid, token-exists.
    """
    state = work.state
    file = state.recovery_file
    if file is None or not are_equal(file.secret_hash, c.secret_hash):
        raise Rejected(AccountCode.RECOVERY_FILE_INVALID, "this recovery file opens no account")
    make_room(work, state.live_tokens, limit)
    issue(work, c.token, c.token_hash, "recovery-file")


def make_room(work: Working[Account], tokens: Sequence[str], limit: int) -> None:
    """Revoke as many of the live tokens as leaves room for another one, the first of them first."""
    by, now = work.state.player, work.context.now
    for name in tokens[: max(0, len(tokens) + 1 - limit)]:
        work.emit(ev.TokenRevoked(token=name, by=by, at=now))


def issue(
    work: Working[Account], token: str, token_hash: str | UnsetType, origin: ev.Origin
) -> None:
    """Give whoever has signed in a token of their own.

    Raises:
        Rejected: token-exists.
    """
    state = work.state
    if token in state.tokens:
        raise Rejected(AccountCode.TOKEN_EXISTS, "this token exists")
    work.emit(
        ev.TokenIssued(
            token=token,
            scopes=ev.FIRST_SCOPES,
            by=state.player,
            at=work.context.now,
            token_hash=token_hash,
            origin=origin,
        )
    )


def require_person(work: Working[Account], under: str) -> None:
    """Require that a person's token asks.

    Raises:
        Rejected: scope-not-granted; and as ``authority_of``.
    """
    require_within(ev.FIRST_SCOPES, authority_of(work, under, admin=False))


def are_equal(known: str | None, given: str | UnsetType) -> bool:
    """Whether a secret's hash is the known one, in a time that tells nothing; nobody knows None."""
    return known is not None and isinstance(given, str) and hmac.compare_digest(known, given)


def _no_link() -> Rejected:
    return Rejected(AccountCode.UNKNOWN_DEVICE_LINK, "this device link signs nobody in")
