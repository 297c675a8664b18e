"""Feeds: every batch once, in order, without gaps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from events.bells import Ear, Hear
from events.clients import Client
from events.feed import FeedBroken, Pointer
from events.log import StreamLog
from events.tasks import end_tasks
from tests.events.bank import OTHER, STREAM
from tests.events.lab import batch, grow

SHARD = 1
OTHER_SHARD = 2


async def take(pointers: AsyncGenerator[Pointer, None], count: int) -> list[Pointer]:
    """The next pointers, however long they take."""
    async with asyncio.timeout(10):
        return [await anext(pointers) for _ in range(count)]


async def test_pages_of_a_feed(log: StreamLog) -> None:
    await grow(log, 5)
    pointers = await log.feed(SHARD, 0, 3)
    assert pointers == [Pointer(SHARD, i, STREAM, i, 1) for i in (1, 2, 3)]
    assert [pointer.seq for pointer in await log.feed(SHARD, 3, 9)] == [4, 5]
    assert await log.feed(SHARD, 5, 9) == []
    assert await log.feed(0, 0, 9) == []
    assert await log.feed_ends() == {0: 0, 1: 5, 2: 0, 3: 0}


async def test_following_what_is_there_and_what_comes(log: StreamLog) -> None:
    await grow(log, 3)
    pointers = log.follow({SHARD: 1, OTHER_SHARD: 0})
    assert [pointer.seq for pointer in await take(pointers, 2)] == [2, 3]
    waiting = asyncio.create_task(take(pointers, 2))
    await log.append(batch(2, stream=OTHER))
    await log.append(batch(2, after=3))
    assert sorted(await waiting, key=lambda pointer: pointer.shard) == [
        Pointer(SHARD, 4, STREAM, 5, 2),
        Pointer(OTHER_SHARD, 1, OTHER, 2, 2),
    ]
    await pointers.aclose()


async def test_a_long_feed_comes_whole(log: StreamLog) -> None:
    streams = [f"g01-{i}" for i in range(1200)]
    for lot in range(0, len(streams), 100):  # a busy machine gives up on the last of too many
        await asyncio.gather(*(log.append(batch(stream=s)) for s in streams[lot : lot + 100]))
    pointers = log.follow({SHARD: 0})
    found = await take(pointers, 1200)
    assert [pointer.seq for pointer in found] == list(range(1, 1201))
    assert sorted(pointer.stream for pointer in found) == sorted(streams)
    await pointers.aclose()


async def test_giving_up_while_waiting_leaves_the_listener_usable(log: StreamLog) -> None:
    pointers = log.follow({SHARD: 0})
    waiting = asyncio.create_task(take(pointers, 1))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await grow(log, 1)
    again = log.follow({SHARD: 0})
    assert [pointer.seq for pointer in await take(again, 1)] == [1]
    await again.aclose()


@asynccontextmanager
async def deaf(_: Hear) -> AsyncIterator[Ear]:
    """Bells that nobody hears."""
    yield Ear(lambda *_: None, lambda *_: None, lambda *_: None)


async def test_a_bell_that_is_lost_costs_a_while_and_no_pointer(
    log: StreamLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log.bells, "ear", deaf)
    monkeypatch.setattr("events.feed._QUIET_S", 0.02)
    pointers = log.follow({SHARD: 0})
    waiting = asyncio.create_task(take(pointers, 2))
    await grow(log, 2)
    assert [pointer.seq for pointer in await waiting] == [1, 2]
    monkeypatch.setattr("events.feed._QUIET_S", 3600)  # the control: nobody looks either
    waiting = asyncio.create_task(take(pointers, 1))
    await log.append(batch(after=2))
    await grow(log, 9, OTHER)  # ample time for a pointer to come
    assert not waiting.done()
    await end_tasks(waiting)


async def test_a_gap_is_never_passed_over(log: StreamLog, admin: Client) -> None:
    await grow(log, 4)
    await cast("Any", admin).xdel(log.layout.feed(SHARD), "3-0")
    with pytest.raises(FeedBroken, match="4-0 stands where 3-0 belongs"):
        await log.feed(SHARD, 0, 9)
    pointers = log.follow({SHARD: 0})
    with pytest.raises(FeedBroken, match="4-0 stands where 3-0 belongs"):
        await take(pointers, 4)


async def test_a_trimmed_feed_is_a_gap_to_who_is_behind(log: StreamLog, admin: Client) -> None:
    await grow(log, 4)
    await cast("Any", admin).xtrim(log.layout.feed(SHARD), minid="3-0", approximate=False)
    with pytest.raises(FeedBroken):
        await log.feed(SHARD, 0, 9)
    assert [pointer.seq for pointer in await log.feed(SHARD, 2, 9)] == [3, 4]


async def test_a_step_back_is_never_passed_over(
    log: StreamLog, admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.feed._QUIET_S", 0.02)
    await grow(log, 2)
    pointers = log.follow({SHARD: 0})
    await take(pointers, 2)
    await cast("Any", admin).flushall()
    await grow(log, 1)
    with pytest.raises(FeedBroken, match="read up to 2, now ends at 1"):
        await take(pointers, 1)
    with pytest.raises(FeedBroken, match="read up to 2"):
        await log.feed(SHARD, 2, 9)
