"""What a shard keeps beside its streams: the feed, the deadlines, the lists and their indexes.

The streams are the truth, so everything here is compared with them. A store in use moves meanwhile:
what looks wrong is checked again, and reported only if it stays wrong while nothing moves.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

import msgspec

from events.clients import Client
from events.feed import FeedBroken, Pointer
from events.log import StreamLog
from events.scripts import Caller
from projections.lobby import ListKeys
from projections.rows import Row, decode_row
from replay.stream_audit import AuditFault

FEED: Final = "feed"
TIMERS: Final = "timers"
LISTS: Final = "lists"
INDEXES: Final = "indexes"

SHARD_CHECKS: Final = {
    FEED: "the feed has one pointer for each batch of each stream, in order, and nothing else",
    TIMERS: "nothing is to be woken that does not exist",
    LISTS: "the lists have no rows of what does not exist, and are being kept up to date",
    INDEXES: "each row stands in the indexes where it belongs, and in no other",
}
"""The checks of a shard, and what each shows."""

_PAGE: Final = 512
_PAUSE_S: Final = 0.05
_TRIES: Final = 20

T = TypeVar("T")


class ShardAudit:
    """The checks of one shard. Reads only.

    Args:
        client: the store.
        log: the streams and feeds.
        shard: which one.
        timeout_s: seconds within which lists that are behind must move.
    """

    def __init__(self, client: Client, log: StreamLog, shard: int, timeout_s: float = 0.0) -> None:
        self._caller = Caller(client)
        self._log = log
        self._layout = log.layout
        self._shard = shard
        self._keys = ListKeys(log.layout)
        self._name = f"shard {shard}"
        self._timeout_s = timeout_s

    async def begin(self) -> tuple[int, int]:
        """How far the lists and the feed have come; 0 where there are none.

        Raises:
            LogUnavailable: the store does not answer.
        """
        at = await self._caller.command("HGET", self._keys.rows(self._shard), "@")
        return number_of(at) or 0, await self.end()

    async def end(self) -> int:
        """The number that the feed has reached; 0 where there is none.

        Raises:
            LogUnavailable: the store does not answer.
        """
        seq = await self._caller.command("HGET", self._layout.meta(self._shard), "seq")
        return number_of(seq) or 0

    async def feed(
        self, streams: Iterable[str], part: Callable[[str], bool]
    ) -> AsyncIterator[AuditFault]:
        """Compare the feed with the streams of the shard, or with a part of them.

        Versions are read before the feed, and again after it where they differ: so a stream that
        is appended to meanwhile is no fault.

        Args:
            streams: those of the part.
            part: whether a stream belongs to it.

        Raises:
            LogUnavailable: the store does not answer.
        """
        names = list(streams)
        before = dict(zip(names, await self._versions(names), strict=True))
        reached: dict[str, int] = dict.fromkeys(names, 0)
        broken: set[str] = set()
        try:
            async for pointer in self._pointers():
                if part(pointer.stream):
                    for fault in _point(pointer, reached, broken):
                        yield fault
        except (FeedBroken, ValueError, LookupError) as error:
            yield AuditFault(FEED, self._name, 0, str(error))
            return
        differ = [n for n, at in reached.items() if n not in broken and at != before.get(n)]
        for name, now in zip(differ, await self._versions(differ), strict=True):
            if now is None and reached[name]:
                yield AuditFault(FEED, name, 0, "the feed has it, and there is no such stream")
            elif not (before.get(name) or 0) <= reached[name] <= (now or 0):
                text = f"the feed leads to version {reached[name]}, the stream is at {now}"
                yield AuditFault(FEED, name, now or 0, text)

    async def timers(self) -> AsyncIterator[AuditFault]:
        """Deadlines of streams that do not exist."""
        async for page in self._members(self._layout.due(self._shard)):
            for name, version in zip(page, await self._versions(page), strict=True):
                if version is None:
                    yield AuditFault(
                        TIMERS, name, 0, "it is to be woken, and there is no such stream"
                    )

    async def lists(self, before: tuple[int, int]) -> AsyncIterator[AuditFault]:
        """Rows of streams that do not exist, and lists that are not kept up to date.

        Args:
            before: what ``begin`` said, before the streams were read.
        """
        at, end = await self.begin()
        if at < before[1] and not await self._has_moved(before[0]):
            text = f"they end at {at}, the feed at {end}, and nobody follows it"
            yield AuditFault(LISTS, self._name, 0, text)
        if at > end:
            yield AuditFault(
                LISTS, self._name, 0, f"they have come to {at}, and the feed ends at {end}"
            )
        async for page in self._rows():
            names = [name for name, _ in page]
            for name, version in zip(names, await self._versions(names), strict=True):
                if version is None:
                    yield AuditFault(
                        LISTS, name, 0, "the lists have it, and there is no such stream"
                    )

    async def indexes(self) -> AsyncIterator[AuditFault]:
        """Rows and index keys, both ways."""
        for found in (self._unindexed(), self._wrongly_ended(), self._wrongly_indexed()):
            async for fault in found:
                yield fault

    async def _unindexed(self) -> AsyncIterator[AuditFault]:
        """Rows that are missing in an index key."""
        ended = self._keys.ended(self._shard)
        async for name, row in _each(self._rows()):
            for key in await self._missing(name, row):
                yield AuditFault(INDEXES, name, 0, f"it is missing in {key}")
            if row is not None and row.result is not None and not await self._is_ended(name):
                yield AuditFault(INDEXES, name, 0, f"it is missing in {ended}")

    async def _wrongly_ended(self) -> AsyncIterator[AuditFault]:
        """Tables among the finished ones whose rows have no result."""
        ended = self._keys.ended(self._shard)
        async for name in _each(self._members(ended)):
            row = await self._row(name)
            if row is None or row.result is None:
                yield AuditFault(INDEXES, name, 0, f"it does not belong in {ended}")

    async def _wrongly_indexed(self) -> AsyncIterator[AuditFault]:
        """What stands in an index key that its row does not name."""
        async for key in _each(self._set_members(self._keys.names(self._shard))):
            async for name in _each(self._members(key)):
                if await self._strays(name, key):
                    yield AuditFault(INDEXES, name, 0, f"it does not belong in {key}")

    # --- what the store says ---

    async def _has_moved(self, was: int) -> bool:
        """Whether the lists move on in time: a small store is read faster than they are kept."""
        end = time.monotonic() + self._timeout_s
        while (await self.begin())[0] == was:
            if time.monotonic() >= end:
                return False
            await asyncio.sleep(_PAUSE_S)
        return True

    async def _pointers(self) -> AsyncIterator[Pointer]:
        after = 0
        while page := await self._log.feed(self._shard, after, _PAGE):
            for pointer in page:
                yield pointer
            after = page[-1].seq

    async def _versions(self, names: Sequence[str]) -> list[int | None]:
        """The versions of streams; None: there is no such stream."""
        found: list[Any] = []
        for start in range(0, len(names), _PAGE):
            calls = (
                self._caller.command("HGET", self._layout.stream(name).head, "ver")
                for name in names[start : start + _PAGE]
            )
            found += await asyncio.gather(*calls)
        return [number_of(each) for each in found]

    async def _scan(self, command: str, key: str) -> AsyncIterator[list[Any]]:
        cursor: Any = b"0"
        while True:
            cursor, page = await self._caller.command(command, key, cursor, "COUNT", _PAGE)
            yield _flat(page)
            if int(cursor) == 0:
                return

    async def _members(self, key: str) -> AsyncIterator[list[str]]:
        async for page in self._scan("ZSCAN", key):
            yield [name.decode() for name in page[::2]]

    async def _set_members(self, key: str) -> AsyncIterator[list[str]]:
        async for page in self._scan("SSCAN", key):
            yield [name.decode() for name in page]

    async def _rows(self) -> AsyncIterator[list[tuple[str, Row | None]]]:
        """All rows in pages; None: one that cannot be read."""
        async for page in self._scan("HSCAN", self._keys.rows(self._shard)):
            pairs = zip(page[::2], page[1::2], strict=True)
            yield [(name.decode(), row_of(row)) for name, row in pairs if name != b"@"]

    async def _row(self, name: str) -> Row | None:
        found = await self._caller.command("HGET", self._keys.rows(self._shard), name)
        return None if found is None else row_of(found)

    async def _missing(self, name: str, row: Row | None) -> list[str]:
        """The index keys in which a row is missing, or stands at another time."""
        for _ in range(_TRIES):
            if row is None:
                return []
            keys = sorted(self._keys.indexes(self._shard, row))
            scores = [await self._caller.command("ZSCORE", key, name) for key in keys]
            wrong = [
                key
                for key, score in zip(keys, scores, strict=True)
                if score is None or int(float(score)) != row.created_at
            ]
            now = await self._row(name)
            if not wrong or now == row:
                return wrong
            row = now
        return []

    async def _is_ended(self, name: str) -> bool:
        """Whether a table stands among the finished ones."""
        key = self._keys.ended(self._shard)
        return await self._caller.command("ZSCORE", key, name) is not None

    async def _strays(self, name: str, key: str) -> bool:
        """Whether something stands in an index key where it does not belong."""
        for _ in range(_TRIES):
            row = await self._row(name)
            if row is not None and key in self._keys.indexes(self._shard, row):
                return False
            is_there = await self._caller.command("ZSCORE", key, name) is not None
            if await self._row(name) == row:
                return is_there
        return False


async def _each(pages: AsyncIterator[list[T]]) -> AsyncIterator[T]:
    """What stands in pages, one by one."""
    async for page in pages:
        for each in page:
            yield each


def number_of(text: bytes | None) -> int | None:
    """A number as the store keeps it; None: there is none, or it is none."""
    return int(text) if text is not None and text.isdigit() else None


def row_of(text: bytes) -> Row | None:
    """A row as the lists keep it; None: it cannot be read."""
    try:
        return decode_row(text)
    except msgspec.MsgspecError:
        return None


def _flat(page: Any) -> list[Any]:  # noqa: ANN401 (as redis-py types answers)
    """A page as the protocol has it; the client of a cluster knows the command and pairs it up."""
    pairs = page.items() if isinstance(page, dict) else page
    return [word for each in pairs for word in (each if isinstance(each, tuple) else (each,))]


def _point(pointer: Pointer, reached: dict[str, int], broken: set[str]) -> Iterator[AuditFault]:
    """Follow one pointer."""
    name = pointer.stream
    if name in broken:
        return
    if pointer.version - pointer.count != reached.setdefault(name, 0):
        text = f"pointer {pointer.seq} follows version {pointer.version - pointer.count}"
        yield AuditFault(FEED, name, reached[name], f"{text}, not {reached[name]}")
        broken.add(name)
    reached[name] = pointer.version
