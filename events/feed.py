"""The feed of a shard: one pointer for each appended batch, numbered without gaps.

Projections and live delivery read the feeds, remember the last number of each shard and ask for
what follows it. Bells tell them when to (``bells``), and now and then they look without one. A gap
or a step back is never silently skipped: both raise ``FeedBroken``, and the reader must start again
from the streams themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from events.bells import Bells, Ring
from events.clients import Client
from events.kernel import Version
from events.layout import Layout
from events.replication import Replication
from events.scripts import Caller, LogError, LogUnavailable

_PAGE: Final = 512
_QUIET_S: Final = 5.0
"""After such a silence the feeds' ends are read, in case a bell was lost."""


class FeedBroken(LogError):
    """The entry after the last one read is not there: trimmed, lost, or another history."""


class Pointer(Struct, frozen=True):
    """``count`` events brought ``stream`` to ``version``: entry ``seq`` of the shard's feed."""

    shard: int
    seq: int
    stream: str
    version: int
    count: int


class Feed:
    """Reads the feeds of all shards.

    Args:
        client: for short calls.
        bells: say when a feed has moved.
        layout: names the feeds.
        replication: what may be shown; None: everything.
    """

    def __init__(
        self, client: Client, bells: Bells, layout: Layout, replication: Replication | None = None
    ) -> None:
        self._caller = Caller(client, keeps_connection=True)
        self._bells = bells
        self._layout = layout
        self._replication = replication

    async def read(self, shard: int, after: int, limit: int) -> list[Pointer]:
        """At most ``limit`` pointers of a shard after the number ``after``.

        Raises:
            FeedBroken: the next one is missing, or the feed ends before ``after``.
            LogUnavailable: the store does not answer.
        """
        page = await self._page(shard, after, limit)
        if not page:
            await self._require_reached({shard: after})
        elif self._replication is not None:
            await self._replication.reached(shard, page[-1].seq)
            page = self._shown(shard, page)
        return page

    async def ends(self) -> dict[int, int]:
        """The number of each shard's last pointer: where a reader that starts now begins.

        Raises:
            LogUnavailable: the store does not answer.
        """
        shards = range(self._layout.shards)
        if self._replication is None:
            return await self._ends(shards)
        marks = await asyncio.gather(*(self._replication.mark(shard) for shard in shards))
        ends = await self._ends(shards)
        return {shard: min(ends[shard], mark) for shard, mark in zip(shards, marks, strict=True)}

    async def shown(self, stream: str, version: Version) -> Version:
        """How much of a stream that was just read up to ``version`` is replicated.

        Raises:
            LogUnavailable: that is not known.
        """
        replication = self._replication
        if replication is None or replication.version(stream) >= version:
            return version
        shard = self._layout.shard_of(stream)
        try:
            above = await self._above(shard, await replication.mark(shard))
        except FeedBroken as broken:
            replication.forget()
            raise LogUnavailable(str(broken)) from broken
        own = [p for p in above if p.stream == stream and p.version - p.count < version]
        if own and not await replication.reached(shard, own[-1].seq):
            mark = await replication.mark(shard)
            for pointer in own:
                if pointer.seq > mark:
                    return pointer.version - pointer.count
        replication.note(stream, version)
        return version

    async def _above(self, shard: int, mark: int) -> list[Pointer]:
        """All pointers of a shard above its mark: mostly none, or those on their way."""
        found: list[Pointer] = []
        while page := await self._page(shard, mark + len(found), _PAGE):
            found += page
        return found

    def _shown(self, shard: int, page: list[Pointer]) -> list[Pointer]:
        """As much of a page as is replicated. Whoever listens is told when there is more."""
        replication = self._replication
        if replication is None:
            return page
        while page and not replication.reaches(shard, page[-1].seq):
            page = page[:-1]
        for pointer in page:
            replication.note(pointer.stream, pointer.version)
        return page

    async def follow(self, after: Mapping[int, int]) -> AsyncGenerator[Pointer, None]:
        """Every pointer of the shards in ``after`` from there on, as they arrive, without end.

        The order within a shard is kept. After a quiet spell a pointer is delivered at once; under
        load bells gather for a moment, so that each read returns several.

        Raises:
            FeedBroken: a gap or a step back.
            LogUnavailable: the store does not answer; follow again from the last one seen.
        """
        seen, moved = dict(after), _Moved()
        async with self._heard(seen, moved):
            while True:
                shards = await moved.taken()
                if shards is None:
                    shards = await self._require_reached(seen)
                pages = await self._pages(shards, seen)
                for shard, page in zip(shards, pages, strict=True):
                    for pointer in page:
                        seen[shard] = pointer.seq
                        yield pointer
                    if len(page) == _PAGE:
                        moved.add(shard)

    @contextlib.asynccontextmanager
    async def _heard(self, seen: Mapping[int, int], moved: _Moved) -> AsyncIterator[None]:
        """Let bells say which shards have moved, and marks which may be read by now."""
        replication = self._replication
        if replication is None:
            async with self._bells.heard(seen, lambda shard, ring: moved.hear(shard, ring, seen)):
                yield
            return

        def hear(shard: int, ring: Ring | None) -> None:
            if replication.hears(shard, ring):
                moved.hear(shard, ring, seen)

        def rise(shard: int) -> None:
            if shard in seen:
                moved.add(shard)

        with replication.told(rise):
            async with self._bells.heard(seen, hear):
                try:
                    yield
                except FeedBroken:
                    replication.forget()
                    raise

    async def _pages(self, shards: Sequence[int], seen: Mapping[int, int]) -> list[list[Pointer]]:
        """The next page of each shard."""
        if len(shards) == 1:  # as nearly always, and a task less
            pages = [await self._page(shards[0], seen[shards[0]], _PAGE)]
        else:
            pages = await asyncio.gather(*(self._page(each, seen[each], _PAGE) for each in shards))
        if self._replication is None:
            return pages
        return [self._shown(shard, page) for shard, page in zip(shards, pages, strict=True)]

    async def _page(self, shard: int, after: int, limit: int) -> list[Pointer]:
        key = self._layout.feed(shard)
        page = await self._caller.command("XRANGE", key, f"{after + 1}-0", "+", "COUNT", limit)
        return _pointers(shard, after, page)

    async def _ends(self, shards: Iterable[int]) -> dict[int, int]:
        shards = list(shards)
        names = (self._layout.meta(shard) for shard in shards)
        answers = await asyncio.gather(*(self._caller.command("HGET", n, "seq") for n in names))
        return {shard: int(seq or 0) for shard, seq in zip(shards, answers, strict=True)}

    async def _require_reached(self, seen: Mapping[int, int]) -> list[int]:
        """Check that no feed ends before what was read of it; returns the shards that go on."""
        ends = await self._ends(seen)
        for shard, end in ends.items():
            if end < seen[shard]:
                raise FeedBroken(f"shard {shard} was read up to {seen[shard]}, now ends at {end}")
        return [shard for shard, end in ends.items() if end > seen[shard]]


