"""What a process appends itself: its feed subscriber is told without a bell, once and in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

import pytest

from events.clients import listening
from events.feed import Pointer
from events.log import StreamLog
from games.table.events import LeaveSeat, TakeSeat
from runtime.embedded.store import Store
from runtime.feed_subscriber import FeedSubscriber, Gap
from runtime.table_service import TableService
from tests.runtime.stage import ANN, BEN, KEYS, LONG, SHARDS, TOY_REGISTRY, Stage


def beside(stage: Stage) -> Stage:
    """Another process, whose commands have other names."""
    twin = stage.twin()
    twin.names = stage.names
    return twin


@pytest.fixture
async def deaf(stage: Stage, own_store: Store) -> AsyncIterator[Stage]:
    """A stage that listens for bells where nobody rings."""
    listener = listening(own_store.url)
    yield Stage(stage.client, StreamLog(stage.client, listener, SHARDS))
    await listener.aclose()


def tells(stage: Stage, subscriber: FeedSubscriber) -> None:
    """Let a subscriber be told what its process appends."""
    stage.tables = TableService(
        stage.log, KEYS, stage.clock, game_registry=TOY_REGISTRY, tells=subscriber.appended
    )


async def told_of_its_own(stage: Stage) -> tuple[FeedSubscriber, str, list[Pointer | Gap | None]]:
    """A subscriber that is told what its process appends, a game, and what is told of it."""
    subscriber = FeedSubscriber(stage.log)
    tells(stage, subscriber)
    await subscriber.start()
    game = await stage.open()
    assert await subscriber.follow(game)
    told: list[Pointer | Gap | None] = []
    subscriber.subscribe(told.append)
    return subscriber, game, told


@pytest.mark.parametrize("is_told", [True, False])
async def test_what_the_process_itself_appends_needs_no_bell(deaf: Stage, *, is_told: bool) -> None:
    subscriber = FeedSubscriber(deaf.log)
    if is_told:  # else the control
        tells(deaf, subscriber)
    await subscriber.start()
    game = await deaf.open()
    assert await subscriber.follow(game)
    assert await subscriber.wait(game, 0, LONG)
    waiting = asyncio.create_task(subscriber.wait(game, 1, LONG))
    await asyncio.sleep(0)
    await deaf.sit(game, (ANN,))
    await asyncio.sleep(0)
    assert waiting.done() is is_told
    assert subscriber.last_version(game) == (2 if is_told else 1)
    waiting.cancel()
    await subscriber.stop()


async def test_appends_of_all_processes_are_told_once_and_in_order(
    stage: Stage, feed_subscriber: FeedSubscriber
) -> None:
    tells(stage, feed_subscriber)
    game, twin = await stage.open(), beside(stage)
    told: list[Pointer | Gap | None] = []
    assert await feed_subscriber.follow(game)
    feed_subscriber.subscribe(told.append)

    async def come_and_go(process: Stage) -> None:
        for _ in range(8):
            await process.give(game, TakeSeat(bot="random"))
            seat = next(iter((await process.tables.load(game)).state.seats))
            await process.give(game, LeaveSeat(seat=seat))

    await come_and_go(stage)
    await come_and_go(twin)
    await stage.sit(game, (ANN,))
    await twin.sit(game, (BEN,))
    last = (await stage.log.tail(game, 0)).version
    assert await feed_subscriber.wait(game, last - 1, LONG)
    pointers = [each for each in told if isinstance(each, Pointer)]
    assert [p.seq for p in pointers] == list(range(pointers[0].seq, pointers[-1].seq + 1))
    assert pointers[-1].version == last
    assert None not in told


async def test_an_own_append_while_a_page_is_read_costs_nobody_the_rest_of_it(
    deaf: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed, twin = deaf.log.pointers, beside(deaf)
    subscriber, game, told = await told_of_its_own(deaf)
    page, is_read = feed.page, asyncio.Event()

    async def page_with_more(shard: int, after: int, limit: int) -> list[Pointer]:
        await deaf.sit(game, (ANN,))
        await twin.sit(game, (BEN,))
        found = await page(shard, after, limit)
        is_read.set()
        return found

    monkeypatch.setattr(feed, "page", page_with_more)
    shard = deaf.log.layout.shard_of(game)
    subscriber._following._moved.add(shard)  # as by the bells of both
    async with asyncio.timeout(LONG):
        await is_read.wait()
    pointers = [each for each in told if isinstance(each, Pointer)]
    assert [each.version - each.count for each in pointers] == [1, 2]
    await subscriber.stop()


async def test_an_own_append_while_an_end_is_asked_for_is_no_step_back(
    deaf: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = deaf.log.pointers
    subscriber, game, told = await told_of_its_own(deaf)
    written, asked = feed.written, asyncio.Event()

    async def written_before(shards: Iterable[int]) -> dict[int, int]:
        found = await written(shards)
        if found:
            await deaf.sit(game, (ANN,))
            asked.set()
        return found

    with monkeypatch.context() as patch:
        patch.setattr(feed, "written", written_before)
        subscriber._following._moved.doubt(deaf.log.layout.shard_of(game))
        async with asyncio.timeout(LONG):
            await asked.wait()
    await deaf.sit(game, (BEN,))
    assert [each for each in told if each is None] == []
    assert subscriber.healthy
    assert subscriber.last_version(game) > 2
    await subscriber.stop()


@pytest.mark.parametrize("awaits", [True, False])
async def test_a_bell_before_the_answer_to_an_own_append_is_not_read_for(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, *, awaits: bool
) -> None:
    """The control is a reader that is not told of what its process appends."""
    subscriber, log = FeedSubscriber(stage.log), stage.log
    subscriber._following._is_told = awaits
    tells(stage, subscriber)
    hear, page, call = subscriber._following._hear, log.pointers.page, log._call
    rung, pages = asyncio.Event(), 0

    def heard(channel: str, said: bytes | None) -> None:
        hear(channel, said)
        rung.set()

    async def counted(shard: int, after: int, limit: int) -> list[Pointer]:
        nonlocal pages
        pages += 1
        return await page(shard, after, limit)

    async def answered_late(keys: Sequence[str], arguments: list[Any]) -> tuple[Any, bool]:
        rung.clear()
        answer = await call(keys, arguments)
        await rung.wait()
        for _ in range(5):  # whoever reads at once does so now
            await asyncio.sleep(0)
        return answer

    monkeypatch.setattr(subscriber._following, "_hear", heard)
    await subscriber.start()
    game = await stage.open()
    assert await subscriber.follow(game)
    monkeypatch.setattr(log.pointers, "page", counted)
    monkeypatch.setattr(log, "_call", answered_late)
    async with asyncio.timeout(LONG):
        await stage.sit(game, (ANN,))
    assert subscriber.last_version(game) == 2
    assert pages == (0 if awaits else 1)
    await subscriber.stop()


async def test_what_others_append_beside_an_own_append_is_not_missed(stage: Stage) -> None:
    subscriber, log, twin = FeedSubscriber(stage.log), stage.log, beside(stage)
    tells(stage, subscriber)
    await subscriber.start()
    game = await stage.open()
    shard = log.layout.shard_of(game)
    assert await subscriber.follow(game)
    log.pointers.appending[shard] += 1  # one that is never answered
    await twin.sit(game, (BEN,))
    assert await subscriber.wait(game, 1, LONG)
    await subscriber.stop()
