"""Advancing games: overdue decisions are timed out, and house bots play.

When many games are due, every time-out runs before any bot, and a slow or damaged game holds up no
other. Late, lost and repeated calls are harmless: the command id of a bot's choice or a time-out
follows from the decision that it answers, so each is executed once, and nothing runs early.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct
from redis import Redis, RedisError

from events.kernel import Actor, Decision, Rejected, Seat, TimestampMs
from events.keys import KeyRing
from events.logger import get_logger
from events.scripts import StoreFull
from games.bots import bot_seed
from games.game_registry import GameRegistry, UnknownGame
from games.table.attendance import is_gone
from games.table.state import TableState
from runtime.settings import Settings
from runtime.table_service import TableService
from workers.host import Host
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

_UNASKED: Final = "unasked"
"""Stands in for a decision's id when a bot acts of its own accord."""

_log = get_logger(__name__)


class Done(Struct, frozen=True):
    """How many commands were executed, and the games whose house bots have more to do."""

    commands: int
    left: tuple[str, ...]


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
            return done, _next_bot(tables, state, tables.clock(), set()) is not None
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
        if seconds() >= end and _next_bot(tables, state, tables.clock(), set()) is not None:
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
    failed: set[tuple[Seat, str]] = set()
    done = 0
    while done < COMMANDS_MAX and seconds() < end:
        loaded = await tables.load(game)
        state = loaded.state
        wake = tables.table.wake_at(state)
        now = tables.clock()
        if wake is None or now < wake:
            break
        if await tables.time_out(game):
            done += 1
            continue
        asked = _next_bot(tables, state, now, failed)
        if asked is None:
            break
        if await _let_volunteer(tables, game, state, failed):
            done += 1
            continue
        failed.add((asked.seat, asked.id))  # asked once, whatever the outcome
        done += await _let_play(tables, game, state, asked)
    return done


def _next_bot(
    tables: TableService, state: TableState, now: TimestampMs, failed: set[tuple[Seat, str]]
) -> Decision | None:
    """The next decision that a house bot has to make now."""
    wait = tables.table.games[state.game].wait(state.play)
    clock = state.clock
    if (
        wait is None
        or clock is None
        or not clock.since + state.time.bot_pace_ms <= now <= clock.due
    ):
        return None
    for decision in wait.pending:
        seat = decision.seat
        is_there = not is_gone(state.seats[seat])
        if state.seats[seat].bot and is_there and (seat, decision.id) not in failed:
            return decision
    return None


async def _let_volunteer(
    tables: TableService, game: str, state: TableState, failed: set[tuple[Seat, str]]
) -> bool:
    """Let one house bot take one optional action; returns whether this call executed a command.

    All bots take their optional actions before any of them answers a decision, so what a bot does
    depends on the game alone, not on which seat the workers ask first.
    """
    for seat in sorted(state.seats):
        act = await _unasked(tables, game, state, seat, failed)
        if act is not None:
            failed.add((seat, act[0]))
            if await _give(tables, game, state, seat, *act):
                return True
    return False


async def _unasked(
    tables: TableService, game: str, state: TableState, seat: Seat, failed: set[tuple[Seat, str]]
) -> tuple[str, str] | None:
    """The optional action that a seat's bot chooses from the seat's view: (decision, option)."""
    name = state.seats[seat].bot
    bot = None if name is None else tables.game_registry.bot(state.game, name)
    volunteer = None if bot is None else bot.volunteer
    mute = is_gone(state.seats[seat]) or (seat, _UNASKED) in failed
    if volunteer is None or mute or state.key is None:
        return None
    view = (await tables.view(game, tables.viewer(state, seat))).state
    found = [d for d in tables.table.decisions(view, seat) if d.optional]
    may = [d for d in found if (seat, d.id) not in failed]
    try:
        return volunteer(view, may, bot_seed(state.key, seat, _UNASKED))
    except Exception as error:  # noqa: BLE001 (as for a choice; and it is not asked again)
        failure = type(error).__name__
        _log.error("bot_failed", game=game, seat=seat, bot=name, error=failure)
        failed.add((seat, _UNASKED))
        return None


async def _let_play(tables: TableService, game: str, state: TableState, asked: Decision) -> bool:
    """Let a seat's bot choose from the seat's view; whether this call executed a command."""
    seat, place = asked.seat, state.seats[asked.seat]
    view = await tables.view(game, tables.viewer(state, seat))
    decision = next((d for d in tables.table.decisions(view.state, seat) if d.id == asked.id), None)
    bot = tables.game_registry.bot(state.game, place.bot or "")
    if decision is None or bot is None or state.key is None:
        _log.info("bot_not_asked", game=game, seat=seat, bot=place.bot)
        return False
    try:
        seed = seed_of_choice(tables.keys, game, state.key, decision)
        option = bot.choose(view.state, decision, seed)
    except Exception as error:  # noqa: BLE001 (a bot that fails runs out of time like any player)
        # Its message may hold what the seat knows, so only its type is logged.
        failure = type(error).__name__
        _log.error("bot_failed", game=game, seat=seat, bot=place.bot, error=failure)
        return False
    return await _give(tables, game, state, seat, decision.id, option)


def seed_of_choice(keys: KeyRing, game: str, game_key: str, decision: Decision) -> str:
    """The seed of a house bot's choice.

    What is kept and never counts must stay secret for ever, so its seed follows from a key that
    is never published; all others anybody can work out once the game has ended.
    """
    key = keys.kept_key(game).hex() if decision.kept is True else game_key
    return bot_seed(key, decision.seat, decision.id)


async def _give(
    tables: TableService, game: str, state: TableState, seat: Seat, decision: str, option: str
) -> bool:
    """Submit a bot's choice; returns whether this call executed it."""
    place = state.seats[seat]
    try:
        receipt = await tables.choose(
            game,
            seat,
            decision,
            option,
            actor=Actor("bot", place.player),
            command_id=f"bot:{game}:s{seat}:{decision}",
            digest="bot-choice",
        )
    except Rejected as refusal:
        _log.warning("bot_refused", game=game, seat=seat, bot=place.bot, code=refusal.code)
        return False
    except StoreFull:
        _log.info("bot_waits_for_room", game=game, seat=seat, bot=place.bot)
        return False
    return not receipt.again


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
        try:
            runner = self._runner = self._runner or asyncio.Runner()
            runner.run(self._opened())
        except BaseException:
            self.close()
            raise

    def advance(self, games: Sequence[str]) -> int:
        """Time games out and queue their bots; returns the number of commands executed.

        After any failure the next call begins with fresh connections.
        """
        return self._do(time_out_all, games)

    def play(self, games: Sequence[str]) -> int:
        """Let bots choose and queue what is left; returns the number of commands executed."""
        return self._do(play_all, games)

    def _do(
        self, work: Callable[[TableService, Sequence[str]], Awaitable[Done]], games: Sequence[str]
    ) -> int:
        try:
            runner = self._runner = self._runner or asyncio.Runner()
            done = runner.run(self._with_host(work, games))
        except BaseException:
            self.close()
            raise
        if done.left:
            self._leave(done.left)
        return done.commands

    async def _with_host(
        self, work: Callable[[TableService, Sequence[str]], Awaitable[Done]], games: Sequence[str]
    ) -> Done:
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
