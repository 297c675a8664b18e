"""Fault 3: the queue's store forgets everything while games are due."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from redis import Redis

from events.kernel import Rejected, TimestampMs, Working
from games.table import decider
from games.table.events import PauseTable, TimeOut
from games.table.state import TableState
from runtime.embedded.store import Store
from simulator.deadline_history import HASTY, OVERDUE, STOPPED, STRAY, judge_deadlines
from simulator.history import FinalStream
from tests.conftest import Sometimes
from tests.homes import passing_home
from tests.runtime.conftest import stage
from tests.runtime.stage import ANN, BEN, Stage
from tests.workers.clocks import asked, clock_on
from workers.advance import time_out_all
from workers.clock import GameClock
from workers.retry_policy import AskWorkers, RetryPolicy

__all__ = ["stage"]

DUE_MS = 10_250
AGAIN_MS = 1000
LATEST_MS = 8 * AGAIN_MS
"""So late at most, also where nobody works and the clock does it: some rounds of asking."""

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
    async with clock_on(stage, store_url, queue_url) as made:
        yield made


async def asked_now(clock: GameClock) -> list[str]:
    """What is in the queue, once the clock has looked and all asking is done."""
    await clock.tick()
    return await asked(clock)


async def forgotten(stage: Stage, clock: GameClock, queue_url: str) -> tuple[str, int]:
    """A game whose time-out the workers were asked for, by a queue that has forgotten it."""
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    stage.clock.now += DUE_MS
    before = len(await asked_now(clock))
    with Redis.from_url(queue_url) as client:
        client.flushall()
    assert clock.queue.get_job_ids() == []
    return game, before


async def strikes(stage: Stage, game: str) -> int:
    """How often the first player was timed out."""
    found: int = (await stage.tables.load(game)).state.seats[1].strikes
    return found


async def flaws(stage: Stage, game: str) -> set[str]:
    """What is amiss with the game's time-outs, by its log."""
    entries = await stage.log.read(game)
    end = FinalStream(game, entries, len(entries), b"")
    return {each.check for each in judge_deadlines([end], LATEST_MS)}


async def test_a_queue_that_forgets_all_loses_no_time_out_and_doubles_none(
    stage: Stage, clock: GameClock, queue_url: str, sometimes: Sometimes
) -> None:
    game, jobs = await forgotten(stage, clock, queue_url)
    sometimes("jobs forgotten by the queue", jobs)
    stage.clock.now += AGAIN_MS
    sometimes("workers asked again", len(await asked_now(clock)))
    assert await strikes(stage, game) == 0
    done = [await time_out_all(stage.tables, [game]) for _ in range(2)]
    assert [each.commands for each in done] == [1, 0], "it fires once"
    assert await strikes(stage, game) == 1
    assert await flaws(stage, game) == set()


async def test_nor_does_one_that_nobody_works_for(
    stage: Stage, clock: GameClock, queue_url: str
) -> None:
    game, _ = await forgotten(stage, clock, queue_url)
    for _ in range(6):
        stage.clock.now += AGAIN_MS
        await asked_now(clock)
    assert await strikes(stage, game) == 1
    assert await flaws(stage, game) == set()


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
        assert await asked_now(clock) == []
    assert await strikes(stage, game) == 0
    due = await stage.log.next_due()
    assert due is not None
    assert due < stage.clock.now, "it is overdue, and waits for ever"
    await time_out_all(stage.tables, [game])
    assert await flaws(stage, game) == {OVERDUE}, "the log tells that it came too late"


async def timed_out_at_once(stage: Stage, *, paused: bool) -> set[str]:
    """What the log tells of a time-out that is ordered whether it is time or not."""
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    clock = (await stage.tables.load(game)).state.clock
    assert clock is not None
    if paused:
        await stage.give(game, PauseTable(), ANN, "director")
        stage.clock.now += DUE_MS
    await stage.give(game, TimeOut(key=clock.key), "clock", "worker")
    return await flaws(stage, game)


async def test_nobody_is_timed_out_before_the_deadline(stage: Stage) -> None:
    with pytest.raises(Rejected, match="not over yet"):
        await timed_out_at_once(stage, paused=False)


async def test_nor_while_the_table_is_paused(stage: Stage) -> None:
    with pytest.raises(Rejected, match="paused"):
        await timed_out_at_once(stage, paused=True)


async def test_a_table_that_does_not_look_at_its_clock_is_found(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    monkeypatch.setattr(decider, "GRACE_MS", -DUE_MS)
    assert await timed_out_at_once(stage, paused=False) == {HASTY}


async def test_so_is_one_that_times_out_in_a_pause(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    monkeypatch.setattr(decider, "require_live", lambda _: None)
    assert STOPPED in await timed_out_at_once(stage, paused=True)


async def timed_out_again(stage: Stage) -> set[str]:
    """What the log tells where the same time-out is ordered again when the next wait is over."""
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    first = (await stage.tables.load(game)).state.clock
    assert first is not None
    for _ in range(2):
        clock = (await stage.tables.load(game)).state.clock
        assert clock is not None
        stage.clock.now = clock.due + decider.GRACE_MS
        await stage.give(game, TimeOut(key=first.key), "clock", "worker")
    return await flaws(stage, game)


async def test_nor_by_an_order_for_a_wait_that_is_over(stage: Stage) -> None:
    with pytest.raises(Rejected, match="no longer waits for this"):
        await timed_out_again(stage)


async def test_a_table_that_takes_any_order_for_that_of_its_wait_is_found(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: a worker that comes too late times out the next wait."""
    handlers = stage.tables.table._handlers  # noqa: SLF001 (the guard is in one of them)

    def any_order(work: Working[TableState], _: TimeOut) -> None:
        assert work.state.clock is not None
        handlers[TimeOut](work, TimeOut(key=work.state.clock.key))

    monkeypatch.setattr(stage.tables.table, "_handlers", {**handlers, TimeOut: any_order})
    assert await timed_out_again(stage) == {STRAY}
