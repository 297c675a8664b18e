"""Tells a process at once which games of its listening players have moved.

An append to a game rings on a channel for each account that it concerns, in the game's own shard
(``Append.concerns``). A process hears the channels of those of its players who listen, one in each
shard, and of no others; so who listens costs what happens in that player's games.

These bells have no numbers, so that one is lost shows in nothing that follows. Whoever hears them
is told when a subscription is new or has ended, and must look now and then.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from events.bells import Bells, Ear
from events.layout import Layout
from games.table.state import TableState

_PATIENCE_S: Final = 1.0

_NOBODY: Final = frozenset({""})

Tell = Callable[[str, "str | None"], None]
"""Called with a player and a game of theirs that has moved; None: any may have. Must not block or
raise."""


def concerned_by_move(before: TableState, after: TableState) -> frozenset[str]:
    """The accounts that hear of what leads from one state to the other: also who leaves by it."""
    people = concerned(after)
    # A move changes none of these, and states share what they do not differ in.
    same = before.seats is after.seats and before.invited is after.invited
    if same and before.host == after.host:
        return people
    return people | concerned(before)


def concerned(state: TableState) -> frozenset[str]:
    """The accounts that hear of a table: host, invited and seated players."""
    people = {place.player for place in state.seats.values() if place.bot is None}
    people.update(state.invited, (state.host,))
    return frozenset(people - _NOBODY)


class _Heard:
    """A player whose bells are heard; ``awaited`` are channels whose subscription is to come."""

    def __init__(self, channels: set[str]) -> None:
        self.channels = frozenset(channels)
        self.awaited = channels
        self.stands = asyncio.Event()


class PlayerBells:
    """The bells of the players who listen at a process. Belongs to one event loop.

    Args:
        bells: the bells of the store.
        layout: names the channels.
    """

    def __init__(self, bells: Bells, layout: Layout) -> None:
        self._bells = bells
        self._layout = layout
        self._tell: Tell = lambda *_: None
        self._stack = contextlib.AsyncExitStack()
        self._ear: Ear | None = None
        self._heard: dict[str, _Heard] = {}
        self._player_of: dict[str, str] = {}

    def on_ring(self, tell: Tell) -> None:
        """Pass all that is heard to ``tell``."""
        self._tell = tell

    async def add(self, player: str) -> None:
        """Hear a player's bells too; returns when it does, or after a second.

        What stands later is told of as None.
        """
        if self._ear is None:
            self._ear = await self._stack.enter_async_context(self._bells.ear(self._hear))
        heard = self._heard.get(player)
        if heard is None:
            shards = range(self._layout.shards)
            heard = _Heard({self._layout.player_bell(shard, player) for shard in shards})
            self._heard[player] = heard
            for channel in heard.channels:
                self._player_of[channel] = player
                self._ear.add(channel)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_S):
                await heard.stands.wait()
        heard.awaited.clear()
        heard.stands.set()

    def drop(self, player: str) -> None:
        """Hear a player's bells no longer."""
        heard = self._heard.pop(player, None)
        if heard is None or self._ear is None:
            return
        for channel in heard.channels:
            del self._player_of[channel]
            self._ear.drop(channel)

    async def close(self) -> None:
        """Hear nothing any longer."""
        self._ear = None
        await self._stack.aclose()

    def _hear(self, channel: str, said: bytes | None) -> None:
        player = self._player_of[channel]
        heard = self._heard[player]
        if said is not None:
            self._tell(player, said.decode())
        elif channel in heard.awaited:
            heard.awaited.discard(channel)
            if not heard.awaited:
                heard.stands.set()
        else:
            self._tell(player, None)
