"""Reads streams and feeds as they lie in a store, for the judge of a run.

Nothing is checked on the way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from events.clients import Client, commanding
from events.codec import Stored
from events.feed import Pointer
from events.layout import Layout
from runtime.settings import Settings
from simulator.history import FinalStream


async def final_streams(settings: Settings, streams: Iterable[str]) -> list[FinalStream]:
    """Some streams of the store of a service.

    Raises:
        redis.RedisError: the store does not answer.
    """
    async with commanding(settings.store_url) as client:
        return await streams_as_they_lie(client, settings.layout(), streams)


async def final_feeds(settings: Settings) -> tuple[dict[int, list[Pointer]], list[FinalStream]]:
    """The feeds of the store of a service, and all streams that they tell of.

    Raises:
        redis.RedisError: the store does not answer.
    """
    layout = settings.layout()
    async with commanding(settings.store_url) as client:
        feeds = await feeds_as_they_lie(client, layout)
        streams = {pointer.stream for feed in feeds.values() for pointer in feed}
        return feeds, await streams_as_they_lie(client, layout, streams)


async def streams_as_they_lie(
    client: Client, layout: Layout, streams: Iterable[str]
) -> list[FinalStream]:
    """Some streams of a store; one that is not there is empty, at version 0.

    Raises:
        redis.RedisError: the store does not answer.
    """
    store: Any = client  # redis-py types answers by what a client was made for
    found = []
    for stream in sorted(streams):
        keys = layout.stream(stream)
        version, head = await store.hmget(keys.head, "ver", "head")
        while True:  # what the service does by itself may append between two answers
            entries = [
                Stored(_number(number), fields[b"e"], fields.get(b"p"))
                for number, fields in await store.xrange(keys.entries)
            ]
            before, (version, head) = head, await store.hmget(keys.head, "ver", "head")
            if before == head:
                break
        found.append(FinalStream(stream, entries, int(version or 0), head or b""))
    return found


async def feeds_as_they_lie(client: Client, layout: Layout) -> dict[int, list[Pointer]]:
    """The feeds of all shards of a store; those in which nothing has happened are empty.

    Raises:
        redis.RedisError: the store does not answer.
    """
    store: Any = client  # as above
    feeds = {}
    for shard in range(layout.shards):
        feeds[shard] = [
            Pointer(shard, _number(number), f[b"g"].decode(), int(f[b"v"]), int(f[b"n"]))
            for number, f in await store.xrange(layout.feed(shard))
        ]
    return feeds


def _number(entry: bytes) -> int:
    """The number by which an entry is called, as ``<number>-0``."""
    return int(entry.partition(b"-")[0])
