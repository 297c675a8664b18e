"""The caller: the bearer of a token, with the scopes of that token."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from msgspec import Struct

from club.account_events import SCOPES, Scope
from events.kernel import Actor

OPERATOR: Final = "operator"
"""The id under which the admin token of the settings acts; no player can have it."""

_TOKEN = re.compile(r"plr\.(p[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26})\.([A-Za-z0-9_-]{43})")


class Principal(Struct, frozen=True):
    """The bearer of a valid token. ``player`` is ``OPERATOR`` for the settings' admin token.

    ``name_seal`` commits to the player's name.
    """

    player: str
    name_seal: str
    token: str
    scopes: frozenset[Scope]

    def has(self, *wanted: Scope) -> bool:
        """Whether the token has one of the scopes."""
        return not self.scopes.isdisjoint(wanted)

    @property
    def as_player(self) -> Actor:
        """The actor of the bearer's commands at a table."""
        return Actor("player", self.player)

    @property
    def is_program(self) -> bool:
        """Whether the token acts as a program."""
        return "bot" in self.scopes


OPERATOR_PRINCIPAL: Final = Principal(
    OPERATOR, "", "", frozenset(SCOPES) - frozenset[Scope]({"play", "bot"})
)
"""The operator directs, audits and issues tokens; it does not play."""


def token_text(player: str, secret: str) -> str:
    """The bearer string of a token. It contains the player's id, so that lookup needs no index."""
    return f"plr.{player}.{secret}"


def player_of(token: str) -> str | None:
    """The player that a bearer string claims to belong to; None if it is malformed."""
    match = _TOKEN.fullmatch(token)
    return match.group(1) if match else None


def token_hash(token: str) -> str:
    """What is stored of a token: its SHA-256, in hexadecimal."""
    return hashlib.sha256(token.encode()).hexdigest()


def token_id(digest: str) -> str:
    """The public id of a token: 64 bits of its hash, enough to be unique within an account."""
    return f"t{digest[:16]}"
