"""An event loop whose clock jumps to the next timer: an hour of waiting takes no time at all.

Nothing outside is waited for, so the same coroutines always run in the same order.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class StandstillError(RuntimeError):
    """Everybody waits for somebody else."""


class _NoSockets(selectors.SelectSelector):
    """Selects nothing, and adds up how long the loop would have waited, in seconds."""

    waited = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for nothing.

        Raises:
            StandstillError: there is no timer, and nothing else can happen.
        """
        if timeout is None:
            raise StandstillError("nothing is left that could happen")
        self.waited += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop that never waits; ``time`` is how long it would have waited, in seconds."""

    def __init__(self) -> None:
        self._virtual = _NoSockets()
        super().__init__(self._virtual)

    def time(self) -> float:
        """Seconds since the loop was made."""
        return self._virtual.waited


def run_virtually(main: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, in virtual time; whatever it leaves behind is dropped.

    Raises:
        StandstillError: it waits for what cannot happen.
    """
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(main)
    finally:
        _cancel_all(loop)
        loop.close()


def _cancel_all(loop: asyncio.AbstractEventLoop) -> None:
    """Let tasks that are left end, as ``asyncio.run`` does."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
