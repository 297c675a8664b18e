"""The bodies of requests and answers about passkeys.

Whatever is bytes is in base64url without padding, as in WebAuthn's own JSON. Challenges, ids and
signatures are handed to the browser and taken from it unchanged.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from club.accounts import LABEL_MAX
from events.kernel import TimestampMs

_BASE64URL = r"^[A-Za-z0-9_-]+\Z"
_Short = Annotated[str, Meta(min_length=1, max_length=1400, pattern=_BASE64URL)]
"""Up to 1,023 bytes: the longest id of a credential (WebAuthn §4)."""
_Long = Annotated[str, Meta(min_length=1, max_length=16_384, pattern=_BASE64URL)]


class NewPasskey(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A passkey that an authenticator has made for you, and what you call it; "" for nothing.

    ``client_data`` and ``attestation`` are the ``clientDataJSON`` and the ``attestationObject`` of
    the browser's answer. Nothing is asked of who made the authenticator.
    """

    client_data: _Long
    attestation: _Long
    label: Annotated[str, Meta(max_length=LABEL_MAX)] = ""


class PasskeySignIn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a passkey has signed: the parts of the browser's answer.

    ``credential`` is its ``id``, ``user`` the ``userHandle``, ``client_data`` the
    ``clientDataJSON``, ``authenticator_data`` the ``authenticatorData``.
    """

    credential: _Short
    user: _Short
    client_data: _Long
    authenticator_data: _Long
    signature: _Short


class PasskeyCreation(Struct, frozen=True, kw_only=True):
    """What a browser needs to make a passkey for you, good once and until ``expires_at``.

    ``domain`` is the id of the relying party, ``user`` your user handle and ``name`` your name;
    ``algorithms`` are those that are taken, the best first (COSE), and ``exclude`` the credentials
    that you have. Ask for a discoverable credential, with user verification.
    """

    challenge: str
    domain: str
    expires_at: TimestampMs
    user: str
    name: str
    algorithms: tuple[int, ...]
    exclude: tuple[str, ...]


class PasskeyChallenge(Struct, frozen=True, kw_only=True):
    """What a browser needs to sign in with a passkey, good once and until ``expires_at``.

    ``domain`` is the id of the relying party. Ask for user verification, and name no credentials.
    """

    challenge: str
    domain: str
    expires_at: TimestampMs


class PasskeyInfo(Struct, frozen=True, kw_only=True):
    """A passkey, without its keys. Times are milliseconds since 1970, UTC."""

    id: str
    label: str
    made_at: TimestampMs
    last_used_at: TimestampMs | None
    revoked_at: TimestampMs | None
