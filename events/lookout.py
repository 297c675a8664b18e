"""Polling the store for ever, whether it answers or not."""

from __future__ import annotations

import asyncio
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable

from events.logger import get_logger
from events.scripts import LogUnavailable

_log = get_logger(__name__)


class Lookout(ABC):
    """Something that polls the store and knows its state as of the last poll.

    Args:
        every_s: seconds between two polls.
        unseen: what is logged, for debugging, when the store does not answer.
        seconds: a clock that never jumps.
    """

    def __init__(
        self, every_s: float, unseen: str, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._every_s = every_s
        self._unseen = unseen
        self._seconds = seconds
        self._looked_at = -math.inf
        self._turn = asyncio.Lock()

    async def look(self) -> None:
        """Look once. What has changed is logged.

        Looks take turns: one that began earlier and saw less must not have the last word.

        Raises:
            LogUnavailable: the store does not answer.
        """
        self._looked_at = self._seconds()  # nobody else need wait for a turn
        async with self._turn:
            self._looked_at = self._seconds()
            await self._look()

    @abstractmethod
    async def _look(self) -> None:
        """As ``look``; ``_looked_at`` is now."""

    async def look_unless_lately(self) -> None:
        """Look if the last look is old, for callers that run nothing in the background."""
        if self._is_due():
            await self._look_if_possible()

    def _is_due(self) -> bool:
        """Whether the last look is old."""
        return self._seconds() - self._looked_at >= self._pause_s()

    async def run(self) -> None:
        """Look for ever; survives restarts of the store."""
        while True:
            await self._look_if_possible()
            await asyncio.sleep(self._pause_s())

    def _pause_s(self) -> float:
        """How long the last look is good now, in seconds; so long ``run`` waits."""
        return self._every_s

    async def _look_if_possible(self) -> None:
        """Look; if the store does not answer, the result of the last look stands."""
        try:
            await self._look_anyhow()
        except LogUnavailable as error:
            _log.debug(self._unseen, reason=str(error))

    async def _look_anyhow(self) -> None:
        """As ``look``, but handles every failure itself except a store that does not answer."""
        await self.look()
