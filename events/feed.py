"""The feed of a shard: one pointer for each appended batch, numbered without gaps.

Projections and live delivery read the feeds, remember the last number of each shard and ask for
what follows it. A gap or a step back is never silently skipped: both raise ``FeedBroken``, and the
reader must start again from the streams themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from typing import Any, Final

from hiredis import pack_command
from msgspec import Struct
from redis.asyncio import RedisCluster
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from events.clients import Client
from events.layout import Layout
from events.scripts import LogError, LogUnavailable
from events.tasks import end_tasks

_PAGE: Final = 512
_BLOCK_MS: Final = 5_000
_AHEAD: Final = 4096
_BUSY_S: Final = 0.01
"""Reads that return something within this time of one another count as many small ones."""
_GATHER_S: Final = 0.004
"""How long pointers may then gather in the store, so that each read returns more of them."""


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
        """The number of each shard's last pointer: where a reader that starts now begins.

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
        """Nothing follows ``after``: make sure that the feed reaches it at all."""
        end = (await self._ends([shard]))[shard]
        if end < after:
            raise FeedBroken(f"shard {shard} was read up to {after} and now ends at {end}")

    async def follow(self, after: Mapping[int, int]) -> AsyncGenerator[Pointer, None]:
        """Every pointer of the shards in ``after`` from there on, as they arrive, without end.

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
        """Follow some shards into a queue; a failure is put there too."""
        try:
            async for pointer in self._tail(after):
                await inbox.put(pointer)
        except LogError as error:
            await inbox.put(error)

    async def _tail(self, seen: dict[int, int]) -> AsyncGenerator[Pointer, None]:
        """Follow shards by one blocking call at a time, updating ``seen``.

        After a quiet spell a pointer is delivered at once. Under load each read lets several
        gather: reading one by one would cost a reader as much as the appends cost their writers.
        """
        shard_of = {self._layout.feed(shard).encode(): shard for shard in seen}
        loop = asyncio.get_running_loop()
        came = -_BUSY_S
        async with _held(self._listener) as connection:
            while True:
                answer = await self._what_comes(connection, seen)
                if not answer:
                    await self._require_reached(seen)
                before, came = came, loop.time()
                for key, page in answer:
                    shard = shard_of[key]
                    for pointer in _pointers(shard, seen[shard], page):
                        seen[shard] = pointer.seq
                        yield pointer
                if came - before < _BUSY_S:
                    await asyncio.sleep(_GATHER_S)

    async def _what_comes(
        self, connection: AbstractConnection | None, seen: Mapping[int, int]
    ) -> list[tuple[bytes, Any]]:
        """The next page of each feed that has one, by the feed's key; empty if the wait timed out.

        Raises:
            LogUnavailable: the store does not answer.
        """
        last = {self._layout.feed(shard): f"{seq}-0" for shard, seq in seen.items()}
        try:
            if connection is None:
                anything: dict[Any, Any] = {**last}
                answer: Any = await self._listener.xread(anything, count=_PAGE, block=_BLOCK_MS)
            else:
                words = ("XREAD", "COUNT", _PAGE, "BLOCK", _BLOCK_MS, "STREAMS")
                packed = pack_command((*words, *last, *last.values()))  # type: ignore[arg-type]  # its stub says: one word
                await connection.send_packed_command(packed)
                answer = await connection.read_response(timeout=math.inf)
        except RedisError as error:
            raise LogUnavailable(str(error)) from error
        return list(answer.items()) if isinstance(answer, dict) else answer or []

    async def _require_reached(self, seen: Mapping[int, int]) -> None:
        """Nothing came for a while: make sure that no feed ends before what was read of it."""
        for shard, end in (await self._ends(seen)).items():
            if end < seen[shard]:
                raise FeedBroken(f"shard {shard} was read up to {seen[shard]}, now ends at {end}")


@contextlib.asynccontextmanager
async def _held(client: Client) -> AsyncIterator[AbstractConnection | None]:
    """A connection for one blocking read after another; None on a cluster, where each has its own.

    redis-py's own call takes a connection, checks it, wraps the call and converts the answer each
    time, which cost more than everything else a process does to follow the appends.

    Raises:
        LogUnavailable: there is no connection.
    """
    if isinstance(client, RedisCluster):
        yield None
        return
    pool = client.connection_pool
    try:
        connection = await pool.get_connection()
    except RedisError as error:
        raise LogUnavailable(str(error)) from error
    try:
        yield connection
    finally:
        await connection.disconnect(nowait=True)  # an answer may still be in flight
        await pool.release(connection)


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
