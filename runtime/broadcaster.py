"""Broadcasts games live: one channel for each viewpoint, the same bytes for all its followers.

Everyone who watches a game with the same view scope in the same format shares a viewpoint, which
has a channel. One task serves all channels of a game: it waits until somebody may see more of it
(the public perhaps only after a delay), reads the new events once, encodes each of them once for
each channel, and hands the bytes to every follower, all without waiting in between. A follower that
falls behind is told so (``lost``) and follows again from the last version that it has; it is never
silently skipped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Final, NamedTuple, Protocol

import msgspec
from msgspec import Struct

from events.kernel import Seat, TimestampMs, Viewer
from events.log import Damaged
from events.logger import get_logger
from events.scripts import LogUnavailable
from events.tasks import end_tasks
from games.table.state import TableState
from projections.asked import AskedAt, asked_in
from projections.views import StreamReading
from projections.visible_version import VisibleVersion
from runtime.feed_subscriber import FeedSubscriber
from runtime.long_poll import LOOK_S
from runtime.send_queue import SendQueue
from runtime.table_service import TableService

Frames = Callable[[int, bytes, bytes | None], bytes]
"""How to encode an event: its version, its public bytes, and the viewer's openings or None."""

Named = Callable[[str, bytes], bytes]
"""How to encode any other message: its name, and its body as JSON."""

BACKLOG_BYTES: Final = 256 * 1024
"""How many bytes may wait for a follower before it counts as too slow."""

PAGE: Final = 512
BEAT_S: Final = 15.0
_PAUSE_S: Final = 0.5
_log = get_logger(__name__)
_encode = msgspec.json.Encoder().encode


class Viewpoint(NamedTuple):
    """A view scope (``public``, ``seat:2`` or ``full``) of a game, in one format.

    The player at the seat is part of it, so that a seat that changes hands does not hand over
    secrets; and so is the number of ended invitations to a private table (``TableState.uninvited``;
    None for other tables), so that nobody keeps following a table that they may no longer know of.
    ``named`` is how it is told whom the game waits for; None: it is not told.
    """

    game: str
    name: str
    viewer: Viewer
    player: str | None
    frames: Frames
    uninvited: int | None = None
    named: Named | None = None

    @property
    def seat(self) -> Seat | None:
        """The seat of this scope."""
        return self.viewer.seat if self.viewer.kind == "seat" else None


class Chunk(NamedTuple):
    """The events ``first`` to ``last``, encoded; ``data`` ends with ``asked``, if that is told."""

    first: int
    last: int
    data: bytes
    asked: bytes = b""


class NamesTold(NamedTuple):
    """The names of all seats by now, as JSON: somebody was renamed, or is deleted."""

    names: bytes


Follower = SendQueue[Chunk | NamesTold]
"""One open stream of a game, measured in bytes; also ``lost`` if the seat may have changed
hands."""


class AccountChanges(Protocol):
    """Learns of changes of the accounts that somebody in this process wants to know of."""

    def claimed_of(self, stream: str) -> AbstractContextManager[None]:
        """Within the context, the changes of an account are learnt of."""
        ...


class _Channel(Struct, eq=False):
    """A viewpoint's channel: how far it has sent, how far one sees from there, its followers."""

    upto: int
    seen: VisibleVersion
    followers: set[Follower] = set()


class _Game:
    """A game that somebody follows: its channels, which one task serves.

    Args:
        name: the game's id.
        known: the version to which it has come at least.

    Attributes:
        players: who sits at the table.
        names: what all seats are called, as it was told last.
        claims: last as long as changes of the players are learnt of.
        is_doubted: whether it may have come further than is known.
    """

    def __init__(self, name: str, known: int) -> None:
        self.name = name
        self.known = known
        self.is_doubted = False
        self.channels: dict[Viewpoint, _Channel] = {}
        self.task: asyncio.Task[None] | None = None
        self.players: frozenset[str] = frozenset()
        self.names = b""
        self.claims = ExitStack()
        self._news = asyncio.Event()

    @property
    def followers(self) -> list[Follower]:
        """Those of all channels."""
        return [each for channel in self.channels.values() for each in channel.followers]

    def moved(self, version: int | None) -> None:
        """It has come to a version; None: to one that has to be found out."""
        if version is None:
            self.is_doubted = True
        else:
            self.known = max(self.known, version)
        self._news.set()

    async def moves(self, now: TimestampMs) -> int | None:
        """Wait until more of it may be seen: the version to read up to; None: to the end."""
        times = [c.seen.moves_at for c in self.channels.values() if c.seen.moves_at is not None]
        if times:
            pause = min(LOOK_S, max(0.0, (min(times) - now) / 1000))
            look = asyncio.get_running_loop().call_later(pause, self._news.set)
            try:
                await self._news.wait()
            finally:
                look.cancel()
        else:
            await self._news.wait()
        self._news.clear()
        is_doubted, self.is_doubted = self.is_doubted, False
        return None if is_doubted else self.known


