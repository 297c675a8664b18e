"""The hub of a process: it follows all feeds and wakes whoever waits for a stream to move.

One blocking read serves any number of waiters. The hub remembers how far each stream has come
since it started; what it has forgotten or never seen costs a waiter a look at the store, never a
missed event, because waiting always begins after a read: an append after that read is either seen
already or still to come. It outlives restarts of the store: it goes on from the last pointer, and
where the feed is not what it was, it starts anew and tells everybody to look again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import structlog
from msgspec import Struct

from events.feed import FeedBroken, Pointer
from events.log import StreamLog
from events.scripts import LogUnavailable
from events.tasks import end_tasks

Subscriber = Callable[[Pointer | None], None]
"""Is told each pointer in turn; None: anything may have changed. It must not block nor raise."""

STREAMS_KEPT: Final = 100_000
_PAUSES_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
_log = structlog.get_logger(__name__)


class _Waiter(Struct, eq=False):
    beyond: int
    moved: asyncio.Future[bool]


class Hub:
    """Follows the feeds from the moment of ``start``. Belongs to the log's event loop.

    Args:
        log: whose feeds.
        kept: how many streams' last versions are remembered.
    """

    def __init__(self, log: StreamLog, kept: int = STREAMS_KEPT) -> None:
        self._log = log
        self._kept = kept
        self._seen: dict[int, int] = {}
        self._last: OrderedDict[str, int] = OrderedDict()
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
        """Whether it lets go of whoever waits, because the process ends."""
        return self._closing

    async def start(self) -> None:
        """Begin to follow. When this returns, nothing that is appended later is missed.

        Raises:
            LogUnavailable: the store does not answer.
        """
        self._seen = await self._log.feed_ends()
        self._healthy = True
        self._task = asyncio.create_task(self._run(), name="hub")

    async def stop(self) -> None:
        """Stop following and let every waiter go at once, with the answer False."""
        self._closing = True
        self._healthy = False
        for stream in list(self._waiters):
            for waiter in self._waiters[stream]:
                _settle(waiter, moved=False)
        if self._task is not None:
            await end_tasks(self._task)

    def last_version(self, stream: str) -> int:
        """The newest version that was seen of a stream; 0: none was."""
        return self._last.get(stream, 0)

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Tell ``subscriber`` every pointer from now on; call the answer to stop that."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    async def wait(self, stream: str, beyond_version: int, timeout_s: float) -> bool:
        """Wait until ``stream`` has moved beyond a version that the caller has just read.

        False: it did not within ``timeout_s`` seconds, or the hub is stopping. True may be a false
        alarm after trouble with the store: the caller reads again and sees.
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
        """Follow until the end; whatever ends it shows in ``healthy``."""
        try:
            await self._follow()
        except Exception:
            _log.exception("hub_failed")
            raise
        finally:
            self._healthy = False

    async def _follow(self) -> None:
        """Follow, and begin again after trouble, a little later each time."""
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
        """See that the store is back and where its feeds stand."""
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
        """Forget the position; whoever waits looks for himself."""
        self._seen = {}
        self._last.clear()

    def _look_again(self) -> None:
        """Tell everybody that anything may have changed."""
        for waiters in self._waiters.values():
            for waiter in waiters:
                _settle(waiter, moved=True)
        self._tell(None)

    def _saw(self, pointer: Pointer) -> None:
        self._seen[pointer.shard] = pointer.seq
        stream, version = pointer.stream, pointer.version
        self._last[stream] = version
        self._last.move_to_end(stream)
        if len(self._last) > self._kept:
            self._last.popitem(last=False)
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
