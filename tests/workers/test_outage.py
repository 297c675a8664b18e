"""Outages: the time in which commands could not be accepted is not the players'."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

import msgspec
import pytest
import structlog
from redis.asyncio import Redis

from events.clients import Client
from events.heartbeat import GAP_MS
from events.kernel import PUBLIC, Actor, DurationMs, Rejected, TimestampMs
from games.contract import TimeControl
from games.table.events import ExtendTime, PauseTable
from runtime.presence import HOLDS_MS, Accepting, Presence
from runtime.table_service import TableService, Unsettled
from tests.runtime.stage import ANN, BEN, KEYS, LONG, START, TOY_REGISTRY, Stage
from tests.workers.clocks import clock_on
from workers.advance import advance_game
from workers.clock import GameClock
from workers.outage import REASON, Outages

HOUR = 3_600_000


class Api(Presence):
    """The processes of the API, as they would have announced themselves by the stage's clock."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.says = Accepting(ever=True, since=START)

    async def accepting(self) -> Accepting:
        """What we say."""
        return self.says


class Killed(Exception):
    """The process is killed here."""


class House:
    """A stage, an API of our saying, and the clock's part in it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.api = Api(stage.client)
        self.has_room = True
        self.outages = Outages(stage.tables, self.api, lambda: self.has_room)

    async def begin(self, name: str = "one", **more: Any) -> str:
        """A game that waits for two numbers, due in ten seconds."""
        game = await self.stage.open(name, **more)
        await self.stage.sit(game, (ANN, BEN))
        return game

    async def beat(self, ms: DurationMs = 0) -> Mapping[int, TimestampMs]:
        """The clock looks, after so many ms; where it would hold time-outs, and since when."""
        self.stage.clock.now += ms
        return await self.outages.settle(self.stage.clock.now)

    async def goes_by(self, ms: DurationMs) -> None:
        """Time passes while everything runs."""
        for _ in range(ms // 1000):
            await self.beat(1000)

    async def is_out(self, ms: DurationMs) -> None:
        """Nothing runs for so long; then the API is there again, and a new clock."""
        self.stage.clock.now += ms
        self.api.says = Accepting(ever=True, since=self.stage.clock.now)
        self.outages = Outages(self.stage.tables, self.api)

    async def due(self, game: str) -> DurationMs:
        """How long a game's clock still runs, in ms."""
        clock = (await self.stage.tables.load(game)).state.clock
        assert clock is not None
        return clock.due - self.stage.clock.now

    async def extended(self, game: str) -> list[str]:
        """The reasons of all extensions."""
        lines = await self.stage.tables.events(game, PUBLIC, limit=999)
        events = [msgspec.json.decode(line)["event"] for line in lines]
        return [event["reason"] for event in events if event["type"] == "time-extended"]


@pytest.fixture
def house(stage: Stage) -> House:
    return House(stage)


async def test_after_an_hour_everybody_has_the_time_they_had(house: House) -> None:
    game = await house.begin()
    await house.goes_by(4000)
    await house.is_out(HOUR)
    assert await house.due(game) < 0
    assert not await house.beat()
    assert await house.due(game) == 6000
    assert await house.extended(game) == [REASON]
    await house.goes_by(6000)
    assert not await house.stage.tables.time_out(game)
    house.stage.clock.now += 250
    assert await house.stage.tables.time_out(game)


async def test_a_short_gap_is_no_outage(house: House) -> None:
    game = await house.begin()
    await house.beat()
    await house.is_out(GAP_MS)
    assert not await house.beat()
    assert (await house.extended(game), await house.due(game)) == ([], 5000)


async def test_the_very_first_heartbeat_looks_back_at_nothing(house: House) -> None:
    game = await house.begin()
    house.stage.clock.now += HOUR
    assert not await house.beat()
    assert await house.extended(game) == []


async def rolled_back(house: House) -> str:
    """A game in a store that is set back by an hour, beside a clock that beats all the while."""
    game = await house.begin()
    await house.goes_by(2000)
    now = house.stage.clock.now
    house.api.says = Accepting(ever=True, since=now)
    await house.stage.log.heartbeats.beat(range(4), now - HOUR)
    return game


