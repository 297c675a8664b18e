"""Deadlines: which streams a worker must look at, and when.

The append that changes a stream also writes when the stream must next be woken, so the set of a
shard is never behind its streams. Nothing here removes entries: the append that settles a deadline
does, and an unsettled deadline is simply read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from events.clients import NO_ANSWER, Client
from events.kernel import TimestampMs
from events.layout import Layout
from events.scripts import LogUnavailable

_ALL: Final = -1


class DueStream(Struct, frozen=True, order=True):
    """``stream`` is to be woken at ``at``."""

    at: TimestampMs
    stream: str


class ShardDue(Struct, frozen=True):
    """What a shard has due, the longest overdue first, and when something will next be (or None).

    If there is more than was asked for, ``following`` is a time that has come.
    """

    due: tuple[DueStream, ...]
    following: TimestampMs | None


class DueSets:
    """Reads the deadlines of all shards."""

    def __init__(self, client: Client, layout: Layout) -> None:
        self._client = client
        self._layout = layout

    async def due(self, shard: int, now: TimestampMs, limit: int) -> list[DueStream]:
        """At most ``limit`` due streams of a shard, the longest overdue first.

        Raises:
            LogUnavailable: the store does not answer.
        """
        return (await self._until([shard], str(now), limit))[0]

    async def look(
        self, shards: Sequence[int], now: TimestampMs, limit: int
    ) -> dict[int, ShardDue]:
        """What each of some shards has due at ``now``, at most ``limit`` streams, and what follows.

        Raises:
            LogUnavailable: the store does not answer.
        """
        firsts = await self._until(shards, "+inf", 1)
        found = {
            shard: ShardDue((), first[0].at if first else None)
            for shard, first in zip(shards, firsts, strict=True)
        }
        late = [s for s, of in found.items() if of.following is not None and of.following <= now]
        if late:
            pages = await self._until(late, str(now), limit)
            afters = await self._until(late, "+inf", 1, first=f"({now}")
            for shard, page, after in zip(late, pages, afters, strict=True):
                following = min((each.at for each in after), default=None)
                full = len(page) == limit
                found[shard] = ShardDue(tuple(page), page[-1].at if full else following)
        return found

    async def all_of(self, shard: int) -> list[str]:
        """All streams of a shard that have a wake-up time.

        Raises:
            LogUnavailable: the store does not answer.
        """
        return [due.stream for due in (await self._until([shard], "+inf", _ALL))[0]]

    async def next_due(self) -> TimestampMs | None:
        """The earliest wake-up time of any stream, if there is one.

        Raises:
            LogUnavailable: the store does not answer.
        """
        found = await self._until(range(self._layout.shards), "+inf", 1)
        return min((due.at for shard in found for due in shard), default=None)

    async def _until(
        self, shards: Sequence[int], last: str, limit: int, first: str = "-inf"
    ) -> list[list[DueStream]]:
        """The first deadlines of each shard between two scores, in one round trip."""
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                for shard in shards:
                    key = self._layout.due(shard)
                    pipeline.zrangebyscore(key, first, last, 0, limit, withscores=True)
                answers = await pipeline.execute()
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        return [[DueStream(int(at), name.decode()) for name, at in answer] for answer in answers]
