"""What happens to a player's account: its events and commands (pure)."""

from __future__ import annotations

from typing import Final, Literal, get_args

from msgspec import UNSET

from events.kernel import AtEnd, Command, DurationMs, Event, Public, TimestampMs

Scope = Literal["play", "bot", "organise", "audit", "admin"]
"""What a token allows.

``play`` lets it act at tables as a person and ``bot`` as a program, and no token has both;
``organise`` lets it direct the tables that its player hosts, ``audit`` lets it inspect running
games, ``admin`` lets it direct every table and issue any token.
"""

SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
"""All scopes, in the order in which they are stored and shown."""

FIRST_SCOPES: Final[tuple[Scope, ...]] = ("play",)
"""What a new player's first token allows."""

Origin = Literal["registration", "request", "device-link", "recovery-file", "passkey"]
"""How a token came about: with the account, asked for by the bearer of another one, or by signing
in with a device link, a recovery file or a passkey."""


class AccountRegistered(Event, frozen=True, tag="player-registered"):
    """A person, or somebody's program, became a player; ``name_seal`` commits to the name."""

    player: Public[str]
    name_seal: Public[str]
    at: Public[TimestampMs]


class PlayerRenamed(Event, frozen=True, tag="player-renamed"):
    """The player is called something else from now on, also where they sat down before."""

    name_seal: Public[str]
    by: Public[str]
    at: Public[TimestampMs]


class TokenIssued(Event, frozen=True, tag="token-issued"):
    """A token was handed out; only the SHA-256 of it is kept, in hexadecimal.

    ``label_seal`` commits to what it is called; "" if it is not called anything. ``origin`` is how
    it came about; of an account's first token it is not said, which came with the account.
    """

    token: Public[str]
    scopes: Public[tuple[Scope, ...]]
    by: Public[str]
    at: Public[TimestampMs]
    token_hash: AtEnd[str] = UNSET
    label_seal: Public[str] = ""
    origin: Public[Origin] = "request"


class TokenLabelled(Event, frozen=True, tag="token-labelled"):
    """A token is called something else, or nothing any more (``label_seal`` is "")."""

    token: Public[str]
    by: Public[str]
    at: Public[TimestampMs]
    label_seal: Public[str] = ""


class TokenRevoked(Event, frozen=True, tag="token-revoked"):
    """A token opens nothing any more."""

    token: Public[str]
    by: Public[str]
    at: Public[TimestampMs]


class DeviceLinkMade(Event, frozen=True, tag="device-link-made"):
    """A link was made that signs one other device in, until ``expires_at``; it replaces any other.

    ``under`` is the token that asked for it: with that one the link becomes worthless too. Of its
    secret only the SHA-256 is kept, in hexadecimal.
    """

    link: Public[str]
    under: Public[str]
    by: Public[str]
    at: Public[TimestampMs]
    expires_at: Public[TimestampMs]
    secret_hash: AtEnd[str] = UNSET


class DeviceLinkUsed(Event, frozen=True, tag="device-link-used"):
    """A device signed in with the link, which does so once; its token follows."""

    link: Public[str]
    at: Public[TimestampMs]


class DeviceLinkWithdrawn(Event, frozen=True, tag="device-link-withdrawn"):
    """The link signs nobody in any more."""

    link: Public[str]
    by: Public[str]
    at: Public[TimestampMs]


class RecoveryFileMade(Event, frozen=True, tag="recovery-file-made"):
    """A recovery file was made; every earlier one is worthless.

    Of its secret only the SHA-256 is kept, in hexadecimal.
    """

    by: Public[str]
    at: Public[TimestampMs]
    secret_hash: AtEnd[str] = UNSET


class PasskeyMade(Event, frozen=True, tag="passkey-made"):
    """A passkey was made, by which its holder signs in until it is revoked.

    ``credential`` is its id as authenticators know it and ``public_key`` what checks its
    signatures (COSE, RFC 9052 §7), both in base64url. ``counter`` is how often it had signed, 0
    also if it does not count. ``label_seal`` is as for tokens.
    """

    passkey: Public[str]
    by: Public[str]
    at: Public[TimestampMs]
    counter: Public[int]
    credential: AtEnd[str] = UNSET
    public_key: AtEnd[str] = UNSET
    label_seal: Public[str] = ""


