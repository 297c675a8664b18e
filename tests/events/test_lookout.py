"""Looks at the store: now and then, and whatever it does."""

from __future__ import annotations

import asyncio

import pytest
import structlog

from events.lookout import Lookout
from events.scripts import LogUnavailable
from events.tasks import end_tasks


class Sentry(Lookout):
    """Counts its looks; a store that is away is not seen."""

    def __init__(self, every_s: float = 10.0) -> None:
        super().__init__(every_s, "nothing_seen", lambda: self.now)
        self.now = 5.0
        self.looks = 0
        self.away = False
        self.enough = asyncio.Event()

    async def _look(self) -> None:
        self.looks += 1
        if self.looks > 3:
            self.enough.set()
        if self.away:
            raise LogUnavailable("the store is away")


async def test_who_looked_lately_does_not_look_again() -> None:
    made, seen = Sentry(), []
    for now in (5.0, 5.0, 14.9, 15.0, 16.0):
        made.now = now
        await made.look_unless_lately()
        seen.append(made.looks)
    assert seen == [1, 1, 1, 2, 2]


async def test_a_look_by_itself_counts_as_one() -> None:
    made = Sentry()
    await made.look()
    await made.look_unless_lately()
    assert made.looks == 1


async def test_a_store_that_is_away_is_told_to_who_asks_and_logged_for_who_does_not() -> None:
    made = Sentry()
    made.away = True
    with pytest.raises(LogUnavailable):
        await made.look()
    made.now += 10
    with structlog.testing.capture_logs() as lines:
        await made.look_unless_lately()
        await made.look_unless_lately()
    assert [(line["event"], line["log_level"]) for line in lines] == [("nothing_seen", "debug")]
    assert made.looks == 2, "a look in vain is a look, too"


@pytest.mark.parametrize("away", [False, True])
async def test_it_looks_for_ever(*, away: bool) -> None:
    made = Sentry(every_s=0)
    made.away = away
    running = asyncio.create_task(made.run())
    async with asyncio.timeout(20):
        await made.enough.wait()
    assert not running.done()
    await end_tasks(running)


async def test_what_was_seen_earlier_is_not_the_last_word() -> None:
    class Slow(Sentry):
        """What it sees at first takes it long."""

        def __init__(self) -> None:
            super().__init__()
            self.begun, self.slowly = asyncio.Event(), asyncio.Event()
            self.seen: list[int] = []

        async def _look(self) -> None:
            await super()._look()
            look = self.looks
            if look == 1:
                self.begun.set()
                await self.slowly.wait()
            self.seen.append(look)

    made = Slow()
    first = asyncio.create_task(made.look())
    await made.begun.wait()
    second = asyncio.create_task(made.look())
    await asyncio.sleep(0)  # long enough for it to look, if nothing kept it
    made.slowly.set()
    await asyncio.gather(first, second)
    assert made.seen == [1, 2]


async def test_a_mistake_is_not_passed_over() -> None:
    class Mistaken(Sentry):
        async def _look(self) -> None:
            raise ValueError("a mistake")

    with pytest.raises(ValueError, match="a mistake"):
        await Mistaken().run()
