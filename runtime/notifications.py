"""Notifies players of what concerns them: tables that invite them, and their games.

A table invites them, fills up or closes; a game began, asks them to decide, is about to time out or
ended. Notices are derived from the state of a game each time it moves, so nothing is stored for
players who are not listening: a stream begins with where each of the player's games stands.
"""

from __future__ import annotations

import asyncio
import itertools
from typing import Final, Literal

from msgspec import Struct

from events.kernel import PUBLIC, DurationMs, Seat, TimestampMs, Version
from events.log import Damaged
from events.logger import get_logger
from events.scripts import LogUnavailable
from events.tasks import end_tasks
from events.transact import Loaded, NoSuchStream
from games.game_registry import UnknownGame
from games.table.state import Phase, Result, TableState
from projections.rows import RowSeat, named_seats, taken_seats
from runtime.listing import Listing, Wanted
from runtime.pause_notices import (
    NO_PAUSES,
    PauseCall,
    PausesTold,
    PauseWhat,
    RunningPause,
    pause_news,
    pauses_told,
)
from runtime.player_bells import PlayerBells, concerned
from runtime.send_queue import SendQueue
from runtime.table_service import TableService

NEAR_MS: Final[DurationMs] = 15_000
"""How long before a deadline its warning is sent."""

WAITING_MAX: Final = 1000
"""The most notices that may wait for a listener before it counts as too slow."""

GAMES_MAX: Final = 1000
"""The most games followed for one player, the newest first."""

ROUND: Final = 12
"""After so many beats each player's games have been looked at, in case a bell was lost."""

_PAGE: Final = 100
_log = get_logger(__name__)

What = Literal[
    "invited",
    "seat-taken",
    "table-closed",
    "game-started",
    "decision-opened",
    "decision-closed",
    "deadline-near",
    "game-ended",
    PauseWhat,
]


class DecisionCall(Struct, frozen=True, kw_only=True):
    """A blocking decision that a player has not answered yet; ``deadline`` in ms, UTC."""

    decision: str
    kind: str
    seat: Seat
    deadline: TimestampMs | None = None


class Standing(Struct, frozen=True, kw_only=True):
    """Where a game stands for one player.

    ``invited``: the table waits for this player to sit down. ``seats`` are those taken. ``pauses``
    are told to those who sit there: a proposed one that waits for this player, and the running one.
    """

    game: str
    version: Version
    status: Phase
    invited: bool = False
    seats: tuple[RowSeat, ...] = ()
    calls: tuple[DecisionCall, ...] = ()
    pauses: PausesTold = NO_PAUSES
    result: Result | None = None


