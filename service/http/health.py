"""Whether the store can be read and written, probed at most once a second and with a timeout.

Monitoring polls often and gives up soon, especially when something is wrong. So a probe is shared
by concurrent requests, its result is valid for a second, and a timeout counts as failure: even a
hanging store is reported within two seconds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from events.clients import Client, LossyStoreError, require_durable
from events.log import StreamLog
from events.scripts import Caller, LogUnavailable

TIMEOUT_S: Final = 1.5
"""How long a probe waits for the store."""

FRESH_S: Final = 1.0
"""How long a result stays valid."""

_KEPT_MS: Final = 60_000


class HealthProbe:
    """One probe, shared by concurrent callers. Belongs to one event loop.

    Args:
        ask: runs it; ``LogUnavailable`` counts as false.
        seconds: a monotonic clock.
    """

    def __init__(
        self,
        ask: Callable[[], Awaitable[bool]],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask = ask
        self._seconds = seconds
        self._asking: asyncio.Task[bool] | None = None
        self._answer = False
        self._answered_at = -FRESH_S

    async def holds(self) -> bool:
        """The result, at most ``FRESH_S`` old, after ``TIMEOUT_S`` at the latest."""
        if self._seconds() - self._answered_at < FRESH_S:
            return self._answer
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._find_out(), name="health")
        return await asyncio.shield(self._asking)

    async def _find_out(self) -> bool:
        try:
            async with asyncio.timeout(TIMEOUT_S):
                self._answer = await self._ask()
        except (TimeoutError, LogUnavailable):
            self._answer = False
        self._answered_at = self._seconds()
        return self._answer


class Health:
    """What a process knows about the health of its store.

    Args:
        client: the store.
        log: knows its shards.
        allow_lossy: whether a store that may lose acknowledged writes is accepted.

    Attributes:
        reads: every shard answers.
        writes: every shard accepts a write, and has it on disk if the store is durable.
        keeps: the store is configured to keep what it acknowledges, or need not.
    """

    def __init__(self, client: Client, log: StreamLog, *, allow_lossy: bool) -> None:
        self._client = client
        self._caller = Caller(client)
        self._log = log
        self._allow_lossy = allow_lossy
        self.reads = HealthProbe(self._read_all)
        self.writes = HealthProbe(self._write_all)
        self.keeps = HealthProbe(self._keeps_games)

    async def _read_all(self) -> bool:
        await self._log.feed_ends()
        return True

    async def _write_all(self) -> bool:
        layout = self._log.layout
        names = [layout.probe(shard) for shard in range(layout.shards)]
        await asyncio.gather(
            *(self._caller.command("SET", name, "1", "PX", _KEPT_MS) for name in names)
        )
        return True

    async def _keeps_games(self) -> bool:
        if self._allow_lossy:
            return True
        try:
            await require_durable(self._client)
        except LossyStoreError:
            return False
        return True
