"""What a process has appended and the journal does not have yet.

The journal is outside of the store. Until it has a batch, a store that fails over or is set back
may lose it although it was acknowledged; then the process that appended it still has its bytes.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from events.kernel import TimestampMs, Version
from events.known import Mark
from events.logger import get_logger

BYTES_KEPT: Final = 64 << 20
"""The most that a process keeps; what is older is given up."""

_OVERHEAD: Final = 400
_log = get_logger(__name__)


class JournalEntry(Struct, frozen=True, array_like=True, tag="e"):
    """A batch as it was appended, and where: all that putting it back into a store takes.

    ``seq`` and ``link`` are the number and the link of its entry in the feed of ``shard``;
    ``after`` and ``previous`` are version and head of the stream before it, ``head`` is the head
    after it. ``entries`` are the public and private part of each event.
    """

    shard: int
    seq: int
    link: str
    stream: str
    after: Version
    previous: bytes
    head: bytes
    command_id: str
    digest: str
    status: str
    due: TimestampMs | Literal["="] | None
    entries: list[tuple[bytes, bytes | None]]

    @property
    def version(self) -> Version:
        """The stream's version after the batch."""
        return self.after + len(self.entries)

    @property
    def mark(self) -> Mark:
        """Where in the feed it stands."""
        return Mark(self.seq, self.link)

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return _OVERHEAD + sum(len(e) + len(p or b"") for e, p in self.entries)


def link_after(link: str, stream: str, version: Version, head: bytes) -> str:
    """The link of the entry of a feed after one with ``link``, as ``append.lua`` makes it."""
    said = f"{link} {stream} {version} ".encode() + head
    return hashlib.sha1(said, usedforsecurity=False).hexdigest()[:16]


class Unshipped:
    """The batches of one process, by shard, in the order of the feed. Belongs to its event loop.

    Args:
        most: how many bytes of them are kept.

    Attributes:
        dropped: how many were given up because there were too many.
    """

    def __init__(self, most: int = BYTES_KEPT) -> None:
        self.dropped = 0
        self._most = most
        self._size = 0
        self._by_shard: dict[int, deque[JournalEntry]] = {}

    @property
    def count(self) -> int:
        """How many batches are kept."""
        return sum(map(len, self._by_shard.values()))

    @property
    def shards(self) -> list[int]:
        """The shards of which some are kept."""
        return sorted(shard for shard, kept in self._by_shard.items() if kept)

    def keep(self, entry: JournalEntry) -> None:
        """Keep a batch. Answers may overtake one another, so it may belong before others."""
        kept = self._by_shard.setdefault(entry.shard, deque())
        after: list[JournalEntry] = []
        while kept and kept[-1].seq >= entry.seq:
            later = kept.pop()
            if later.seq > entry.seq:
                after.append(later)
            else:
                self._size -= later.size
        kept.append(entry)
        kept.extend(reversed(after))
        self._size += entry.size
        while self._size > self._most:
            self._give_up()

    def of(self, shard: int) -> Iterator[JournalEntry]:
        """The batches of a shard, in order."""
        return iter(tuple(self._by_shard.get(shard, ())))

    def forget(self, shard: int, seq: int) -> None:
        """The batches of a shard up to ``seq`` are in the journal."""
        kept = self._by_shard.get(shard)
        while kept and kept[0].seq <= seq:
            self._size -= kept.popleft().size

    def _give_up(self) -> None:
        """Drop the oldest batch of the shard that has the most."""
        kept = max(self._by_shard.values(), key=len)
        self._size -= kept.popleft().size
        self.dropped += 1
        if self.dropped == 1:
            _log.error("journal_outrun", kept=self.count)
