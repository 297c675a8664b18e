"""The clock: it wakes games when their time has come, and keeps the lists up to date.

It sleeps to the next wake-up time of any game, and never longer than 50 ms, since a game may be
given an earlier one meanwhile. A due game is handed to the workers; what they do not settle the
clock does itself (see ``patience``). It removes nothing from the due games: the append that
settles a game does. So it may be killed at any moment, and several may run.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import structlog
from redis import RedisError
from rq import Queue

from events.kernel import Millis
from events.scripts import LogUnavailable
from events.tasks import end_tasks
from projections.settings import Settings
from projections.shelf import Shelf
from workers.attend import attend_game
from workers.host import Host
from workers.jobs import enqueue, queue_client, queue_of
from workers.patience import Ask, Due, Own, Patience

SLEEP_MAX_MS: Final[Millis] = 50
"""The longest sleep between two looks at the due games."""

DUE_MAX: Final = 1000
"""Due games of one shard that one look takes in."""

_PAUSE_S: Final = 0.5
_log = structlog.get_logger(__name__)


class Clock:
    """Wakes the games of one store. Belongs to the event loop in which the host was made."""

    def __init__(self, host: Host, queue: Queue) -> None:
        self._host = host
        self._queue = queue
        self._patience = Patience()
        self._own: dict[str, asyncio.Task[None]] = {}
        # The queue may hang; the clock must not hang with it. One thread keeps the order.
        self._thread = ThreadPoolExecutor(1, "enqueue")
        self._asking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Wake games for ever; outlives restarts of the store and of the queue."""
        while True:
            try:
                await asyncio.sleep(await self.tick() / 1000)
            except LogUnavailable as error:
                _log.warning("clock_lost_store", reason=str(error))
                await asyncio.sleep(_PAUSE_S)

    async def tick(self) -> Millis:
        """Deal with all games that are due; how long to sleep then, in ms.

        Raises:
            LogUnavailable: the store does not answer.
        """
        now = self._host.desk.clock()
        found = await self._host.log.timers.due_streams(now, DUE_MAX)
        for step in self._patience.judge([Due(due.stream, due.at) for due in found], now):
            match step:
                case Ask():
                    self._begin(self._ask(step))
                case Own(game=game) if game not in self._own:
                    task = asyncio.create_task(self._attend(game))
                    self._own[game] = task
        following = await self._host.log.next_due()
        if following is None or following <= now:
            return SLEEP_MAX_MS  # what is due already waits for the workers
        return min(SLEEP_MAX_MS, max(0, following - self._host.desk.clock()))

    async def close(self) -> None:
        """Let go of what is under way; the workers, or the next clock, will see to it."""
        await end_tasks(*self._asking, *self._own.values())
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, ask: Ask) -> None:
        """Hand a game to the workers."""
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, enqueue, self._queue, ask)
        except RedisError as error:
            _log.warning("queue_unavailable", game=ask.game, error=type(error).__name__)

    async def _attend(self, game: str) -> None:
        """Do the workers' work."""
        try:
            done = await attend_game(self._host.desk, game)
            _log.warning("attended_by_clock", game=game, commands=done)
        except Exception as error:  # noqa: BLE001 (a damaged game stays parked, all others go on)
            failure = type(error).__name__
            _log.error("game_not_attended", game=game, error=failure)
        finally:
            self._own.pop(game, None)


async def keep_time(settings: Settings, shelf: Shelf | None = None) -> int:
    """Run the clock and the lists until a signal comes; the process's exit code."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    host = Host(settings, shelf)
    client = queue_client(settings.rq_url)
    clock = Clock(host, queue_of(client))
    tasks = {
        asyncio.create_task(stop.wait(), name="stop"),
        asyncio.create_task(clock.run(), name="clock"),
        asyncio.create_task(host.lobby.run(), name="lists"),
    }
    _log.info("clock_started")
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()  # only the stop may end; a failure of the others is ours
    finally:
        await end_tasks(*tasks)
        await clock.close()
        client.close()
        await host.close()
        _log.info("clock_stopped")
    return 0
