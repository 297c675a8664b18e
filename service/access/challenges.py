"""Challenges: what a passkey signs, so that no signature is worth anything a second time.

A challenge follows from a random salt. It is given out for one purpose, and is good for five
minutes and for one use. It is in the store, because another process may be asked to check it: under
a hash of it, so that no reader of the store can use one. It is forgotten after a quarter of an
hour, and until then it is known why it is good no more.

===============================  ======  ========================================================
``{T}:challenge:<hash>``         string  ``<purpose> <until>``: what it is for, and the time (ms)
                                         until which it is good
``{T}:challenge:<hash>:used``    string  the id of the command that has used it
``{T}:challenge:asked:<id>``     string  ``<salt> <until>``: what the challenge of a request follows
                                         from, with a master secret: a repetition gets it again
===============================  ======  ========================================================
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Final
from zlib import crc32

from msgspec import Struct

from events.clients import Client
from events.kernel import DurationMs, TimestampMs
from events.keys import KeyRing
from events.layout import Layout
from events.scripts import Caller, LogUnavailable
from events.seal import bytes_of
from service.http.problems import Refused

GOOD_MS: Final[DurationMs] = 5 * 60_000
"""How long a challenge is good."""

KNOWN_MS: Final[DurationMs] = 15 * 60_000
"""How long it is known that there was a challenge."""

_SALT_BYTES: Final = 16
SIGN_IN: Final = "sign-in"
"""The purpose of a challenge that signs somebody in; of one that makes a passkey it is the player
for whom it is made."""


class Challenge(Struct, frozen=True):
    """A challenge that was given out, good until a time in ms."""

    value: bytes
    until: TimestampMs


class Challenges:
    """Gives challenges out and takes them back. Belongs to the client's event loop.

    Args:
        client: the store; must not decode answers.
        layout: names the keys.
        keys: derive challenges from their salts.
        clock: the time in ms.
    """

    def __init__(
        self, client: Client, layout: Layout, keys: KeyRing, clock: Callable[[], TimestampMs]
    ) -> None:
        self._caller = Caller(client)
        self._layout = layout
        self._keys = keys
        self._clock = clock

    async def give(self, purpose: str, key: str) -> Challenge:
        """A new challenge; for a quarter of an hour the same one for the same purpose and key.

        Raises:
            LogUnavailable: the store does not answer, or is full.
        """
        principal = f"challenge@{purpose}"
        asked = self._place(f"asked:{self._keys.command_id(principal, key)}")
        drawn = f"{secrets.token_hex(_SALT_BYTES)} {self._clock() + GOOD_MS}"
        if await self._caller.command("SET", asked, drawn, "PX", KNOWN_MS, "NX") is None:
            found: bytes | None = await self._caller.command("GET", asked)
            if found is None:
                raise LogUnavailable("the challenge was forgotten at this very moment")
            drawn = found.decode()
        salt, _, until = drawn.partition(" ")
        digest = self._keys.digest(salt.encode())
        value = bytes_of(self._keys.derived_token(principal, key, purpose, digest))
        await self._caller.command("SET", self._key(value), f"{purpose} {until}", "PX", KNOWN_MS)
        return Challenge(value, int(until))

    async def require(self, value: bytes, purpose: str) -> None:
        """Require that a challenge was given out for this purpose and is still good.

        Whether it has been used is found out by using it.

        Raises:
            Refused: passkey-challenge-unknown, passkey-challenge-expired.
            LogUnavailable: the store does not answer.
        """
        found: bytes | None = await self._caller.command("GET", self._key(value))
        known, _, until = (found or b"").decode().partition(" ")
        if found is None or known != purpose:
            raise Refused("passkey-challenge-unknown", "this challenge was not given out for this")
        if self._clock() >= int(until):
            raise Refused("passkey-challenge-expired", "this challenge has expired")

    async def use(self, value: bytes, command_id: str) -> None:
        """Use a challenge up. The same command may do so again: it is a repetition.

        Raises:
            Refused: passkey-challenge-used.
            LogUnavailable: the store does not answer.
        """
        key = f"{self._key(value)}:used"
        if await self._caller.command("SET", key, command_id, "PX", KNOWN_MS, "NX") is not None:
            return
        user: bytes | None = await self._caller.command("GET", key)
        if user != command_id.encode():
            raise Refused("passkey-challenge-used", "this challenge has been used")

    def _key(self, value: bytes) -> str:
        return self._place(hashlib.sha256(value).hexdigest())

    def _place(self, name: str) -> str:
        shard = crc32(name.encode()) % self._layout.shards
        return self._layout.key(shard, f"challenge:{name}")
