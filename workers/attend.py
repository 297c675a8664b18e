"""Attending to a game: house bots play, and what is overdue is timed out.

Late, lost and doubled calls do no harm: a bot's choice and a time-out are named for what they
answer, so each is executed once, and nothing is done before its time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

import structlog

from events.kernel import Actor, Decision, Millis, Rejected, Seat
from games.bots import bot_seed
from games.table_state import TableState
from projections.desk import Desk
from projections.settings import Settings
from projections.shelf import Shelf
from workers.host import Host

COMMANDS_MAX: Final = 200
"""Commands of one call; a longer game goes on with the next job."""

TIME_MAX_S: Final = 4.0
"""Seconds after which a call begins nothing new."""

_UNASKED: Final = "unasked"
"""Stands for a decision's id where a bot acts of its own accord."""

_log = structlog.get_logger(__name__)


async def attend_game(desk: Desk, game: str, seconds: Callable[[], float] = time.monotonic) -> int:
    """Do all that is due in ``game``; the number of commands that this call executed.

    It goes on until nothing is due: until the game waits for a person, for a bot's next pace or
    for its end, or until ``COMMANDS_MAX`` or ``TIME_MAX_S`` is reached.

    Raises:
        NoSuchStream, Busy, Damaged, LogUnavailable: see ``Desk.command``.
    """
    end = seconds() + TIME_MAX_S
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
    return not receipt.again


class Attendant:
    """Attends to games for a worker process, in an event loop that it keeps between jobs."""

    def __init__(self, settings: Settings, shelf: Shelf | None = None) -> None:
        self._settings = settings
        self._shelf = shelf
        self._runner: asyncio.Runner | None = None
        self._host: Host | None = None

    def attend(self, game: str) -> int:
        """See ``attend_game``. After any failure the next call begins with fresh connections."""
        try:
            runner = self._runner = self._runner or asyncio.Runner()
            return runner.run(self._attend(game))
        except BaseException:
            self.close()
            raise

    async def _attend(self, game: str) -> int:
        self._host = self._host or Host(self._settings, self._shelf)
        return await attend_game(self._host.desk, game)

    def close(self) -> None:
        """Close connections and loop."""
        runner, host = self._runner, self._host
        self._runner = self._host = None
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


def attend(game: str, attempt: int) -> int:
    """The job: attend to a game; how many commands that took.

    Raises:
        RuntimeError: the process was not started by ``python -m workers work``.
    """
    if not _attendants:
        raise RuntimeError("attend runs in a worker that python -m workers has started")
    done = _attendants[0].attend(game)
    _log.info("attended", game=game, attempt=attempt, commands=done)
    return done
