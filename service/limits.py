"""Rate limits: a leaky bucket for each caller and budget, kept in the store for all processes.

A process takes tokens from a bucket by the handful and spends them without asking again, so most
requests cost no call to the store. What it has not spent after a second is lost: several processes
together may so refuse a little early, and never too late.
"""

from __future__ import annotations

import asyncio
import hashlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from importlib.resources import files
from typing import Final, Literal
from weakref import WeakValueDictionary

from msgspec import Struct

from events.clients import Client
from events.scripts import Caller, Script
from service.problems import Refused

Budget = Literal["commands", "reads", "registrations"]

_TEXT: Final = files("service").joinpath("gcra.lua").read_text(encoding="utf-8")
_SCRIPT: Final = Script(_TEXT, hashlib.sha1(_TEXT.encode(), usedforsecurity=False).hexdigest())
_MINUTE_US = 60_000_000
_HANDFUL_S = 1.0
_KEPT = 10_000


class Rate(Struct, frozen=True):
    """A budget: so many requests a minute, of which ``burst`` may come at once."""

    per_minute: int
    burst: int

    @property
    def pace_us(self) -> int:
        """Microseconds for one request."""
        return max(1, _MINUTE_US // self.per_minute)

    @property
    def handful(self) -> int:
        """How many tokens a process takes at a time."""
        return max(1, self.burst // 8)


def rate(per_minute: int) -> Rate:
    """The rate of a setting: a quarter of a minute's requests may come at once."""
    return Rate(per_minute, max(1, per_minute // 4))


class _Handful(Struct):
    left: int
    until: float


class Limits:
    """Spends tokens of callers' budgets.

    Args:
        client: the store.
        rates: the budgets.
        prefix: stands before every key.
        clock: monotonic seconds; only for how long a handful is good.
    """

    def __init__(
        self,
        client: Client,
        rates: dict[Budget, Rate],
        prefix: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._caller = Caller(client)
        self.rates = rates
        self._prefix = prefix
        self._clock = clock
        self._held: OrderedDict[tuple[Budget, str], _Handful] = OrderedDict()
        self._locks: WeakValueDictionary[tuple[Budget, str], asyncio.Lock] = WeakValueDictionary()

    async def spend(self, budget: Budget, who: str) -> None:
        """Take one token of ``who``'s budget.

        Raises:
            Refused: rate-limited, with ``Retry-After``.
            LogUnavailable: the store does not answer.
        """
        name = (budget, who)
        if self._spend_held(name):
            return
        # One at a time: each of many would take a handful, and the last would find none.
        async with self._lock(name):
            if not self._spend_held(name):
                await self._refill(name)

    def _spend_held(self, name: tuple[Budget, str]) -> bool:
        """Take one of the tokens that are here, if there are any."""
        held = self._held.get(name)
        if held is None or not held.left or self._clock() >= held.until:
            return False
        held.left -= 1
        return True

    async def _refill(self, name: tuple[Budget, str]) -> None:
        """Take a handful, and spend one of it."""
        budget, who = name
        now = self._clock()
        given, wait_us = await self._take(budget, who)
        if not given:
            seconds = max(1, math.ceil(wait_us / 1_000_000))
            detail = f"the budget for {budget} is spent; try again in {seconds} s"
            raise Refused("rate-limited", detail, headers={"Retry-After": str(seconds)})
        self._held[name] = _Handful(given - 1, now + _HANDFUL_S)
        self._held.move_to_end(name)
        if len(self._held) > _KEPT:
            self._held.popitem(last=False)

    def _lock(self, name: tuple[Budget, str]) -> asyncio.Lock:
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = asyncio.Lock()
        return lock

    async def _take(self, budget: Budget, who: str) -> tuple[int, int]:
        """Tokens given, and microseconds until there are any."""
        rate = self.rates[budget]
        key = f"{self._prefix}rate:{budget}:{who}"
        given, wait_us = await self._caller.call(
            _SCRIPT, [key], [rate.handful, rate.pace_us, rate.burst]
        )
        return int(given), int(wait_us)
