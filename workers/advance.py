"""Advancing games: overdue decisions are timed out, and house bots play.

When many games are due, every time-out runs before any bot, and a slow or damaged game holds up no
other. Late, lost and repeated calls are harmless: the command id of a bot's choice or a time-out
follows from the decision that it answers, so each is executed once, and nothing runs early.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from msgspec import Struct
from redis import Redis, RedisError

from events.logger import get_logger
from games.game_registry import GameRegistry, UnknownGame
from runtime.settings import Settings
from runtime.table_service import TableService
from workers.host import Host
from workers.house_bots import Tried, let_play, let_volunteer, next_of_bots
from workers.jobs import BOTS, enqueue_bots, queue_client, queue_of

COMMANDS_MAX: Final = 200
"""Most commands in one call; a longer game continues in the next job."""

TIME_MAX_S: Final = 4.0
"""Seconds after which a call for one game starts nothing new."""

SLICE_S: Final = 0.25
"""Seconds after which a job lets no more bots choose: deadlines may be queued behind it."""

GAME_MAX_S: Final = 3.0
"""Seconds after which a game that is slow to time out is left alone."""

_AT_ONCE: Final = 16

T = TypeVar("T")

_log = get_logger(__name__)


class Done(Struct, frozen=True):
    """How many commands were executed, and the games whose house bots have more to do."""

    commands: int
    left: tuple[str, ...]


Work: TypeAlias = Callable[[TableService, Sequence[str]], Awaitable[Done]]
"""A job, done with a table service for some games."""


async def time_out_all(tables: TableService, games: Iterable[str]) -> Done:
    """Run the time-outs that are due in ``games``, many at once, and nothing else.

    A failure in one game is logged and holds up no other.
    """
    slots = asyncio.Semaphore(_AT_ONCE)

    async def settle(game: str) -> tuple[int, bool]:
        async with slots:
            return await _time_out_one(tables, game)

    names = tuple(dict.fromkeys(games))
    found = await asyncio.gather(*map(settle, names))
    left = tuple(name for name, (_, bots) in zip(names, found, strict=True) if bots)
    return Done(sum(done for done, _ in found), left)


async def _time_out_one(tables: TableService, game: str) -> tuple[int, bool]:
    """Time out what is due in one game; returns how often, and whether a bot may choose now."""
    done = 0
    try:
        async with asyncio.timeout(GAME_MAX_S):
            while done < COMMANDS_MAX and await tables.time_out(game):
                done += 1
            state = (await tables.load(game)).state
            return done, next_of_bots(tables, state) is not None
    except Exception as error:  # noqa: BLE001 (a damaged game stays parked, all others go on)
        _tell_of(game, error)
        return done, False


def _tell_of(game: str, error: Exception) -> None:
    """Log that a game could not be advanced, without the error's message: it may hold secrets."""
    plays = {"plays": error.game} if isinstance(error, UnknownGame) else {}
    _log.error("game_not_attended", game=game, error=type(error).__name__, **plays)


async def play_all(
    tables: TableService,
    games: Iterable[str],
    seconds: Callable[[], float] = time.monotonic,
    slice_s: float = SLICE_S,
) -> Done:
    """Let the house bots of ``games`` choose, one game after the other, for ``slice_s``."""
    end, done = seconds() + slice_s, 0
    waiting = deque(dict.fromkeys(games))
    while waiting and seconds() < end:
        game = waiting.popleft()
        try:
            done += await advance_game(tables, game, seconds, end)
            state = (await tables.load(game)).state
        except Exception as error:  # noqa: BLE001 (as for time-outs)
            _tell_of(game, error)
            continue
        if seconds() >= end and next_of_bots(tables, state) is not None:
            waiting.append(game)
    return Done(done, tuple(waiting))


