"""What one open stream has yet to be sent: a bounded queue from producer to sender."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class SendQueue(Generic[T]):
    """The queue of one stream. Belongs to one event loop.

    ``lost``: it was too slow, or is no longer entitled to what it asked for, and must start again;
    ``over``: nothing more will come, because what it follows has ``ended`` or the process is
    stopping. ``beats`` counts the heartbeats that are due; ``doubted``: the recipient may have lost
    the permission, which must be checked before anything else is sent.

    Args:
        limit: how much may wait, in the unit in which ``push`` weighs.

    Attributes:
        send_now: sends something to a recipient for whom nothing waits, without waiting itself;
            False: that cannot be done, and it waits its turn. None: all wait their turn.
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
        self._is_awaited = False
        self.send_now: Callable[[T], bool] | None = None

    def push(self, item: T, weight: int = 1) -> None:
        """Enqueue something, or send it at once; over the limit the stream is lost."""
        if self.lost:
            return
        # While its sender waits and nobody has told it of anything, all before has been sent, and
        # no permission is in doubt.
        is_idle = self._is_awaited and not self._news.is_set() and weight <= self._limit
        if is_idle and self.send_now is not None and self.send_now(item):
            return
        self._items.append((item, weight))
        self._waiting += weight
        if self._waiting > self._limit:
            self.lose()
        self._news.set()

    def lose(self) -> None:
        """Give the stream up: it must start again."""
        self.lost = True
        self._items.clear()
        self._news.set()

    def finish(self, *, ended: bool) -> None:
        """Nothing more will be enqueued; ``ended``: what it follows is over for good."""
        self.over, self.ended = True, ended
        self._news.set()

    def beat(self) -> None:
        """A heartbeat is due."""
        self.beats += 1
        self._news.set()

    def doubt(self) -> None:
        """Send nothing more until the recipient's permission has been checked."""
        self.doubted = True
        self._news.set()

    async def next(self) -> T | None:
        """The next item; None if there is none but something else has happened."""
        if not self._items:
            if not (self.lost or self.over or self.doubted):
                self._is_awaited = True
                try:
                    await self._news.wait()
                finally:
                    self._is_awaited = False
            self._news.clear()
        if self.doubted or not self._items:
            return None
        item, weight = self._items.popleft()
        self._waiting -= weight
        return item
