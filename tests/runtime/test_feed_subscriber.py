"""The feed subscriber: nobody who waits misses an append, whatever the store does meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from events.clients import commands, listening
from events.feed import Pointer
from events.log import StreamLog
from events.scripts import LogUnavailable
from runtime.embedded.store import Store
from runtime.feed_subscriber import FeedSubscriber
from tests.runtime.stage import ANN, BEN, LONG, SHARDS, Stage, until


@pytest.fixture
async def feed_subscriber(stage: Stage) -> AsyncIterator[FeedSubscriber]:
    feed_subscriber = FeedSubscriber(stage.log)
    await feed_subscriber.start()
    yield feed_subscriber
    await feed_subscriber.stop()


@pytest.fixture
def own_store(home: Path) -> Iterator[Store]:
    """A store that a test may kill."""
    with Store(home / "store") as store:
        yield store


async def test_who_waits_is_woken_by_the_append(
    stage: Stage, feed_subscriber: FeedSubscriber
) -> None:
    game = await stage.open()
    waiting = asyncio.create_task(feed_subscriber.wait(game, 1, LONG))
    await stage.sit(game, (ANN,))
    assert await waiting
    assert feed_subscriber.last_version(game) == 2


async def test_an_append_before_the_wait_counts(
    stage: Stage, feed_subscriber: FeedSubscriber
) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN,))
    assert await feed_subscriber.wait(game, 1, LONG)


async def test_another_stream_wakes_nobody(stage: Stage, feed_subscriber: FeedSubscriber) -> None:
    game = await stage.open()
    await feed_subscriber.wait(game, 0, LONG)
    waiting = asyncio.create_task(feed_subscriber.wait(game, 1, LONG))
    other = await stage.open("other")
    await feed_subscriber.wait(other, 0, LONG)
    assert not waiting.done()
    await stage.sit(game, (ANN,))
    assert await waiting


async def test_time_runs_out_quietly(stage: Stage, feed_subscriber: FeedSubscriber) -> None:
    assert not await feed_subscriber.wait(stage.game(), 0, 0.01)
    assert not await feed_subscriber.wait(stage.game(), 0, 0)
    assert feed_subscriber._waiters == {}


async def test_stopping_lets_everybody_go(stage: Stage) -> None:
    feed_subscriber = FeedSubscriber(stage.log)
    await feed_subscriber.start()
    waiting = [asyncio.create_task(feed_subscriber.wait(stage.game(), 0, LONG)) for _ in range(3)]
    await asyncio.sleep(0)
    await feed_subscriber.stop()
    assert await asyncio.gather(*waiting) == [False] * 3
    assert not await feed_subscriber.wait(stage.game(), 0, LONG)


async def test_subscribers_are_told_every_pointer_until_they_leave(
    stage: Stage, feed_subscriber: FeedSubscriber
) -> None:
    told: list[Pointer | None] = []
    leave = feed_subscriber.subscribe(told.append)
    game = await stage.open()
    await stage.sit(game, (ANN,))
    await until(lambda: len(told) == 2)
    assert [(p.stream, p.version) for p in told if p] == [(game, 1), (game, 2)]
    leave()
    await stage.sit(game, (BEN,))
    await feed_subscriber.wait(game, 2, LONG)
    assert len(told) == 2


async def test_few_streams_are_remembered_and_none_is_missed(stage: Stage) -> None:
    feed_subscriber = FeedSubscriber(stage.log, kept=1)
    await feed_subscriber.start()
    games = [await stage.open(f"game {number}") for number in range(4)]
    waiting = [asyncio.create_task(feed_subscriber.wait(game, 1, LONG)) for game in games]
    for game in games:
        await stage.sit(game, (ANN,))
    assert await asyncio.gather(*waiting) == [True] * 4
    await feed_subscriber.stop()


async def test_a_restart_of_the_store_loses_no_wake_up(own_store: Store) -> None:
    client, listener = commands(own_store.url), listening(own_store.url)
    stage = Stage(client, StreamLog(client, listener, SHARDS))
    feed_subscriber = FeedSubscriber(stage.log)
    await feed_subscriber.start()
    game = await stage.open()
    waiting = asyncio.create_task(feed_subscriber.wait(game, 1, LONG))
    own_store.kill()
    await until(lambda: not feed_subscriber.healthy)
    with pytest.raises(LogUnavailable):
        await FeedSubscriber(stage.log).start()
    own_store.start()
    await until(lambda: feed_subscriber.healthy)
    assert not waiting.done()
    await stage.sit(game, (ANN,))
    assert await waiting
    await feed_subscriber.stop()
    await client.aclose()
    await listener.aclose()


async def test_another_history_makes_everybody_look_again(own_store: Store) -> None:
    client, listener = commands(own_store.url), listening(own_store.url)
    stage = Stage(client, StreamLog(client, listener, SHARDS))
    feed_subscriber = FeedSubscriber(stage.log)
    await feed_subscriber.start()
    told: list[Pointer | None] = []
    feed_subscriber.subscribe(told.append)
    game = await stage.open()
    await stage.sit(game, (ANN,))
    await feed_subscriber.wait(game, 1, LONG)
    waiting = asyncio.create_task(feed_subscriber.wait(game, 2, LONG))
    own_store.kill()
    for path in own_store.home.glob("appendonlydir/*"):
        path.unlink()
    own_store.start()
    again = stage.twin()
    await again.open()
    assert await waiting
    assert None in told
    await again.sit(game, (BEN,))
    assert await feed_subscriber.wait(game, 1, LONG)
    await feed_subscriber.stop()
    await client.aclose()
    await listener.aclose()


async def test_a_subscriber_that_fails_shows_in_the_health(stage: Stage) -> None:
    def fails(_: Pointer | None) -> None:
        raise ZeroDivisionError

    feed_subscriber = FeedSubscriber(stage.log)
    await feed_subscriber.start()
    feed_subscriber.subscribe(fails)
    await stage.open()
    await until(lambda: not feed_subscriber.healthy)
    await feed_subscriber.stop()
