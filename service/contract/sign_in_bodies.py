"""The bodies of requests and answers about signing in."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from events.kernel import TimestampMs
from service.contract.bodies import TokenShown

SECRET_MAX: Final = 128
"""More characters than any secret has."""


class SignInSecret(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The secret that signs you in: of a device link, or out of a recovery file."""

    secret: Annotated[str, Meta(min_length=1, max_length=SECRET_MAX)]


class DeviceLinkShown(Struct, frozen=True, kw_only=True):
    """A device link, whose ``secret`` is shown only once.

    It signs one device in, once, until ``expires_at`` (milliseconds since 1970, UTC). Whoever has
    it gets a token of your account, so hand it over in a way that only its receiver sees: never in
    the path or the query of an address.
    """

    id: str
    secret: str
    expires_at: TimestampMs


class RecoveryFileShown(Struct, frozen=True, kw_only=True):
    """What belongs into a recovery file, whose ``secret`` is shown only once."""

    secret: str
    made_at: TimestampMs


class SignedIn(Struct, frozen=True, kw_only=True):
    """You are signed in, with a token of your own."""

    id: str
    name: str | None
    token: TokenShown
