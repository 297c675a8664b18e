"""Telling players what concerns them: tables that ask for them, and their games.

A table invites them, fills or closes; a game began, asks them, runs out of time or ended. Notices
are made from the state of a game each time it moves, so nothing is remembered for those who do not
listen: who comes (back) is first told where each game of theirs stands.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final, Literal

import structlog
from msgspec import Struct

from events.feed import Pointer
from events.kernel import PUBLIC, Millis, Seat, Version
from events.log import Damaged
from events.scripts import LogUnavailable
from events.tasks import end_tasks
from events.transact import Loaded, NoSuchStream
from games.table_state import Phase, Result, TableState
from projections.desk import Desk
from projections.hub import Hub
from projections.inbox import Inbox
from projections.listing import Listing, Wanted
from projections.rows import RowSeat, taken_seats
from projections.shelf import UnknownGame

NEAR_MS: Final = 15_000
"""How long before a deadline one is warned."""

WAITING_MAX: Final = 1000
"""Notices that may wait for a listener before it is told that it is too slow."""

GAMES_MAX: Final = 1000
"""Games of one player that are followed at once, the newest first."""

SEATED_MAX: Final = 20_000
"""Running games of which a process remembers whom they concern."""

_PAGE: Final = 100
_log = structlog.get_logger(__name__)

What = Literal[
    "invited",
    "seat-taken",
    "table-closed",
    "game-started",
    "decision-opened",
    "deadline-near",
    "game-ended",
]


class Call(Struct, frozen=True, kw_only=True):
    """A blocking decision that a player has not answered yet; ``deadline`` in ms, UTC."""

    decision: str
    kind: str
    seat: Seat
    deadline: Millis | None = None


class Standing(Struct, frozen=True, kw_only=True):
    """Where a game stands for one player.

    ``invited``: the table waits for this player to sit down. ``seats`` are those taken.
    """

    game: str
    version: Version
    status: Phase
    invited: bool = False
    seats: tuple[RowSeat, ...] = ()
    calls: tuple[Call, ...] = ()
    result: Result | None = None


class Notice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that a player is told; ``seat`` is the one that was taken, and by whom."""

    what: What
    game: str
    version: Version
    seat: RowSeat | None = None
    call: Call | None = None
    result: Result | None = None


class Listener(Inbox[Notice]):
    """One open stream of a player, what it was told of each game, and what it was warned of.

    While it has not ``joined``, games that move are kept in ``missed``: they may be among those
    whose standing it is about to be told.
    """

    def __init__(self, player: str) -> None:
        super().__init__(WAITING_MAX)
        self.player = player
        self.known: dict[str, Standing] = {}
        self.warned: set[tuple[str, str]] = set()
        self.joined = False
        self.missed: set[str] = set()

    def forget(self, game: str) -> None:
        """Know no more of a game."""
        if self.known.pop(game, None) is not None:
            self.warned = {key for key in self.warned if key[0] != game}


