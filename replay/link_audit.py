"""The links of a shard's feed: each names all entries before it, and the batch that its own adds.

A link depends on the stream's head after the batch, so it is compared with the events themselves:
even a stream that was rewritten together with its head does not fit the feed.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import IO, Any, Final

from redis.exceptions import RedisError

from events.clients import Client
from events.layout import Layout
from events.scripts import Caller, LogUnavailable
from replay.list_audit import number_of
from replay.stream_audit import AuditFault

LINKS: Final = "links"

LINK_CHECKS: Final = {
    LINKS: "each entry of the feed names those before it and its own batch, and the last is the"
    " one that the shard knows",
}
"""The check of the links, and what it shows."""

_PAGE: Final = 512
_HEAD: Final = 32
_DIGITS: Final = 16
_UNKNOWN: Final = bytes(_HEAD)


def link_after(before: bytes, stream: bytes, version: bytes, head: bytes) -> bytes:
    """The link of an entry: 16 hexadecimal digits, as the append script makes them.

    Args:
        before: the link of the entry before; empty for the first.
        stream: the stream that the entry names.
        version: the version that it names, in decimal digits.
        head: of that stream at that version, 32 bytes.
    """
    said = b"%s %s %s %s" % (before, stream, version, head)
    return hashlib.sha1(said, usedforsecurity=False).hexdigest()[:_DIGITS].encode()


class Heads:
    """The head after each batch of a shard, by the number of its entry in the feed, in a file.

    Args:
        path: where; the file is made.
        end: the last entry of which anything is noted.
    """

    def __init__(self, path: Path, end: int) -> None:
        self._file: IO[bytes] = path.open("w+b")
        self._end = end

    def note(self, entry: int, head: bytes) -> None:
        """The batch of an entry has led its stream to a head."""
        if 1 <= entry <= self._end:
            self._file.seek(entry * _HEAD)
            self._file.write(head)

    def of(self, entry: int) -> bytes | None:
        """The head after the batch of an entry; None: nothing was noted."""
        self._file.seek(entry * _HEAD)
        found = self._file.read(_HEAD)
        return None if found in {b"", _UNKNOWN} else found

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class LinkAudit:
    """The check of one shard's links. Reads only.

    What is appended while the streams are read has no head here. It is not checked, and what
    follows it is.

    Args:
        client: the store.
        layout: its keys.
        shard: which shard.
        heads: what the streams of the shard have led to.
    """

    def __init__(self, client: Client, layout: Layout, shard: int, heads: Heads) -> None:
        self._client = client
        self._caller = Caller(client)
        self._feed = layout.feed(shard)
        self._meta = layout.meta(shard)
        self._name = f"shard {shard}"
        self._heads = heads
        self._stored: bytes | None = b""
        self._worked_out: bytes | None = b""
        self._told: set[bytes] = set()

    async def faults(self) -> AsyncIterator[AuditFault]:
        """Links that are not what they should be: of each stream the first.

        Raises:
            LogUnavailable: the store does not answer.
        """
        after = 0
        while page := await self._page(after + 1, _PAGE):
            for number, fields in page:
                entry = _entry(number)
                if entry != after + 1:  # another check reports what is missing in between
                    self._stored = self._worked_out = None
                for fault in self._follow(entry, fields, self._heads.of(entry)):
                    yield fault
                after = entry
        for text in await self._end(after):
            yield AuditFault(LINKS, self._name, 0, text)

    def _follow(self, entry: int, fields: Any, head: bytes | None) -> Iterator[AuditFault]:  # noqa: ANN401 (as redis-py types answers)
        """One entry after those before.

        A wrong link is reported once: the next one may follow from what it should have been.
        """
        stream, version = fields.get(b"g", b""), fields.get(b"v", b"")
        said = fields.get(b"h", b"")
        befores = {each for each in (self._stored, self._worked_out) if each is not None}
        before, self._stored, self._worked_out = self._stored, said, None
        if head is None or not befores:
            return
        if any(said == link_after(each, stream, version, head) for each in befores):
            return
        if before is not None:
            self._worked_out = link_after(before, stream, version, head)
        if stream not in self._told:
            self._told.add(stream)
            text = f"entry {entry} of the feed does not follow from those before it and its batch"
            name = stream.decode(errors="replace") or self._name
            yield AuditFault(LINKS, name, number_of(version) or 0, text)

    async def _end(self, read: int) -> list[str]:
        """What is wrong with what the shard says of its last entry.

        The number is read after the entries, so it never falls behind those that were read.
        """
        seq, chain = await self._caller.command("HMGET", self._meta, "seq", "chain")
        said = number_of(seq) or 0
        if said < read:
            return [f"the shard says that its feed ends at {said}, and there are {read} entries"]
        if not said:
            return []
        last = await self._page(said, 1)
        if not last or _entry(last[0][0]) != said:
            return [f"the shard says that its feed ends at {said}, and there is no such entry"]
        if last[0][1].get(b"h") != chain:
            return [f"the shard has another link than entry {said}, its last"]
        return []

    async def _page(self, first: int, count: int) -> list[tuple[bytes, Any]]:
        try:
            found: Any = await self._client.xrange(self._feed, f"{first}-0", "+", count)
        except RedisError as error:
            raise LogUnavailable(str(error)) from error
        return list(found)


def _entry(number: bytes) -> int:
    """The number of an entry. The reader of the feed checks its form."""
    return int(number.partition(b"-")[0])
