"""Following games live: one pump for each audience, the same bytes for all who are in it.

An audience is everybody who looks at a game through the same eyes and wants the same format. Its
pump waits until they see more of the game (the public perhaps only after a while), reads the new
events once, encodes each of them once, and hands the bytes to every follower. A follower that does
not take them is told so (``lost``) and follows anew from the last version that it has; it is never
passed over in silence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import structlog
from msgspec import Struct

from events.kernel import Seat, Viewer
from events.log import Damaged
from events.scripts import LogUnavailable
from events.tasks import end_tasks
from games.table_state import TableState
from projections.desk import Desk
from projections.horizon import Horizon
from projections.hub import Hub
from projections.inbox import Inbox
from projections.waiting import wait_to_see

Frames = Callable[[int, bytes, bytes | None], bytes]
"""How an event is sent: its version, its public bytes, and what its audience may open or None."""

BACKLOG_BYTES: Final = 256 * 1024
"""How much may wait for a follower before it is told that it is too slow."""

PAGE: Final = 512
BEAT_S: Final = 15.0
_LOOK_S: Final = 30.0
_PAUSE_S: Final = 0.5
_log = structlog.get_logger(__name__)


class Audience(NamedTuple):
    """Whose eyes these are: ``public``, ``seat:2`` or ``full``, and the player at that seat.

    The player is part of it, so that a seat which changes hands takes nobody's secrets along; and
    so is how many invitations of a private table had gone (``TableState.uninvited``; None for
    other tables), so that nobody goes on following who may not know of it any more.
    """

    game: str
    name: str
    viewer: Viewer
    player: str | None
    frames: Frames
    uninvited: int | None = None

    @property
    def seat(self) -> Seat | None:
        """The seat whose eyes these are."""
        return self.viewer.seat if self.viewer.kind == "seat" else None


class Chunk(NamedTuple):
    """The events ``first`` to ``last``, ready to be sent."""

    first: int
    last: int
    data: bytes


Follower = Inbox[Chunk]
"""One open stream of a game, weighed in bytes; ``lost`` also if these eyes may be another's now."""


class _Pump(Struct, eq=False):
    """One audience's pump: how far it is, how far its audience sees, and whom it serves."""

    upto: int
    seen: Horizon
    followers: set[Follower] = set()
    task: asyncio.Task[None] | None = None


