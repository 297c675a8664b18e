"""Which processes of the API take requests, and whose limits by address an operator has lifted.

Each process announces itself every second and hears in the same call what it must know of the
others: how many they are (rate limits share a caller's budget between them) and which addresses are
free of limits for a day. The clock reads here since when commands have been accepted without a
break. Nothing here is truth: the keys may be lost at any time.

==================  ==========  ==================================================================
``{api}:live``      sorted set  process -> time of its last announcement, in ms
``{api}:since``     sorted set  process -> since when it has accepted commands without a break, ms
``{api}:last``      string      the last announcement of any process, in ms
``{api}:lifted``    sorted set  name of an address -> time at which its lift ends, in ms
==================  ==========  ==================================================================

All times are the store's.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any, Final

import structlog
from msgspec import Struct
from redis.exceptions import RedisError

from events.clients import Client
from events.kernel import Millis
from events.scripts import Caller, LogUnavailable, Word, load_script

ANNOUNCE_S: Final = 1.0
"""Seconds between two announcements of a process."""

HOLDS_MS: Final[Millis] = 5000
"""How long a process counts as there after its last announcement."""

LIFT_MS: Final[Millis] = 24 * 3600 * 1000
"""How long an address stays lifted."""

_ANNOUNCE = load_script("announce.lua", "projections")
_log = structlog.get_logger(__name__)


class Around(Struct, frozen=True):
    """What a process knows of the others: how many there are (at least 1), and the lifted names."""

    processes: int = 1
    lifted: frozenset[str] = frozenset()


class Accepting(Struct, frozen=True):
    """Whether commands can be accepted, as far as the processes of the API say.

    ``ever``: some process has announced itself in the life of this store. ``since``: the time from
    which one has accepted commands without a break; None: none does now.
    """

    ever: bool
    since: Millis | None


class Presence:
    """Announces one process. Belongs to the client's event loop.

    Args:
        client: the store.
        prefix: stands before every key.
        accepts: whether this process accepts commands now.

    Attributes:
        around: what was last heard; while the store does not answer it stays as it was.
        since: since when this process has accepted commands without a break; None: it does not.
    """

    def __init__(
        self, client: Client, prefix: str = "", accepts: Callable[[], bool] = lambda: True
    ) -> None:
        self.around = Around()
        self.since: Millis | None = None
        self._client = client
        self._caller = Caller(client)
        self._accepts = accepts
        self._live, self._since, self._last, self._lifted = (
            f"{prefix}{{api}}:{name}" for name in ("live", "since", "last", "lifted")
        )
        self._process = secrets.token_hex(8)
        self._changes = 0

    async def announce(self) -> None:
        """Say once that this process is there, and hear what is around.

        Raises:
            LogUnavailable: the store does not answer.
        """
        keys = [self._live, self._since, self._last, self._lifted]
        says: list[Word] = [self._process, HOLDS_MS, "1" if self._accepts() else "0"]
        before = self._changes
        count, since, lifted = await self._caller.call(_ANNOUNCE, keys, says)
        names = frozenset(name.decode() for name in lifted)
        if self._changes != before:  # what was changed here meanwhile may not be in the answer
            names = self.around.lifted
        self.around = Around(max(1, count), names)
        self.since = since or None

    async def run(self) -> None:
        """Announce for ever; outlives restarts of the store."""
        while True:
            try:
                await self.announce()
            except LogUnavailable as error:
                self.since = None
                _log.debug("not_announced", reason=str(error))
            await asyncio.sleep(ANNOUNCE_S)

    async def leave(self) -> None:
        """Say that this process takes no more requests.

        Raises:
            LogUnavailable: the store does not answer.
        """
        for key in (self._live, self._since):
            await self._caller.command("ZREM", key, self._process)

    async def accepting(self) -> Accepting:
        """Whether, and since when, any process accepts commands.

        Raises:
            LogUnavailable: the store does not answer.
        """
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                pipeline.time()
                pipeline.get(self._last)
                pipeline.zrange(self._live, 0, -1, withscores=True)
                pipeline.zrange(self._since, 0, -1, withscores=True)
                found: list[Any] = await pipeline.execute()
        except RedisError as error:
            raise LogUnavailable(str(error)) from error
        (seconds, micros), last, live, since = found
        holds = seconds * 1000 + micros // 1000 - HOLDS_MS
        there = {name for name, at in live if at > holds}
        begun = [int(at) for name, at in since if name in there]
        return Accepting(last is not None, min(begun, default=None))

    async def lift(self, *names: str, until: Millis) -> None:
        """Lift the limits by address for the addresses of these names.

        Raises:
            LogUnavailable: the store does not answer.
        """
        pairs = [word for name in names for word in (until, name)]
        await self._caller.command("ZADD", self._lifted, *pairs)
        self._changes += 1
        self.around = Around(self.around.processes, self.around.lifted | set(names))

    async def lower(self, *names: str) -> None:
        """Take a lift back.

        Raises:
            LogUnavailable: the store does not answer.
        """
        await self._caller.command("ZREM", self._lifted, *names)
        self._changes += 1
        self.around = Around(self.around.processes, self.around.lifted - set(names))
