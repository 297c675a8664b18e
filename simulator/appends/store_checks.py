"""What must be true of a simulated store in the end, beside what was told of it (pure)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

from events import seal
from events.codec import CodecError, Stored
from events.feed import Pointer
from events.kernel import fold
from events.layout import Layout
from events.skew import OLDEST_MS
from simulator.appends.ledger import Ledger, LedgerState, ledger_codec
from simulator.appends.machines import LoggedWrite, Machine
from simulator.appends.model import ModelStore
from simulator.appends.process import KEYS, TOLERANCE_MS
from simulator.history import FinalBatch, FinalStream, Violation, batches_of

FEED: Final = "feed"
COMMANDS: Final = "commands"
FOLD: Final = "fold"
TIME: Final = "time"
WRITER: Final = "writer"

_BEFORE_EVENTS: Final = 17
"""How many arguments of the append script stand between the version and the events."""

STORE_CHECKS: Final = {
    FEED: "the feed has each batch of its shard once, numbered without a gap and linked",
    COMMANDS: "each batch is remembered under its command, and nothing else is",
    FOLD: "status and deadline are those that follow from the events",
    TIME: "no batch is of another time than the store's clock said when it was written",
    WRITER: "nobody writes to a shard that lacks what the writer has seen in it",
}
"""The checks of the store, and what each shows."""


def final_stream(store: ModelStore, layout: Layout, stream: str) -> FinalStream:
    """A stream as it lies in a store."""
    keys = layout.stream(stream)
    head = _hash(store, keys.head)
    entries = [
        Stored(number, fields[1], fields[3] if len(fields) > 2 else None)  # noqa: PLR2004
        for number, fields in sorted(store.stream(keys.entries.encode()).entries.items())
    ]
    return FinalStream(stream, entries, int(head.get(b"ver", b"0")), head.get(b"head", b""))


def final_feeds(store: ModelStore, layout: Layout) -> dict[int, list[Pointer]]:
    """The feeds of all shards as they lie in a store."""
    return {
        shard: [
            Pointer(shard, seq, fields[1].decode(), int(fields[3]), int(fields[5]))
            for seq, fields in sorted(store.stream(layout.feed(shard).encode()).entries.items())
        ]
        for shard in range(layout.shards)
    }


def pointer_of(write: LoggedWrite, layout: Layout) -> Pointer:
    """The entry of a feed by which an append is told."""
    stream, after, *more = write.words[3 + int(write.words[2]) :]
    count = (len(more) - _BEFORE_EVENTS) // 2
    name = stream.decode()
    return Pointer(layout.shard_of(name), write.appends, name, int(after) + count, count)


def store_faults(
    machine: Machine, layout: Layout, streams: Sequence[FinalStream]
) -> Iterator[Violation]:
    """All that does not fit together in a machine's store."""
    yield from _feeds(machine.store, layout, streams)
    for end in streams:
        yield from _commands(machine.store, layout, end)
        yield from _fold(machine.store, layout, end)
    for write in machine.log:
        if write.appends:
            yield from _written(write)


def _hash(store: ModelStore, key: str) -> dict[bytes, bytes]:
    value = store.keys.get(key.encode(), {})
    return value if isinstance(value, dict) else {}


def _feeds(
    store: ModelStore, layout: Layout, streams: Sequence[FinalStream]
) -> Iterator[Violation]:
    for shard in range(layout.shards):
        entries = store.stream(layout.feed(shard).encode()).entries
        seq = int(_hash(store, layout.meta(shard)).get(b"seq", b"0"))
        if sorted(entries) != list(range(1, seq + 1)):
            yield Violation(FEED, "", f"shard {shard} is at {seq}, its feed has {len(entries)}")
        heads: dict[tuple[bytes, int], list[int]] = {}
        chain = b""
        for number, fields in sorted(entries.items()):
            _, stream, _, version, _, count, _, link, *_ = fields
            heads.setdefault((stream, int(version)), []).append(int(count))
            text = b"%s %s %s " % (chain, stream, version)
            head = _head_at(streams, stream.decode(), int(version))
            chain = hashlib.sha1(text + head, usedforsecurity=False).hexdigest()[:16].encode()
            if chain != link:
                what = f"entry {number} of shard {shard} is linked to other ones"
                yield Violation(FEED, stream.decode(), what)
                chain = link
        there = {
            (end.stream.encode(), batch.version): [batch.version - batch.first + 1]
            for end in streams
            if layout.shard_of(end.stream) == shard
            for batch in batches_of(end)
        }
        if there != heads:
            yield Violation(FEED, "", f"shard {shard} tells of other batches than there are")


def _head_at(streams: Sequence[FinalStream], stream: str, version: int) -> bytes:
    end = next((each for each in streams if each.stream == stream), None)
    if end is None:
        return b""
    return seal.chain(seal.genesis(stream), 0, (e.public for e in end.entries[:version]))


def _commands(store: ModelStore, layout: Layout, end: FinalStream) -> Iterator[Violation]:
    records = _hash(store, layout.stream(end.stream).commands)
    batches: dict[bytes, FinalBatch] = {b.command_id.encode(): b for b in batches_of(end)}
    for command_id in sorted(records.keys() ^ batches.keys()):
        yield Violation(COMMANDS, end.stream, f"{command_id.decode()} is on one side only")
    for command_id, batch in batches.items():
        _, first, count, _ = records.get(command_id, b":0:0:0").rsplit(b":", 3)
        if (int(first), int(count)) != (batch.first, batch.version - batch.first + 1):
            what = f"{batch.command_id} is remembered at {int(first)}, is at {batch.first}"
            yield Violation(COMMANDS, end.stream, what)


def _fold(store: ModelStore, layout: Layout, end: FinalStream) -> Iterator[Violation]:
    keys = layout.stream(end.stream)
    decider = Ledger()
    try:
        envelopes = ledger_codec(KEYS).decode_many(end.stream, end.entries)
    except CodecError as error:
        yield Violation(FOLD, end.stream, str(error))
        return
    state: LedgerState = fold(decider, [each.event for each in envelopes], decider.initial())
    status = _hash(store, keys.head).get(b"st", b"none").decode()
    if status != decider.status(state):
        yield Violation(FOLD, end.stream, f"status {status}, and {decider.status(state)} follows")
    due = store.scores.get(keys.due.encode(), {}).get(end.stream.encode())
    wake = decider.wake_at(state)
    if (None if due is None else int(due)) != wake:
        yield Violation(FOLD, end.stream, f"due at {due!r}, and {wake} follows")
    if state.coins < 0:
        yield Violation(FOLD, end.stream, f"{state.coins} coins, which no command may lead to")


def _written(write: LoggedWrite) -> Iterator[Violation]:
    """What was wrong with an append when it was written."""
    args = write.words[3 + int(write.words[2]) :]
    stream, command_id = args[0].decode(), args[3].decode()
    late = write.now - int(args[8])
    if late > 2 * OLDEST_MS or -late > TOLERANCE_MS:
        yield Violation(TIME, stream, f"{command_id} is of {late} ms before it was written")
    seen = int(args[16].partition(b" ")[0])
    if seen >= write.appends:
        what = f"who wrote {command_id} as entry {write.appends} of its shard had seen {seen}"
        yield Violation(WRITER, stream, what)
