"""What followers of feeds note: where they begin, and what they are told (pure)."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from events.durability import Durability
from events.feed import Pointer


class FeedBegan(Struct, frozen=True, kw_only=True, tag=True):
    """A follower is told of a shard what comes after the entry ``after``."""

    follower: str
    shard: int
    after: int


class FeedTold(Struct, frozen=True, kw_only=True, tag=True):
    """A follower was told of an entry.

    ``at`` is the time, in the unit of ``Attempt.sent``; ``level`` what is promised of all that it
    is told.
    """

    follower: str
    pointer: Pointer
    at: int
    level: Durability = "local"


FeedNote: TypeAlias = FeedBegan | FeedTold
"""What followers note, in the order in which it happened to each."""
