"""Broadcasts games live: one channel for each viewpoint, the same bytes for all its followers.

Everyone who watches a game with the same view scope in the same format shares a viewpoint. Its
channel waits until they may see more of the game (the public perhaps only after a delay), reads the
new events once, encodes each of them once, and hands the bytes to every follower. A follower that
falls behind is told so (``lost``) and follows again from the last version that it has; it is never
silently skipped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Final, NamedTuple, Protocol

import msgspec
from msgspec import Struct, field

from events.kernel import Seat, Viewer
from events.log import Damaged
from events.logger import get_logger
from events.scripts import LogUnavailable
from events.tasks import end_tasks
from games.table.state import TableState
from projections.visible_version import VisibleVersion
from runtime.feed_subscriber import FeedSubscriber
from runtime.long_poll import wait_to_see
from runtime.send_queue import SendQueue
from runtime.table_service import TableService

Frames = Callable[[int, bytes, bytes | None], bytes]
"""How to encode an event: its version, its public bytes, and the viewer's openings or None."""

BACKLOG_BYTES: Final = 256 * 1024
"""How many bytes may wait for a follower before it counts as too slow."""

PAGE: Final = 512
BEAT_S: Final = 15.0
_LOOK_S: Final = 30.0
_PAUSE_S: Final = 0.5
_log = get_logger(__name__)
_encode_names = msgspec.json.Encoder().encode


class Viewpoint(NamedTuple):
    """A view scope (``public``, ``seat:2`` or ``full``) of a game, in one format.

    The player at the seat is part of it, so that a seat that changes hands does not hand over
    secrets; and so is the number of ended invitations to a private table (``TableState.uninvited``;
    None for other tables), so that nobody keeps following a table that they may no longer know of.
    """

    game: str
    name: str
    viewer: Viewer
    player: str | None
    frames: Frames
    uninvited: int | None = None

    @property
    def seat(self) -> Seat | None:
        """The seat of this scope."""
        return self.viewer.seat if self.viewer.kind == "seat" else None


