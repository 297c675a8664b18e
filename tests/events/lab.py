"""Batches without meaning, for tests that care about the store alone."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events import seal
from events.codec import Stored
from events.log import Append, StreamLog
from tests.events.bank import STREAM

AT = 1_700_000_000_000


def batch(count: int = 1, *, after: int = 0, **changes: Any) -> Append:
    """A batch for ``STREAM`` (or another): the head is a function of version and stream alone."""
    stream: str = changes.get("stream", STREAM)
    made = Append(
        stream=stream,
        after=after,
        previous=head_at(stream, after),
        entries=[(b"event %d" % i, None) for i in range(after + 1, after + count + 1)],
        head=head_at(stream, after + count),
        command_id=f"command-{after}",
        digest="digest",
        status="live",
        due=None,
        at=AT,
    )
    return replace(made, **changes)


def head_at(stream: str, version: int) -> bytes:
    """The head of a stream that ``batch`` made."""
    events = [b"event %d" % i for i in range(1, version + 1)]
    return seal.chain(seal.genesis(stream), 0, events)


def entries(first: int, last: int) -> list[Stored]:
    """The entries of a stream that ``batch`` made."""
    return [Stored(i, b"event %d" % i) for i in range(first, last + 1)]


async def grow(log: StreamLog, versions: int, stream: str = STREAM) -> None:
    """Append one event after another."""
    for after in range(versions):
        await log.append(batch(after=after, stream=stream))