async def advance_game(
    tables: TableService,
    game: str,
    seconds: Callable[[], float] = time.monotonic,
    end: float | None = None,
) -> int:
    """Do everything that is due in ``game``; returns the number of commands this call executed.

    It continues until nothing is due (the game waits for a person or for a bot's pace, or is over),
    until ``COMMANDS_MAX`` is reached, or until ``end``, by default after ``TIME_MAX_S``.

    Raises:
        NoSuchStream, Busy, Damaged, LogUnavailable: see ``TableService.command``.
    """
    end = seconds() + TIME_MAX_S if end is None else end
    tried: Tried = set()
    done = 0
    while done < COMMANDS_MAX and seconds() < end:
        state = (await tables.load(game)).state
        wake = tables.table.wake_at(state)
        if wake is None or tables.clock() < wake:
            break
        if await tables.time_out(game):
            done += 1
            continue
        asked = next_of_bots(tables, state, tried)
        if asked is None:
            break
        if await let_volunteer(tables, game, state, tried):
            done += 1
            continue
        tried.add((asked.seat, asked.id))  # whatever the outcome
        done += await let_play(tables, game, state, asked)
    return done


class Advancer:
    """Advances games for a worker process, in an event loop that it keeps between jobs."""

    def __init__(self, settings: Settings, game_registry: GameRegistry | None = None) -> None:
        self._settings = settings
        self._game_registry = game_registry
        self._runner: asyncio.Runner | None = None
        self._host: Host | None = None
        self._bots: Redis | None = None

    def open(self) -> None:
        """Look at the store before the first job, so that what is wrong with it is told at once.

        Raises:
            MarksError, ForeignStoreError, StoreMismatchError: see ``StoreWatch.begin``.
        """
        self._run(self._opened())

    def advance(self, games: Sequence[str]) -> int:
        """Time games out and queue their bots; returns the number of commands executed.

        After any failure the next call begins with fresh connections.
        """
        return self._do(time_out_all, games)

    def play(self, games: Sequence[str]) -> int:
        """Let bots choose and queue what is left; returns the number of commands executed."""
        return self._do(play_all, games)

    def _do(self, work: Work, games: Sequence[str]) -> int:
        done = self._run(self._with_host(work, games))
        if done.left:
            self._leave(done.left)
        return done.commands

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something in the loop; if it fails, close everything."""
        try:
            runner = self._runner = self._runner or asyncio.Runner()
            return runner.run(work)
        except BaseException:
            self.close()
            raise

    async def _with_host(self, work: Work, games: Sequence[str]) -> Done:
        host = await self._opened()
        await host.room.look_unless_lately()
        tail = host.tail
        if tail is not None:
            await tail.look_unless_lately()
        await host.watch.look_unless_lately()
        if not host.watch.may_write:
            _log.info("job_given_up", games=len(games))  # the clock asks again once it may
            return Done(0, ())
        try:
            return await work(host.tables, games)
        finally:
            if tail is not None:  # nobody looks before the next job, which may not come
                await tail.keep_aside()

    async def _opened(self) -> Host:
        """What jobs are done with, made for the first of them."""
        if self._host is None:
            self._host = Host(self._settings, self._game_registry)
            await self._host.watch.begin()
        return self._host

    def _leave(self, games: Sequence[str]) -> None:
        """Queue bots. If that fails, the clock asks for them again."""
        self._bots = self._bots or queue_client(self._settings.rq_url)
        try:
            enqueue_bots(queue_of(self._bots, BOTS), games)
        except RedisError as error:
            _log.warning("queue_unavailable", games=len(games), error=type(error).__name__)

    def close(self) -> None:
        """Close the connections and the event loop."""
        runner, host, bots = self._runner, self._host, self._bots
        self._runner = self._host = self._bots = None
        if bots is not None:
            bots.close()
        if runner is None:
            return
        try:
            if host is not None:
                runner.run(host.close())
        finally:
            runner.close()


_advancers: list[Advancer] = []


def install(advancer: Advancer | None) -> None:
    """Make ``advancer`` run this process's jobs; None uninstalls it."""
    _advancers[:] = [] if advancer is None else [advancer]


def advance(games: list[str]) -> int:
    """The job that times games out; returns the number of commands executed.

    Raises:
        RuntimeError: the process was not started by ``python -m workers work``.
    """
    done = _advancer().advance(games)
    _log.info("attended", games=len(games), commands=done)
    return done


def play(games: list[str]) -> int:
    """The job that lets house bots choose; returns the number of commands executed.

    Raises:
        RuntimeError: the process was not started by ``python -m workers work``.
    """
    done = _advancer().play(games)
    _log.info("bots_played", games=len(games), commands=done)
    return done


def _advancer() -> Advancer:
    if not _advancers:
        raise RuntimeError("this job runs only in a worker started by python -m workers")
    return _advancers[0]
