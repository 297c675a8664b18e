"""The clock: it asks the workers, does what they do not, and never keeps a game waiting for RQ."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import redis.asyncio
from redis import Redis
from rq import SimpleWorker

from events.tasks import end_tasks
from runtime.embedded.store import Store
from tests.runtime.stage import ANN, BEN, LONG, START, TOY_REGISTRY, Stage, until
from tests.workers.clocks import asked, clock_on
from tests.workers.crew import Crew, settings_for
from workers.advance import Advancer, install
from workers.clock import GameClock
from workers.host import Host
from workers.jobs import Batch, Wire, batches, enqueue, queue_client, queue_of, queues_of
from workers.outage import BEAT_MS
from workers.retry_policy import AskWorkers

pytestmark = [pytest.mark.slow, pytest.mark.system]


@pytest.fixture
async def clock(stage: Stage, store_url: str) -> AsyncIterator[GameClock]:
    async with clock_on(stage, store_url) as made:
        yield made


async def test_the_workers_are_asked_when_a_game_is_due(stage: Stage, clock: GameClock) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    due = START + 10_250
    assert await clock.tick() == BEAT_MS
    stage.clock.now = due - 7
    assert await clock.tick() == 7
    assert await asked(clock) == []
    stage.clock.now = due
    for _ in range(3):
        assert await clock.tick() == BEAT_MS - 7
    jobs = [batches([AskWorkers(game, due, attempt)])[0].job for attempt in (1, 2)]
    assert await asked(clock) == jobs[:1]
    stage.clock.now += 1000
    await clock.tick()
    assert await asked(clock) == jobs


async def test_a_second_clock_asks_for_nothing_twice(
    stage: Stage, clock: GameClock, store_url: str
) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    stage.clock.now += 10_250
    await clock.tick()
    await asked(clock)
    client = queue_client(store_url)
    [batch] = batches([AskWorkers(game, stage.clock.now, 1)])
    assert not enqueue(queue_of(client), batch)
    client.close()
    assert len(await asked(clock)) == 1


async def test_two_clocks_that_sleep_are_rung_by_an_append(
    stage: Stage, clock: GameClock, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They look by themselves once an hour only, so nothing but a bell can wake them."""
    monkeypatch.setattr("workers.due_games.LOOK_MS", hour := 3_600_000)
    async with clock_on(stage, store_url) as second:
        tasks = [asyncio.create_task(each.run()) for each in (clock, second)]
        now = stage.clock.now
        await until(lambda: {each.due.rests(now) for each in (clock, second)} == {hour})
        game = await stage.open()
        await stage.seat_bots(game, 2)
        await until(lambda: not clock.under_way and bool(clock.queue.get_job_ids()))
        await end_tasks(*tasks)
        for each in (clock, second):
            await asked(each)
        job = batches([AskWorkers(game, stage.clock.now, 1)])[0].job
        assert clock.queue.get_job_ids() == [job]


async def test_without_workers_the_clock_does_the_work(stage: Stage, clock: GameClock) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    before = await stage.tables.load(game)
    stage.clock.now += 10_250
    await clock.tick()
    stage.clock.now += 4_999
    await clock.tick()
    await asked(clock)
    assert (await stage.tables.load(game)).version == before.version
    stage.clock.now += 1
    await clock.tick()
    await asyncio.gather(*clock.under_way)
    after = await stage.tables.load(game)
    assert after.version > before.version
    assert after.state.seats[1].strikes == 1


async def test_without_a_queue_the_clock_does_the_work(stage: Stage, clock: GameClock) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    nowhere = Redis(host="127.0.0.1", port=1, socket_timeout=1)
    clock.queue = queue_of(nowhere)
    stage.clock.now += 10_250
    await clock.tick()
    stage.clock.now += 5_000
    await clock.tick()
    await asyncio.gather(*clock.under_way)
    assert (await stage.tables.load(game)).state.seats[1].strikes == 1


async def test_a_damaged_game_does_not_keep_others_waiting(
    stage: Stage, clock: GameClock, admin: redis.asyncio.Redis
) -> None:
    bad, good = await stage.open("bad"), await stage.open("good")
    for game in (bad, good):
        await stage.sit(game, (ANN, BEN))
    await admin.xdel(stage.log.layout.stream(bad).entries, "2-0")
    stage.clock.now += 10_250
    await clock.tick()
    stage.clock.now += 5_000
    await clock.tick()
    await asyncio.gather(*clock.under_way)
    assert (await stage.tables.load(good)).state.seats[1].strikes == 1


async def test_the_clock_goes_on_when_the_store_comes_back(
    stage: Stage, clock: GameClock, store: Store
) -> None:
    game = await stage.open()
    await stage.seat_bots(game, 2)
    task = asyncio.create_task(clock.run())
    stage.clock.now += 1
    await asyncio.sleep(0)
    store.stop()
    store.start()
    stage.clock.now += 6_000

    async with asyncio.timeout(LONG):
        while (await stage.tables.load(game)).state.phase != "finished":
            stage.clock.now += 100
            await asyncio.sleep(0.01)
    assert not task.done()
    await end_tasks(task)


def test_a_job_travels_as_json_and_is_done_by_a_worker(store_url: str) -> None:
    """The whole way of a job, in this process."""

    async def prepare() -> str:
        host = Host(settings_for(store_url), TOY_REGISTRY)
        await host.watch.begin()
        stage = Stage(host.client, host.log)
        stage.clock.now = host.tables.clock()
        game = await stage.open()
        await stage.seat_bots(game, 2)
        await host.close()
        return game

    async def phase(game: str) -> str:
        host = Host(settings_for(store_url), TOY_REGISTRY)
        found = (await host.tables.load(game)).state.phase
        await host.close()
        return found

    game = asyncio.run(prepare())
    advancer = Advancer(settings_for(store_url), TOY_REGISTRY)
    install(advancer)
    client = queue_client(store_url, None)
    queue = queue_of(client)
    assert enqueue(queue, Batch("advance-x", (game,)))
    [data] = [client.hget(f"rq:job:{name}", "data") for name in queue.get_job_ids()]
    assert data is not None
    queues = queues_of(client)
    SimpleWorker(queues, connection=client, serializer=Wire).work(burst=True, logging_level=None)
    assert asyncio.run(phase(game)) == "finished"
    job = queue.fetch_job("advance-x")
    assert job is not None
    assert job.return_value() == 0, "nothing was due; the bots are another job's"
    install(None)
    advancer.close()
    client.close()


async def test_processes_end_cleanly_when_they_are_told(store_url: str) -> None:
    with Crew(store_url) as crew:
        crew.start("clock", "clock")
        crew.start("work", "work")
        await until(lambda: crew.logs().count("_started") == 2)
        assert crew.end("clock") == 0
        assert crew.end("work") == 0
        assert "Traceback" not in crew.logs()
