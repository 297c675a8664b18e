"""Rate limits: a leaky bucket for each caller and budget, shared by all processes.

A process admits requests from a local bucket, whose size and refill rate are its share of the
budget: the budget divided by the number of live processes. No request waits for the store. Twice a
second, or as soon as a bucket runs low, the process settles in the background what it has admitted
with the bucket in the store, and takes its share of what is left there; so a caller who uses only
one process gets nearly the whole budget from it. While the store does not answer, the shares stay
as they are.

A process does not know what the others hold at that moment, so a caller who spreads requests over
them may get up to one bucket more at once. It then owes that: in the long run nobody exceeds the
budget.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

from events.clients import Client
from events.logger import get_logger
from events.lru import LruCache
from events.scripts import Caller, LogUnavailable, load_script

Budget = Literal["commands", "reads", "registrations"]

SETTLE_S: Final = 0.5
"""Seconds between two settlements of what was spent."""

_SETTLE: Final = load_script(__package__, "gcra.lua")
_MINUTE_US = 60_000_000
_PAUSE_S = 0.02
"""The minimum interval between two settlements, however low the buckets run."""
_KEPT = 20_000
_SECOND_US = 1_000_000
_log = get_logger(__name__)


class Rate(Struct, frozen=True):
    """A budget: requests per minute, of which ``burst`` may be made at once."""

    per_minute: int
    burst: int

    @property
    def pace_us(self) -> int:
        """Microseconds per request."""
        return max(1, _MINUTE_US // self.per_minute)

    @property
    def window_s(self) -> int:
        """Seconds in which an empty bucket fills."""
        return math.ceil(self.burst * self.pace_us / _SECOND_US)


def rate(per_minute: int) -> Rate:
    """The rate of a setting: a quarter of the requests per minute may be made at once."""
    return Rate(per_minute, max(1, per_minute // 4))


class RateVerdict(Struct, frozen=True, gc=False):
    """Whether a request is admitted (``wait_s`` 0), or after how many seconds it may be.

    ``standing`` is the value of the ``RateLimit`` header (draft-ietf-httpapi-ratelimit-headers-10):
    what is left in this process, and the seconds until the budget is full.
    """

    wait_s: int
    standing: bytes


class _Bucket(Struct):
    """A process's share of a caller's bucket: tokens ``left`` at the time ``at`` (seconds).

    ``spent`` since the last settlement; ``low``: the level at which it is settled at once.
    """

    left: float
    at: float
    low: float
    spent: int = 0


class _Share(Struct, frozen=True, gc=False):
    """A process's share: the size of its bucket, seconds per token, the format of the header."""

    full: float
    pace_s: float
    standing: bytes


Name = tuple[Budget, str]


class RateLimits:
    """Spends tokens of callers' budgets. Belongs to the client's event loop.

    Args:
        client: the store.
        rates: the budgets.
        prefix: of every key.
        processes: how many processes share the budgets.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        client: Client,
        rates: dict[Budget, Rate],
        prefix: str = "",
        processes: Callable[[], int] = lambda: 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rates = rates
        self.policies: dict[Budget, bytes] = {
            name: b'"%b";q=%d;w=%d' % (name.encode(), each.burst, each.window_s)
            for name, each in rates.items()
        }
        self._caller = Caller(client)
        self._prefix = prefix
        self._processes = processes
        self._clock = clock
        self._shares: dict[tuple[Budget, int], _Share] = {}
        # When there are too many buckets, the one settled longest ago is evicted.
        self._buckets: LruCache[Name, _Bucket] = LruCache(_KEPT, self._need_not_settle)
        self._unsettled: set[Name] = set()
        self._run_low = asyncio.Event()

    def spend(self, budget: Budget, caller: str, weight: int = 1) -> RateVerdict:
        """Take as many tokens from a caller's budget as a request weighs, if there are so many.

        No request weighs more than a full share has, or it would be refused for ever.
        """
        now = self._clock()
        processes = self._processes()
        share = self._shares.get((budget, processes)) or self._share(budget, processes)
        name = (budget, caller)
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = _Bucket(share.full, now, share.full / 2)
            self._buckets.keep(name, bucket)
        left = bucket.left + (now - bucket.at) / share.pace_s
        left = min(left, share.full)
        bucket.at = now
        self._unsettled.add(name)
        wait_s = 0
        cost = min(weight, int(share.full))
        if left >= cost:
            left -= cost
            bucket.spent += cost
        else:
            wait_s = max(1, math.ceil((cost - left) * share.pace_s))
        bucket.left = left
        if left < bucket.low and bucket.spent:
            self._run_low.set()
        whole_s = math.ceil((share.full - left) * share.pace_s)
        return RateVerdict(wait_s, share.standing % (max(0, left), whole_s))

    def _share(self, budget: Budget, processes: int) -> _Share:
        """The share of one of ``processes`` in a bucket, cached by their number."""
        rate = self.rates[budget]
        made = self._shares[budget, processes] = _Share(
            max(1.0, rate.burst / processes),
            rate.pace_us * processes / _SECOND_US,
            b'"%b";r=%%d;t=%%d' % budget.encode(),
        )
        return made

    def _need_not_settle(self, name: Name, _bucket: _Bucket) -> None:
        self._unsettled.discard(name)

    async def run(self) -> None:
        """Settle periodically, for ever; survives restarts of the store."""
        while True:
            try:
                await self.settle()
            except LogUnavailable as error:
                _log.debug("limits_not_settled", reason=str(error))
            await asyncio.sleep(_PAUSE_S)
            try:
                async with asyncio.timeout(SETTLE_S - _PAUSE_S):
                    await self._run_low.wait()
            except TimeoutError:
                continue

    async def settle(self) -> None:
        """Settle once: report to the store what was spent, and take a share of what is left there.

        Raises:
            LogUnavailable: the store does not answer; what was spent is settled next time.
        """
        self._run_low.clear()
        names, self._unsettled = self._unsettled, set()
        found = await asyncio.gather(*map(self._settle, names), return_exceptions=True)
        for failure in found:
            if isinstance(failure, BaseException):
                raise failure

    async def _settle(self, name: Name) -> None:
        budget, caller = name
        bucket = self._buckets.get(name)
        if bucket is None:  # evicted before its turn
            return
        rate, spent = self.rates[budget], bucket.spent
        bucket.spent = 0
        key = f"{self._prefix}rate:{budget}:{caller}"
        try:
            room = await self._caller.call(_SETTLE, [key], [spent, rate.pace_us, rate.burst])
        except BaseException:
            bucket.spent += spent
            self._unsettled.add(name)
            raise
        if self._buckets.use(name) is None:  # evicted meanwhile
            return
        shares, left = self._processes(), room / 1000
        # With less than one token each, a process would never admit anything.
        share = left / shares if left > shares else min(left, 1.0)
        bucket.left, bucket.at = share - bucket.spent, self._clock()
        bucket.low = share / 2
