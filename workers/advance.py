"""Attending to games: what is overdue is timed out, and house bots play.

Of many games at once all time-outs come before any bot, and a game that is slow or damaged holds up
no other. Late, lost and doubled calls do no harm: a bot's choice and a time-out are named for what
they answer, so each is executed once, and nothing is done before its time.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

import structlog
from msgspec import Struct
from redis import Redis, RedisError

from events.kernel import Actor, Decision, Millis, Rejected, Seat
from events.scripts import StoreFull
from games.bots import bot_seed
from games.table_state import TableState
from projections.desk import Desk
from projections.settings import Settings
from projections.shelf import Shelf, UnknownGame
from workers.host import Host
from workers.jobs import BOTS, enqueue_bots, queue_client, queue_of

COMMANDS_MAX: Final = 200
"""Commands of one call; a longer game goes on with the next job."""

TIME_MAX_S: Final = 4.0
"""Seconds after which a call for one game begins nothing new."""

SLICE_S: Final = 0.25
"""Seconds after which a job lets no further bot choose: deadlines may be waiting behind it."""

GAME_MAX_S: Final = 3.0
"""Seconds after which a game is left alone that is slow to be timed out."""

_AT_ONCE: Final = 16

_UNASKED: Final = "unasked"
"""Stands for a decision's id where a bot acts of its own accord."""

_log = structlog.get_logger(__name__)


class Done(Struct, frozen=True):
    """How many commands were executed, and the games whose house bots have more to do now."""

    commands: int
    left: tuple[str, ...]


async def time_out_all(desk: Desk, games: Iterable[str]) -> Done:
    """Run the time-outs that are due in ``games``, many at once; nothing else.

    What goes wrong in one game is logged, and keeps no other one waiting.
    """
    slots = asyncio.Semaphore(_AT_ONCE)

    async def settle(game: str) -> tuple[int, bool]:
        async with slots:
            return await _time_out_one(desk, game)

    names = tuple(dict.fromkeys(games))
    found = await asyncio.gather(*map(settle, names))
    left = tuple(name for name, (_, bots) in zip(names, found, strict=True) if bots)
    return Done(sum(done for done, _ in found), left)


async def _time_out_one(desk: Desk, game: str) -> tuple[int, bool]:
    """Time out what is due in one game: how often that was, and whether a bot may choose now."""
    done = 0
    try:
        async with asyncio.timeout(GAME_MAX_S):
            while done < COMMANDS_MAX and await desk.time_out(game):
                done += 1
            state = (await desk.load(game)).state
            return done, _next_bot(desk, state, desk.clock(), set()) is not None
    except Exception as error:  # noqa: BLE001 (a damaged game stays parked, all others go on)
        _tell_of(game, error)
        return done, False


def _tell_of(game: str, error: Exception) -> None:
    """Log that a game could not be attended to. What an error says may be secret, so it is not."""
    plays = {"plays": error.game} if isinstance(error, UnknownGame) else {}
    _log.error("game_not_attended", game=game, error=type(error).__name__, **plays)


