"""Followers of feeds in a simulated service: they ask now and then for what they have not seen.

As a projection does, a follower remembers the last entry of each shard, whatever happens to the
process that it asks, and begins anew where another history is found.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeVar

from events.durability import Durability
from events.feed import FeedBroken, Pointer
from events.scripts import LogError, LogUnavailable
from simulator.appends.players import now_ns
from simulator.appends.process import SHARDS, LedgerService
from simulator.feed_notes import FeedBegan, FeedNote, FeedTold

T = TypeVar("T")

_EVERY_S: Final = 1.5
_PATIENCE_S: Final = 12.0


class LedgerFollower:
    """Follows all shards through one process.

    Args:
        service: the process.
        level: what it promises of what it tells.
        counts: how often what happened.

    Attributes:
        name: what it is called.
        notes: where it began, and what it was told.
    """

    def __init__(self, service: LedgerService, level: Durability, counts: Counter[str]) -> None:
        self.name = f"follower of {service.place.name}"
        self.notes: list[FeedNote] = []
        self._service = service
        self._level: Durability = level
        self._counts = counts
        self._seen: dict[int, int] = {}
        for shard in range(SHARDS):
            self._begin(shard, 0)

    async def follow(self) -> None:
        """Ask again and again, until cancelled."""
        while True:
            await asyncio.sleep(_EVERY_S)
            await self.look()

    async def look(self) -> None:
        """Ask for all that is new; where nothing is told, the next look asks again."""
        for shard in range(SHARDS):
            try:
                while page := await self._asked(
                    partial(self._service.feed, shard, self._seen[shard])
                ):
                    for pointer in page:
                        self._note(pointer)
            except FeedBroken:
                self._counts["feed broken"] += 1
                await self._begin_anew()
            except LogError:
                continue

    def has_seen(self, ends: Mapping[int, int]) -> bool:
        """Whether it has been told of these shards up to these entries."""
        return all(self._seen[shard] >= end for shard, end in ends.items())

    async def _begin_anew(self) -> None:
        try:
            ends = await self._asked(self._service.ends)
        except LogError:
            return
        for shard, end in ends.items():
            self._begin(shard, end)

    async def _asked(self, ask: Callable[[], asyncio.Task[T]]) -> T:
        """What the process answers.

        Raises:
            LogError: it does not, or says why it cannot.
        """
        if not self._service.is_up:
            raise LogUnavailable("the process is not there")
        task = ask()
        await asyncio.wait([task], timeout=_PATIENCE_S)
        if not task.done() or task.cancelled():
            raise LogUnavailable("the process does not answer")
        return task.result()

    def _begin(self, shard: int, after: int) -> None:
        self._seen[shard] = after
        self.notes.append(FeedBegan(follower=self.name, shard=shard, after=after))

    def _note(self, pointer: Pointer) -> None:
        self._seen[pointer.shard] = pointer.seq
        self._counts["told by the feed"] += 1
        told = FeedTold(follower=self.name, pointer=pointer, at=now_ns(), level=self._level)
        self.notes.append(told)
