"""The feed of a shard: one pointer for each batch that was appended, numbered without gaps.

Whoever projects or fans out reads the feeds, remembers the last number of each shard and asks for
what comes after it. A gap or a step back is never passed over in silence: both raise
``FeedBroken``, and the reader must start anew from the streams themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterable, Mapping
from typing import Any, Final

from msgspec import Struct
from redis.asyncio import RedisCluster
from redis.exceptions import RedisError

from events.clients import Client
from events.layout import Layout
from events.scripts import LogError, LogUnavailable
from events.tasks import end_tasks

_PAGE: Final = 512
_BLOCK_MS: Final = 5_000
_AHEAD: Final = 4096


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
    """Reads the feeds of all shards."""

    def __init__(self, client: Client, listener: Client, layout: Layout) -> None:
        self._client = client
        self._listener = listener
        self._layout = layout

    async def read(self, shard: int, after: int, limit: int) -> list[Pointer]:
        """At most ``limit`` pointers of a shard after the number ``after``.

        Raises:
            FeedBroken: the next one is missing, or the feed ends before ``after``.
            LogUnavailable: the store does not answer.
        """
        key = self._layout.feed(shard)
        try:
            page = await self._client.xrange(key, f"{after + 1}-0", "+", limit)
            if not page:
                await self._require_end(shard, after)
        except RedisError as error:
            raise LogUnavailable(str(error)) from error
        return _pointers(shard, after, page)

    async def ends(self) -> dict[int, int]:
        """The number of the last pointer of each shard: where one who starts now follows from.

        Raises:
            LogUnavailable: the store does not answer.
        """
        return await self._ends(range(self._layout.shards))

    async def _ends(self, shards: Iterable[int]) -> dict[int, int]:
        shards = list(shards)
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                for shard in shards:
                    pipeline.hget(self._layout.meta(shard), "seq")
                answers = await pipeline.execute()
        except RedisError as error:
            raise LogUnavailable(str(error)) from error
        return {shard: int(seq or 0) for shard, seq in zip(shards, answers, strict=True)}

    async def _require_end(self, shard: int, after: int) -> None:
        """Nothing came after ``after``: make sure that the feed has come so far at all."""
        end = (await self._ends([shard]))[shard]
        if end < after:
            raise FeedBroken(f"shard {shard} was read up to {after} and now ends at {end}")

    async def follow(self, after: Mapping[int, int]) -> AsyncGenerator[Pointer, None]:
        """Every pointer of the shards in ``after`` from there on, as they come, without end.

        The order within a shard is kept. On a cluster each shard has a reader of its own, since
        one call may not read keys of several slots.

        Raises:
            FeedBroken: a gap or a step back.
            LogUnavailable: the store does not answer; follow again from the last one seen.
        """
        if not isinstance(self._listener, RedisCluster):
            async with contextlib.aclosing(self._tail(dict(after))) as tail:
                async for pointer in tail:
                    yield pointer
            return
        inbox: asyncio.Queue[Pointer | BaseException] = asyncio.Queue(_AHEAD)
        readers = [
            asyncio.create_task(self._fill(inbox, {shard: seq})) for shard, seq in after.items()
        ]
        try:
            while True:
                item = await inbox.get()
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            await end_tasks(*readers)

    async def _fill(
        self, inbox: asyncio.Queue[Pointer | BaseException], after: dict[int, int]
    ) -> None:
        """Follow some shards into a queue; a failure goes there too."""
        try:
            async for pointer in self._tail(after):
                await inbox.put(pointer)
        except LogError as error:
            await inbox.put(error)

    async def _tail(self, seen: dict[int, int]) -> AsyncGenerator[Pointer, None]:
        """Follow shards by one blocking call at a time; ``seen`` moves along."""
        shard_of = {self._layout.feed(shard).encode(): shard for shard in seen}
        while True:
            last: dict[Any, Any] = {
                self._layout.feed(shard): f"{seq}-0" for shard, seq in seen.items()
            }
            try:
                answer: Any = await self._listener.xread(last, count=_PAGE, block=_BLOCK_MS)
            except RedisError as error:
                raise LogUnavailable(str(error)) from error
            if not answer:
                await self._require_reached(seen)
            for key, page in answer:
                shard = shard_of[key]
                for pointer in _pointers(shard, seen[shard], page):
                    seen[shard] = pointer.seq
                    yield pointer

    async def _require_reached(self, seen: Mapping[int, int]) -> None:
        """Nothing came for a while: make sure that no feed is behind what was read of it."""
        for shard, end in (await self._ends(seen)).items():
            if end < seen[shard]:
                raise FeedBroken(f"shard {shard} was read up to {seen[shard]}, now ends at {end}")


def _pointers(shard: int, after: int, page: Any) -> list[Pointer]:  # noqa: ANN401 (see redis-py)
    """The pointers of a page, which must follow ``after`` one by one."""
    result = []
    for number, fields in page:
        after += 1
        if number != b"%d-0" % after:
            raise FeedBroken(f"shard {shard}: {number.decode()} stands where {after}-0 belongs")
        stream, version, count = fields[b"g"].decode(), int(fields[b"v"]), int(fields[b"n"])
        result.append(Pointer(shard, after, stream, version, count))
    return result
