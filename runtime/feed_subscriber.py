"""Follows all feeds for a process, and wakes tasks that wait for a stream to move.

One blocking read serves any number of waiters. It remembers how far each stream has come since it
started; what it has forgotten or never seen costs a waiter one read of the store, never a missed
event, because waiting always begins after a read: an append after that read is either already known
or still to come. It survives restarts of the store: it continues from the last pointer, and if the
feed has changed, it starts again and tells every waiter to read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from events.feed import FeedBroken, Pointer
from events.log import StreamLog
from events.logger import get_logger
from events.lru import LruCache
from events.scripts import LogUnavailable
from events.tasks import end_tasks

Subscriber = Callable[[Pointer | None], None]
"""Called with each pointer in turn; None: anything may have changed. Must not block or raise."""

STREAMS_KEPT: Final = 100_000
_PAUSES_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
_log = get_logger(__name__)


class _Waiter(Struct, eq=False):
    beyond: int
    moved: asyncio.Future[bool]


class FeedSubscriber:
    """Follows the feeds from the moment of ``start``. Belongs to the log's event loop.

    Args:
        log: the log whose feeds are followed.
        kept: how many streams' last versions are remembered.
    """

    def __init__(self, log: StreamLog, kept: int = STREAMS_KEPT) -> None:
        self._log = log
        self._seen: dict[int, int] = {}
        self._last: LruCache[str, int] = LruCache(kept)
        self._waiters: dict[str, set[_Waiter]] = {}
        self._subscribers: list[Subscriber] = []
        self._task: asyncio.Task[None] | None = None
        self._healthy = False
        self._closing = False

    @property
    def healthy(self) -> bool:
        """Whether the feeds are being followed right now."""
        return self._healthy

    @property
    def stopping(self) -> bool:
        """Whether it releases all waiters because the process is stopping."""
        return self._closing

    async def start(self) -> None:
        """Start following. Once this returns, no later append is missed.

        Raises:
            LogUnavailable: the store does not answer.
        """
        self._seen = await self._log.feed_ends()
        self._healthy = True
        self._task = asyncio.create_task(self._run(), name="hub")

    async def stop(self) -> None:
        """Stop following and release every waiter at once with False."""
        self._closing = True
        self._healthy = False
        for stream in list(self._waiters):
            for waiter in self._waiters[stream]:
                _settle(waiter, moved=False)
        if self._task is not None:
            await end_tasks(self._task)

    def last_version(self, stream: str) -> int:
        """The newest known version of a stream; 0 if none is known."""
        return self._last.get(stream) or 0

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Pass every pointer to ``subscriber`` from now on; call the result to unsubscribe."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    async def wait(self, stream: str, beyond_version: int, timeout_s: float) -> bool:
        """Wait until ``stream`` has moved beyond a version that the caller has just read.

        False: it did not within ``timeout_s`` seconds, or the process is stopping. True may be a
        false alarm after trouble with the store: the caller reads again and sees.
        """
        if self.last_version(stream) > beyond_version:
            return True
        if self._closing or timeout_s <= 0:
            return False
        waiter = _Waiter(beyond_version, asyncio.get_running_loop().create_future())
        self._waiters.setdefault(stream, set()).add(waiter)
        try:
            async with asyncio.timeout(timeout_s):
                return await waiter.moved
        except TimeoutError:
            return False
        finally:
            self._leave(stream, waiter)

    def _leave(self, stream: str, waiter: _Waiter) -> None:
        waiting = self._waiters[stream]
        waiting.discard(waiter)
        if not waiting:
            del self._waiters[stream]

    async def _run(self) -> None:
        """Follow until stopped; a failure shows in ``healthy``."""
        try:
            await self._follow()
        except Exception:
            _log.exception("hub_failed")
            raise
        finally:
            self._healthy = False

    async def _follow(self) -> None:
        """Follow, and start again after a failure, with growing pauses."""
        tries = 0
        while True:
            try:
                if not self._healthy:
                    await self._resume()
                    tries = 0
                async for pointer in self._log.follow(dict(self._seen)):
                    self._saw(pointer)
            except FeedBroken as broken:
                self._healthy = False
                _log.error("feed_broken", reason=str(broken))
                self._start_anew()
            except LogUnavailable as error:
                if self._healthy:
                    _log.warning("hub_lost_store", reason=str(error))
                self._healthy = False
                await asyncio.sleep(_PAUSES_S[min(tries, len(_PAUSES_S) - 1)])
                tries += 1

    async def _resume(self) -> None:
        """Check that the store is back, and find where its feeds stand."""
        ends = await self._log.feed_ends()
        if any(end < self._seen.get(shard, 0) for shard, end in ends.items()):
            _log.error("feed_broken", reason="a feed ends before what was read of it")
            self._start_anew()
        if not self._seen:
            self._seen = ends
            self._look_again()
        self._healthy = True
        _log.info("hub_follows")

    def _start_anew(self) -> None:
        """Forget the position, and have every waiter read the store."""
        self._seen = {}
        self._last.clear()

    def _look_again(self) -> None:
        """Tell all subscribers that anything may have changed."""
        for waiters in self._waiters.values():
            for waiter in waiters:
                _settle(waiter, moved=True)
        self._tell(None)

    def _saw(self, pointer: Pointer) -> None:
        self._seen[pointer.shard] = pointer.seq
        stream, version = pointer.stream, pointer.version
        self._last.keep(stream, version)
        for waiter in self._waiters.get(stream, ()):
            if version > waiter.beyond:
                _settle(waiter, moved=True)
        self._tell(pointer)

    def _tell(self, pointer: Pointer | None) -> None:
        for subscriber in tuple(self._subscribers):
            subscriber(pointer)


def _settle(waiter: _Waiter, *, moved: bool) -> None:
    if not waiter.moved.done():
        waiter.moved.set_result(moved)
