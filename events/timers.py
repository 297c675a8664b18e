"""Deadlines: which streams a worker must look at, and when.

The append that changes a stream also writes when the stream must next be woken, so the set of a
shard is never behind its streams. Nothing here removes entries: the append that settles a deadline
does, and an unsettled deadline is simply read again.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from redis.exceptions import RedisError

from events.clients import Client
from events.kernel import TimestampMs
from events.layout import Layout
from events.scripts import LogUnavailable

_ALL: Final = -1


class DueStream(Struct, frozen=True, order=True):
    """``stream`` is to be woken at ``at``."""

    at: TimestampMs
    stream: str


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

    async def due_streams(self, now: TimestampMs, limit: int) -> list[DueStream]:
        """At most ``limit`` due streams of each shard, the longest overdue first.

        Raises:
            LogUnavailable: the store does not answer.
        """
        found = await self._until(range(self._layout.shards), str(now), limit)
        return sorted(due for shard in found for due in shard)

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
        self, shards: range | list[int], last: str, limit: int
    ) -> list[list[DueStream]]:
        """The first deadlines of each shard up to the score ``last``, in one round trip."""
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                for shard in shards:
                    key = self._layout.due(shard)
                    pipeline.zrangebyscore(key, "-inf", last, 0, limit, withscores=True)
                answers = await pipeline.execute()
        except RedisError as error:
            raise LogUnavailable(str(error)) from error
        return [[DueStream(int(at), name.decode()) for name, at in answer] for answer in answers]