async def play_all(
    desk: Desk,
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
            done += await attend_game(desk, game, seconds, end)
            state = (await desk.load(game)).state
        except Exception as error:  # noqa: BLE001 (as for time-outs)
            _tell_of(game, error)
            continue
        if seconds() >= end and _next_bot(desk, state, desk.clock(), set()) is not None:
            waiting.append(game)
    return Done(done, tuple(waiting))


async def attend_game(
    desk: Desk,
    game: str,
    seconds: Callable[[], float] = time.monotonic,
    end: float | None = None,
) -> int:
    """Do all that is due in ``game``; the number of commands that this call executed.

    It goes on until nothing is due: until the game waits for a person, for a bot's next pace or
    for its end, or until ``COMMANDS_MAX`` is reached or the time is over: at ``end``, by default
    after ``TIME_MAX_S``.

    Raises:
        NoSuchStream, Busy, Damaged, LogUnavailable: see ``Desk.command``.
    """
    end = seconds() + TIME_MAX_S if end is None else end
    failed: set[tuple[Seat, str]] = set()
    done = 0
    while done < COMMANDS_MAX and seconds() < end:
        loaded = await desk.load(game)
        state = loaded.state
        wake = desk.table.wake_at(state)
        now = desk.clock()
        if wake is None or now < wake:
            break
        if await desk.time_out(game):
            done += 1
            continue
        asked = _next_bot(desk, state, now, failed)
        if asked is None:
            break
        if await _let_volunteer(desk, game, state, failed):
            done += 1
            continue
        failed.add((asked.seat, asked.id))  # it is asked once, whatever comes of it
        done += await _let_play(desk, game, state, asked)
    return done


def _next_bot(
    desk: Desk, state: TableState, now: Millis, failed: set[tuple[Seat, str]]
) -> Decision | None:
    """The next decision that a house bot must take now."""
    wait = desk.table.games[state.game].wait(state.play)
    clock = state.clock
    if (
        wait is None
        or clock is None
        or not clock.since + state.time.bot_pace_ms <= now <= clock.due
    ):
        return None
    for decision in wait.pending:
        place = state.seats[decision.seat]
        gone = place.absent or place.resigned
        if place.bot and not gone and (decision.seat, decision.id) not in failed:
            return decision
    return None


async def _let_volunteer(
    desk: Desk, game: str, state: TableState, failed: set[tuple[Seat, str]]
) -> bool:
    """Let one house bot do one thing unasked; whether this call executed a command.

    Before any bot answers, all of them have said what they have to say: so what a bot does hangs
    on the game alone, not on which seat the workers ask first.
    """
    for seat in sorted(state.seats):
        act = await _unasked(desk, game, state, seat, failed)
        if act is not None:
            failed.add((seat, act[0]))
            if await _give(desk, game, state, seat, *act):
                return True
    return False


async def _unasked(
    desk: Desk, game: str, state: TableState, seat: Seat, failed: set[tuple[Seat, str]]
) -> tuple[str, str] | None:
    """What the bot of a seat wants to do unasked, by what the seat sees: (decision, option)."""
    place = state.seats[seat]
    volunteer = desk.shelf.volunteers.get(place.bot or "")
    mute = place.absent or place.resigned or (seat, _UNASKED) in failed
    if volunteer is None or mute or state.key is None:
        return None
    view = (await desk.view(game, desk.viewer(state, seat))).state
    found = [d for d in desk.table.decisions(view, seat) if d.optional]
    may = [d for d in found if (seat, d.id) not in failed]
    try:
        return volunteer(view, may, bot_seed(state.key, seat, _UNASKED))
    except Exception as error:  # noqa: BLE001 (as for a choice; and it is not asked again)
        failure = type(error).__name__
        _log.error("bot_failed", game=game, seat=seat, bot=place.bot, error=failure)
        failed.add((seat, _UNASKED))
        return None


async def _let_play(desk: Desk, game: str, state: TableState, asked: Decision) -> bool:
    """Let the bot of a seat choose, by what the seat sees; whether this call executed a command."""
    seat, place = asked.seat, state.seats[asked.seat]
    view = await desk.view(game, desk.viewer(state, seat))
    decision = next((d for d in desk.table.decisions(view.state, seat) if d.id == asked.id), None)
    bot = desk.shelf.bots.get(place.bot or "")
    if decision is None or bot is None or state.key is None:
        _log.info("bot_not_asked", game=game, seat=seat, bot=place.bot)
        return False
    try:
        option = bot(view.state, decision, bot_seed(state.key, seat, decision.id))
    except Exception as error:  # noqa: BLE001 (a bot that fails loses its time like anybody else)
        # Its message may hold what the seat knows, so only its type is told.
        failure = type(error).__name__
        _log.error("bot_failed", game=game, seat=seat, bot=place.bot, error=failure)
        return False
    return await _give(desk, game, state, seat, decision.id, option)


async def _give(
    desk: Desk, game: str, state: TableState, seat: Seat, decision: str, option: str
) -> bool:
    """Give a bot's choice; whether this call executed it."""
    place = state.seats[seat]
    try:
        receipt = await desk.choose(
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


class Attendant:
    """Attends to games for a worker process, in an event loop that it keeps between jobs."""

    def __init__(self, settings: Settings, shelf: Shelf | None = None) -> None:
        self._settings = settings
        self._shelf = shelf
        self._runner: asyncio.Runner | None = None
        self._host: Host | None = None
        self._bots: Redis | None = None

    def attend(self, games: Sequence[str]) -> int:
        """Time games out, and leave their bots to the queue for that; how many commands it took.

        After any failure the next call begins with fresh connections.
        """
        return self._do(time_out_all, games)

    def play(self, games: Sequence[str]) -> int:
        """Let bots choose, and leave to the queue what is left; how many commands it took."""
        return self._do(play_all, games)

    def _do(
        self, work: Callable[[Desk, Sequence[str]], Awaitable[Done]], games: Sequence[str]
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
        self, work: Callable[[Desk, Sequence[str]], Awaitable[Done]], games: Sequence[str]
    ) -> Done:
        if self._host is None:
            self._host = Host(self._settings, self._shelf)
            await self._host.watch.begin()
        await self._host.room.look_unless_lately()
        await self._host.watch.look_unless_lately()
        if not self._host.watch.may_write:
            _log.info("job_given_up", games=len(games))  # the clock asks again when it may
            return Done(0, ())
        return await work(self._host.desk, games)

    def _leave(self, games: Sequence[str]) -> None:
        """Put bots into their queue. If that fails, the clock asks for them again."""
        self._bots = self._bots or queue_client(self._settings.rq_url)
        try:
            enqueue_bots(queue_of(self._bots, BOTS), games)
        except RedisError as error:
            _log.warning("queue_unavailable", games=len(games), error=type(error).__name__)

    def close(self) -> None:
        """Close connections and loop."""
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


_attendants: list[Attendant] = []


def install(attendant: Attendant | None) -> None:
    """Let ``attendant``, or nobody, do the jobs of this process."""
    _attendants[:] = [] if attendant is None else [attendant]


def attend(games: list[str]) -> int:
    """The job: time games out; how many commands that took.

    Raises:
        RuntimeError: the process was not started by ``python -m workers work``.
    """
    done = _attendant().attend(games)
    _log.info("attended", games=len(games), commands=done)
    return done


def play(games: list[str]) -> int:
    """The job: let the house bots of games choose; how many commands that took.

    Raises:
        RuntimeError: the process was not started by ``python -m workers work``.
    """
    done = _attendant().play(games)
    _log.info("bots_played", games=len(games), commands=done)
    return done


def _attendant() -> Attendant:
    if not _attendants:
        raise RuntimeError("this job runs in a worker that python -m workers has started")
    return _attendants[0]
