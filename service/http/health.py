"""Whether the store can be read and written, asked at most once a second and never for long.

Whoever watches a service asks often and gives up soon, most of all when something is wrong. So a
question to the store is asked once for all who want to know, its answer is good for a second, and
no answer in time is a bad answer: also a store that hangs is told of within two seconds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from events.clients import Client, LossyStoreError, require_durable
from events.log import StreamLog
from events.scripts import Caller, LogUnavailable

PATIENCE_S: Final = 1.5
"""How long an answer of the store is waited for."""

FRESH_S: Final = 1.0
"""How long an answer is good."""

_KEPT_MS: Final = 60_000


class Probe:
    """One question, asked once for all who want to know. Belongs to one event loop.

    Args:
        ask: asks it; ``LogUnavailable`` is a no.
        seconds: a clock that never jumps.
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
        """The answer, at most ``FRESH_S`` old, after ``PATIENCE_S`` at the latest."""
        if self._seconds() - self._answered_at < FRESH_S:
            return self._answer
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._find_out(), name="health")
        return await asyncio.shield(self._asking)

    async def _find_out(self) -> bool:
        try:
            async with asyncio.timeout(PATIENCE_S):
                self._answer = await self._ask()
        except (TimeoutError, LogUnavailable):
            self._answer = False
        self._answered_at = self._seconds()
        return self._answer


class Health:
    """What a process finds out about its store.

    Args:
        client: the store.
        log: has its shards.
        allow_lossy: whether a store will do that may lose what it has acknowledged.

    Attributes:
        reads: every shard answers.
        writes: every shard takes a write, and has it on disk where the store is durable.
        keeps: the store is configured to keep what it acknowledges, or we may do without.
    """

    def __init__(self, client: Client, log: StreamLog, *, allow_lossy: bool) -> None:
        self._client = client
        self._caller = Caller(client)
        self._log = log
        self._allow_lossy = allow_lossy
        self.reads = Probe(self._read_all)
        self.writes = Probe(self._write_all)
        self.keeps = Probe(self._keeps_games)

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
