"""Follows feeds for a process, those that somebody in it wants, and wakes tasks that wait.

A shard is followed from when the first task waits for one of its streams, or asks whether all that
happens to one is learnt of. When nobody has wanted it for a while, it is left again. So a process
reads its share of what happens, and one in which nobody waits reads nothing.

One reader serves any number of waiters. It remembers how far each stream has come since its shard
is followed; what it has forgotten or never seen costs a waiter one read of the store, never a
missed event: that read comes after the beginning of following, so an append that it does not see is
still to come. It survives restarts of the store: it continues from the last pointer, and if a feed
has changed, it starts again and tells every waiter to read again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from events.feed import Began, FeedBroken, Following, Pointer
from events.log import StreamLog
from events.logger import get_logger
from events.lru import LruCache
from events.pauses import pause_s
from events.scripts import LogUnavailable
from events.tasks import end_tasks


class Gap(Struct, frozen=True):
    """Pointers of a shard were not told up to now: it was not followed, or is so no longer."""

    shard: int


Subscriber = Callable[[Pointer | Gap | None], None]
"""Called with each pointer of a followed shard in turn; with a ``Gap`` when a shard begins or ends
to be followed; None: anything may have changed. Must not block or raise."""

STREAMS_KEPT: Final = 100_000

GRACE_S: Final = 10.0
"""A shard that nobody wants is left after one to two such times."""

_PATIENCE_S: Final = 1.0
"""How long somebody who need not wait for a shard does so."""

_log = get_logger(__name__)


Moved = Callable[[int | None], None]
"""Called with the version that a stream has come to; None: it may have come further than is known.
Must not block or raise."""


class _Waiter(Struct, eq=False):
    beyond: int
    moved: asyncio.Future[bool]


class _Followed:
    """A shard that is followed, or is about to be.

    Attributes:
        last: how far streams have come, all that has happened since to them being known.
        claims: how many tasks need it now.
        used: whether anybody has wanted it lately.
        stands: set while it is known from where it is followed.
    """

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self.claims = 0
        self.used = True
        self.stands = asyncio.Event()
        self.forget()

    def forget(self) -> None:
        """The history is another one."""
        self.last: LruCache[str, int] = LruCache(self._kept)


class FeedSubscriber:
    """Follows the wanted feeds from ``start`` on. Belongs to the log's event loop.

    Args:
        log: the log whose feeds are followed.
        kept: how many streams' last versions are remembered.
        accounts: whether those of accounts are followed, not those of all streams.
    """

    def __init__(self, log: StreamLog, kept: int = STREAMS_KEPT, *, accounts: bool = False) -> None:
        self._log = log
        self._feed = log.accounts if accounts else log.pointers
        self._kept = max(1, kept // len(self._feed.shards))
        self._following = Following(self._feed, is_told=not accounts)
        self._followed: dict[int, _Followed] = {}
        self._waiters: dict[str, set[_Waiter]] = {}
        self._watches: dict[str, list[Moved]] = {}
        self._subscribers: list[Subscriber] = []
        self._task: asyncio.Task[None] | None = None
        self._sweeping: asyncio.TimerHandle | None = None
        self._healthy = False
        self._is_anew = False
        self._closing = False

    @property
    def healthy(self) -> bool:
        """Whether all that is wanted is being followed right now, as far as is known."""
        return self._healthy

    @property
    def stopping(self) -> bool:
        """Whether it releases all waiters because the process is stopping."""
        return self._closing

    @property
    def shards(self) -> frozenset[int]:
        """The shards that are followed."""
        return frozenset(self._followed)

    async def start(self) -> None:
        """Start following what is wanted: now, or as soon as the store answers.

        A store may answer what it is asked at a start, and nothing a moment later: while a failover
        goes on, the process starts as it would go on if it had been running.
        """
        try:
            await self._feed.ends()
        except LogUnavailable as error:
            _log.warning("feeds_lost_store", reason=str(error))
        else:
            self._healthy = True
        self._task = asyncio.create_task(self._run(), name="feeds")
        self._sweep_later()

    async def stop(self) -> None:
        """Stop following and release every waiter at once with False."""
        self._closing = True
        self._healthy = False
        if self._sweeping is not None:
            self._sweeping.cancel()
        for followed in self._followed.values():
            followed.stands.set()
        for stream in list(self._waiters):
            for waiter in self._waiters[stream]:
                _settle(waiter, moved=False)
        if self._task is not None:
            await end_tasks(self._task)

    def last_version(self, stream: str) -> int:
        """The newest known version of a stream; 0 if none is known."""
        followed = self._followed.get(self._feed.shard_of(stream))
        return 0 if followed is None else followed.last.get(stream) or 0

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Pass every pointer to ``subscriber`` from now on; call the result to unsubscribe."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    def appended(self, pointer: Pointer) -> None:
        """This process has appended something: who waits for it need not wait for a bell."""
        followed = self._followed.get(pointer.shard)
        if followed is None or not (self._healthy and followed.stands.is_set()):
            return
        if self._following.appended(pointer):
            self._saw(pointer)

    @contextlib.contextmanager
    def claimed(self, shard: int) -> Iterator[None]:
        """Within the context, a shard is followed, as soon as that can be."""
        followed = self._want(shard)
        followed.claims += 1
        try:
            yield
        finally:
            followed.claims -= 1
            followed.used = True

    @contextlib.contextmanager
    def claimed_of(self, stream: str) -> Iterator[None]:
        """As ``claimed``, of a stream's shard."""
        with self.claimed(self._feed.shard_of(stream)):
            yield

    def hears(self, stream: str) -> bool:
        """Whether all that happens to a stream is learnt of now. Asking keeps it so."""
        followed = self._followed.get(self._feed.shard_of(stream))
        if followed is None:
            return False
        followed.used = True
        return self._healthy and followed.stands.is_set()

    async def follow(self, stream: str) -> bool:
        """Follow a stream's shard: whether all that happens from now on to it is learnt of.

        False: not now, because the store does not answer.
        """
        return self.hears(stream) or await self.stands(self._feed.shard_of(stream))

    async def stands(self, shard: int) -> bool:
        """As ``follow``, of a shard."""
        followed = self._want(shard)
        if self._healthy:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE_S):
                    await followed.stands.wait()
        return self._healthy and followed.stands.is_set()

    @contextlib.contextmanager
    def watched(self, stream: str, moved: Moved) -> Iterator[None]:
        """Within the context, a stream is followed, and ``moved`` is told how far it has come.

        It is told so for the first time once all that happens from then on is learnt of, which may
        be at once. Whoever reads as far as it was last told misses nothing; told of None, one reads
        to the end.
        """
        shard = self._feed.shard_of(stream)
        with self.claimed(shard):
            self._watches.setdefault(stream, []).append(moved)
            try:
                if self._followed[shard].stands.is_set():
                    moved(self._followed[shard].last.get(stream))
                yield
            finally:
                self._watches[stream].remove(moved)
                if not self._watches[stream]:
                    del self._watches[stream]

    async def wait(self, stream: str, beyond_version: int, timeout_s: float) -> bool:
        """Wait until ``stream`` has moved beyond a version that the caller has just read.

        False: it did not within ``timeout_s`` seconds, or the process is stopping. True may be a
        false alarm after trouble with the store: the caller reads again and sees.
        """
        if self.last_version(stream) > beyond_version:
            return True
        if self._closing or timeout_s <= 0:
            return False
        shard = self._feed.shard_of(stream)
        with self.claimed(shard):
            try:
                async with asyncio.timeout(timeout_s):
                    return await self._moves(stream, self._followed[shard], beyond_version)
            except TimeoutError:
                return False

    async def _moves(self, stream: str, followed: _Followed, beyond: int) -> bool:
        """Follow, then read, then wait: in this order nothing is missed."""
        await followed.stands.wait()
        if followed.last.get(stream) is None and not await self._look(stream, followed):
            return not self._closing
        if self._closing:  # ``stop`` has settled the waiters, and this is none yet
            return False
        if (followed.last.get(stream) or 0) > beyond:
            return True
        waiter = _Waiter(beyond, asyncio.get_running_loop().create_future())
        self._waiters.setdefault(stream, set()).add(waiter)
        try:
            return await waiter.moved
        finally:
            self._leave(stream, waiter)

    async def _look(self, stream: str, followed: _Followed) -> bool:
        """Read how far a stream of a followed shard has come; False: that is not known."""
        last = followed.last
        try:
            head = await self._log.head(stream)
            shown = head and await self._log.shown(stream, head.version, head.hash)
        except LogUnavailable:
            return False
        if followed.last is not last:  # what was read may be of another history
            return False
        last.keep(stream, max(shown or 0, last.get(stream) or 0))
        return True

    def _leave(self, stream: str, waiter: _Waiter) -> None:
        waiting = self._waiters[stream]
        waiting.discard(waiter)
        if not waiting:
            del self._waiters[stream]

    def _want(self, shard: int) -> _Followed:
        followed = self._followed.get(shard)
        if followed is None:
            followed = self._followed[shard] = _Followed(self._kept)
            self._following.add(shard)
        followed.used = True
        return followed

    def _sweep_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._sweeping = loop.call_later(GRACE_S, self._sweep_again)

    def _sweep_again(self) -> None:
        self.sweep()
        self._sweep_later()

    def sweep(self) -> None:
        """Leave the shards that nobody has wanted since the last time."""
        for shard, followed in tuple(self._followed.items()):
            if followed.claims:
                continue
            if not followed.used:
                del self._followed[shard]
                self._following.drop(shard)
                self._tell(Gap(shard))
            followed.used = False

    async def _run(self) -> None:
        """Follow until stopped; a failure shows in ``healthy``."""
        try:
            await self._follow()
        except Exception:
            _log.exception("feeds_failed")
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
                async with contextlib.aclosing(self._following.news()) as news:
                    async for each in news:
                        self._take(each)
            except FeedBroken as broken:
                self._healthy = False
                _log.error("feed_broken", reason=str(broken))
                self._start_anew()
            except LogUnavailable as error:
                if self._healthy:
                    _log.warning("feeds_lost_store", reason=str(error))
                self._healthy = False
                await asyncio.sleep(pause_s(tries))
                tries += 1

    async def _resume(self) -> None:
        """Check that the store is back, and find where its feeds stand."""
        ends = await self._feed.ends(self._followed)
        seen = self._following.seen
        if any(end < (seen.get(shard) or 0) for shard, end in ends.items()):
            _log.error("feed_broken", reason="a feed ends before what was read of it")
            self._start_anew()
        for shard, end in ends.items():
            if seen.get(shard, end) is None:
                seen[shard] = end
                self._stand(shard)
        if self._is_anew:
            self._is_anew = False
            self._look_again()
        self._healthy = True
        _log.info("feeds_followed")

    def _start_anew(self) -> None:
        """Forget the positions, and have every waiter read the store."""
        self._is_anew = True
        for shard, followed in self._followed.items():
            self._following.seen[shard] = None
            followed.stands.clear()
            followed.forget()

    def _look_again(self) -> None:
        """Tell all subscribers that anything may have changed."""
        for waiters in self._waiters.values():
            for waiter in waiters:
                _settle(waiter, moved=True)
        for stream in tuple(self._watches):
            self._tell_watches(stream, None)
        self._tell(None)

    def _take(self, news: Pointer | Began) -> None:
        if isinstance(news, Began):
            self._stand(news.shard)
        else:
            self._saw(news)

    def _stand(self, shard: int) -> None:
        self._followed[shard].stands.set()
        for stream in tuple(self._watches):
            if self._feed.shard_of(stream) == shard:
                self._tell_watches(stream, None)
        self._tell(Gap(shard))

    def _saw(self, pointer: Pointer) -> None:
        stream, version = pointer.stream, pointer.version
        self._followed[pointer.shard].last.keep(stream, version)
        for waiter in self._waiters.get(stream, ()):
            if version > waiter.beyond:
                _settle(waiter, moved=True)
        self._tell_watches(stream, version)
        self._tell(pointer)

    def _tell_watches(self, stream: str, version: int | None) -> None:
        for moved in tuple(self._watches.get(stream, ())):
            moved(version)

    def _tell(self, news: Pointer | Gap | None) -> None:
        for subscriber in tuple(self._subscribers):
            subscriber(news)


def _settle(waiter: _Waiter, *, moved: bool) -> None:
    if not waiter.moved.done():
        waiter.moved.set_result(moved)