class PasskeyLabelled(Event, frozen=True, tag="passkey-labelled"):
    """A passkey is called something else, or nothing any more (``label_seal`` is "")."""

    passkey: Public[str]
    by: Public[str]
    at: Public[TimestampMs]
    label_seal: Public[str] = ""


class PasskeyUsed(Event, frozen=True, tag="passkey-used"):
    """Somebody signed in with the passkey, which has signed ``counter`` times; a token follows."""

    passkey: Public[str]
    at: Public[TimestampMs]
    counter: Public[int]


class PasskeyRevoked(Event, frozen=True, tag="passkey-revoked"):
    """The passkey signs nobody in any more; tokens that it gave stay."""

    passkey: Public[str]
    by: Public[str]
    at: Public[TimestampMs]


class InvitationLinkMade(Event, frozen=True, tag="invitation-link-made"):
    """A link was made by which players come to a table of this player's, until ``expires_at``.

    ``uses`` is for how many; None: until the table is full. Of its secret only the SHA-256 is kept,
    in hexadecimal.
    """

    link: Public[str]
    game: Public[str]
    by: Public[str]
    at: Public[TimestampMs]
    expires_at: Public[TimestampMs]
    uses: Public[int | None] = None
    secret_hash: AtEnd[str] = UNSET


class InvitationLinkUsed(Event, frozen=True, tag="invitation-link-used"):
    """A player has come by the link; the table's log says that they are invited."""

    link: Public[str]
    player: Public[str]
    at: Public[TimestampMs]


class InvitationLinkWithdrawn(Event, frozen=True, tag="invitation-link-withdrawn"):
    """Nobody comes by the link any more."""

    link: Public[str]
    by: Public[str]
    at: Public[TimestampMs]


class AccountDeleted(Event, frozen=True, tag="account-deleted"):
    """The account is no more: its tokens open nothing and its names are erased.

    Its id stays in the games that it played.
    """

    by: Public[str]
    at: Public[TimestampMs]


class RegisterPlayer(Command, frozen=True, tag="register-player"):
    """Become a player, and get the first token in the same breath."""

    name_seal: Public[str]
    token: Public[str]
    token_hash: AtEnd[str] = UNSET


class RenamePlayer(Command, frozen=True, tag="rename-player"):
    """Call the player something else. ``under`` and ``admin`` as for ``IssueToken``."""

    name_seal: Public[str]
    under: Public[str]
    admin: Public[bool] = False


class IssueToken(Command, frozen=True, tag="issue-token"):
    """Hand out one more token.

    ``under`` is the id of the token whose bearer asks; ``admin`` says that a token of another
    account asks, and that it has the scope ``admin``.
    """

    token: Public[str]
    scopes: Public[tuple[Scope, ...]]
    under: Public[str]
    admin: Public[bool] = False
    token_hash: AtEnd[str] = UNSET
    label_seal: Public[str] = ""


class RevokeToken(Command, frozen=True, tag="revoke-token"):
    """Make a token worthless. ``under`` and ``admin`` as for ``IssueToken``."""

    token: Public[str]
    under: Public[str]
    admin: Public[bool] = False


class LabelToken(Command, frozen=True, tag="label-token"):
    """Call a token something. ``under`` and ``admin`` as for ``IssueToken``."""

    token: Public[str]
    under: Public[str]
    admin: Public[bool] = False
    label_seal: Public[str] = ""


class RevokeOtherTokens(Command, frozen=True, tag="revoke-other-tokens"):
    """Make all live tokens worthless but the one that asks, whose id is ``under``.

    Those with scopes that the asking token may not revoke stay.
    """

    under: Public[str]


class MakeDeviceLink(Command, frozen=True, tag="make-device-link"):
    """Make a link that signs one other device in. ``under`` as for ``IssueToken``."""

    link: Public[str]
    under: Public[str]
    secret_hash: AtEnd[str] = UNSET


class WithdrawDeviceLink(Command, frozen=True, tag="withdraw-device-link"):
    """Make a device link worthless. ``under`` as for ``IssueToken``."""

    link: Public[str]
    under: Public[str]