async def test_a_clock_that_has_just_beaten_looks_for_no_outage(house: House) -> None:
    game = await rolled_back(house)
    assert not await house.beat(1000)
    assert await house.extended(game) == []


async def test_unless_the_store_may_be_another_by_now(house: House) -> None:
    """The control, and what the clock does while its store is not the one that it knows."""
    game = await rolled_back(house)
    house.outages.forget()
    assert not await house.beat(1000)
    assert await house.extended(game)


async def test_nobody_is_timed_out_before_deadlines_have_moved(house: House) -> None:
    """Neither by a worker whose job is older than the outage, nor by a move that was too late."""
    game = await house.begin()
    await house.goes_by(4000)
    await house.is_out(HOUR)
    tables = house.stage.twin().tables
    assert await advance_game(tables, game) == 0
    with pytest.raises(Unsettled):
        await house.stage.choose(game, 1, "number-t1-s1", "2")
    await house.beat()
    assert (await house.stage.choose(game, 1, "number-t1-s1", "2")).count > 0


async def test_without_a_heartbeat_they_are(house: House) -> None:
    """The control: where no clock keeps heartbeats, the deadline is what it was."""
    game = await house.begin()
    house.stage.clock.now += HOUR
    with pytest.raises(Rejected, match="deadline-passed"):
        await house.stage.choose(game, 1, "number-t1-s1", "2")
    state = (await house.stage.tables.load(game)).state
    assert state.seats[1].strikes == 1


async def test_while_the_api_is_away_the_clock_times_nobody_out(house: House) -> None:
    game = await house.begin()
    await house.goes_by(4000)
    house.api.says = Accepting(ever=True, since=None)
    with structlog.testing.capture_logs() as lines:
        assert not await house.beat(GAP_MS)
        assert await house.beat(1000) == dict.fromkeys(range(4), START + 4000)
        assert await house.beat(60_000) == dict.fromkeys(range(4), START + 4000)
    assert [line["event"] for line in lines] == ["time_outs_held"]
    assert not await house.stage.twin().tables.time_out(game)
    house.api.says = Accepting(ever=True, since=house.stage.clock.now)
    assert not await house.beat(1000)
    assert await house.due(game) == 6000 - 1000


async def test_a_clock_that_was_gone_while_the_api_was_there_moves_nothing(house: House) -> None:
    game = await house.begin()
    await house.goes_by(4000)
    house.stage.clock.now += HOUR  # the API has accepted commands since the start, all along
    assert not await house.beat()
    assert await house.extended(game) == []
    assert await house.stage.tables.time_out(game)


async def test_a_process_that_was_there_all_along_judges_without_the_clock(house: House) -> None:
    game = await house.begin()
    await house.beat()
    house.stage.clock.now += HOUR
    there = TableService(
        house.stage.log,
        KEYS,
        house.stage.clock,
        game_registry=TOY_REGISTRY,
        accepting_since=lambda: START,
    )
    came_later = TableService(
        house.stage.log,
        KEYS,
        house.stage.clock,
        game_registry=TOY_REGISTRY,
        accepting_since=lambda: START + 1,
    )
    assert not await came_later.time_out(game)
    assert await there.time_out(game)


