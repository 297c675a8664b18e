"""The state of an account, and how each of its events is recorded in it (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from club import account_events as ev
from events.kernel import Event, TimestampMs


class AccountCode(StrEnum):
    """Why an account refuses a command. Stable; documented in ``docs/problems.md``."""

    ACCOUNT_EXISTS = "account-exists"
    ACCOUNT_DELETED = "account-deleted"
    UNKNOWN_ACCOUNT = "unknown-account"
    NOT_YOUR_ACCOUNT = "not-your-account"
    BAD_NAME = "bad-name"
    NAME_UNCHANGED = "name-unchanged"
    BAD_LABEL = "bad-label"
    BAD_SCOPES = "bad-scopes"
    PERSON_OR_PROGRAM = "person-or-program"
    SCOPE_NOT_GRANTED = "scope-not-granted"
    TOKEN_EXISTS = "token-exists"  # noqa: S105 (a code)
    UNKNOWN_TOKEN = "unknown-token"  # noqa: S105 (a code)
    TOKEN_REVOKED = "token-revoked"  # noqa: S105 (a code)
    TOO_MANY_TOKENS = "too-many-tokens"
    NO_OTHER_TOKENS = "no-other-tokens"
    UNKNOWN_DEVICE_LINK = "unknown-device-link"
    DEVICE_LINK_EXPIRED = "device-link-expired"
    DEVICE_LINK_USED = "device-link-used"
    RECOVERY_FILE_INVALID = "recovery-file-invalid"
    UNKNOWN_PASSKEY = "unknown-passkey"
    PASSKEY_EXISTS = "passkey-exists"
    PASSKEY_REVOKED = "passkey-revoked"
    PASSKEY_COUNTER_BEHIND = "passkey-counter-behind"
    TOO_MANY_PASSKEYS = "too-many-passkeys"
    UNKNOWN_INVITATION_LINK = "unknown-invitation-link"
    INVITATION_LINK_WITHDRAWN = "invitation-link-withdrawn"
    INVITATION_LINK_EXPIRED = "invitation-link-expired"
    INVITATION_LINK_USED_UP = "invitation-link-used-up"
    TOO_MANY_INVITATION_LINKS = "too-many-invitation-links"


INVITATION_LINKS_KEPT: Final = 100
"""Of so many links to tables, the newest, an account knows what has become of them."""


class TokenState(Struct, frozen=True):
    """A token as the account knows it; ``revoked_at`` is None while it is live."""

    scopes: tuple[ev.Scope, ...]
    issued_at: TimestampMs
    token_hash: str | None = None
    label_seal: str = ""
    revoked_at: TimestampMs | None = None
    origin: ev.Origin = "request"


class DeviceLink(Struct, frozen=True):
    """The newest device link of an account; ``under`` is the token that asked for it."""

    id: str
    under: str
    expires_at: TimestampMs
    secret_hash: str | None = None
    is_used: bool = False


class RecoveryFile(Struct, frozen=True):
    """The newest recovery file of an account."""

    made_at: TimestampMs
    secret_hash: str | None = None


class Passkey(Struct, frozen=True):
    """A passkey of an account; ``counter`` is how often it has signed, as far as is known."""

    made_at: TimestampMs
    counter: int
    credential: str | None = None
    public_key: str | None = None
    label_seal: str = ""
    used_at: TimestampMs | None = None
    revoked_at: TimestampMs | None = None


class InvitationLink(Struct, frozen=True):
    """A link to a table, for so many ``uses`` (None: until it is full) by so many ``users``."""

    game: str
    expires_at: TimestampMs
    uses: int | None = None
    secret_hash: str | None = None
    users: tuple[str, ...] = ()
    is_withdrawn: bool = False

    def is_live(self, now: TimestampMs) -> bool:
        """Whether somebody can still come by it, as far as its account knows."""
        is_used_up = self.uses is not None and len(self.users) >= self.uses
        return not self.is_withdrawn and now < self.expires_at and not is_used_up


class Account(Struct):
    """A player's account; ``player`` is empty before the registration.

    ``former_seals`` are those of the names that the player had before, oldest first.
    """

    player: str = ""
    name_seal: str = ""
    former_seals: tuple[str, ...] = ()
    registered_at: TimestampMs = 0
    deleted_at: TimestampMs | None = None
    tokens: Mapping[str, TokenState] = {}
    device_link: DeviceLink | None = None
    recovery_file: RecoveryFile | None = None
    passkeys: Mapping[str, Passkey] = {}
    invitation_links: Mapping[str, InvitationLink] = {}

    def is_live(self, token: str) -> bool:
        """Whether a token opens something."""
        found = self.tokens.get(token)
        return found is not None and found.revoked_at is None

    def usable_link(self, now: TimestampMs) -> DeviceLink | None:
        """The device link by which a device can sign in at a time, if there is one."""
        link = self.device_link
        if link is None or link.is_used or now >= link.expires_at or not self.is_live(link.under):
            return None
        return link

    @property
    def live_tokens(self) -> list[str]:
        """The ids of all tokens that open something, the oldest first."""
        return [name for name in self.tokens if self.is_live(name)]

    @property
    def live_passkeys(self) -> list[Passkey]:
        """The passkeys that sign somebody in, the oldest first."""
        return [passkey for passkey in self.passkeys.values() if passkey.revoked_at is None]


def _known(value: str | UnsetType) -> str | None:
    return None if value is UNSET else value


def _record_registered(s: Account, e: ev.AccountRegistered) -> None:
    s.player, s.name_seal, s.registered_at = e.player, e.name_seal, e.at


def _record_renamed(s: Account, e: ev.PlayerRenamed) -> None:
    s.former_seals = (*s.former_seals, s.name_seal)
    s.name_seal = e.name_seal


def _record_issued(s: Account, e: ev.TokenIssued) -> None:
    origin: ev.Origin = e.origin if s.tokens else "registration"
    token = TokenState(e.scopes, e.at, _known(e.token_hash), e.label_seal, origin=origin)
    s.tokens = {**s.tokens, e.token: token}


def _record_labelled(s: Account, e: ev.TokenLabelled) -> None:
    s.tokens = {**s.tokens, e.token: replace(s.tokens[e.token], label_seal=e.label_seal)}


def _record_revoked(s: Account, e: ev.TokenRevoked) -> None:
    s.tokens = {**s.tokens, e.token: replace(s.tokens[e.token], revoked_at=e.at)}


def _record_link_made(s: Account, e: ev.DeviceLinkMade) -> None:
    s.device_link = DeviceLink(e.link, e.under, e.expires_at, _known(e.secret_hash))


def _record_link_used(s: Account, _: ev.DeviceLinkUsed) -> None:
    if s.device_link is not None:
        s.device_link = replace(s.device_link, is_used=True)


def _record_link_withdrawn(s: Account, _: ev.DeviceLinkWithdrawn) -> None:
    s.device_link = None


def _record_recovery_file(s: Account, e: ev.RecoveryFileMade) -> None:
    s.recovery_file = RecoveryFile(e.at, _known(e.secret_hash))


def _record_passkey(s: Account, e: ev.PasskeyMade) -> None:
    passkey = Passkey(
        e.at, e.counter, _known(e.credential), _known(e.public_key), label_seal=e.label_seal
    )
    s.passkeys = {**s.passkeys, e.passkey: passkey}


def _change_passkey(s: Account, name: str, **changes: object) -> None:
    s.passkeys = {**s.passkeys, name: replace(s.passkeys[name], **changes)}


def _record_passkey_labelled(s: Account, e: ev.PasskeyLabelled) -> None:
    _change_passkey(s, e.passkey, label_seal=e.label_seal)


def _record_passkey_used(s: Account, e: ev.PasskeyUsed) -> None:
    _change_passkey(s, e.passkey, counter=e.counter, used_at=e.at)


def _record_passkey_revoked(s: Account, e: ev.PasskeyRevoked) -> None:
    _change_passkey(s, e.passkey, revoked_at=e.at)


def _record_invitation_link(s: Account, e: ev.InvitationLinkMade) -> None:
    made = InvitationLink(e.game, e.expires_at, e.uses, _known(e.secret_hash))
    newest = list(s.invitation_links.items())[1 - INVITATION_LINKS_KEPT :]
    s.invitation_links = {**dict(newest), e.link: made}


def _record_invitation_link_used(s: Account, e: ev.InvitationLinkUsed) -> None:
    link = s.invitation_links[e.link]
    used = replace(link, users=(*link.users, e.player))
    s.invitation_links = {**s.invitation_links, e.link: used}


def _record_invitation_link_withdrawn(s: Account, e: ev.InvitationLinkWithdrawn) -> None:
    withdrawn = replace(s.invitation_links[e.link], is_withdrawn=True)
    s.invitation_links = {**s.invitation_links, e.link: withdrawn}


def _record_deleted(s: Account, e: ev.AccountDeleted) -> None:
    s.deleted_at = e.at
    s.device_link = s.recovery_file = None
    s.passkeys = {}
    s.invitation_links = {}
    s.tokens = {
        name: token if token.revoked_at is not None else replace(token, revoked_at=e.at)
        for name, token in s.tokens.items()
    }


RECORDERS: Final[dict[type[Event], Callable[[Account, Any], None]]] = {
    ev.AccountRegistered: _record_registered,
    ev.PlayerRenamed: _record_renamed,
    ev.TokenIssued: _record_issued,
    ev.TokenLabelled: _record_labelled,
    ev.TokenRevoked: _record_revoked,
    ev.DeviceLinkMade: _record_link_made,
    ev.DeviceLinkUsed: _record_link_used,
    ev.DeviceLinkWithdrawn: _record_link_withdrawn,
    ev.RecoveryFileMade: _record_recovery_file,
    ev.PasskeyMade: _record_passkey,
    ev.PasskeyLabelled: _record_passkey_labelled,
    ev.PasskeyUsed: _record_passkey_used,
    ev.PasskeyRevoked: _record_passkey_revoked,
    ev.InvitationLinkMade: _record_invitation_link,
    ev.InvitationLinkUsed: _record_invitation_link_used,
    ev.InvitationLinkWithdrawn: _record_invitation_link_withdrawn,
    ev.AccountDeleted: _record_deleted,
}
"""What records each event of an account, by its type."""
