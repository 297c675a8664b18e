"""What a process has signed, so that it never signs two histories of one game.

A signed head is a promise: whoever holds one can show it to anybody. If a store has lost its tail,
or was set back, and something else has happened since, the service must not put its name to that
without saying so.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from msgspec import Struct

from events.log import Damaged

KEPT: Final = 100_000
"""Games of which the newest signed head is remembered, about 200 bytes each."""


class Contradicted(Damaged):
    """The store's history of a game is another one than was signed."""


class Signed(Struct, frozen=True):
    """A head that was signed, and its version."""

    version: int
    head: bytes


class SignedHeads:
    """The newest signed head of each game."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._newest: OrderedDict[str, Signed] = OrderedDict()

    def newest(self, game: str) -> Signed | None:
        """What was last signed of a game."""
        return self._newest.get(game)

    def note(self, game: str, version: int, head: bytes) -> None:
        """Remember that a head was signed."""
        known = self._newest.get(game)
        if known is None or known.version < version:
            self._newest[game] = Signed(version, head)
        self._newest.move_to_end(game)
        if len(self._newest) > self._kept:
            self._newest.popitem(last=False)
