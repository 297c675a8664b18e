"""Follows the feeds of a log as a process of the service does, and notes what it is told."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Final

from events.durability import Durability
from events.feed import Began, FeedBroken, Following, Pointer
from events.log import Append, StreamLog
from events.scripts import LogUnavailable
from simulator.feed_notes import FeedBegan, FeedNote, FeedTold
from simulator.history import History

_CATCHES_UP_S: Final = 60.0
_PAUSE_S: Final = 0.05


class FeedFollower:
    """Follows all shards from where they end when it begins.

    Args:
        log: the log whose feeds are followed.
        name: what it is called.
        now: the time, in the unit of ``Attempt.sent``.
        level: what is promised of all that it is told.

    Attributes:
        name: what it is called.
        notes: what it was told, and where it began.
        broken: how often it had to begin anew, as another history was found.
        own: how often it was told by the process that had appended (``Following.appended``).
    """

    def __init__(
        self, log: StreamLog, name: str, now: Callable[[], int], level: Durability
    ) -> None:
        self.notes: list[FeedNote] = []
        self.broken = 0
        self.own = 0
        self.name = name
        self._now = now
        self._level = level
        self._log = log
        self._following = Following(log.pointers, is_told=True)
        for shard in log.pointers.shards:
            self._following.add(shard)

    def appended(self, batch: Append, _: object, seq: int) -> None:
        """This process has appended a batch that may be shown, as entry ``seq`` of its shard."""
        pointer = self._log.pointer_of(batch, seq)
        if self._following.appended(pointer):
            self.own += 1
            self._note(pointer)

    async def follow(self) -> None:
        """Follow until cancelled."""
        while True:
            try:
                async with contextlib.aclosing(self._following.news()) as news:
                    async for each in news:
                        self._note(each)
            except FeedBroken:
                self.broken += 1
                for shard in self._following.seen:
                    self._following.seen[shard] = None
            except LogUnavailable:
                await asyncio.sleep(_PAUSE_S)

    def has_seen(self, ends: Mapping[int, int]) -> bool:
        """Whether it follows all these shards, and has been told of them up to these entries."""
        seen = {shard: -1 if at is None else at for shard, at in self._following.seen.items()}
        return all(seen[shard] >= end for shard, end in ends.items())

    async def catches_up(self, history: History) -> bool:
        """Note in a history that it was told all; False: the store, or it, took too long."""
        try:
            async with asyncio.timeout(_CATCHES_UP_S):
                history.stayed[self.name] = await self._seen_ends()
        except TimeoutError:
            return False
        return True

    async def _seen_ends(self) -> dict[int, int]:
        """Where the feeds end, as soon as the store says so and it was told all up to there."""
        feed, ends = self._log.pointers, dict[int, int]()
        while True:
            with contextlib.suppress(LogUnavailable):
                ends = ends or dict(await feed.written(feed.shards))
            if ends and self.has_seen(ends):
                return ends
            await asyncio.sleep(_PAUSE_S)

    def _note(self, news: Pointer | Began) -> None:
        if isinstance(news, Began):
            began = FeedBegan(follower=self.name, shard=news.shard, after=news.seq)
            self.notes.append(began)
            return
        told = FeedTold(follower=self.name, pointer=news, at=self._now(), level=self._level)
        self.notes.append(told)
