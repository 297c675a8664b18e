"""The clock: wakes games when they are due, and keeps lists and leaderboards up to date.

It sleeps until the next wake-up time of any game, and is rung when an append has set an earlier one
(see ``due_games``). A due game is handed to the workers; what they do not settle, the clock does
itself (see ``retry_policy``). It never removes a game from the due set: the append that settles the
game does. So it may be killed at any moment, and several may run.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from redis import RedisError
from rq import Queue

from events.kernel import DurationMs
from events.logger import get_logger
from events.scripts import LogUnavailable
from events.tasks import end_tasks, run_until_one_ends
from games.game_registry import GameRegistry
from runtime.game_marks import SUFFIX, GameMarksKeeper
from runtime.settings import Settings
from workers.advance import TIME_MAX_S, play_all, time_out_all
from workers.due_games import DueGames
from workers.host import Host
from workers.jobs import Batch, batches, enqueue, queue_client, queue_of
from workers.outage import Outages
from workers.retry_policy import AdvanceHere, AskWorkers, RetryPolicy
from workers.stopping import stop_event
from workers.sweep import sweep

APART_MS: Final[DurationMs] = 10
"""The least pause between two readings."""

GATHER_MS: Final[DurationMs] = 50
"""The least pause after games were handed over: a job costs the workers more than a game in it, so
what becomes due in the meantime goes together."""

HELD_MS: Final[DurationMs] = 100
"""The pause while nothing may be written."""

_PAUSE_S: Final = 0.5
_log = get_logger(__name__)


class GameClock:
    """Wakes the games of one store. Belongs to the event loop in which the host was created.

    Args:
        host: the table service and its connections.
        queue: the workers' queue.

    Attributes:
        due: what it knows to be due, and when it looks again.
    """

    def __init__(self, host: Host, queue: Queue) -> None:
        self.queue = queue
        self._host = host
        self.due = DueGames(host.log.timers, host.log.layout.shards)
        self._retry_policy = RetryPolicy()
        self._outages = Outages(host.tables, host.presence, lambda: host.room.takes_choices)
        self._own: dict[str, asyncio.Task[None]] = {}
        # The queue may hang; the clock must not hang with it. One thread keeps the order.
        self._thread = ThreadPoolExecutor(1, "enqueue")
        self._asking: set[asyncio.Task[None]] = set()
        self._has_asked = False

    @property
    def under_way(self) -> set[asyncio.Task[None]]:
        """The tasks under way: requests to the workers, and work done in their place."""
        return self._asking | set(self._own.values())

    async def run(self) -> None:
        """Wake games for ever; survives restarts of the store and of the queue."""
        async with self.listening():
            while True:
                try:
                    await self._sleep(await self.tick())
                except LogUnavailable as error:
                    _log.warning("clock_lost_store", reason=str(error))
                    await asyncio.sleep(_PAUSE_S)

    def listening(self) -> AbstractAsyncContextManager[None]:
        """The context in which bells are heard. Without it games are found by looking alone."""
        log = self._host.log
        return log.bells.heard(range(log.layout.shards), self.due.hear)

    async def _sleep(self, rest: DurationMs) -> None:
        """Sleep for so long, or until a bell asks for an earlier reading."""
        least = GATHER_MS if self._has_asked else APART_MS
        await asyncio.sleep(least / 1000)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0, rest - least) / 1000):
                await self.due.moved.wait()

    async def tick(self) -> DurationMs:
        """Deal with all games that are due; returns how long to sleep afterwards, in ms.

        If the store is not the known one, nothing is due and nothing is written.

        Raises:
            LogUnavailable: the store does not answer.
        """
        if not self._host.watch.may_write:
            self._outages.forget()
            return HELD_MS
        now = self._host.tables.clock()
        held = await self._outages.settle(now)
        due = await self.due.read(now)
        shard_of = self._host.log.layout.shard_of
        found = [each for each in due if each.at <= held.get(shard_of(each.stream), now)]
        steps = self._retry_policy.judge(found, now)
        self._has_asked = any(isinstance(step, AskWorkers) for step in steps)
        for batch in batches([step for step in steps if isinstance(step, AskWorkers)]):
            self._begin(self._ask(batch))
        own = [s.game for s in steps if isinstance(s, AdvanceHere) and s.game not in self._own]
        if own:
            task = asyncio.create_task(self._advance(own))
            self._own |= dict.fromkeys(own, task)
        now = self._host.tables.clock()
        step = self._retry_policy.next_step(now)
        rest = min(self.due.rests(now), self._outages.rests(now))
        return rest if step is None else min(rest, step)

    async def close(self) -> None:
        """Cancel what is under way; the workers, or the next clock, will finish it."""
        await end_tasks(*self.under_way)
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, batch: Batch) -> None:
        """Hand games to the workers."""
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, enqueue, self.queue, batch)
        except RedisError as error:
            failure = type(error).__name__
            _log.warning("queue_unavailable", games=len(batch.games), error=failure)

    async def _advance(self, games: Sequence[str]) -> None:
        """Do the work of the workers, deadlines first."""
        tables = self._host.tables
        try:
            timed_out = await time_out_all(tables, games)
            played = await play_all(tables, timed_out.left, slice_s=TIME_MAX_S)
            done = timed_out.commands + played.commands
            _log.warning("attended_by_clock", games=len(games), commands=done)
        finally:
            for game in games:
                self._own.pop(game, None)


async def keep_time(settings: Settings, game_registry: GameRegistry | None = None) -> int:
    """Run the clock and the lists until a signal arrives; returns the process's exit code."""
    stop = stop_event()
    host = Host(settings, game_registry, "clock")
    client = queue_client(settings.rq_url)
    clock = GameClock(host, queue_of(client))
    await host.room.look_unless_lately()
    await host.watch.begin()
    work: dict[str, Coroutine[Any, Any, object]] = {
        "stop": stop.wait(),  # nothing else ends by itself
        "clock": clock.run(),
        "lists": host.lobby.run(),
        "leaderboards": host.leaderboards.run(host.lobby.has_ended),
        "store room": host.room.run(),
        "store watch": host.watch.run(),
        "sweep": sweep(host, settings.open_table_hours),
    }
    if host.tail is not None:
        work["tail"] = host.tail.run()
    if host.watch.path is not None:
        games = GameMarksKeeper(host.log, host.watch.path.with_suffix(SUFFIX))
        work["game marks"] = games.run()
    _log.info("clock_started")
    try:
        await run_until_one_ends(work)
    finally:
        await clock.close()
        client.close()
        await host.close()
        _log.info("clock_stopped")
    return 0
