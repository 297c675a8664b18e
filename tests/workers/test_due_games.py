"""What the clock reads, and when: by deadlines and bells, and by itself in case a bell is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from events.bells import Ring
from events.kernel import TimestampMs
from events.log import StreamLog
from events.timers import DueSets, ShardDue
from tests.events.bank import OTHER, STREAM
from tests.events.lab import AT, batch
from tests.runtime.stage import SHARDS, until
from workers.due_games import LOOK_MS, DueGames


class Watched(DueSets):
    """Deadlines that tell which shards were read; whoever reads may be kept waiting."""

    def __init__(self, log: StreamLog) -> None:
        self.read: list[list[int]] = []
        self.found, self.goes_on = asyncio.Event(), asyncio.Event()
        self.goes_on.set()
        self._timers = log.timers

    async def look(
        self, shards: Sequence[int], now: TimestampMs, limit: int
    ) -> dict[int, ShardDue]:
        self.read.append(list(shards))
        found = await self._timers.look(shards, now, limit)
        self.found.set()
        await self.goes_on.wait()
        return found


@pytest.fixture
def timers(log: StreamLog) -> Watched:
    return Watched(log)


@pytest.fixture
async def due(timers: Watched) -> DueGames:
    """After the first reading, with nothing due."""
    made = DueGames(timers, SHARDS)
    assert made.rests(AT) == 0
    assert await made.read(AT) == []
    assert made.rests(AT) == LOOK_MS
    return made


async def found(due: DueGames, now: TimestampMs) -> list[str]:
    return [each.stream for each in await due.read(now)]


async def test_a_deadline_that_is_known_is_slept_for(
    log: StreamLog, due: DueGames, timers: Watched
) -> None:
    await log.append(batch(due=AT + LOOK_MS + 30))
    assert await found(due, AT + LOOK_MS) == []
    assert due.rests(AT + LOOK_MS) == 30
    assert await found(due, AT + LOOK_MS + 30) == [STREAM]
    assert timers.read == [[0, 1, 2, 3], [0, 1, 2, 3], [1]]
    await log.append(batch(after=1, due=None))
    assert await found(due, AT + LOOK_MS + 31) == []
    assert await found(due, AT + LOOK_MS + 32) == []
    assert timers.read[3:] == [[1]], "what is due is read until it is settled"


async def test_a_bell_brings_a_reading_forward_and_of_its_shard_alone(
    log: StreamLog, due: DueGames, timers: Watched
) -> None:
    async with log.bells.heard(range(SHARDS), due.hear):
        await until(due.moved.is_set)
        while due.rests(AT) == 0:  # until every subscription stands
            await due.read(AT)
            await asyncio.sleep(0)
        timers.read.clear()
        due.moved.clear()
        await log.append(batch(stream=OTHER, due=AT + 5))
        await until(due.moved.is_set)
    assert due.rests(AT) == 5
    assert await found(due, AT + 5) == [OTHER]
    assert timers.read == [[2]]


async def test_without_a_bell_the_next_look_finds_it(log: StreamLog, due: DueGames) -> None:
    """What the bell is for: the same without one."""
    await log.append(batch(stream=OTHER, due=AT + 5))
    assert not due.moved.is_set()
    assert due.rests(AT) == LOOK_MS
    assert await found(due, AT + LOOK_MS - 1) == []
    assert await found(due, AT + LOOK_MS) == [OTHER]


async def test_a_bell_during_a_reading_is_not_forgotten(due: DueGames, timers: Watched) -> None:
    for now, ring, rests in (
        (AT + LOOK_MS, Ring(1, 1, AT + LOOK_MS + 3), 3),
        (AT + 2 * LOOK_MS, None, 0),
    ):
        timers.goes_on.clear()
        timers.found.clear()
        reading = asyncio.create_task(due.read(now))
        await timers.found.wait()
        due.hear(1, ring)
        timers.goes_on.set()
        await reading
        assert due.moved.is_set()
        assert due.rests(now) == rests


async def test_later_deadlines_and_other_appends_wake_nobody(due: DueGames) -> None:
    due.hear(1, Ring(1, 1, AT + 2 * LOOK_MS))
    due.hear(1, Ring(1, 2, None))
    assert not due.moved.is_set()
    assert due.rests(AT) == LOOK_MS


async def test_where_bells_may_be_lost_the_shard_is_read_at_once(
    log: StreamLog, due: DueGames, timers: Watched
) -> None:
    await log.append(batch(due=AT))
    due.hear(1, None)
    assert due.moved.is_set()
    assert due.rests(AT) == 0
    assert await found(due, AT + 1) == [STREAM]
    assert timers.read[1:] == [[1]]
