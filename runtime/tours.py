"""Tours: one leads through a game, others follow. Nothing of a tour is part of any game.

A tour is kept in the store for as long as its leader is there, and every change is rung on a
channel of the game's shard. A bell may be lost, so each process reads the tours that are followed
at it every few seconds, and says in the same breath that their leaders are still there.

``{api}:tour:<id>`` is a hash: ``game``, ``leader`` (a player's id), ``told`` (JSON), ``offered``
("1": whoever follows may take the lead) and ``n``, how often it has changed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from events.bells import Bells, Ear
from events.clients import Client
from events.kernel import DurationMs, Rejected
from events.layout import Layout
from events.logger import get_logger
from events.scripts import Caller, LogUnavailable, Word, load_script
from events.tasks import end_tasks
from runtime.send_queue import SendQueue

BEAT_S: Final = 5.0
"""Seconds between two looks at the tours that are followed here."""

HOLDS_MS: Final[DurationMs] = 20_000
"""How long a tour goes on after its leader was last there."""

WAITING_MAX: Final = 200
"""The most changes that may wait for a follower before it counts as too slow."""

Act = Literal["begin", "read", "stay", "tell", "take", "end"]

_REFUSALS: Final[Mapping[bytes, tuple[str, str]]] = {
    b"over": ("tour-not-found", "there is no such tour; it may have ended"),
    b"not-the-leader": ("not-the-leader", "somebody else leads this tour"),
    b"not-offered": ("lead-not-offered", "whoever leads has not offered the lead"),
}
"""What the script refuses, with the code and the sentence of the answer."""

_TOUR = load_script(__package__, "tour.lua")
_log = get_logger(__name__)


class TourState(Struct, frozen=True):
    """A tour after its ``number``-th change: ``told`` is what its leader says of it, as JSON."""

    game: str
    leader: str
    told: bytes
    offered: bool
    number: int


class TourFollower(SendQueue[TourState]):
    """An open stream of a tour. ``player`` is whose it is, if they have said so."""

    def __init__(self, game: str, player: str) -> None:
        super().__init__(WAITING_MAX)
        self.game = game
        self.player = player
        self.number = -1


class Tours:
    """The tours that are led or followed at one process. Belongs to the client's event loop.

    Args:
        client: the store.
        bells: carry the changes.
        layout: names the channels.
        prefix: stands before every key.
        beat_s: seconds between two looks.
        holds_ms: how long a tour goes on without its leader.
    """

    def __init__(
        self,
        client: Client,
        bells: Bells,
        layout: Layout,
        prefix: str = "",
        *,
        beat_s: float = BEAT_S,
        holds_ms: DurationMs = HOLDS_MS,
    ) -> None:
        self._caller = Caller(client)
        self._bells = bells
        self._layout = layout
        self._prefix = prefix
        self._beat_s = beat_s
        self._holds_ms = holds_ms
        self._followers: dict[str, set[TourFollower]] = {}
        self._channels: dict[str, str] = {}
        self._changed: set[str] = set()
        self._news = asyncio.Event()
        self._stack = contextlib.AsyncExitStack()
        self._ear: Ear | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    async def act(
        self,
        tour: str,
        game: str,
        player: str,
        act: Act,
        *,
        told: bytes = b"",
        offered: bool = False,
    ) -> TourState:
        """Begin, read, lead, take over or end a tour of a game, in the name of a player.

        Raises:
            Rejected: tour-not-found, not-the-leader, lead-not-offered.
            LogUnavailable, StoreFull: the store does not answer, or takes nothing more.
        """
        key = f"{self._prefix}{{api}}:tour:{tour}"
        words: list[Word] = [player, act, self._holds_ms, game, told, "1" if offered else ""]
        verdict, *found = await self._caller.call(_TOUR, [key], words)
        if verdict != b"ok":
            raise Rejected(*_REFUSALS[verdict])
        state = _state_of(found)
        if act in {"tell", "take", "end"}:
            await self._caller.command("SPUBLISH", self._layout.tour_bell(game, tour), act)
        return state

    async def follow(self, tour: str, game: str, player: str) -> TourFollower:
        """Open a stream of a tour, for a player or ("") for anybody; it begins with where it is.

        Raises:
            Rejected: tour-not-found.
            LogUnavailable: the store does not answer.
        """
        follower = TourFollower(game, player)
        if self._closed:
            follower.finish(ended=False)
            return follower
        if self._ear is None:
            self._ear = await self._stack.enter_async_context(self._bells.ear(self._hear))
            self._tasks = [
                asyncio.create_task(self._tell(), name="tours"),
                asyncio.create_task(self._beat(), name="leaders"),
            ]
        channel = self._layout.tour_bell(game, tour)
        self._followers.setdefault(tour, set()).add(follower)
        self._channels[channel] = tour
        self._ear.add(channel)
        try:
            self._push(follower, await self.act(tour, game, player, "read"))
        except BaseException:
            self.leave(tour, follower)
            raise
        return follower

    def leave(self, tour: str, follower: TourFollower) -> None:
        """Close a stream."""
        followers = self._followers.get(tour, set())
        followers.discard(follower)
        if not followers and self._followers.pop(tour, None) is not None:
            channel = self._layout.tour_bell(follower.game, tour)
            self._channels.pop(channel, None)
            if self._ear is not None:
                self._ear.drop(channel)

    async def close(self) -> None:
        """End every stream."""
        self._closed = True
        for followers in self._followers.values():
            for follower in followers:
                follower.finish(ended=False)
        await end_tasks(*self._tasks)
        self._ear = None
        await self._stack.aclose()

    def _hear(self, channel: str, _: bytes | None) -> None:
        tour = self._channels.get(channel)
        if tour is not None:
            self._changed.add(tour)
            self._news.set()

    async def _tell(self) -> None:
        """Read what has changed, and pass it on."""
        while True:
            await self._news.wait()
            self._news.clear()
            changed, self._changed = self._changed, set()
            for tour in changed:
                await self._look(tour)

    async def _beat(self) -> None:
        """Say that leaders are still there, and look at every tour in case a bell was lost."""
        while True:
            await asyncio.sleep(self._beat_s)
            for tour, followers in tuple(self._followers.items()):
                for game, player in {(each.game, each.player) for each in followers if each.player}:
                    with contextlib.suppress(Rejected, LogUnavailable):
                        await self.act(tour, game, player, "stay")
                for follower in tuple(followers):
                    follower.beat()
                await self._look(tour)

    async def _look(self, tour: str) -> None:
        followers = tuple(self._followers.get(tour, ()))
        if not followers:
            return
        try:
            state = await self.act(tour, followers[0].game, "", "read")
        except Rejected:
            for follower in followers:
                follower.finish(ended=True)
        except LogUnavailable as error:
            _log.debug("tour_not_read", reason=str(error))
        else:
            for follower in followers:
                self._push(follower, state)

    def _push(self, follower: TourFollower, state: TourState) -> None:
        if state.number > follower.number:
            follower.number = state.number
            follower.push(state)


def _state_of(found: list[bytes]) -> TourState:
    fields = dict(zip(found[::2], found[1::2], strict=True))
    return TourState(
        game=fields[b"game"].decode(),
        leader=fields[b"leader"].decode(),
        told=fields[b"told"],
        offered=fields[b"offered"] == b"1",
        number=int(fields[b"n"]),
    )
