"""The clock without its process and without any worker, by the still time of a stage."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from runtime.presence import Presence
from tests.runtime.stage import LONG, TOY_REGISTRY, Stage
from tests.workers.crew import settings_for
from workers.clock import GameClock
from workers.host import Host
from workers.jobs import queue_client, queue_of


@asynccontextmanager
async def clock_on(
    stage: Stage, store_url: str, queue_url: str | None = None, presence: Presence | None = None
) -> AsyncIterator[GameClock]:
    """A clock that asks through a store's own queue or another one, and hears of API processes."""
    host = Host(settings_for(store_url), TOY_REGISTRY)
    host.tables.clock = stage.clock
    host.presence = presence or host.presence
    client = queue_client(queue_url or store_url)
    clock = GameClock(host, queue_of(client))
    yield clock
    await clock.close()
    client.close()
    await host.close()


async def asked(clock: GameClock) -> list[str]:
    """The jobs in the queue, once all asking is done."""
    async with asyncio.timeout(LONG):
        while clock.under_way:
            await asyncio.wait(clock.under_way)
    return clock.queue.get_job_ids()