class Broadcaster:
    """All live streams of a process.

    Args:
        tables: reads the games.
        feed_subscriber: reports when they move.
        accounts: learns of renamed and deleted players, of whom ``account_changed`` is then told;
            None: nobody does, and followers read names anew when they like.
        backlog_bytes: how many bytes may wait for a follower.
        beat_s: the time between heartbeats, in seconds.
    """

    def __init__(
        self,
        tables: TableService,
        feed_subscriber: FeedSubscriber,
        accounts: AccountChanges | None = None,
        *,
        backlog_bytes: int = BACKLOG_BYTES,
        beat_s: float = BEAT_S,
    ) -> None:
        self._tables = tables
        self._feed_subscriber = feed_subscriber
        self._accounts = accounts
        self._limit = backlog_bytes
        self.beat_s = beat_s
        self._games: dict[str, _Game] = {}
        self._beating: asyncio.Task[None] | None = None
        self._telling: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def count(self) -> int:
        """How many streams are open."""
        return sum(len(game.followers) for game in self._games.values())

    def join(self, viewpoint: Viewpoint, seen: VisibleVersion) -> Follower:
        """Follow a game of which ``seen`` is visible from this viewpoint so far.

        The first chunk begins at a version that the channel chooses; ``catch_up`` gives what lies
        between the follower's own position and it.
        """
        follower: Follower = SendQueue(self._limit)
        if self._closed:
            follower.finish(ended=False)
            return follower
        game = self._games.get(viewpoint.game)
        if game is None:
            game = self._games[viewpoint.game] = _Game(viewpoint.game, seen.newest)
            game.task = asyncio.create_task(self._run(game), name="channels")
        channel = game.channels.get(viewpoint)
        if channel is None:
            channel = game.channels[viewpoint] = _Channel(seen.version, seen)
            game.moved(seen.newest)  # others may have been told of more already
        channel.followers.add(follower)
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat(), name="heartbeat")
        return follower

    def leave(self, viewpoint: Viewpoint, follower: Follower) -> None:
        """Stop following. The last follower to leave closes the channel."""
        channel = self._channel(viewpoint)
        if channel is None:
            return
        channel.followers.discard(follower)
        if channel.followers:
            return
        game = self._games[viewpoint.game]
        del game.channels[viewpoint]
        if not game.channels:
            self._forget(game)

    def upto(self, viewpoint: Viewpoint) -> int:
        """The version after which the viewpoint's next chunk begins."""
        channel = self._channel(viewpoint)
        return 0 if channel is None else channel.upto

    def _channel(self, viewpoint: Viewpoint) -> _Channel | None:
        game = self._games.get(viewpoint.game)
        return None if game is None else game.channels.get(viewpoint)

    async def catch_up(self, viewpoint: Viewpoint, after: int, last: int) -> Chunk:
        """The events after the version ``after``, up to ``last`` or a page of them.

        There are none only if the clock was set back, so that they may no longer be seen.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: see ``Views.reading``.
        """
        last = min(last, after + PAGE)
        reading = await self._tables.views.reading(viewpoint.game, last)
        return self._chunk(viewpoint, reading, viewpoint.viewer, after, last)

    async def asked(self, viewpoint: Viewpoint) -> bytes:
        """Whom the game waits for now, as one sees it from a viewpoint that is told so.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: see ``Views.reading``.
        """
        reading = await self._tables.views.reading(viewpoint.game, self.upto(viewpoint))
        seen = self._tables.views.seen_in(reading, viewpoint.viewer)
        return self._asked(viewpoint, reading, seen.version)

    def _asked(self, viewpoint: Viewpoint, reading: StreamReading, version: int) -> bytes:
        if viewpoint.named is None:
            return b""
        view = self._tables.views.public_in(reading, version)
        asked = asked_in(self._tables.table.games, view)
        return viewpoint.named("asked", _encode(AskedAt(version=version, asked=asked)))

    def begin_anew(self) -> None:
        """Tell every follower to start again: what they were sent may no longer exist."""
        for game in tuple(self._games.values()):
            _lose_all(game.followers)
            self._forget(game)

    def account_changed(self, is_meant: Callable[[str], bool]) -> None:
        """Some accounts have changed, or may have: tell new names where their players sit."""
        for game in self._games.values():
            if any(map(is_meant, game.players)):
                task = asyncio.create_task(self._tell_names(game), name="names")
                self._telling.add(task)
                task.add_done_callback(self._telling.discard)

    async def close(self) -> None:
        """End every stream once its queue has been sent."""
        self._closed = True
        games, self._games = self._games, {}
        for game in games.values():
            for follower in game.followers:
                follower.finish(ended=False)
        tasks = [game.task for game in games.values() if game.task is not None]
        await end_tasks(*tasks, *self._telling, *([] if self._beating is None else [self._beating]))

    async def _run(self, game: _Game) -> None:
        """Broadcast until nobody follows, or the game is over."""
        with game.claims, self._feed_subscriber.watched(game.name, game.moved):
            while game.channels:
                try:
                    await self._tell_news(game, await game.moves(self._tables.clock()))
                except LogUnavailable:
                    await asyncio.sleep(_PAUSE_S)
                    game.moved(None)
                except Damaged:
                    _log.error("stream_damaged", game=game.name)
                    _lose_all(game.followers)
                    break
        self._forget(game)

    async def _tell_news(self, game: _Game, at_least: int | None) -> None:
        """Deliver what is new on every channel, all at one moment, and close those that end."""
        tables = self._tables
        reading = await tables.views.reading(game.name, at_least)
        loaded = await tables.load(game.name, reading.version)
        while loaded.version < reading.version:  # it has grown meanwhile
            loaded = await tables.load(game.name, reading.version)
        game.known = max(game.known, reading.version)
        for viewpoint, channel in tuple(game.channels.items()):
            if not self._deliver(viewpoint, channel, reading, loaded.state):
                del game.channels[viewpoint]
        await self._note_players(game, loaded.state)

    def _deliver(
        self, viewpoint: Viewpoint, channel: _Channel, reading: StreamReading, state: TableState
    ) -> bool:
        """Deliver what is new; False if nothing more will come.

        ``state`` is that of the last version of ``reading``, or of a later one.
        """
        if not _may_still_follow(viewpoint, state):
            _lose_all(channel.followers)
            return False
        viewer = self._eyes(viewpoint, state)
        channel.seen = seen = self._tables.views.seen_in(reading, viewer)
        if seen.version > channel.upto:
            chunk = self._chunk(viewpoint, reading, viewer, channel.upto, seen.version)
            asked = self._asked(viewpoint, reading, chunk.last)
            if asked:
                chunk = chunk._replace(data=chunk.data + asked, asked=asked)
            channel.upto = chunk.last
            for follower in channel.followers:
                follower.push(chunk, len(chunk.data))
        if not seen.ended:
            return True
        for follower in channel.followers:
            follower.finish(ended=True)
        return False

    async def _note_players(self, game: _Game, state: TableState) -> None:
        """Learn from now on of changes of the players who sit at the table."""
        if self._accounts is None:
            return
        players = frozenset(s.player for s in state.seats.values() if s.bot is None)
        if players == game.players:
            return
        for player in players - game.players:
            game.claims.enter_context(self._accounts.claimed_of(player))
        game.players = players
        game.names = await self._names(game.name)

    async def _names(self, game: str) -> bytes:
        """What the seats of a table are called now, as JSON."""
        state = (await self._tables.load(game)).state
        return _encode(await self._tables.names.seats(state.seats))

    async def _tell_names(self, game: _Game) -> None:
        """Tell the followers of a game what the seats are called, if that has changed.

        Where it cannot be found out they start again, and read names as they do so.
        """
        try:
            names = await self._names(game.name)
        except (LogUnavailable, Damaged):
            _lose_all(game.followers)
            return
        if names != game.names:
            game.names = names
            for follower in game.followers:
                follower.push(NamesTold(names), len(names))

    def _eyes(self, viewpoint: Viewpoint, state: TableState) -> Viewer:
        """The viewpoint's current viewer: a team is known once the game has begun."""
        seat = viewpoint.seat
        return viewpoint.viewer if seat is None else self._tables.viewer(state, seat)

    def _chunk(
        self, viewpoint: Viewpoint, reading: StreamReading, viewer: Viewer, after: int, last: int
    ) -> Chunk:
        frames = viewpoint.frames
        entries = self._tables.views.openings(reading, viewer, after, last)
        data = b"".join(frames(each.version, each.public, opened) for each, opened in entries)
        return Chunk(after + 1, after + len(entries), data)

    def _forget(self, game: _Game) -> None:
        if self._games.get(game.name) is game:
            del self._games[game.name]
        if game.task is not None and game.task is not asyncio.current_task():
            game.task.cancel()

    def beat(self) -> None:
        """Send a heartbeat on every stream."""
        for game in tuple(self._games.values()):
            for follower in game.followers:
                follower.beat()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.beat_s)
            self.beat()


def _may_still_follow(viewpoint: Viewpoint, state: TableState) -> bool:
    """Whether a seat still belongs to the same player, or no invitation has ended since."""
    seat = viewpoint.seat
    if seat is None:
        return viewpoint.uninvited is None or state.uninvited == viewpoint.uninvited
    if viewpoint.player is None:
        return True
    place = state.seats.get(seat)
    return place is not None and place.player == viewpoint.player


def _lose_all(followers: Sequence[Follower] | set[Follower]) -> None:
    for follower in tuple(followers):
        follower.lose()
