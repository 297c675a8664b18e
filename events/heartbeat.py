"""The heartbeat of each shard: when it was last seen that commands can be accepted.

The clock writes it, and only after it has dealt with every deadline that ran while they could not
be. So an old heartbeat warns every process that judges lateness: deadlines may be about to move.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from events.clients import NO_ANSWER, Client
from events.kernel import DurationMs, TimestampMs
from events.layout import Layout
from events.scripts import LogUnavailable

GAP_MS: Final[DurationMs] = 5000
"""A longer gap between two heartbeats is an outage."""

_FIELD: Final = "beat"


class Heartbeats:
    """Reads and writes the heartbeats, in ms since 1970 UTC."""

    def __init__(self, client: Client, layout: Layout) -> None:
        self._client = client
        self._layout = layout

    async def of(self, stream: str) -> TimestampMs | None:
        """The last heartbeat of a stream's shard; None: no clock has ever run on it.

        Raises:
            LogUnavailable: the store does not answer.
        """
        return (await self.read([self._layout.shard_of(stream)]))[0]

    async def read(self, shards: Iterable[int]) -> list[TimestampMs | None]:
        """The last heartbeats of shards, in their order.

        Raises:
            LogUnavailable: the store does not answer.
        """
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                for shard in shards:
                    pipeline.hget(self._layout.meta(shard), _FIELD)
                found: list[Any] = await pipeline.execute()
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        return [None if each is None else int(each) for each in found]

    async def beat(self, shards: Iterable[int], now: TimestampMs) -> None:
        """Write a heartbeat. Being able to write it is part of what it says.

        Raises:
            LogUnavailable: the store does not answer, or takes no writes.
        """
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                for shard in shards:
                    pipeline.hset(self._layout.meta(shard), _FIELD, str(now))
                await pipeline.execute()
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
