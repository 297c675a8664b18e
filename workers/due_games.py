"""What is due in a store, read no more often than something may have changed.

A shard is read when its earliest wake-up time has come, and when its bell says that a stream wants
to be woken earlier. All shards are read at once when bells may have been lost, and every five
seconds without any reason, as followers of feeds do.
"""

from __future__ import annotations

import asyncio
import itertools
import math
from typing import Final

from events.bells import Ring
from events.kernel import DurationMs, TimestampMs
from events.timers import DueSets, DueStream, ShardDue

LOOK_MS: Final[DurationMs] = 5000
"""The pause between two readings of all shards."""

DUE_MAX: Final = 1000
"""Most due games of one shard in one reading."""


class DueGames:
    """What is due, as of the last reading. Belongs to one event loop.

    Args:
        timers: the deadlines of the store.
        shards: how many shards there are.

    Attributes:
        moved: set when a bell asks for a reading before the time that ``rests`` has told.
    """

    def __init__(self, timers: DueSets, shards: int) -> None:
        self.moved = asyncio.Event()
        self._timers = timers
        self._every = range(shards)
        self._known: dict[int, ShardDue] = {}
        self._rung: dict[int, TimestampMs] = {}
        self._doubtful = set(self._every)
        self._looked: TimestampMs | None = None
        self._planned: float = math.inf

    def hear(self, shard: int, ring: Ring | None) -> None:
        """A bell has rung in a shard; None: bells of it may have been lost."""
        if ring is None:
            self._doubtful.add(shard)
            self.moved.set()
        elif ring.due is not None:
            self._rung[shard] = min(ring.due, self._rung.get(shard, ring.due))
            if ring.due < self._planned:
                self.moved.set()

    async def read(self, now: TimestampMs) -> list[DueStream]:
        """What is due at ``now``, the longest overdue first.

        Raises:
            LogUnavailable: the store does not answer.
        """
        self.moved.clear()
        self._planned = math.inf  # what rings from here on is to be read again
        everything = self._looked is None or not 0 <= now - self._looked < LOOK_MS
        shards = [shard for shard in self._every if everything or self._is_open(shard, now)]
        if shards:
            self._doubtful.difference_update(shards)
            for shard in shards:
                self._rung.pop(shard, None)
            try:
                self._known |= await self._timers.look(shards, now, DUE_MAX)
            except BaseException:
                self._looked = None
                raise
        if everything:
            self._looked = now
        return sorted(itertools.chain.from_iterable(each.due for each in self._known.values()))

    def rests(self, now: TimestampMs) -> DurationMs:
        """How long nothing need be read, as far as is known: what is due already does not count."""
        if self._looked is None or self._doubtful:
            return 0
        times = [self._looked + LOOK_MS, *self._rung.values()]
        times += [of.following for of in self._known.values() if of.following is not None]
        self._planned = min(times)
        return max(0, min(times) - now)

    def _is_open(self, shard: int, now: TimestampMs) -> bool:
        """Whether what is known of a shard may no longer hold."""
        known = self._known.get(shard)
        if known is None or known.due or shard in self._doubtful:
            return True
        times = (known.following, self._rung.get(shard))
        return any(at is not None and at <= now for at in times)
