"""Reads streams as they lie in a store, for the judge of a run: nothing is checked on the way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from events.clients import Client, commands
from events.codec import Stored
from events.layout import Layout
from runtime.settings import Settings
from simulator.history import FinalStream


async def final_streams(settings: Settings, streams: Iterable[str]) -> list[FinalStream]:
    """Some streams of the store of a service.

    Raises:
        redis.RedisError: the store does not answer.
    """
    client = commands(settings.store_url)
    try:
        return await streams_as_they_lie(client, settings.layout(), streams)
    finally:
        await client.aclose()


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
                Stored(int(number.partition(b"-")[0]), fields[b"e"], fields.get(b"p"))
                for number, fields in await store.xrange(keys.entries)
            ]
            before, (version, head) = head, await store.hmget(keys.head, "ver", "head")
            if before == head:
                break
        found.append(FinalStream(stream, entries, int(version or 0), head or b""))
    return found