async def test_only_what_was_lost_is_given_back(house: House) -> None:
    """The store and the workers went on, so a wait began in the middle of the outage."""
    await house.beat()
    house.stage.clock.now += HOUR // 2
    game = await house.begin()
    await house.is_out(HOUR // 2)
    await house.beat()
    assert await house.due(game) == 10_000


async def test_what_came_after_the_outage_is_given_nothing(house: House) -> None:
    await house.beat()
    await house.is_out(HOUR)
    game = await house.begin()
    house.stage.clock.now += 7000
    await house.beat()
    assert await house.due(game) == 3000
    assert await house.extended(game) == []


async def test_all_games_get_it_and_once_however_many_clocks_there_are(house: House) -> None:
    games = [await house.begin(f"g{n}") for n in range(12)]
    await house.beat()
    await house.is_out(HOUR)
    others = [Outages(house.stage.twin().tables, house.api) for _ in range(3)]
    now = house.stage.clock.now
    await asyncio.gather(*(each.settle(now) for each in (house.outages, *others)))
    for game in games:
        assert (await house.extended(game), await house.due(game)) == ([REASON], 10_000)


async def test_a_clock_that_is_killed_half_way_is_followed_by_one_that_ends_it(
    house: House,
) -> None:
    games = [await house.begin(f"g{n}") for n in range(6)]
    await house.beat()
    await house.is_out(HOUR)
    give, given = house.stage.tables.command, 0

    async def die_at_the_third(*args: Any, **more: Any) -> Any:
        nonlocal given
        given += 1
        if given > 2:
            raise Killed
        return await give(*args, **more)

    house.stage.tables.command = die_at_the_third  # type: ignore[method-assign]
    with pytest.raises(Killed):
        await house.beat()
    house.stage.tables.command = give  # type: ignore[method-assign]
    house.outages = Outages(house.stage.tables, house.api)
    await house.beat()
    for game in games:
        assert (await house.extended(game), await house.due(game)) == ([REASON], 10_000)


async def test_an_outage_of_days_is_given_back_in_parts(house: House) -> None:
    game = await house.begin()
    await house.beat()
    await house.is_out(50 * HOUR)
    await house.beat()
    assert (await house.extended(game), await house.due(game)) == ([REASON] * 3, 10_000)


async def test_a_paused_and_a_damaged_game_hold_up_no_other(house: House, admin: Redis) -> None:
    paused, bad, good = [await house.begin(name) for name in ("paused", "bad", "good")]
    await house.stage.give(paused, PauseTable(), kind="director")
    await house.beat()
    await admin.xdel(house.stage.log.layout.stream(bad).entries, "2-0")
    house.stage.tables = house.stage.twin().tables
    await house.is_out(HOUR)
    assert not await house.beat()
    assert await house.due(good) == 10_000


async def test_bots_play_on_where_they_were(house: House) -> None:
    game = await house.stage.open(
        seats=2, time=TimeControl(limits_s={"programming": 10}, bot_pace_ms=8000)
    )
    await house.stage.seat_bots(game, 2)
    await house.beat()
    await house.is_out(HOUR)
    await house.beat()
    await advance_game(house.stage.tables, game)
    state = (await house.stage.tables.load(game)).state
    assert [seat.strikes for seat in state.seats.values()] == [0, 0]


async def test_a_director_cannot_call_lateness_an_outage(house: House) -> None:
    game = await house.begin()
    house.stage.clock.now += HOUR
    late = ExtendTime(seconds=60, reason=REASON)
    with pytest.raises(Rejected, match="deadline-passed"):
        await house.stage.give(game, late, ANN, "director")
    with pytest.raises(Rejected, match="not-the-director"):
        await house.stage.tables.command(
            game, late, actor=Actor("worker", "clock"), command_id="w", digest="d"
        )


async def test_a_store_that_takes_no_writes_gets_no_heartbeat(house: House, admin: Redis) -> None:
    """A heartbeat is a write, so what cannot be written is an outage, though it can be read."""
    game = await house.begin()
    await house.beat()
    beats = house.stage.log.heartbeats
    before = await beats.of(game)
    any_client = admin
    await any_client.config_set("min-replicas-to-write", 1)
    try:
        for _ in range(3):
            with pytest.raises(Exception, match="NOREPLICAS"):
                await house.beat(1000)
    finally:
        await any_client.config_set("min-replicas-to-write", 0)
    assert await beats.of(game) == before


# --- a store without room for choices ---


async def test_while_choices_are_refused_no_time_runs_out(house: House) -> None:
    """The clocks stop at once, and what was left when they stopped is there when they go on."""
    game = await house.begin()
    await house.goes_by(4000)
    house.has_room = False
    house.api.says = Accepting(ever=True, since=None)
    assert await house.beat(1000) == dict.fromkeys(range(4), START + 4000)
    await house.beat(60_000)
    assert not await house.stage.twin().tables.time_out(game)
    house.has_room = True
    house.api.says = Accepting(ever=True, since=house.stage.clock.now)
    assert not await house.beat(1000)
    assert (await house.extended(game), await house.due(game)) == ([REASON], 6000 - 1000)


async def test_who_was_late_before_that_is_timed_out_all_the_same(house: House) -> None:
    late = await house.begin("late")
    house.stage.clock.now += 1000
    game = await house.begin()
    await house.beat(9250)  # the one is due by now, the other in three quarters of a second
    house.has_room = False
    house.api.says = Accepting(ever=True, since=None)
    await house.beat(60_000)
    tables = house.stage.twin().tables
    assert await tables.time_out(late)
    assert not await tables.time_out(game)
    assert not await tables.time_out(late)  # its next wait is nobody's to answer now


# --- as the clock process does it ---


@pytest.fixture
async def clock(stage: Stage, store_url: str) -> AsyncIterator[GameClock]:
    """A clock that hears what the test says of API processes."""
    async with clock_on(stage, store_url, presence=Api(stage.client)) as made:
        yield made


async def test_the_clock_asks_nobody_while_time_outs_are_held(
    house: House, clock: GameClock
) -> None:
    game = await house.begin()
    api = cast("Api", clock._host.presence)
    await clock.tick()
    api.says = Accepting(ever=True, since=None)
    house.stage.clock.now += 11_000
    await clock.tick()
    house.stage.clock.now += 60_000
    await clock.tick()
    assert not clock.under_way
    api.says = Accepting(ever=True, since=house.stage.clock.now)
    house.stage.clock.now += 1000
    await clock.tick()
    assert await house.extended(game) == [REASON]
    house.stage.clock.now += 10_250
    api.says = Accepting(ever=True, since=START)
    await clock.tick()
    async with asyncio.timeout(LONG):
        while clock.under_way:
            await asyncio.wait(clock.under_way)
    assert len(clock.queue.get_job_ids()) == 1


async def test_the_clock_ends_what_was_late_before_the_store_was_full(
    house: House, clock: GameClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = await house.begin("late")
    house.stage.clock.now += 10_200
    game = await house.begin()
    house.stage.clock.now += 50
    await clock._outages.settle(house.stage.clock.now)
    monkeypatch.setattr(type(clock._host.room), "takes_choices", property(lambda _: False))
    for _ in range(3):
        house.stage.clock.now += 20_000
        await clock.tick()
    async with asyncio.timeout(LONG):
        while clock.under_way:
            await asyncio.wait(clock.under_way)
    strikes = [
        (await house.stage.twin().tables.load(each)).state.seats[1].strikes for each in (late, game)
    ]
    assert strikes == [1, 0]


# --- what the API says ---


async def test_presence_tells_since_when_commands_are_accepted(client: Client) -> None:
    says = [True, True]
    first, second = (Presence(client, accepts=lambda n=n: says[n]) for n in range(2))  # type: ignore[misc]  # n
    assert await first.accepting() == Accepting(ever=False, since=None)
    await first.announce()
    await second.announce()
    assert first.around.processes == 1
    await first.announce()
    assert first.around.processes == 2
    assert await first.accepting() == Accepting(ever=True, since=first.since)
    assert first.since is not None
    says[0] = False
    await first.announce()
    assert not first.since
    assert (await first.accepting()).since == second.since
    await second.leave()
    assert await first.accepting() == Accepting(ever=True, since=None)


async def test_a_process_that_was_silent_too_long_begins_anew(client: Client, admin: Redis) -> None:
    silent = Presence(client)
    await silent.announce()
    for key in ("{api}:live", "{api}:since"):
        await admin.zincrby(key, -HOLDS_MS - 1000, silent._process)
    assert (await silent.accepting()).since is None
    before = silent.since
    await silent.announce()
    assert silent.since is not None
    assert before is not None
    assert silent.since >= before
