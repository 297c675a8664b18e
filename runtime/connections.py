"""Which players have a stream open, and at which table: known to all processes of the API.

Each process announces the players that are connected to it, as soon as one comes and then every few
seconds. An announcement holds for a while, so that a page that is loaded anew, or a connection that
breaks and is made again, shows in nothing. What is kept here is no part of any game.

``{api}:connected`` is a sorted set: a player's id, or a player's id, a space and a game's, by the
time of the last announcement in ms. All times are the store's.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from events.clients import Client
from events.kernel import DurationMs
from events.logger import get_logger
from events.scripts import Caller, LogUnavailable, load_script

ANNOUNCE_S: Final = 5.0
"""Seconds between two announcements of a process."""

HOLDS_MS: Final[DurationMs] = 20_000
"""How long a player counts as connected after the last announcement."""

MOST: Final = 1000
"""How many are announced by one call."""

Connection = Literal["here", "away", "disconnected"]
"""``here``: a stream of the table is open; ``away``: only others; ``disconnected``: none is."""

_CONNECT = load_script(__package__, "connect.lua")
_CONNECTED = load_script(__package__, "connected.lua")
_log = get_logger(__name__)


class Connections:
    """Announces who is connected to one process. Belongs to the client's event loop.

    Args:
        client: the store.
        prefix: stands before every key.
        holds_ms: how long an announcement holds.
    """

    def __init__(
        self, client: Client, prefix: str = "", *, holds_ms: DurationMs = HOLDS_MS
    ) -> None:
        self._caller = Caller(client)
        self._key = f"{prefix}{{api}}:connected"
        self._holds_ms = holds_ms
        self._here: Counter[str] = Counter()
        self._came = asyncio.Event()

    @contextlib.contextmanager
    def stay(self, player: str, game: str | None = None) -> Iterator[None]:
        """Count a player as connected within the context, with a ``game`` as being at its table."""
        names = [player] if game is None else [player, _at_table(player, game)]
        if any(not self._here[name] for name in names):
            self._came.set()
        self._here.update(names)
        try:
            yield
        finally:
            self._here.subtract(names)
            self._here += Counter()  # drops those that are not there any more

    async def announce(self) -> None:
        """Announce once who is connected.

        Raises:
            LogUnavailable: the store does not answer.
        """
        self._came.clear()
        names = sorted(self._here)
        for begin in range(0, len(names), MOST):
            some = names[begin : begin + MOST]
            await self._caller.call(_CONNECT, [self._key], [self._holds_ms, *some])

    async def run(self) -> None:
        """Announce for ever; survives restarts of the store."""
        while True:
            try:
                await self.announce()
            except LogUnavailable as error:
                _log.debug("connections_not_announced", reason=str(error))
                await asyncio.sleep(ANNOUNCE_S)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ANNOUNCE_S):
                    await self._came.wait()

    async def at(self, places: Sequence[tuple[str, str]]) -> list[Connection]:
        """How each of some players is connected, as seen from the table of a game.

        Args:
            places: a player and a game each.

        Raises:
            LogUnavailable: the store does not answer.
        """
        if not places:
            return []
        names = [*(player for player, _ in places), *(_at_table(*place) for place in places)]
        found = await self._caller.call(_CONNECTED, [self._key], [self._holds_ms, *names])
        pairs = zip(found[: len(places)], found[len(places) :], strict=True)
        return ["here" if here else "away" if there else "disconnected" for there, here in pairs]


def _at_table(player: str, game: str) -> str:
    return f"{player} {game}"
