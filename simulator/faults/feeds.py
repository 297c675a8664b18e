"""Follows the feeds of a whole service beside it, as one of its processes would."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from events.clients import connected
from events.journaling import promised
from events.log import StreamLog
from events.tasks import end_tasks
from runtime.settings import Settings
from simulator.feed_follower import FeedFollower


@asynccontextmanager
async def followed_feeds(settings: Settings) -> AsyncIterator[FeedFollower]:
    """A follower of all feeds of a service, at the level that the service promises."""
    layout, level = settings.layout(), settings.durability
    async with connected(settings.store_url) as (client, listener):
        log = StreamLog(client, listener, layout, replication=promised(level, client, layout))
        follower = FeedFollower(log, "follower of the service", time.monotonic_ns, level)
        following = asyncio.create_task(follower.follow(), name="feeds")
        try:
            yield follower
        finally:
            await end_tasks(following)
            await log.close()
