"""Which API processes take requests, and for which addresses an operator has lifted limits.

Each process announces itself every second and learns in the same call what it must know of the
others: how many there are (rate limits divide a caller's budget among them) and which addresses are
exempt from limits for a day. The clock reads here since when commands have been accepted without
interruption. Nothing here is authoritative: the keys may be lost at any time.

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
from typing import Final

from msgspec import Struct

from events.clients import Client
from events.kernel import DurationMs, TimestampMs
from events.logger import get_logger
from events.scripts import Caller, LogUnavailable, Word, load_script

ANNOUNCE_S: Final = 1.0
"""Seconds between two announcements of a process."""

HOLDS_MS: Final[DurationMs] = 5000
"""How long a process counts as present after its last announcement."""

LIFT_MS: Final[DurationMs] = 24 * 3600 * 1000
"""How long an address stays lifted."""

_ACCEPTING = load_script(__package__, "accepting.lua")
_ANNOUNCE = load_script(__package__, "announce.lua")
_log = get_logger(__name__)


class Around(Struct, frozen=True):
    """What a process knows: how many there are (at least 1), and the names of exempt addresses."""

    processes: int = 1
    lifted: frozenset[str] = frozenset()


class Accepting(Struct, frozen=True):
    """Whether commands can be accepted, according to the API processes.

    ``ever``: some process has announced itself since the store exists. ``since``: the time from
    which one has accepted commands without interruption; None: none does now.
    """

    ever: bool
    since: TimestampMs | None

    @property
    def has_stopped(self) -> bool:
        """Whether none does now, though some process has been there."""
        return self.ever and self.since is None


class Presence:
    """Announces one process. Belongs to the client's event loop.

    Args:
        client: the store.
        prefix: stands before every key.
        accepts: whether this process accepts commands now.

    Attributes:
        around: the latest information; it stays as it is while the store does not answer.
        since: since when this process has accepted commands without interruption; None: it does
            not.
    """

    def __init__(
        self, client: Client, prefix: str = "", accepts: Callable[[], bool] = lambda: True
    ) -> None:
        self.around = Around()
        self.since: TimestampMs | None = None
        self._caller = Caller(client)
        self._accepts = accepts
        self._live, self._since, self._last, self._lifted = (
            f"{prefix}{{api}}:{name}" for name in ("live", "since", "last", "lifted")
        )
        self._process = secrets.token_hex(8)
        self._announcing = asyncio.Lock()  # an older announcement must not arrive after a newer one
        self._changes = 0

    async def announce(self) -> None:
        """Announce this process once, and learn of the others.

        Raises:
            LogUnavailable: the store does not answer.
        """
        keys = [self._live, self._since, self._last, self._lifted]
        async with self._announcing:
            says: list[Word] = [self._process, HOLDS_MS, "1" if self._accepts() else "0"]
            before = self._changes
            count, since, lifted = await self._caller.call(_ANNOUNCE, keys, says)
        names = frozenset(name.decode() for name in lifted)
        if self._changes != before:  # changes made here meanwhile may not be in the answer
            names = self.around.lifted
        self.around = Around(max(1, count), names)
        self.since = since or None

    async def run(self) -> None:
        """Announce for ever; survives restarts of the store."""
        while True:
            try:
                await self.announce()
            except LogUnavailable as error:
                self.since = None
                _log.debug("not_announced", reason=str(error))
            await asyncio.sleep(ANNOUNCE_S)

    async def leave(self) -> None:
        """Announce that this process takes no more requests.

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
        keys = [self._live, self._since, self._last]
        ever, since = await self._caller.call(_ACCEPTING, keys, [HOLDS_MS])
        return Accepting(bool(ever), since or None)

    async def lift(self, *names: str, until: TimestampMs) -> None:
        """Exempt the addresses of these names from limits by address.

        Raises:
            LogUnavailable: the store does not answer.
        """
        pairs = [word for name in names for word in (until, name)]
        await self._caller.command("ZADD", self._lifted, *pairs)
        self._changes += 1
        self.around = Around(self.around.processes, self.around.lifted | set(names))

    async def lower(self, *names: str) -> None:
        """End an exemption.

        Raises:
            LogUnavailable: the store does not answer.
        """
        await self._caller.command("ZREM", self._lifted, *names)
        self._changes += 1
        self.around = Around(self.around.processes, self.around.lifted - set(names))
