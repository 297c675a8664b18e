"""Bytes that take a while to make: each made once, in a thread, and kept for whoever asks next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from events.lru import SizedLruCache

_TOGETHER: Final = 8


class MadeOnce:
    """Makes bytes by name, and caches them. Belongs to one event loop.

    Args:
        kept: the maximum size of the cache in bytes.
        together: how many are made at the same time; the others wait for their turn.
    """

    def __init__(self, kept: int, together: int = _TOGETHER) -> None:
        self._most = kept
        self._made: SizedLruCache[str, bytes] = SizedLruCache(kept, len)
        self._making: dict[str, asyncio.Future[bytes]] = {}
        self._turns = asyncio.Semaphore(together)

    @property
    def size(self) -> int:
        """The size of the cache in bytes."""
        return self._made.size

    async def get(self, name: str, make: Callable[[], bytes]) -> bytes:
        """What ``make`` makes, which is called in a thread unless it is known by ``name``."""
        made = self._made.use(name)
        if made is not None:
            return made
        task = self._making.get(name)
        if task is None:
            task = self._making[name] = asyncio.ensure_future(self._make(name, make))
        # Others may be waiting for it even if this caller has gone.
        return await asyncio.shield(task)

    async def _make(self, name: str, make: Callable[[], bytes]) -> bytes:
        try:
            async with self._turns:
                made = await asyncio.to_thread(make)
        finally:
            del self._making[name]
        if len(made) <= self._most:
            self._made.keep(name, made)
        return made
