"""Locks within a process: one command at a time for each stream, first come, first served.

So the commands of one process never race one another, and the longest-waiting one is next.
"""

from __future__ import annotations

import asyncio
from collections import deque

_Queue = deque[asyncio.Future[None]]


class StreamLocks:
    """The stream locks. Belongs to one event loop; takes memory only for streams in use."""

    def __init__(self) -> None:
        self._queues: dict[str, _Queue] = {}

    def __len__(self) -> int:
        """How many streams are locked."""
        return len(self._queues)

    async def take(self, stream: str) -> None:
        """Wait for the lock; it must be given back."""
        queue = self._queues.get(stream)
        if queue is None:
            self._queues[stream] = deque()
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was granted at that very moment
                self.give_back(stream)
            raise

    def give_back(self, stream: str, pause_s: float = 0.0) -> None:
        """Release the lock, after a pause that lets another process go first."""
        if pause_s:
            asyncio.get_running_loop().call_later(pause_s, self.give_back, stream)
            return
        queue = self._queues[stream]
        while queue:
            turn = queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        del self._queues[stream]
