"""Asks a store what it is and how far it has come, in one round trip, by either kind of client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from redis import Redis as SyncRedis

from events.clients import NO_ANSWER, Client
from events.identity import identity_of
from events.known import Mark, Marks, ShardStatement, StoreStatement
from events.layout import Layout
from events.scripts import LogUnavailable


async def read_stand(client: Client, layout: Layout, marks: Marks | None) -> StoreStatement:
    """What the store says of itself now, and of the places in ``marks``.

    Raises:
        ForeignStoreError: what it says cannot be read.
        LogUnavailable: it does not answer.
    """
    try:
        async with client.pipeline(transaction=False) as pipeline:
            _ask(pipeline, layout, marks)
            answers: list[Any] = await pipeline.execute(raise_on_error=False)
    except NO_ANSWER as error:
        raise LogUnavailable(str(error)) from error
    return _stand_of(answers, layout, marks)


def read_stand_now(client: SyncRedis, layout: Layout, marks: Marks | None) -> StoreStatement:
    """As ``read_stand``, for callers without an event loop."""
    try:
        with client.pipeline(transaction=False) as pipeline:
            _ask(pipeline, layout, marks)
            answers: list[Any] = pipeline.execute(raise_on_error=False)
    except NO_ANSWER as error:
        raise LogUnavailable(str(error)) from error
    return _stand_of(answers, layout, marks)


def _places(marks: Marks | None, layout: Layout) -> Mapping[int, int]:
    """The numbers of the entries to look up, by shard."""
    known = {} if marks is None else marks.shards
    return {shard: mark.seq for shard, mark in known.items() if mark.seq and shard < layout.shards}


def _ask(pipeline: Any, layout: Layout, marks: Marks | None) -> None:  # noqa: ANN401 (of either client)
    pipeline.hgetall(layout.identity())
    for shard in range(layout.shards):
        pipeline.hmget(layout.meta(shard), "seq", "chain", "store")
    for shard, seq in _places(marks, layout).items():
        pipeline.xrange(layout.feed(shard), f"{seq}-0", f"{seq}-0")


def _stand_of(answers: list[Any], layout: Layout, marks: Marks | None) -> StoreStatement:
    for answer in answers:
        if isinstance(answer, Exception):
            raise LogUnavailable(str(answer)) from answer
    ends = {}
    for shard, (seq, chain, name) in enumerate(answers[1 : layout.shards + 1]):
        mark = Mark(int(seq or 0), "" if chain is None else chain.decode())
        ends[shard] = ShardStatement(None if name is None else name.decode(), mark)
    before: dict[int, str | None] = {}
    for shard, page in zip(_places(marks, layout), answers[layout.shards + 1 :], strict=True):
        before[shard] = page[0][1].get(b"h", b"").decode() if page else None
    return StoreStatement(identity_of(answers[0]), ends, before)
