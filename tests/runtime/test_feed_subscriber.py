"""The feed subscriber: nobody who waits misses an append, whatever the store does meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import ExitStack

import pytest

from events.clients import close_client, commands, listening
from events.feed import Pointer
from events.log import StreamHead, StreamLog
from games.table.events import LeaveSeat, TakeSeat
from runtime.embedded.store import Store
from runtime.feed_subscriber import FeedSubscriber, Gap
from tests.events.lab import batch
from tests.runtime.stage import ANN, BEN, LONG, SHARDS, Stage, until


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


async def test_who_watches_a_stream_is_told_how_far_it_has_come(
    stage: Stage, feed_subscriber: FeedSubscriber
) -> None:
    game, told, late = await stage.open(), list[int | None](), list[int | None]()
    with feed_subscriber.watched(game, told.append):
        await until(lambda: bool(told))
        assert told == [None], "its shard has not been followed, so it is to be read"
        other = await stage.open("other")
        await feed_subscriber.wait(other, 0, LONG)
        await stage.sit(game, (ANN,))
        await until(lambda: len(told) > 1)
        assert told == [None, 2]
        with feed_subscriber.watched(game, late.append):
            assert late == [2], "it is known already"
        await stage.sit(game, (BEN,))
        await until(lambda: len(told) > 2)
    assert (told[2:], late) == ([(await stage.tables.load(game)).version], [2])
    assert feed_subscriber._watches == {}


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


async def test_stopping_lets_go_who_is_looking_how_far_a_stream_has_come(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed_subscriber = FeedSubscriber(stage.log)
    await feed_subscriber.start()
    looks, goes_on, head = asyncio.Event(), asyncio.Event(), stage.log.head

    async def slow_head(stream: str) -> StreamHead | None:
        looks.set()
        await goes_on.wait()
        return await head(stream)

    monkeypatch.setattr(stage.log, "head", slow_head)
    waiting = asyncio.create_task(feed_subscriber.wait(stage.game(), 0, LONG))
    await looks.wait()
    await feed_subscriber.stop()
    goes_on.set()
    async with asyncio.timeout(LONG / 2):
        assert not await waiting


async def test_subscribers_are_told_every_pointer_until_they_leave(
    stage: Stage, feed_subscriber: FeedSubscriber
) -> None:
    told: list[Pointer | Gap | None] = []
    leave = feed_subscriber.subscribe(told.append)
    game = stage.game()
    shard = stage.log.layout.shard_of(game)
    with feed_subscriber.claimed(shard):
        assert await feed_subscriber.follow(game)
        await stage.open()
        await stage.sit(game, (ANN,))
        await until(lambda: len(told) == 3)
        assert told[0] == Gap(shard)
        pointers = [each for each in told if isinstance(each, Pointer)]
        assert [(p.stream, p.version) for p in pointers] == [(game, 1), (game, 2)]
        leave()
        await stage.sit(game, (BEN,))
        await feed_subscriber.wait(game, 2, LONG)
        assert len(told) == 3


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
    late = FeedSubscriber(stage.log)  # of a process that starts meanwhile
    await late.start()
    assert not late.healthy
    waiting_too = asyncio.create_task(late.wait(game, 1, LONG))
    own_store.start()
    await until(lambda: feed_subscriber.healthy and late.hears(game))
    assert not waiting.done()
    await stage.sit(game, (ANN,))
    assert all(await asyncio.gather(waiting, waiting_too))
    await feed_subscriber.stop()
    await late.stop()
    await close_client(client)
    await listener.aclose()


async def test_another_history_makes_everybody_look_again(own_store: Store) -> None:
    client, listener = commands(own_store.url), listening(own_store.url)
    stage = Stage(client, StreamLog(client, listener, SHARDS))
    feed_subscriber = FeedSubscriber(stage.log)
    await feed_subscriber.start()
    told: list[Pointer | Gap | None] = []
    feed_subscriber.subscribe(told.append)
    game = await stage.open()
    await stage.sit(game, (ANN,))
    await feed_subscriber.wait(game, 1, LONG)
    waiting = asyncio.create_task(feed_subscriber.wait(game, 2, LONG))
    watched = ExitStack()
    heard: list[int | None] = []
    watched.enter_context(feed_subscriber.watched(game, heard.append))
    assert heard == [2]
    own_store.kill()
    for path in own_store.home.glob("appendonlydir/*"):
        path.unlink()
    own_store.start()
    again = stage.twin()
    await again.open()
    assert await waiting
    assert None in told
    assert None in heard
    watched.close()
    await again.sit(game, (BEN,))
    assert await feed_subscriber.wait(game, 1, LONG)
    await feed_subscriber.stop()
    await close_client(client)
    await listener.aclose()


async def test_a_subscriber_that_fails_shows_in_the_health(stage: Stage) -> None:
    def fails(news: Pointer | Gap | None) -> None:
        if isinstance(news, Pointer):
            raise ZeroDivisionError

    feed_subscriber = FeedSubscriber(stage.log)
    await feed_subscriber.start()
    feed_subscriber.subscribe(fails)
    assert await feed_subscriber.follow(stage.game())
    await stage.open()
    await until(lambda: not feed_subscriber.healthy)
    await feed_subscriber.stop()


async def test_who_waits_for_nothing_follows_nothing(
    stage: Stage, feed_subscriber: FeedSubscriber
) -> None:
    games = {name: stage.game(name) for name in ("one", "two", "three", "four", "five")}
    shard_of = stage.log.layout.shard_of
    other = next(game for game in games.values() if shard_of(game) != shard_of(games["one"]))
    assert feed_subscriber.shards == frozenset()
    waiting = asyncio.create_task(feed_subscriber.wait(games["one"], 0, LONG))
    with feed_subscriber.claimed(shard_of(other)):
        for _ in range(3):
            await asyncio.sleep(0)
            feed_subscriber.sweep()
        assert feed_subscriber.shards == {shard_of(games["one"]), shard_of(other)}, "not more"
    await stage.open("one")
    assert await waiting
    feed_subscriber.sweep()
    assert len(feed_subscriber.shards) == 2, "a grace, for who waits again and again"
    assert feed_subscriber.hears(other)
    feed_subscriber.sweep()
    assert feed_subscriber.shards == {shard_of(other)}, "it was asked for"
    feed_subscriber.sweep()
    feed_subscriber.sweep()
    assert feed_subscriber.shards == frozenset()
    assert feed_subscriber.last_version(games["one"]) == 0, "nothing known that may be old"
    waiting = asyncio.create_task(feed_subscriber.wait(games["one"], 1, LONG))
    await stage.sit(games["one"], (ANN,))
    assert await waiting, "it is followed anew"


async def test_a_shard_left_and_wanted_at_once_is_followed(
    stage: Stage, feed_subscriber: FeedSubscriber
) -> None:
    game = await stage.open()
    for version in range(1, 30):
        waiting = asyncio.create_task(feed_subscriber.wait(game, version, LONG))
        if version % 3:
            assert await feed_subscriber.follow(game)  # else it is left before it stands
        await stage.give(game, TakeSeat(bot="random") if version % 2 else LeaveSeat(seat=1))
        assert await waiting
        feed_subscriber.sweep()
        feed_subscriber.sweep()
        assert feed_subscriber.shards == frozenset()


@pytest.mark.parametrize("reads_first", [False, True])
async def test_an_event_between_following_and_reading_is_not_missed(
    stage: Stage,
    feed_subscriber: FeedSubscriber,
    monkeypatch: pytest.MonkeyPatch,
    *,
    reads_first: bool,
) -> None:
    """The event comes right after the read. With the order reversed nobody would learn of it."""
    game, log = await stage.open(), stage.log
    moved = asyncio.Event()
    head, ends = log.head, log.pointers.ends

    async def head_and_then(stream: str) -> StreamHead | None:
        found = await head(stream)
        await stage.sit(game, (ANN,))
        moved.set()
        return found

    async def ends_only_then(shards: Iterable[int] | None = None) -> dict[int, int]:
        await moved.wait()
        return await ends(shards)

    monkeypatch.setattr(log, "head", head_and_then)
    if reads_first:  # the planted fault
        monkeypatch.setattr(log.pointers, "ends", ends_only_then)
        with feed_subscriber.claimed(log.layout.shard_of(game)):
            feed_subscriber._followed[log.layout.shard_of(game)].stands.set()
            waiting = asyncio.create_task(feed_subscriber.wait(game, 1, LONG))
            await moved.wait()  # however long a busy machine takes for it
            learned, _ = await asyncio.wait({waiting}, timeout=0.1)
            waiting.cancel()
            await asyncio.wait({waiting})
        assert learned == set()
    else:
        assert await feed_subscriber.wait(game, 1, LONG)


async def test_an_event_before_following_is_found_by_the_read(
    stage: Stage, feed_subscriber: FeedSubscriber, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN,))
    assert await feed_subscriber.wait(game, 1, LONG)

    async def nothing(*_: object) -> bool:
        return True

    monkeypatch.setattr(feed_subscriber, "_look", nothing)  # the control
    feed_subscriber.sweep()
    feed_subscriber.sweep()
    assert not await feed_subscriber.wait(game, 1, 0.05)


async def test_the_feed_of_accounts_tells_of_accounts_alone(stage: Stage) -> None:
    log, ann = stage.log, "p01-a"
    await log.append(batch(stream=ann))  # as by a release that knew no such feed
    await stage.client.delete(log.layout.account_feed(1))
    await stage.client.hdel(log.layout.meta(1), "aseq")
    accounts = FeedSubscriber(log, accounts=True)
    await accounts.start()
    assert not accounts.hears(ann)
    assert await accounts.follow(ann)
    told: list[Pointer | Gap | None] = []
    accounts.subscribe(told.append)
    await log.append(batch(stream="g01-a"))
    await log.append(batch(stream=ann, after=1))
    await until(lambda: bool(told))
    assert told == [Pointer(1, 1, ann, 2, 1)]
    assert accounts.last_version(ann) == 2
    await accounts.stop()
