"""What one open stream has yet to be sent: a bounded queue from its maker to its sender."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Inbox(Generic[T]):
    """A stream's own queue. Belongs to one event loop.

    ``lost``: it was too slow, or is no longer entitled to what it asked for, and must begin anew;
    ``over``: nothing more will come, because what it follows has ``ended`` or the process does.
    ``beats`` counts the heartbeats that are due; ``doubted``: whoever it is for may have lost the
    right to it, which must be looked up before anything else is sent.

    Args:
        limit: how much may wait, in the unit in which ``push`` weighs.
    """

    def __init__(self, limit: int) -> None:
        self.lost = False
        self.over = False
        self.ended = False
        self.beats = 0
        self.doubted = False
        self._limit = limit
        self._items: deque[tuple[T, int]] = deque()
        self._waiting = 0
        self._news = asyncio.Event()

    def push(self, item: T, weight: int = 1) -> None:
        """Hand it something; too much of it, and it is lost."""
        if self.lost:
            return
        self._items.append((item, weight))
        self._waiting += weight
        if self._waiting > self._limit:
            self.lose()
        self._news.set()

    def lose(self) -> None:
        """Give it up: it must begin anew."""
        self.lost = True
        self._items.clear()
        self._news.set()

    def finish(self, *, ended: bool) -> None:
        """Nothing more will come after what it holds; ``ended``: of what it follows, ever."""
        self.over, self.ended = True, ended
        self._news.set()

    def beat(self) -> None:
        """A heartbeat is due."""
        self.beats += 1
        self._news.set()

    def doubt(self) -> None:
        """Send nothing more before it has been looked up who may still have it."""
        self.doubted = True
        self._news.set()

    async def next(self) -> T | None:
        """What comes next; None where there is nothing but something else has happened."""
        if not self._items:
            if not (self.lost or self.over or self.doubted):
                await self._news.wait()
            self._news.clear()
        if self.doubted or not self._items:
            return None
        item, weight = self._items.popleft()
        self._waiting -= weight
        return item
