"""Clock skew: a process whose clock differs too much from the store's does not write.

Every append carries the time at which it was sent and the time at which its command arrived. The
former must be now, by the store's clock; the latter, by which lateness is judged, may be older,
because a slow store is not the player's fault. The store cannot see how long a call was in flight,
so a late call and a slow clock look alike to it. Therefore each process measures its own clock
against that of each primary and can tell the two apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from msgspec import Struct
from redis.asyncio import RedisCluster

from events.clients import NO_ANSWER, Client
from events.kernel import DurationMs, TimestampMs
from events.logger import get_logger
from events.lookout import Lookout
from events.scripts import LogError, LogUnavailable

MEASURE_S: Final = 10.0
"""Seconds between two measurements."""

IN_DOUBT_S: Final = 1.0
"""The same once a clock was found wrong: until the next one the process writes nothing, and where
it was the store's clock that had jumped, ours does not tell when it is right again."""

OLDEST_MS: Final[DurationMs] = 60_000
"""How long an append may be in flight, and how long its command may have waited before that."""

_JUMP_MS: Final[DurationMs] = 500
"""More than a clock under smooth adjustment gains in ``MEASURE_S`` (500 ppm: 5 ms)."""

_STORE: Final = "store"
_log = get_logger(__name__)


class ClockSkew(LogError):
    """This process's clock and the store's differ by more than the tolerance. Nothing happened."""


class Offset(Struct, frozen=True):
    """How far this process's clock is ahead of a primary's, and the error of that, both in ms."""

    ms: float
    error: float

    @property
    def least(self) -> float:
        """The smallest difference that is certain."""
        return max(0.0, abs(self.ms) - self.error)


class ClockGuard(Lookout):
    """Measures this process's clock and decides whether the process may write.

    It measures even while nothing is written (``run``), so that a skew is reported.

    Args:
        client: the store or cluster.
        clock: the time by which this process stamps what it writes, in ms.
        tolerance: by how much it may differ from a primary's, in ms.
        monotonic: seconds that never jump.

    Attributes:
        offsets: the last measurement by primary.
    """

    def __init__(
        self,
        client: Client,
        clock: Callable[[], TimestampMs],
        tolerance: DurationMs,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(MEASURE_S, "clock_not_measured", monotonic)
        self.clock = clock
        self.tolerance = tolerance
        self.offsets: dict[str, Offset] = {}
        self._client = client
        self._base = 0.0
        self._skewed: set[str] = set()

    @property
    def is_right(self) -> bool:
        """Whether the clock agreed with every primary's when it was last measured."""
        return not self._skewed

    @property
    def worst_ms(self) -> float:
        """The largest measured offset from any primary, in ms; positive: this clock is ahead."""
        return max((offset.ms for offset in self.offsets.values()), key=abs, default=0.0)

    def must_look(self) -> bool:
        """Whether the clock is in doubt, so that ``require_right`` has to measure."""
        return bool(self._skewed) or self._is_old()

    def _is_old(self) -> bool:
        """Whether the last measurement was long ago, or the clock has jumped since."""
        jump = self.clock() - self._seconds() * 1000 - self._base
        return self._is_due() or not -_JUMP_MS <= jump <= _JUMP_MS

    def _pause_s(self) -> float:
        return IN_DOUBT_S if self._skewed else MEASURE_S

    async def require_right(self, key: str) -> None:
        """Check that the clock is right before anything is decided or written by it.

        It is measured again if the last measurement is old or the clock has jumped since. While the
        store does not answer, the last measurement stands.

        Args:
            key: one of the keys that would be written; on a cluster it names the primary.

        Raises:
            ClockSkew: it is not.
        """
        if self._is_old():
            await self._look_if_possible()
        if self._skewed and self._primary_of(key) in self._skewed:
            offset = self.offsets[self._primary_of(key)]
            raise ClockSkew(f"this process's clock is {offset.ms:+.0f} ms off the store's")

    async def _look(self) -> None:
        """Measure the offset to each primary; changes for better or worse are logged."""
        self._base = self.clock() - self._looked_at * 1000
        try:
            found = [
                (name, await self._offset(ask)) for name, ask in await _primaries(self._client)
            ]
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        self.offsets = dict(found)
        skewed = {name for name, offset in found if offset.least > self.tolerance}
        for name in sorted(skewed - self._skewed):
            _log.error("clock_skewed", primary=name, offset_ms=round(self.offsets[name].ms))
        for name in sorted(self._skewed - skewed):
            _log.info("clock_right_again", primary=name)
        self._skewed = skewed

    async def _offset(self, ask: Callable[[], Any]) -> Offset:
        """Half the round trip is the error (RFC 5905 §8, without its filters)."""
        sent = self._seconds()
        seconds, micros = await ask()
        trip = (self._seconds() - sent) * 1000
        store = int(seconds) * 1000 + int(micros) / 1000
        return Offset(self.clock() - trip / 2 - store, trip / 2)

    def _primary_of(self, key: str) -> str:
        if not isinstance(self._client, RedisCluster):
            return _STORE
        node = self._client.get_node_from_key(key)
        return "" if node is None else str(node.name)


async def _primaries(client: Client) -> list[tuple[str, Callable[[], Any]]]:
    """Each primary's name, and how to ask it for its time."""
    if not isinstance(client, RedisCluster):
        return [(_STORE, client.time)]
    await client.initialize()
    return [
        (str(node.name), partial(node.execute_command, "TIME")) for node in client.get_primaries()
    ]