class Following:
    """All live streams of a process.

    Args:
        desk: where games are read.
        hub: tells when they move.
        backlog_bytes: how much may wait for a follower.
        beat_s: the time between heartbeats, in seconds.
    """

    def __init__(
        self,
        desk: Desk,
        hub: Hub,
        *,
        backlog_bytes: int = BACKLOG_BYTES,
        beat_s: float = BEAT_S,
    ) -> None:
        self._desk = desk
        self._hub = hub
        self._limit = backlog_bytes
        self._beat_s = beat_s
        self._pumps: dict[Audience, _Pump] = {}
        self._beating: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def count(self) -> int:
        """How many streams are open."""
        return sum(len(pump.followers) for pump in self._pumps.values())

    def join(self, audience: Audience, seen: Horizon) -> Follower:
        """Follow a game that the audience was seen to see so far.

        Chunks begin at some version of the pump's choice: what lies between it and the follower's
        own position is for ``catch_up``.
        """
        follower: Follower = Inbox(self._limit)
        if self._closed:
            follower.finish(ended=False)
            return follower
        pump = self._pumps.get(audience)
        if pump is None:
            pump = self._pumps[audience] = _Pump(seen.version, seen)
            pump.task = asyncio.create_task(self._run(audience, pump), name="pump")
        pump.followers.add(follower)
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat(), name="heartbeat")
        return follower

    def leave(self, audience: Audience, follower: Follower) -> None:
        """Follow no longer. The last one to leave stops the pump."""
        pump = self._pumps.get(audience)
        if pump is None:
            return
        pump.followers.discard(follower)
        if not pump.followers:
            self._forget(audience, pump)

    def upto(self, audience: Audience) -> int:
        """The version that the audience's next chunk follows."""
        pump = self._pumps.get(audience)
        return 0 if pump is None else pump.upto

    async def catch_up(self, audience: Audience, after: int, last: int) -> Chunk:
        """The events after the version ``after``, up to ``last`` or a page of them.

        There are none only if the clock was set back, so that they may not be seen any more.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: see ``Views.entries``.
        """
        return await self._chunk(audience, audience.viewer, after, min(last, after + PAGE))

    def begin_anew(self) -> None:
        """Tell everybody to begin anew: what they were sent may not be there any more."""
        for audience, pump in tuple(self._pumps.items()):
            _lose_all(pump.followers)
            self._forget(audience, pump)

    async def close(self) -> None:
        """End every stream, after what it holds has been sent."""
        self._closed = True
        pumps, self._pumps = self._pumps, {}
        for pump in pumps.values():
            for follower in pump.followers:
                follower.finish(ended=False)
        tasks = [pump.task for pump in pumps.values() if pump.task is not None]
        await end_tasks(*tasks, *([] if self._beating is None else [self._beating]))

    async def _run(self, audience: Audience, pump: _Pump) -> None:
        """Pump until nobody follows, the game is over, or the seat is another's."""
        while pump.followers:
            try:
                seen = await wait_to_see(
                    self._desk,
                    self._hub,
                    audience.game,
                    audience.viewer,
                    pump.seen,
                    pump.upto,
                    _LOOK_S,
                )
                if seen is not None and not await self._deliver(audience, pump, seen):
                    break
            except LogUnavailable:
                await asyncio.sleep(_PAUSE_S)
            except Damaged:
                _log.error("stream_damaged", game=audience.game)
                _lose_all(pump.followers)
                break
        self._forget(audience, pump)

    async def _deliver(self, audience: Audience, pump: _Pump, seen: Horizon) -> bool:
        """Hand on what is new; False if nothing will come any more."""
        viewer = audience.viewer
        if audience.seat is not None or audience.uninvited is not None:
            state = (await self._desk.load(audience.game, seen.newest)).state
            if not (_still_theirs(audience, state) and _still_invited(audience, state)):
                _lose_all(pump.followers)
                return False
            viewer = self._eyes(audience, state)
        if seen.version > pump.upto:
            chunk = await self._chunk(audience, viewer, pump.upto, seen.version)
            pump.upto = chunk.last
            for follower in pump.followers:
                follower.push(chunk, len(chunk.data))
        pump.seen = seen
        if pump.upto < seen.version:  # the clock was set back meanwhile
            pump.seen = await self._desk.horizon(audience.game, viewer, seen.newest)
        if not seen.ended:
            return True
        for follower in pump.followers:
            follower.finish(ended=True)
        return False

    def _eyes(self, audience: Audience, state: TableState) -> Viewer:
        """The audience's viewer as it is by now: a team is known once the game has begun."""
        seat = audience.seat
        return audience.viewer if seat is None else self._desk.viewer(state, seat)

    async def _chunk(self, audience: Audience, viewer: Viewer, after: int, last: int) -> Chunk:
        game, frames = audience.game, audience.frames
        entries = await self._desk.views.entries(game, viewer, after, last - after, last)
        openings = (await self._desk.views.codec(game)).openings
        data = b"".join(
            frames(each.version, each.public, openings(game, each, viewer)) for each in entries
        )
        return Chunk(after + 1, after + len(entries), data)

    def _forget(self, audience: Audience, pump: _Pump) -> None:
        if self._pumps.get(audience) is pump:
            del self._pumps[audience]
        if pump.task is not None and pump.task is not asyncio.current_task():
            pump.task.cancel()

    def beat(self) -> None:
        """Have every stream say that it is still there."""
        for pump in tuple(self._pumps.values()):
            for follower in tuple(pump.followers):
                follower.beat()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._beat_s)
            self.beat()


def _still_theirs(audience: Audience, state: TableState) -> bool:
    """Whether the seat whose eyes these are is still the same player's."""
    if audience.seat is None or audience.player is None:
        return True
    place = state.seats.get(audience.seat)
    return place is not None and place.player == audience.player


def _still_invited(audience: Audience, state: TableState) -> bool:
    """Whether nobody has been uninvited since; a seat's eyes keep what they have."""
    if audience.seat is not None or audience.uninvited is None:
        return True
    return state.uninvited == audience.uninvited


def _lose_all(followers: Sequence[Follower] | set[Follower]) -> None:
    for follower in tuple(followers):
        follower.lose()