class Chunk(NamedTuple):
    """The events ``first`` to ``last``, encoded."""

    first: int
    last: int
    data: bytes


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
    """A viewpoint's channel: how far it has sent, how far one sees from there, its followers.

    ``players`` are those who sit at the table, ``names`` what all seats are called, as it was told
    last, and ``claims`` last as long as changes of these are learnt of.
    """

    game: str
    upto: int
    seen: VisibleVersion
    followers: set[Follower] = set()
    task: asyncio.Task[None] | None = None
    players: frozenset[str] = frozenset()
    names: bytes = b""
    claims: ExitStack = field(default_factory=ExitStack)


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
        self._channels: dict[Viewpoint, _Channel] = {}
        self._beating: asyncio.Task[None] | None = None
        self._telling: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def count(self) -> int:
        """How many streams are open."""
        return sum(len(channel.followers) for channel in self._channels.values())

    def join(self, viewpoint: Viewpoint, seen: VisibleVersion) -> Follower:
        """Follow a game of which ``seen`` is visible from this viewpoint so far.

        The first chunk begins at a version that the channel chooses; ``catch_up`` gives what lies
        between the follower's own position and it.
        """
        follower: Follower = SendQueue(self._limit)
        if self._closed:
            follower.finish(ended=False)
            return follower
        channel = self._channels.get(viewpoint)
        if channel is None:
            channel = self._channels[viewpoint] = _Channel(viewpoint.game, seen.version, seen)
            channel.task = asyncio.create_task(self._run(viewpoint, channel), name="channel")
        channel.followers.add(follower)
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat(), name="heartbeat")
        return follower

    def leave(self, viewpoint: Viewpoint, follower: Follower) -> None:
        """Stop following. The last follower to leave closes the channel."""
        channel = self._channels.get(viewpoint)
        if channel is None:
            return
        channel.followers.discard(follower)
        if not channel.followers:
            self._forget(viewpoint, channel)

    def upto(self, viewpoint: Viewpoint) -> int:
        """The version after which the viewpoint's next chunk begins."""
        channel = self._channels.get(viewpoint)
        return 0 if channel is None else channel.upto

    async def catch_up(self, viewpoint: Viewpoint, after: int, last: int) -> Chunk:
        """The events after the version ``after``, up to ``last`` or a page of them.

        There are none only if the clock was set back, so that they may no longer be seen.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: see ``Views.entries``.
        """
        return await self._chunk(viewpoint, viewpoint.viewer, after, min(last, after + PAGE))

    def begin_anew(self) -> None:
        """Tell every follower to start again: what they were sent may no longer exist."""
        for viewpoint, channel in tuple(self._channels.items()):
            _lose_all(channel.followers)
            self._forget(viewpoint, channel)

    def account_changed(self, is_meant: Callable[[str], bool]) -> None:
        """Some accounts have changed, or may have: tell new names where their players sit."""
        for channel in self._channels.values():
            if any(map(is_meant, channel.players)):
                task = asyncio.create_task(self._tell_names(channel), name="names")
                self._telling.add(task)
                task.add_done_callback(self._telling.discard)

    async def close(self) -> None:
        """End every stream once its queue has been sent."""
        self._closed = True
        channels, self._channels = self._channels, {}
        for channel in channels.values():
            for follower in channel.followers:
                follower.finish(ended=False)
        tasks = [channel.task for channel in channels.values() if channel.task is not None]
        await end_tasks(*tasks, *self._telling, *([] if self._beating is None else [self._beating]))

    async def _run(self, viewpoint: Viewpoint, channel: _Channel) -> None:
        """Broadcast until nobody follows, the game is over, or the seat has changed hands."""
        with channel.claims:
            await self._run_while_followed(viewpoint, channel)

    async def _run_while_followed(self, viewpoint: Viewpoint, channel: _Channel) -> None:
        while channel.followers:
            try:
                await self._note_players(channel)
                seen = await wait_to_see(
                    self._tables,
                    self._feed_subscriber,
                    viewpoint.game,
                    viewpoint.viewer,
                    channel.seen,
                    channel.upto,
                    _LOOK_S,
                )
                if seen is not None and not await self._deliver(viewpoint, channel, seen):
                    break
            except LogUnavailable:
                await asyncio.sleep(_PAUSE_S)
            except Damaged:
                _log.error("stream_damaged", game=viewpoint.game)
                _lose_all(channel.followers)
                break
        self._forget(viewpoint, channel)

    async def _deliver(self, viewpoint: Viewpoint, channel: _Channel, seen: VisibleVersion) -> bool:
        """Deliver what is new; False if nothing more will come."""
        viewer = viewpoint.viewer
        if viewpoint.seat is not None or viewpoint.uninvited is not None:
            state = (await self._tables.load(viewpoint.game, seen.newest)).state
            if not (_still_theirs(viewpoint, state) and _still_invited(viewpoint, state)):
                _lose_all(channel.followers)
                return False
            viewer = self._eyes(viewpoint, state)
        if seen.version > channel.upto:
            chunk = await self._chunk(viewpoint, viewer, channel.upto, seen.version)
            channel.upto = chunk.last
            for follower in channel.followers:
                follower.push(chunk, len(chunk.data))
        channel.seen = seen
        if channel.upto < seen.version:  # the clock was set back meanwhile
            channel.seen = await self._tables.visible_version(viewpoint.game, viewer, seen.newest)
        if not seen.ended:
            return True
        for follower in channel.followers:
            follower.finish(ended=True)
        return False

    async def _note_players(self, channel: _Channel) -> None:
        """Learn from now on of changes of the players who sit at the table."""
        if self._accounts is None:
            return
        state = (await self._tables.load(channel.game, channel.seen.newest)).state
        players = frozenset(s.player for s in state.seats.values() if s.bot is None)
        if players == channel.players:
            return
        for player in players - channel.players:
            channel.claims.enter_context(self._accounts.claimed_of(player))
        channel.players = players
        channel.names = await self._names(channel.game)

    async def _names(self, game: str) -> bytes:
        """What the seats of a table are called now, as JSON."""
        state = (await self._tables.load(game)).state
        return _encode_names(await self._tables.names.seats(state.seats))

    async def _tell_names(self, channel: _Channel) -> None:
        """Tell the followers of a channel what the seats are called, if that has changed.

        Where it cannot be found out they start again, and read names as they do so.
        """
        try:
            names = await self._names(channel.game)
        except (LogUnavailable, Damaged):
            _lose_all(channel.followers)
            return
        if names != channel.names:
            channel.names = names
            for follower in channel.followers:
                follower.push(NamesTold(names), len(names))

    def _eyes(self, viewpoint: Viewpoint, state: TableState) -> Viewer:
        """The viewpoint's current viewer: a team is known once the game has begun."""
        seat = viewpoint.seat
        return viewpoint.viewer if seat is None else self._tables.viewer(state, seat)

    async def _chunk(self, viewpoint: Viewpoint, viewer: Viewer, after: int, last: int) -> Chunk:
        frames, views = viewpoint.frames, self._tables.views
        entries = await views.openings(viewpoint.game, viewer, after, last)
        data = b"".join(frames(each.version, each.public, opened) for each, opened in entries)
        return Chunk(after + 1, after + len(entries), data)

    def _forget(self, viewpoint: Viewpoint, channel: _Channel) -> None:
        if self._channels.get(viewpoint) is channel:
            del self._channels[viewpoint]
        if channel.task is not None and channel.task is not asyncio.current_task():
            channel.task.cancel()

    def beat(self) -> None:
        """Send a heartbeat on every stream."""
        for channel in tuple(self._channels.values()):
            for follower in tuple(channel.followers):
                follower.beat()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.beat_s)
            self.beat()


def _still_theirs(viewpoint: Viewpoint, state: TableState) -> bool:
    """Whether the seat of this scope still belongs to the same player."""
    if viewpoint.seat is None or viewpoint.player is None:
        return True
    place = state.seats.get(viewpoint.seat)
    return place is not None and place.player == viewpoint.player


def _still_invited(viewpoint: Viewpoint, state: TableState) -> bool:
    """Whether no invitation has ended since; a seat's scope is not affected."""
    if viewpoint.seat is not None or viewpoint.uninvited is None:
        return True
    return state.uninvited == viewpoint.uninvited


def _lose_all(followers: Sequence[Follower] | set[Follower]) -> None:
    for follower in tuple(followers):
        follower.lose()
