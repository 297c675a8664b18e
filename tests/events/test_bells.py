"""Bells: an append is heard at once by whoever listens, and a lost bell is told of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
import uvloop

from events.bells import Ring
from events.clients import Client, close_client, commands, listening
from events.log import Appended, StreamLog
from runtime.embedded.store import Store
from tests.events.bank import OTHER, STREAM
from tests.events.lab import AT, batch
from tests.lossy import Lossy

SHARD, OTHER_SHARD = 1, 2


class Ear:
    """Hears, and waits for what is to be heard."""

    def __init__(self) -> None:
        self.heard: list[Ring | None] = []
        self._news = asyncio.Event()

    def __call__(self, shard: int, ring: Ring | None) -> None:
        assert ring is None or ring.shard == shard
        self.heard.append(ring)
        self._news.set()

    async def hears(self, *rings: Ring | None) -> None:
        """Wait until exactly this was heard since the last time."""
        async with asyncio.timeout(10):
            while len(self.heard) < len(rings):
                self._news.clear()
                await self._news.wait()
        assert self.heard == list(rings)
        self.heard.clear()


@pytest.fixture
async def ear(log: StreamLog) -> AsyncIterator[Ear]:
    made = Ear()
    async with log.bells.heard([SHARD], made):
        await made.hears(None)
        yield made


async def test_an_append_is_rung_with_the_time_at_which_its_stream_wakes(
    log: StreamLog, ear: Ear
) -> None:
    await log.append(batch(due=AT))
    await log.append(batch(after=1, due="="))
    await log.append(batch(after=2, due=None))
    await ear.hears(Ring(SHARD, 1, AT), Ring(SHARD, 2, None), Ring(SHARD, 3, None))


def test_the_loop_of_the_service_carries_bells_too(store_url: str) -> None:
    async def hear() -> None:
        client, listener = commands(store_url), listening(store_url)
        log, ear = StreamLog(client, listener, 4), Ear()
        async with log.bells.heard([SHARD], ear):
            await ear.hears(None)
            for after in range(9):  # so many together that they gather
                await log.append(batch(after=after))
            await ear.hears(*(Ring(SHARD, seq, None) for seq in range(1, 10)))
        await close_client(client)
        await listener.aclose()

    uvloop.run(hear())


async def test_each_hears_the_shards_it_wants_for_as_long_as_it_wants(
    log: StreamLog, ear: Ear
) -> None:
    both = Ear()
    async with log.bells.heard([SHARD, OTHER_SHARD], both):
        await both.hears(None)  # one is subscribed to already, so there is nothing to tell
        ear.heard.clear()
        await log.append(batch(stream=OTHER))
        await both.hears(Ring(OTHER_SHARD, 1, None))
    await log.append(batch())
    await ear.hears(Ring(SHARD, 1, None))
    assert both.heard == []


async def test_a_lost_connection_is_told_and_replaced(
    log: StreamLog, ear: Ear, admin: Client
) -> None:
    await cast("Any", admin).execute_command("CLIENT KILL TYPE pubsub")
    await ear.hears(None, None)  # it was lost; it stands again
    await log.append(batch())
    await ear.hears(Ring(SHARD, 1, None))


async def test_an_append_without_the_right_to_ring_is_an_append(
    log: StreamLog, ear: Ear, admin: Client, store: Store
) -> None:
    said = ("ACL", "SETUSER", "mute", "on", "nopass", "~*", "+@all", "resetchannels")
    await cast("Any", admin).execute_command(*said)
    url = f"unix://mute:@{store.path}"
    mute, listener = commands(url), listening(url)
    try:
        quiet = StreamLog(mute, listener, 4)
        assert await quiet.append(batch()) == Appended(1, 1)
        assert await log.append(batch(after=1)) == Appended(2, 2)
        await ear.hears(Ring(SHARD, 2, None))
    finally:
        await mute.aclose()
        await listener.aclose()
        await cast("Any", admin).execute_command("ACL", "DELUSER", "mute")


async def test_who_listens_to_a_store_that_is_away_hears_when_it_is_there(
    lossy: Lossy,
) -> None:
    own = lossy.store
    client, listener = commands(own.url), listening(own.url)
    log, ear = StreamLog(client, listener, 4), Ear()
    own.stop()
    async with log.bells.heard([SHARD], ear):
        await asyncio.sleep(0)
        own.start()
        await ear.hears(None)
        await log.append(batch(stream=STREAM))
        await ear.hears(Ring(SHARD, 1, None))
    await close_client(client)
    await listener.aclose()


async def test_who_comes_while_others_are_being_asked_for_does_not_wait_for_them(
    log: StreamLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.pauses._PAUSES_S", (3600.0,))  # what failed is tried no more
    ear = Ear()
    channels = {log.layout.feed(shard): shard for shard in range(4)}
    async with log.bells.ear(lambda channel, _: ear(channels[channel], None)) as heard:
        for channel in channels:
            heard.add(channel)
            for _ in range(4):  # it is asked for; no answer can have come
                await asyncio.sleep(0)
        await ear.hears(None, None, None, None)
