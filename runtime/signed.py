"""What a process has signed, so that it never signs two different histories of one game.

A signed head is a promise that its holder can show to anyone. If a store has lost its tail, or was
rolled back, and another history has followed, the service must not silently sign that one.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from events.log import Damaged
from events.lru import LruCache

KEPT: Final = 100_000
"""The most games whose newest signed head is remembered, about 200 bytes each."""


class Contradicted(Damaged):
    """The store's history of a game differs from the one that was signed."""


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
