"""Turns within a process: one command at a time for each stream, first come, first served.

The commands of one process so never fight one another, and whoever has waited longest is next.
"""

from __future__ import annotations

import asyncio
from collections import deque

_Queue = deque[asyncio.Future[None]]


class Turns:
    """Who may work on which stream. Belongs to one event loop; as small as what is waiting."""

    def __init__(self) -> None:
        self._queues: dict[str, _Queue] = {}

    async def take(self, stream: str) -> None:
        """Wait for a turn; every turn that is taken must be given back."""
        queue = self._queues.get(stream)
        if queue is None:
            self._queues[stream] = deque()
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it had come in that very moment
                self.give_back(stream)
            raise

    def give_back(self, stream: str, pause_s: float = 0.0) -> None:
        """The next one's turn; after a pause, so that another process may have its own."""
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
