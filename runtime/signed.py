"""Signs heads, and remembers which, so that no process ever signs two histories of one game.

A signed head is a promise that its holder can show to anyone. If a store has lost its tail, or was
rolled back, and another history has followed, the service must not silently sign that one.
"""

from __future__ import annotations

from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from events.kernel import TimestampMs
from events.log import Damaged
from events.lru import LruCache
from events.signing import Place, sign_head, verifier_key

KEPT: Final = 100_000
"""The most games whose newest signed head is remembered, about 200 bytes each."""


class Contradicted(Damaged):
    """The store's history of a game differs from the one that was signed."""


class Signer:
    """Signs heads in the name of ``origin`` with an Ed25519 seed of 32 bytes."""

    def __init__(self, origin: str, seed: bytes) -> None:
        self.origin = origin
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.verifier = verifier_key(origin, self._key.public_key())

    def sign(
        self, stream: str, version: int, head: bytes, at: TimestampMs, place: Place | None = None
    ) -> str:
        """The signed note that says where ``stream`` stood, and where in its store."""
        return sign_head(self._key, self.origin, stream, version, head, at, place)


class Signed(Struct, frozen=True):
    """A head that was signed, and its version."""

    version: int
    head: bytes


class SignedHeads:
    """The newest signed head of each game."""

    def __init__(self, kept: int = KEPT) -> None:
        self._newest: LruCache[str, Signed] = LruCache(kept)

    def newest(self, game: str) -> Signed | None:
        """The last signed head of a game."""
        return self._newest.get(game)

    def note(self, game: str, version: int, head: bytes) -> None:
        """Remember that a head was signed."""
        known = self._newest.use(game)
        if known is None or known.version < version:
            self._newest.keep(game, Signed(version, head))