class Notice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One notification; ``seat`` is the seat that was taken, and by whom.

    A ``call`` is a decision that waits for the player, or, in ``decision-closed``, has done so.
    ``proposed`` is a pause that waits for the player's answer, or, in ``pause-settled``, has done
    so; ``pause`` is the one that has begun or is over.
    """

    what: What
    game: str
    version: Version
    seat: RowSeat | None = None
    call: DecisionCall | None = None
    proposed: PauseCall | None = None
    pause: RunningPause | None = None
    result: Result | None = None


class Listener(SendQueue[Notice]):
    """One open stream of a player, with what it was last sent about each game and warned of.

    Until it has ``joined``, games that move are kept in ``missed``: they may be among those whose
    standing is about to be sent.
    """

    def __init__(self, player: str) -> None:
        super().__init__(WAITING_MAX)
        self.player = player
        self.known: dict[str, Standing] = {}
        self.warned: set[tuple[str, str]] = set()
        self.joined = False
        self.missed: set[str] = set()

    def forget(self, game: str) -> None:
        """Forget a game."""
        if self.known.pop(game, None) is not None:
            self.warned = {key for key in self.warned if key[0] != game}


class Notifications:
    """The notifications of all players who listen at this process.

    Args:
        tables: reads the games.
        player_bells: report when they move.
        listing: finds a player's games.
        beat_s: seconds between checks of deadlines, and between heartbeats.
    """

    def __init__(
        self,
        tables: TableService,
        player_bells: PlayerBells,
        listing: Listing,
        *,
        beat_s: float = 5.0,
    ) -> None:
        self._tables = tables
        self._player_bells = player_bells
        self._listing = listing
        self.beat_s = beat_s
        self._listeners: dict[str, set[Listener]] = {}
        self._moved: dict[str, None] = {}
        self._doubtful: dict[str, None] = {}
        self._unshown: dict[str, None] = {}
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    async def join(self, player: str) -> tuple[Listener, list[Standing]]:
        """Open a stream for a player; returns it with where each of the player's games stands.

        Raises:
            LogUnavailable: the store does not answer.
        """
        listener = Listener(player)
        if self._closed:
            listener.finish(ended=False)
            return listener, []
        if not self._tasks:
            self._player_bells.on_ring(self._on_ring)
            self._tasks = [
                asyncio.create_task(self._tell(), name="notices"),
                asyncio.create_task(self._watch(), name="deadlines"),
            ]
        # Listen first, then read: games that move in between are read again.
        self._listeners.setdefault(player, set()).add(listener)
        try:
            await self._player_bells.add(player)
            for game in await self._games(player):
                try:
                    loaded = await self._tables.load(game)
                except UnknownGame as error:
                    _log.error("game_not_told_of", game=game, reason=str(error))
                    continue
                listener.known[game] = await self._standing(game, loaded, player)
        except BaseException:
            self.leave(listener)
            raise
        listener.joined = True
        for game in listener.missed:
            self._moved[game] = None
        self._news.set()
        return listener, list(listener.known.values())

    def leave(self, listener: Listener) -> None:
        """Close a stream."""
        listeners = self._listeners.get(listener.player, set())
        listeners.discard(listener)
        if not listeners and self._listeners.pop(listener.player, None) is not None:
            self._player_bells.drop(listener.player)

    @property
    def listening(self) -> int:
        """How many streams are open."""
        return len(self._everybody())

    async def close(self) -> None:
        """End every stream."""
        self._closed = True
        for listener in self._everybody():
            listener.finish(ended=False)
        await end_tasks(*self._tasks)
        await self._player_bells.close()

    def _everybody(self) -> list[Listener]:
        return [listener for group in self._listeners.values() for listener in group]

    async def _games(self, player: str) -> list[str]:
        """The player's games that are not over, the newest first."""
        found: list[str] = []
        for status in ("live", "open"):
            cursor: str | None = None
            while len(found) < GAMES_MAX:
                page = await self._listing.page(
                    Wanted(caller=player, player=player, status=status, limit=_PAGE, cursor=cursor)
                )
                found += [row.id for row in page.rows]
                cursor = page.cursor
                if cursor is None:
                    break
        return found

    def begin_anew(self) -> None:
        """Tell every listener to start again: what they were sent may no longer exist."""
        for listener in self._everybody():
            listener.lose()

    def _on_ring(self, player: str, game: str | None) -> None:
        """A player's game has moved, or, with None, any of them may have."""
        if game is None:
            self._doubtful[player] = None
        else:
            self._moved[game] = None
        self._news.set()

    async def _tell(self) -> None:
        """Load each moved game once, and notify the players it concerns."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._moved or self._doubtful:
                if not self._moved:
                    await self._look_for(_first(self._doubtful))
                    continue
                game = _first(self._moved)
                try:
                    await self._look(game)
                except LogUnavailable:
                    self._moved[game] = None
                    await asyncio.sleep(self.beat_s)
                except (Damaged, NoSuchStream, UnknownGame) as error:
                    _log.error("game_not_told_of", game=game, reason=str(error))

    async def _look_for(self, player: str) -> None:
        """Look at all games of a player, because bells may have been lost."""
        if player not in self._listeners:
            return
        try:
            found = await self._games(player)
        except LogUnavailable:
            self._doubtful[player] = None
            await asyncio.sleep(self.beat_s)
            return
        known = (game for listener in self._listeners.get(player, ()) for game in listener.known)
        self._moved |= dict.fromkeys((*found, *known))

    async def _look(self, game: str) -> None:
        """Notify of one game."""
        loaded = await self._tables.load(game)
        if self._tables.log.replication is not None:
            newest = (await self._tables.newest(game)).version
            if newest > loaded.version:  # nobody rings again when it may be shown
                self._unshown[game] = None
        state = loaded.state
        people = concerned(state)
        for listener in self._everybody():
            if listener.player not in people:  # left, or no longer invited
                listener.forget(game)
        for player in people & self._listeners.keys():
            standing = await self._standing(game, loaded, player)
            for listener in self._listeners.get(player, ()):
                if listener.joined:
                    _compare(listener, standing, begun=state.has_begun)
                else:
                    listener.missed.add(game)

    async def _standing(self, game: str, loaded: Loaded[TableState], player: str) -> Standing:
        """Where a game stands for a player, with the decisions that the player has yet to make.

        A host or invited player without a seat sees as far as the public.
        """
        state, version = loaded.state, loaded.version
        table, calls, seats = self._tables.table, [], loaded.state.seats_of(player)
        if not seats and state.delay is not None:
            # What came after the state was loaded is sent with the next one.
            version = min(
                version, (await self._tables.visible_version(game, PUBLIC, version)).version
            )
        for seat in seats:
            calls += [
                DecisionCall(decision=d.id, kind=d.kind, seat=seat, deadline=d.deadline)
                for d in table.decisions(state, seat)
                if not d.optional and not d.answered
            ]
        names = await self._tables.names.openings(state.seats.values())
        return Standing(
            game=game,
            version=version,
            status=_status(state),
            invited=state.phase == "open" and not seats and player in state.invited,
            seats=named_seats(taken_seats(state), names),
            calls=tuple(calls),
            pauses=self._pauses(state, seats),
            result=state.result,
        )

    def _pauses(self, state: TableState, seats: tuple[Seat, ...]) -> PausesTold:
        if state.phase != "live":
            return NO_PAUSES
        is_out = self._tables.table.rules[state.game].is_out
        return pauses_told(state, seats, is_out, self._tables.clock())

    async def _watch(self) -> None:
        """Send heartbeats, warn of near deadlines, and look in case a bell was lost."""
        for beat in itertools.count():
            await asyncio.sleep(self.beat_s)
            turn = sorted(self._listeners)[beat % ROUND :: ROUND]
            if turn or self._unshown:
                self._doubtful |= dict.fromkeys(turn)
                self._moved |= self._unshown
                self._unshown.clear()
                self._news.set()
            soon = self._tables.clock() + NEAR_MS
            for listener in self._everybody():
                for standing in tuple(listener.known.values()):
                    _warn(listener, standing, soon)
                listener.beat()


def _first(many: dict[str, None]) -> str:
    """Take the first."""
    found = next(iter(many))
    del many[found]
    return found


def _status(state: TableState) -> Phase:
    if state.phase == "none":
        raise ValueError("a table that was never opened")
    return state.phase


def _compare(listener: Listener, now: Standing, *, begun: bool) -> None:
    """Send a listener what is new about a game; ``begun`` says whether it has begun."""
    before = listener.known.get(now.game)
    if before is not None and before.version > now.version:
        listener.lose()  # the store has lost what was told
    if before is not None and before.version >= now.version:
        return
    if before is None and now.status == "finished":
        return
    listener.known[now.game] = now
    _tell_of_table(listener, before, now)
    if now.status == "live" and (before is None or before.status == "open"):
        listener.push(Notice(what="game-started", game=now.game, version=now.version))
    _tell_of_calls(listener, () if before is None else before.calls, now)
    if now.status == "live":
        _tell_of_pauses(listener, NO_PAUSES if before is None else before.pauses, now)
    if now.status == "finished":
        listener.forget(now.game)
        ended: What = "game-ended" if begun else "table-closed"
        listener.push(Notice(what=ended, game=now.game, version=now.version, result=now.result))


def _tell_of_table(listener: Listener, before: Standing | None, now: Standing) -> None:
    """Send a listener what is new about a table that waits for players.

    Players who are only invited do not hear who sits down, and nobody hears of their own seat.
    """
    if now.invited:
        if before is None or not before.invited:
            listener.push(Notice(what="invited", game=now.game, version=now.version))
        return
    known = set() if before is None else {(seat.seat, seat.player) for seat in before.seats}
    for seat in now.seats:
        if (seat.seat, seat.player) not in known and seat.player != listener.player:
            listener.push(Notice(what="seat-taken", game=now.game, version=now.version, seat=seat))


def _tell_of_calls(listener: Listener, before: tuple[DecisionCall, ...], now: Standing) -> None:
    """Send a listener which decisions wait no longer, and which do now.

    Of a game that is over, its end says that nothing waits.
    """
    known, waiting = {call.decision for call in before}, {call.decision for call in now.calls}
    game, version = now.game, now.version
    for call in before:
        if call.decision not in waiting and now.status != "finished":
            listener.push(Notice(what="decision-closed", game=game, version=version, call=call))
    for call in now.calls:
        if call.decision not in known:
            listener.push(Notice(what="decision-opened", game=game, version=version, call=call))


def _tell_of_pauses(listener: Listener, before: PausesTold, now: Standing) -> None:
    """Send a listener which pause waits for an answer, and which one has begun or is over."""
    for what, about in pause_news(before, now.pauses):
        proposed = about if isinstance(about, PauseCall) else None
        pause = about if isinstance(about, RunningPause) else None
        listener.push(
            Notice(what=what, game=now.game, version=now.version, proposed=proposed, pause=pause)
        )


def _warn(listener: Listener, standing: Standing, soon: TimestampMs) -> None:
    """Warn of a deadline, once for each decision."""
    for call in standing.calls:
        key = (standing.game, call.decision)
        if call.deadline is None or call.deadline > soon or key in listener.warned:
            continue
        listener.warned.add(key)
        listener.push(
            Notice(what="deadline-near", game=standing.game, version=standing.version, call=call)
        )
