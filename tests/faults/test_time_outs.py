"""Fault 3: the queue's store forgets everything while games are due."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from redis import Redis

from events.kernel import TimestampMs
from runtime.embedded.store import Store
from tests.conftest import Sometimes
from tests.homes import passing_home
from tests.runtime.conftest import stage
from tests.runtime.stage import ANN, BEN, LONG, TOY_SHELF, Stage
from tests.workers.crew import settings_for
from workers.advance import time_out_all
from workers.clock import GameClock
from workers.host import Host
from workers.jobs import queue_client, queue_of
from workers.retry_policy import AskWorkers, RetryPolicy

__all__ = ["stage"]

DUE_MS = 10_250
AGAIN_MS = 1000
TICKS = 12
"""Seconds after which even the clock itself would have done the work, twice."""


@pytest.fixture(scope="module")
def queue_url() -> Iterator[str]:
    """A store that has nothing but the queue."""
    with passing_home() as home, Store(home / "queue", "appendfsync no") as running:
        yield running.admin_url


@pytest.fixture
async def clock(stage: Stage, store_url: str, queue_url: str) -> AsyncIterator[GameClock]:
    """A clock by the stage's still time."""
    host = Host(settings_for(store_url), TOY_SHELF)
    host.tables.clock = stage.clock
    client = queue_client(queue_url)
    made = GameClock(host, queue_of(client))
    yield made
    await made.close()
    client.close()
    await host.close()


async def asked(clock: GameClock) -> list[str]:
    """What is in the queue, once all asking is done."""
    await clock.tick()
    async with asyncio.timeout(LONG):
        while clock.under_way:
            await asyncio.wait(clock.under_way)
    return clock.queue.get_job_ids()


async def forgotten(stage: Stage, clock: GameClock, queue_url: str) -> tuple[str, int]:
    """A game whose time-out the workers were asked for, by a queue that has forgotten it."""
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    stage.clock.now += DUE_MS
    before = len(await asked(clock))
    with Redis.from_url(queue_url) as client:
        client.flushall()
    assert clock.queue.get_job_ids() == []
    return game, before


async def strikes(stage: Stage, game: str) -> int:
    """How often the first player was timed out."""
    found: int = (await stage.tables.load(game)).state.seats[1].strikes
    return found


async def test_a_queue_that_forgets_all_loses_no_time_out_and_doubles_none(
    stage: Stage, clock: GameClock, queue_url: str, sometimes: Sometimes
) -> None:
    game, jobs = await forgotten(stage, clock, queue_url)
    sometimes("jobs forgotten by the queue", jobs)
    stage.clock.now += AGAIN_MS
    sometimes("workers asked again", len(await asked(clock)))
    assert await strikes(stage, game) == 0
    done = [await time_out_all(stage.tables, [game]) for _ in range(2)]
    assert [each.commands for each in done] == [1, 0], "it fires once"
    assert await strikes(stage, game) == 1


async def test_nor_does_one_that_nobody_works_for(
    stage: Stage, clock: GameClock, queue_url: str
) -> None:
    game, _ = await forgotten(stage, clock, queue_url)
    for _ in range(6):
        stage.clock.now += AGAIN_MS
        await asked(clock)
    assert await strikes(stage, game) == 1


async def test_a_clock_that_asks_once_leaves_the_game_waiting(
    stage: Stage, clock: GameClock, queue_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: without the sweep nothing brings it back."""

    def once(_: object, game: str, known: Any, __: TimestampMs) -> list[AskWorkers]:
        known.asked += 1
        return [AskWorkers(game, known.at, 1)] if known.asked == 1 else []

    monkeypatch.setattr(RetryPolicy, "_steps", once)
    game, jobs = await forgotten(stage, clock, queue_url)
    assert jobs
    for _ in range(TICKS):
        stage.clock.now += AGAIN_MS
        assert await asked(clock) == []
    assert await strikes(stage, game) == 0
    due = await stage.log.next_due()
    assert due is not None
    assert due < stage.clock.now, "it is overdue, and waits for ever"