class _Moved:
    """The shards of one reader that are to be read because a bell says so."""

    def __init__(self) -> None:
        self._shards: set[int] = set()
        self._news = asyncio.Event()
        self._doubt = True
        self._news.set()

    def hear(self, shard: int, ring: Ring | None, seen: Mapping[int, int]) -> None:
        """A shard has rung, or bells may be lost; a ring of what was read counts for nothing."""
        if ring is None:
            self._doubt = True
            self._news.set()
        elif ring.seq > seen[shard]:
            self.add(shard)

    def add(self, shard: int) -> None:
        """A shard is to be read."""
        self._shards.add(shard)
        self._news.set()

    async def taken(self) -> list[int] | None:
        """The shards to be read now, as soon as there are any.

        None: bells may be lost, or none was heard for ``_QUIET_S``; look at all.
        """
        try:
            async with asyncio.timeout(_QUIET_S):
                await self._news.wait()
        except TimeoutError:
            return None
        self._news.clear()
        shards, self._shards = sorted(self._shards), set()
        doubt, self._doubt = self._doubt, False
        return None if doubt else shards


def _pointers(shard: int, after: int, page: Any) -> list[Pointer]:  # noqa: ANN401 (see redis-py)
    """The pointers of a page, which must follow ``after`` one by one."""
    result = []
    for number, fields in page:
        after += 1
        if number != b"%d-0" % after:
            raise FeedBroken(f"shard {shard}: {number.decode()} stands where {after}-0 belongs")
        if isinstance(fields, dict):  # redis-py knows the command
            stream, version, count = fields[b"g"], fields[b"v"], fields[b"n"]
        else:  # as the protocol has it, each after its name
            stream, version, count = fields[1], fields[3], fields[5]
        result.append(Pointer(shard, after, stream.decode(), int(version), int(count)))
    return result
