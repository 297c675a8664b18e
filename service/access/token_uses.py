"""When tokens were last used: to the hour, so that requests write nothing.

A process notes each use in memory, and writes a token at most once an hour. What is kept is no part
of any log, belongs to one account, and is erased with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from events.clients import Client
from events.kernel import DurationMs, TimestampMs
from events.layout import Layout
from events.logger import get_logger
from events.lru import LruCache
from events.scripts import Caller, LogUnavailable
from service.http.principals import OPERATOR, Principal

GRAIN_MS: Final[DurationMs] = 3_600_000
"""How exactly a use is told: the beginning of its hour, UTC."""

WRITE_S: Final = 30.0
"""Seconds between two writings of a process."""

KEPT_MS: Final[DurationMs] = 400 * 24 * GRAIN_MS
"""How long the uses of an account are kept after the last of them."""

_REMEMBERED: Final = 20_000
_log = get_logger(__name__)


class TokenUses:
    """Notes and tells the uses of tokens. Belongs to the client's event loop.

    Args:
        client: the store; must not decode answers.
        layout: names the keys.
        clock: the time in ms.
    """

    def __init__(self, client: Client, layout: Layout, clock: Callable[[], TimestampMs]) -> None:
        self._caller = Caller(client)
        self._layout = layout
        self._clock = clock
        self._known: LruCache[tuple[str, str], TimestampMs] = LruCache(_REMEMBERED)
        self._unwritten: dict[str, dict[str, TimestampMs]] = {}

    def note(self, bearer: Principal) -> None:
        """A token was used now."""
        key, hour = (bearer.player, bearer.token), self._clock() // GRAIN_MS * GRAIN_MS
        if bearer.player != OPERATOR and self._known.use(key) != hour:
            self._known.keep(key, hour)
            self._unwritten.setdefault(bearer.player, {})[bearer.token] = hour

    async def of(self, player: str) -> dict[str, TimestampMs]:
        """When the tokens of a player were last used, by their ids; those that never were lack.

        Raises:
            LogUnavailable: the store does not answer.
        """
        found: Any = await self._caller.command("HGETALL", self._layout.stream(player).uses)
        flat = (
            found.items() if isinstance(found, dict) else zip(found[::2], found[1::2], strict=True)
        )
        written = {token.decode(): int(hour) for token, hour in flat}
        return written | self._unwritten.get(player, {})

    async def write(self) -> None:
        """Write what has been noted.

        Raises:
            LogUnavailable: the store does not answer; what is not written stays noted.
        """
        for player in tuple(self._unwritten):
            uses = self._unwritten[player]
            key = self._layout.stream(player).uses
            words = [word for use in uses.items() for word in use]
            await self._caller.command("HSET", key, *words)
            await self._caller.command("PEXPIRE", key, KEPT_MS)
            if self._unwritten.get(player) == uses:
                del self._unwritten[player]

    async def erase(self, player: str) -> None:
        """Forget the uses of an account that is deleted.

        Raises:
            LogUnavailable: the store does not answer.
        """
        self._unwritten.pop(player, None)
        await self._caller.command("DEL", self._layout.stream(player).uses)

    async def run(self) -> None:
        """Write for ever; survives restarts of the store."""
        while True:
            await asyncio.sleep(WRITE_S)
            try:
                await self.write()
            except LogUnavailable as error:
                _log.debug("token_uses_not_written", reason=str(error))
