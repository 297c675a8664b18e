"""Reads a shard's feed with everything that it points to: whole batches, as the journal keeps them.

Each batch is checked against its link, which names the head that its bytes hash to, and all entries
of the feed before it.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec
from msgspec import Struct

from events import seal
from events.clients import texts_of
from events.feed import FeedBroken
from events.kernel import Version
from events.known import Mark
from events.log import Damaged, StreamLog
from events.lru import LruCache
from events.scripts import Caller
from events.unshipped import JournalEntry, link_after

_HEADS_KEPT: Final = 20_000


class _Batch(Struct):
    command_id: str = msgspec.field(name="id")


class _First(Struct):
    batch: _Batch


_first = msgspec.json.Decoder(_First).decode


class _Pointed(Struct, frozen=True):
    """An entry of a feed; status and wake-up time are None where an earlier release wrote it."""

    seq: int
    link: str
    stream: str
    version: Version
    count: int
    status: str | None
    due: str | None


class FeedPages:
    """Reads batches by their shard. Belongs to the log's event loop.

    Args:
        log: the log to read.
        caller: sends the calls.
    """

    def __init__(self, log: StreamLog, caller: Caller) -> None:
        self._log = log
        self._caller = caller
        self._heads: LruCache[str, tuple[Version, bytes]] = LruCache(_HEADS_KEPT)

    async def read(self, shard: int, after: Mark, limit: int) -> list[JournalEntry]:
        """At most ``limit`` batches of a shard after a place in its feed, in order.

        Raises:
            FeedBroken: the feed has a gap there, or is another one.
            Damaged: a batch is not what its link names.
            LogUnavailable: the store does not answer.
        """
        page = await self._caller.command(
            "XRANGE", self._log.layout.feed(shard), f"{after.seq + 1}-0", "+", "COUNT", limit
        )
        pointed = [_pointed(number, fields) for number, fields in page]
        for seq, each in enumerate(pointed, after.seq + 1):
            if each.seq != seq:
                raise FeedBroken(f"shard {shard}: {each.seq} stands where {seq} belongs")
        read = await asyncio.gather(*map(self._entries, pointed))
        firsts = (entries[0][0] for entries in read)
        commands = await asyncio.gather(*map(self._command, pointed, firsts))
        found: list[JournalEntry] = []
        link = after.chain
        for each, entries, command in zip(pointed, read, commands, strict=True):
            made = await self._entry(shard, each, entries, command)
            link = link_after(link, each.stream, each.version, made.head)
            if link != each.link:
                # Either the feed goes on from another entry, or the batch was altered.
                first = not found
                broken = f"shard {shard} at {each.seq} is not what its link names"
                self._heads.clear()
                raise FeedBroken(broken) if first else Damaged(broken)
            found.append(made)
        return found

    async def _entries(self, at: _Pointed) -> list[tuple[bytes, bytes | None]]:
        """The events of a batch."""
        first = at.version - at.count
        found = await self._log.read(at.stream, first, at.count)
        if len(found) != at.count:
            raise Damaged(f"{at.stream} has lost the events after {first}")
        return [(each.public, each.private) for each in found]

    async def _entry(
        self,
        shard: int,
        at: _Pointed,
        entries: list[tuple[bytes, bytes | None]],
        command: tuple[str, str],
    ) -> JournalEntry:
        after = at.version - at.count
        previous = await self._head(at.stream, after)
        head = seal.chain(previous, after, (public for public, _ in entries))
        self._heads.keep(at.stream, (at.version, head))
        status, due = at.status, at.due
        if status is None or due is None:
            status, due = await self._as_it_is(at.stream)
        return JournalEntry(
            shard,
            at.seq,
            at.link,
            at.stream,
            after,
            previous,
            head,
            *command,
            status,
            None if due == "-" else int(float(due)),
            entries,
        )

    async def _head(self, stream: str, version: Version) -> bytes:
        """The head of a stream at a version."""
        known = self._heads.get(stream)
        if known is not None and known[0] == version:
            return known[1]
        entries = await self._log.read(stream, 0, version) if version else []
        if len(entries) != version:
            raise Damaged(f"{stream} has lost events before {version}")
        return seal.chain(seal.genesis(stream), 0, (each.public for each in entries))

    async def _command(self, at: _Pointed, public: bytes) -> tuple[str, str]:
        """The id of a batch's command, and the digest under which it is remembered."""
        try:
            name = _first(public).batch.command_id
        except msgspec.DecodeError:
            raise Damaged(f"{at.stream} does not say which command led to {at.version}") from None
        commands = self._log.layout.stream(at.stream).commands
        record = await self._caller.command("HGET", commands, name)
        if record is None:
            raise Damaged(f"{at.stream} does not remember the command of {at.version}")
        return name, record.decode().rsplit(":", 3)[0]

    async def _as_it_is(self, stream: str) -> tuple[str, str]:
        """A stream's status and wake-up time now, where its feed does not tell those of then."""
        keys = self._log.layout.stream(stream)
        status, due = await asyncio.gather(
            self._caller.command("HGET", keys.head, "st"),
            self._caller.command("ZSCORE", keys.due, stream),
        )
        return (status or b"").decode(), "-" if due is None else f"{float(due):.0f}"


def _pointed(number: bytes, fields: Any) -> _Pointed:  # noqa: ANN401 (see redis-py)
    said = texts_of(fields)
    return _Pointed(
        int(number.partition(b"-")[0]),
        said.get("h", ""),
        said["g"],
        int(said["v"]),
        int(said["n"]),
        said.get("s"),
        said.get("d"),
    )
