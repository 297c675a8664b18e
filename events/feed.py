"""The feed of a shard: one pointer for each appended batch, numbered without gaps.

Projections and live delivery read the feeds, remember the last number of each shard and ask for
what follows it. Bells tell them when to (``bells``), and now and then they look without one. A gap
or a step back is never silently skipped: both raise ``FeedBroken``, and the reader must start again
from the streams themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from events.bells import Bells, Ring
from events.clients import Client
from events.layout import Layout
from events.scripts import Caller, LogError

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
    """

    def __init__(self, client: Client, bells: Bells, layout: Layout) -> None:
        self._caller = Caller(client, keeps_connection=True)
        self._bells = bells
        self._layout = layout

    async def read(self, shard: int, after: int, limit: int) -> list[Pointer]:
        """At most ``limit`` pointers of a shard after the number ``after``.

        Raises:
            FeedBroken: the next one is missing, or the feed ends before ``after``.
            LogUnavailable: the store does not answer.
        """
        page = await self._page(shard, after, limit)
        if not page:
            await self._require_reached({shard: after})
        return page

    async def ends(self) -> dict[int, int]:
        """The number of each shard's last pointer: where a reader that starts now begins.

        Raises:
            LogUnavailable: the store does not answer.
        """
        return await self._ends(range(self._layout.shards))

    async def follow(self, after: Mapping[int, int]) -> AsyncGenerator[Pointer, None]:
        """Every pointer of the shards in ``after`` from there on, as they arrive, without end.

        The order within a shard is kept. After a quiet spell a pointer is delivered at once; under
        load bells gather for a moment, so that each read returns several.

        Raises:
            FeedBroken: a gap or a step back.
            LogUnavailable: the store does not answer; follow again from the last one seen.
        """
        seen, moved = dict(after), _Moved()
        async with self._bells.heard(seen, lambda shard, ring: moved.hear(shard, ring, seen)):
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

    async def _pages(self, shards: Sequence[int], seen: Mapping[int, int]) -> list[list[Pointer]]:
        """The next page of each shard."""
        if len(shards) == 1:  # as nearly always, and a task less
            return [await self._page(shards[0], seen[shards[0]], _PAGE)]
        return await asyncio.gather(*(self._page(each, seen[each], _PAGE) for each in shards))

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
