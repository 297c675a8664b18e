"""Rate limits: a leaky bucket for each caller and budget, which all processes share.

A process lets requests in from a bucket of its own, which holds and refills by its share of the
budget: the budget divided by the number of live processes. No request waits for the store. Twice a
second, or as soon as a bucket runs low, the process settles in the background what it has let pass
with the bucket in the store, and takes its share of what is left there; so who asks one process
alone gets nearly the whole budget from it. While the store does not answer, the shares hold.

What the others hold at that moment is not known, so a caller who plays them off against each other
may get up to a bucket more at once. It then owes that: in the long run nobody gets more than the
budget.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Literal

import structlog
from msgspec import Struct

from events.clients import Client
from events.scripts import Caller, LogUnavailable, load_script

Budget = Literal["commands", "reads", "registrations"]

SETTLE_S: Final = 0.5
"""Seconds between two settlements of what was spent."""

_SETTLE: Final = load_script("gcra.lua", "service")
_MINUTE_US = 60_000_000
_PAUSE_S = 0.02
"""The least pause between two settlements, however low the buckets run."""
_KEPT = 20_000
_SECOND_US = 1_000_000
_log = structlog.get_logger(__name__)


class Rate(Struct, frozen=True):
    """A budget: so many requests a minute, of which ``burst`` may come at once."""

    per_minute: int
    burst: int

    @property
    def pace_us(self) -> int:
        """Microseconds for one request."""
        return max(1, _MINUTE_US // self.per_minute)

    @property
    def window_s(self) -> int:
        """Seconds in which an empty bucket fills."""
        return math.ceil(self.burst * self.pace_us / _SECOND_US)


def rate(per_minute: int) -> Rate:
    """The rate of a setting: a quarter of a minute's requests may come at once."""
    return Rate(per_minute, max(1, per_minute // 4))


class Verdict(Struct, frozen=True, gc=False):
    """Whether a request is let in (``wait_s`` 0), or after how many seconds it may be.

    ``standing`` is the value of the ``RateLimit`` header (draft-ietf-httpapi-ratelimit-headers-10):
    what is left here, and the seconds until all of it is.
    """

    wait_s: int
    standing: bytes


class _Bucket(Struct):
    """A process's share of a caller's bucket: tokens ``left`` at the time ``at`` (seconds).

    ``spent`` since the last settlement; ``low``: at how many left it is settled at once.
    """

    left: float
    at: float
    low: float
    spent: int = 0


class _Share(Struct, frozen=True, gc=False):
    """A process's share: how many tokens its bucket holds, seconds for one, the header's form."""

    full: float
    pace_s: float
    standing: bytes


Name = tuple[Budget, str]


class Limits:
    """Spends tokens of callers' budgets. Belongs to the client's event loop.

    Args:
        client: the store.
        rates: the budgets.
        prefix: stands before every key.
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
        self._buckets: OrderedDict[Name, _Bucket] = OrderedDict()
        self._unsettled: set[Name] = set()
        self._run_low = asyncio.Event()

    def spend(self, budget: Budget, who: str) -> Verdict:
        """Take one token of ``who``'s budget, if there is one."""
        now = self._clock()
        processes = self._processes()
        share = self._shares.get((budget, processes)) or self._share(budget, processes)
        name = (budget, who)
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = _Bucket(share.full, now, share.full / 2)
            self._forget_one()
        left = bucket.left + (now - bucket.at) / share.pace_s
        left = min(left, share.full)
        bucket.at = now
        self._unsettled.add(name)
        wait_s = 0
        if left >= 1:
            left -= 1
            bucket.spent += 1
        else:
            wait_s = max(1, math.ceil((1 - left) * share.pace_s))
        bucket.left = left
        if left < bucket.low and bucket.spent:
            self._run_low.set()
        whole_s = math.ceil((share.full - left) * share.pace_s)
        return Verdict(wait_s, share.standing % (max(0, left), whole_s))

    def _share(self, budget: Budget, processes: int) -> _Share:
        """What one of so many processes has of a bucket, made once for each number of them."""
        rate = self.rates[budget]
        made = self._shares[budget, processes] = _Share(
            max(1.0, rate.burst / processes),
            rate.pace_us * processes / _SECOND_US,
            b'"%b";r=%%d;t=%%d' % budget.encode(),
        )
        return made

    def _forget_one(self) -> None:
        """Of too many buckets, forget the one that was settled longest ago."""
        if len(self._buckets) > _KEPT:
            name, _ = self._buckets.popitem(last=False)
            self._unsettled.discard(name)

    async def run(self) -> None:
        """Settle for ever; outlives restarts of the store."""
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
        """Settle once: tell the store what was spent, and take a share of what is left there.

        Raises:
            LogUnavailable: the store does not answer; what was spent is settled the next time.
        """
        self._run_low.clear()
        names, self._unsettled = self._unsettled, set()
        found = await asyncio.gather(*map(self._settle, names), return_exceptions=True)
        for failure in found:
            if isinstance(failure, BaseException):
                raise failure

    async def _settle(self, name: Name) -> None:
        budget, who = name
        bucket = self._buckets[name]
        rate, spent = self.rates[budget], bucket.spent
        bucket.spent = 0
        key = f"{self._prefix}rate:{budget}:{who}"
        try:
            room = await self._caller.call(_SETTLE, [key], [spent, rate.pace_us, rate.burst])
        except BaseException:
            bucket.spent += spent
            self._unsettled.add(name)
            raise
        if name not in self._buckets:  # forgotten meanwhile
            return
        shares, left = self._processes(), room / 1000
        # With less than a token for each, one of them would never let anything in.
        share = left / shares if left > shares else min(left, 1.0)
        bucket.left, bucket.at = share - bucket.spent, self._clock()
        bucket.low = share / 2
        self._buckets.move_to_end(name)