class UseDeviceLink(Command, frozen=True, tag="use-device-link"):
    """Sign a device in with the secret of a link, and get a token for it."""

    token: Public[str]
    secret_hash: AtEnd[str] = UNSET
    token_hash: AtEnd[str] = UNSET


class MakeRecoveryFile(Command, frozen=True, tag="make-recovery-file"):
    """Make a recovery file, in the place of any earlier one. ``under`` as for ``IssueToken``."""

    under: Public[str]
    secret_hash: AtEnd[str] = UNSET


class UseRecoveryFile(Command, frozen=True, tag="use-recovery-file"):
    """Sign in with the secret of a recovery file, and get a token."""

    token: Public[str]
    secret_hash: AtEnd[str] = UNSET
    token_hash: AtEnd[str] = UNSET


class MakePasskey(Command, frozen=True, tag="make-passkey"):
    """Add a passkey, whose maker has been checked. ``under`` as for ``IssueToken``."""

    passkey: Public[str]
    under: Public[str]
    counter: Public[int]
    credential: AtEnd[str] = UNSET
    public_key: AtEnd[str] = UNSET
    label_seal: Public[str] = ""


class LabelPasskey(Command, frozen=True, tag="label-passkey"):
    """Call a passkey something. ``under`` as for ``IssueToken``."""

    passkey: Public[str]
    under: Public[str]
    label_seal: Public[str] = ""


class UsePasskey(Command, frozen=True, tag="use-passkey"):
    """Sign in with a passkey, whose signature has been checked, and get a token."""

    passkey: Public[str]
    token: Public[str]
    counter: Public[int]
    token_hash: AtEnd[str] = UNSET


class RevokePasskey(Command, frozen=True, tag="revoke-passkey"):
    """Make a passkey worthless. ``under`` as for ``IssueToken``."""

    passkey: Public[str]
    under: Public[str]


class MakeInvitationLink(Command, frozen=True, tag="make-invitation-link"):
    """Make a link by which players come to a table. ``under`` as for ``IssueToken``.

    It lasts for ``lasts_ms``; ``uses`` as in the event.
    """

    link: Public[str]
    game: Public[str]
    under: Public[str]
    lasts_ms: Public[DurationMs]
    uses: Public[int | None] = None
    secret_hash: AtEnd[str] = UNSET


class UseInvitationLink(Command, frozen=True, tag="use-invitation-link"):
    """Come by the secret of a link; the actor is who comes, not the player of the account."""

    secret_hash: AtEnd[str] = UNSET


class WithdrawInvitationLink(Command, frozen=True, tag="withdraw-invitation-link"):
    """Make a link worthless. ``under`` as for ``IssueToken``."""

    link: Public[str]
    under: Public[str]


class DeleteAccount(Command, frozen=True, tag="delete-account"):
    """Delete the account, for ever. ``under`` and ``admin`` as for ``IssueToken``."""

    under: Public[str]
    admin: Public[bool] = False


ACCOUNT_EVENTS: tuple[type[Event], ...] = (
    AccountRegistered,
    PlayerRenamed,
    TokenIssued,
    TokenLabelled,
    TokenRevoked,
    DeviceLinkMade,
    DeviceLinkUsed,
    DeviceLinkWithdrawn,
    RecoveryFileMade,
    PasskeyMade,
    PasskeyLabelled,
    PasskeyUsed,
    PasskeyRevoked,
    InvitationLinkMade,
    InvitationLinkUsed,
    InvitationLinkWithdrawn,
    AccountDeleted,
)
ACCOUNT_COMMANDS: tuple[type[Command], ...] = (
    RegisterPlayer,
    RenamePlayer,
    IssueToken,
    LabelToken,
    RevokeToken,
    RevokeOtherTokens,
    MakeDeviceLink,
    WithdrawDeviceLink,
    UseDeviceLink,
    MakeRecoveryFile,
    UseRecoveryFile,
    MakePasskey,
    LabelPasskey,
    UsePasskey,
    RevokePasskey,
    MakeInvitationLink,
    UseInvitationLink,
    WithdrawInvitationLink,
    DeleteAccount,
)