class Notices:
    """The notices of all players who listen at this process.

    Args:
        desk: where games are read.
        hub: tells when they move; ``start`` it before anybody joins.
        listing: finds a player's games.
        beat_s: the time between looks at the clock and heartbeats, in seconds.
    """

    def __init__(self, desk: Desk, hub: Hub, listing: Listing, *, beat_s: float = 5.0) -> None:
        self._desk = desk
        self._hub = hub
        self._listing = listing
        self._beat_s = beat_s
        self._listeners: dict[str, set[Listener]] = {}
        self._moved: dict[str, None] = {}
        self._seated: OrderedDict[str, frozenset[str]] = OrderedDict()
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    async def join(self, player: str) -> tuple[Listener, list[Standing]]:
        """Listen for a player, and where each of its games stands now.

        Raises:
            LogUnavailable: the store does not answer.
        """
        listener = Listener(player)
        if self._closed:
            listener.finish(ended=False)
            return listener, []
        if not self._tasks:
            self._hub.subscribe(self._on_pointer)
            self._tasks = [
                asyncio.create_task(self._tell(), name="notices"),
                asyncio.create_task(self._watch(), name="deadlines"),
            ]
        # First listen, then look: what moves between is looked at once more.
        self._listeners.setdefault(player, set()).add(listener)
        try:
            for game in await self._games(player):
                try:
                    loaded = await self._desk.load(game)
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
        """Listen no longer."""
        listeners = self._listeners.get(listener.player, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(listener.player, None)

    async def close(self) -> None:
        """End every stream."""
        self._closed = True
        for listener in self._everybody():
            listener.finish(ended=False)
        await end_tasks(*self._tasks)

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

    def _on_pointer(self, pointer: Pointer | None) -> None:
        """A game has moved, or (None) anything may have."""
        if not self._listeners:
            return
        if pointer is not None:
            if pointer.stream.startswith("g"):
                self._moved[pointer.stream] = None
        else:
            for listener in self._everybody():  # where its games stand may not hold any more
                listener.lose()
        self._news.set()

    async def _tell(self) -> None:
        """Look at each game that has moved, once, and tell whom it concerns."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._moved:
                game = next(iter(self._moved))
                del self._moved[game]
                try:
                    await self._look(game)
                except LogUnavailable:
                    self._moved[game] = None
                    await asyncio.sleep(self._beat_s)
                except (Damaged, NoSuchStream, UnknownGame) as error:
                    _log.error("game_not_told_of", game=game, reason=str(error))

    async def _look(self, game: str) -> None:
        """Tell of one game. Whom a running game concerns is settled: others' are passed over."""
        seated = self._seated.get(game)
        if seated is not None and not seated & self._listeners.keys():
            return
        loaded = await self._desk.load(game)
        state = loaded.state
        people = frozenset(place.player for place in state.seats.values())
        concerned = people | {state.host, *state.invited}
        self._remember(game, concerned if state.phase == "live" else None)
        for listener in self._everybody():
            if listener.player not in concerned:  # it left, or is invited no more
                listener.forget(game)
        begun = self._has_begun(state)
        for player in concerned & self._listeners.keys():
            standing = await self._standing(game, loaded, player)
            for listener in self._listeners.get(player, ()):
                if listener.joined:
                    _compare(listener, standing, begun=begun)
                else:
                    listener.missed.add(game)

    def _remember(self, game: str, people: frozenset[str] | None) -> None:
        """Keep whom a running game concerns; None: it does not run."""
        self._seated.pop(game, None)
        if people is not None:
            self._seated[game] = people
            if len(self._seated) > SEATED_MAX:
                self._seated.popitem(last=False)

    async def _standing(self, game: str, loaded: Loaded[TableState], player: str) -> Standing:
        """Where a game stands for a player: what its seats are asked and have not answered.

        A host or an invited player who does not sit there sees as far as the public.
        """
        state, version = loaded.state, loaded.version
        table, calls, seats = self._desk.table, [], loaded.state.seats_of(player)
        if not seats and state.delay is not None:
            # What came after the state was loaded is told with the next one.
            version = min(version, (await self._desk.horizon(game, PUBLIC, version)).version)
        for seat in seats:
            calls += [
                Call(decision=d.id, kind=d.kind, seat=seat, deadline=d.deadline)
                for d in table.decisions(state, seat)
                if not d.optional and not d.answered
            ]
        names = await self._desk.names.openings(state.seats.values())
        return Standing(
            game=game,
            version=version,
            status=_status(state),
            invited=state.phase == "open" and not seats and player in state.invited,
            seats=tuple(seat.named(names) for seat in taken_seats(state)),
            calls=tuple(calls),
            result=state.result,
        )

    def _has_begun(self, state: TableState) -> bool:
        """Whether the game was begun. A table that its director annulled does not say so itself."""
        if state.result is None:
            return state.phase == "live"
        if state.result.reason == "annulled":
            return self._desk.table.games[state.game].halt(state.play) is not None
        return state.result.reason != "cancelled"

    async def _watch(self) -> None:
        """Beat, and warn of deadlines that are near."""
        while True:
            await asyncio.sleep(self._beat_s)
            soon = self._desk.clock() + NEAR_MS
            for listener in self._everybody():
                for standing in tuple(listener.known.values()):
                    _warn(listener, standing, soon)
                listener.beat()


def _status(state: TableState) -> Phase:
    if state.phase == "none":
        raise ValueError("a table that was never opened")
    return state.phase


def _compare(listener: Listener, now: Standing, *, begun: bool) -> None:
    """Tell a listener what is new about a game, which has ``begun`` or not."""
    before = listener.known.get(now.game)
    if before is not None and before.version >= now.version:
        return
    if before is None and now.status == "finished":
        return
    listener.known[now.game] = now
    _tell_of_table(listener, before, now)
    if now.status == "live" and (before is None or before.status == "open"):
        listener.push(Notice(what="game-started", game=now.game, version=now.version))
    known = set() if before is None else {call.decision for call in before.calls}
    for call in now.calls:
        if call.decision not in known:
            listener.push(
                Notice(what="decision-opened", game=now.game, version=now.version, call=call)
            )
    if now.status == "finished":
        listener.forget(now.game)
        ended: What = "game-ended" if begun else "table-closed"
        listener.push(Notice(what=ended, game=now.game, version=now.version, result=now.result))


def _tell_of_table(listener: Listener, before: Standing | None, now: Standing) -> None:
    """Tell a listener whom a table waits for, and who has come to it.

    Who is only invited is not told who sits down. Nobody is told of a seat of their own.
    """
    if now.invited:
        if before is None or not before.invited:
            listener.push(Notice(what="invited", game=now.game, version=now.version))
        return
    known = set() if before is None else {(seat.seat, seat.player) for seat in before.seats}
    for seat in now.seats:
        if (seat.seat, seat.player) not in known and seat.player != listener.player:
            listener.push(Notice(what="seat-taken", game=now.game, version=now.version, seat=seat))


def _warn(listener: Listener, standing: Standing, soon: Millis) -> None:
    """Warn of a deadline, once for each decision."""
    for call in standing.calls:
        key = (standing.game, call.decision)
        if call.deadline is None or call.deadline > soon or key in listener.warned:
            continue
        listener.warned.add(key)
        listener.push(
            Notice(what="deadline-near", game=standing.game, version=standing.version, call=call)
        )
