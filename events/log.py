"""Streams in the store: append, read, follow. ``layout`` names the keys; the scripts do the work.

An append is one call that checks everything and then writes everything: the events, the head, the
deadline, the command's record and a pointer in the shard's feed. No read-modify-write is left to
the client, so any number of processes may work on one stream.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from events import seal
from events.append_pace import AppendPace
from events.bells import Bells
from events.clients import Client
from events.codec import Stored
from events.feed import Feed, Pointer
from events.heartbeat import Heartbeats
from events.kernel import DurationMs, TimestampMs, Version
from events.known import Known, Mark, StoreBehind
from events.layout import Layout
from events.name_store import NameStore
from events.replication import Replication
from events.scripts import Caller, LogError, LogUnavailable, load_script
from events.signing import Place
from events.skew import OLDEST_MS, ClockGuard, ClockSkew
from events.timers import DueSets, DueStream
from events.unshipped import JournalEntry, Unshipped

TAIL_LIMIT: Final = 256
"""The most entries in one answer of a script."""

_PAGE = 1024
APPEND: Final = load_script(__package__, "append.lua")
"""Its arguments are in its own text."""

_answered = load_script(__package__, "answered.lua", reads=True)


class VersionConflict(LogError):
    """Others have appended, or history differs: ``version`` and ``head`` are the store's.

    ``entries`` are those after the expected version, at most ``TAIL_LIMIT``; none where the store
    is behind the expected version or at it with another head.
    """

    def __init__(self, version: int, head: bytes, entries: list[Stored]) -> None:
        super().__init__(f"the stream is at version {version}")
        self.version = version
        self.head = head
        self.entries = entries


class KeyReused(LogError):
    """The command id was used before, with other content."""


class Damaged(LogError):
    """The stored parts of a stream do not agree: entries are missing or were altered."""


class StreamAhead(LogError):
    """The stream's last event has a time that is ``by`` ms in the future: a clock was wrong then.

    Nothing happened. What follows cannot have an earlier time, so the stream stands still until
    that time has come, or until a batch that ``accepts_ahead`` lets it go on.
    """

    def __init__(self, by: DurationMs) -> None:
        super().__init__(f"the stream is {by} ms ahead of the clock")
        self.by = by


class Append(Struct, frozen=True, kw_only=True):
    """A batch to be appended.

    Args:
        stream: the stream's id.
        after: the version that the stream must have; 0 for a new stream.
        previous: the head that it must have.
        entries: public and private part of each event.
        head: the head after the batch.
        command_id: the name under which the command is remembered.
        digest: the digest of the command's content, without colons.
        status: the stream's status after the batch.
        due: when a worker must look at the stream; None never, ``"="`` as it was.
        at: the time of the batch.
        accepts_ahead: whether the stream may go on although its time is ahead of the clock.
        insists: whether the writer asks to be next if this batch loses the race.
        concerns: the accounts for which it rings a bell; their ids have no spaces.
    """

    stream: str
    after: int
    previous: bytes
    entries: list[tuple[bytes, bytes | None]]
    head: bytes
    command_id: str
    digest: str
    status: str
    due: TimestampMs | Literal["="] | None
    at: TimestampMs
    accepts_ahead: bool = False
    insists: bool = False
    concerns: tuple[str, ...] = ()


class Appended(Struct, frozen=True):
    """The batch was appended: the stream is at ``version``, the shard's feed at ``seq``.

    ``wanted``: other writers have repeatedly lost the race for this stream. ``replicated``: it is
    on the disk of a replica too; never, where nobody promises that.
    """

    version: int
    seq: int
    wanted: bool = False
    replicated: bool = False


class Again(Struct, frozen=True):
    """The same command was appended before: ``entries`` are its events, from version ``first``."""

    first: int
    entries: list[Stored]


class StreamHead(Struct, frozen=True):
    """Where a stream stands."""

    version: int
    hash: bytes
    status: str


class StreamTail(Struct, frozen=True):
    """Where a stream stands (version 0 and an empty head: nowhere), and entries up to there.

    There may be more entries than one answer holds.
    """

    version: int
    head: bytes
    status: str
    entries: list[Stored]


class StreamLog:
    """The log in one store or cluster.

    Args:
        client: for short calls (``clients.commands``); must not decode answers.
        listener: for bells (``clients.listening``).
        layout: where everything lies; a number of shards stands for the plain layout of so many.
        prefix: stands before every key of a plain layout.
        guard: keeps this process from writing while its clock is wrong; None: unguarded.
        known: keeps it from writing to a store that it does not know; None: any store will do.
        replication: has each append wait for a replica, and hides what none has yet; None: an
            append is on the primary's disk, and shown.
        unshipped: keeps what was appended until the journal has it; None: there is no journal.

    Attributes:
        pace: is told how long each append takes; None, as in the beginning: nobody is.
    """

    def __init__(
        self,
        client: Client,
        listener: Client,
        layout: Layout | int,
        prefix: str = "",
        guard: ClockGuard | None = None,
        known: Known | None = None,
        replication: Replication | None = None,
        unshipped: Unshipped | None = None,
    ) -> None:
        self.layout = Layout(layout, prefix) if isinstance(layout, int) else layout
        self.timers = DueSets(client, self.layout)
        self.heartbeats = Heartbeats(client, self.layout)
        self.names = NameStore(client, self.layout)
        self.bells = Bells(listener, self.layout)
        self._caller = Caller(client, keeps_connection=True)
        hides = replication is not None and replication.shows
        shown = replication if hides else None
        self.pointers = Feed(client, self.bells, self.layout, shown)
        self.accounts = Feed(client, self.bells, self.layout, accounts=True)
        self.replication = replication
        self.guard = guard
        self.known = known
        self.unshipped = unshipped
        self.pace: AppendPace | None = None

    async def append(self, batch: Append) -> Appended | Again:
        """Append the whole batch or nothing.

        Raises:
            VersionConflict: the stream has moved since the batch was decided.
            KeyReused: the command id belongs to another command.
            Damaged: the stream or the feed was tampered with; nothing was written.
            StoreBehind: the store is not the one that this process knows, or has lost what it has
                seen; nothing was written.
            ClockSkew: the clocks of this process and of the store disagree, or the call was in
                flight for longer than ``OLDEST_MS``; nothing was written.
            StreamAhead: the stream's own time is ahead of the clock; nothing was written.
            LogUnavailable: the outcome is unknown; the same batch may safely be sent again.
            ValueError: the batch is empty, or the digest has a colon.
        """
        if not batch.entries or ":" in batch.digest:
            raise ValueError("a batch has events, and a digest no colon")
        keys = self.layout.stream(batch.stream)
        replication = self.replication
        self.pointers.appending[keys.shard] += 1
        try:
            answer, replicated = await self._call(keys.written, self._arguments(batch, keys.shard))
        finally:
            self.pointers.appending[keys.shard] -= 1
        match answer:
            case [b"ok", version, seq, wanted, chain]:
                if self.known is not None:
                    self.known.note(keys.shard, seq, chain.decode())
                if self.unshipped is not None:
                    self.unshipped.keep(_kept(batch, keys.shard, seq, chain.decode()))
                if replication is not None:
                    replicated = await replication.settled(keys.shard, seq, replicated=replicated)
                    entry = Mark(seq, chain.decode())
                    replication.wrote(keys.shard, entry, replicated=replicated)
                    if replicated:
                        replication.note(batch.stream, version, batch.head)
                return Appended(version, seq, bool(wanted), replicated)
            case [b"again", first, count, entries]:
                return Again(first, _all_of(batch.stream, entries, first - 1, count))
            case [b"conflict", version, head, entries]:
                found = _stored(batch.stream, entries, batch.after)
                raise VersionConflict(version, head, found)
            case [b"reused"]:
                raise KeyReused("this command id was used for something else")
            case [b"clock", now]:
                raise ClockSkew(f"the batch is of {batch.at}, the store's clock says {now}")
            case [b"ahead", now]:
                raise StreamAhead(batch.at - now)
            case [b"behind", store, seq]:
                raise self._behind(keys.shard, store.decode(), seq)
            case [b"damaged", what]:
                raise Damaged(f"{batch.stream}: {what.decode()}")
        raise LogUnavailable(f"an answer that the script does not give: {answer!r}")

    async def _call(
        self, keys: Sequence[str], arguments: list[bytes | str | int]
    ) -> tuple[Any, bool]:
        """The script's answer, and whether a replica has it; how long that took is noted."""
        began = time.monotonic()
        try:
            if self.replication is None:
                return await self._caller.call(APPEND, keys, arguments), False
            return await self.replication.call(APPEND, keys, arguments)
        finally:
            if self.pace is not None:
                self.pace.note(time.monotonic() - began)

    async def close(self) -> None:
        """End what runs in the background, before the clients are closed."""
        if self.replication is not None:
            await self.replication.close()

    def require_known(self) -> None:
        """Check that the store is the one that this process knows.

        Raises:
            StoreBehind: it is not, or that is not known yet.
        """
        if self.known is not None:
            self.known.require()

    async def require_fit(self, stream: str) -> None:
        """Check that this process may decide and write: by this store, and by its clock.

        Raises:
            StoreBehind: the store is not the one that it knows.
            ClockSkew: its clock is wrong.
        """
        self.require_known()
        if self.guard is not None and self.guard.must_look():
            await self.guard.require_right(self.layout.stream(stream).head)

    def _behind(self, shard: int, store: str, seq: int) -> StoreBehind:
        """What a shard lacks that is known of it."""
        known = self.known
        if known is not None and store == known.name and seq >= known.least(shard):
            at = known.least(shard)
            return StoreBehind(f"the shard has another history at {at} than was known")
        return StoreBehind(f"the shard is of store {store!r} and ends at {seq}")

    def _arguments(self, batch: Append, shard: int) -> list[bytes | str | int]:
        """The arguments of the script, in its order."""
        guard, known = self.guard, self.known
        args: list[bytes | str | int] = [
            batch.stream,
            batch.after,
            batch.previous,
            batch.command_id,
            batch.digest,
            batch.head,
            batch.status,
            "-" if batch.due is None else batch.due,
            batch.at,
            "" if guard is None else guard.tolerance,
            TAIL_LIMIT,
            "1" if batch.insists else "",
            batch.at if guard is None else guard.clock(),
            OLDEST_MS,
            "1" if batch.accepts_ahead else "",
            "" if known is None else known.name,
            0 if known is None else known.mark(shard).words,
            " ".join(batch.concerns),
            "",
        ]
        for public, private in batch.entries:
            args += [public, private or b""]
        return args

    async def answered(
        self, stream: str, command_id: str, digest: str, after: int, limit: int = TAIL_LIMIT
    ) -> Again | StreamTail:
        """The first answer to a command, or else what the stream holds after ``after``.

        Raises:
            KeyReused: the command id belongs to another command.
            Damaged: entries are missing.
            LogUnavailable: the store does not answer.
        """
        keys = self.layout.stream(stream)
        names = (keys.head, keys.entries, keys.commands)
        answer = await self._caller.call(_answered, names, [command_id, digest, after, limit])
        match answer:
            case [b"again", first, count, entries]:
                return Again(first, _all_of(stream, entries, first - 1, count))
            case [b"tail", version, head, status, entries]:
                wanted = min(max(version - after, 0), limit)
                found = _all_of(stream, entries, after, wanted)
                return StreamTail(version, head, status.decode(), found)
            case [b"reused"]:
                raise KeyReused("this command id was used for something else")
        raise LogUnavailable(f"an answer that the script does not give: {answer!r}")

    async def tail(self, stream: str, after: int, limit: int = TAIL_LIMIT) -> StreamTail:
        """Where a stream stands, and at most ``limit`` entries after ``after``.

        Raises:
            Damaged: entries are missing.
            LogUnavailable: the store does not answer.
        """
        found = await self.answered(stream, "", "", after, limit)
        if isinstance(found, Again):
            raise LogUnavailable("the store remembers a command without an id")
        return found

    async def read(self, stream: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """The entries after ``after``, in order, at most ``limit``; none of an unknown stream.

        Raises:
            Damaged: the versions are not contiguous.
            LogUnavailable: the store does not answer.
        """
        key = self.layout.stream(stream).entries
        result: list[Stored] = []
        while limit is None or len(result) < limit:
            wanted = _PAGE if limit is None else min(_PAGE, limit - len(result))
            start = after + len(result)
            page = await self._caller.command("XRANGE", key, f"{start + 1}-0", "+", "COUNT", wanted)
            result += _stored(stream, page, start)
            if len(page) < wanted:
                break
        return result

    async def head(self, stream: str) -> StreamHead | None:
        """Where a stream stands; None: there is no such stream.

        Raises:
            LogUnavailable: the store does not answer.
        """
        key = self.layout.stream(stream).head
        version, head, status = await self._caller.command("HMGET", key, "ver", "head", "st")
        return None if version is None else StreamHead(int(version), head, status.decode())

    async def place(self, stream: str, command_id: str) -> Place | None:
        """Where in the store a command's batch lies.

        None: the store has no name, or does not remember the command.

        Raises:
            LogUnavailable: the store does not answer.
        """
        keys = self.layout.stream(stream)
        name, record = await asyncio.gather(
            self._caller.command("HGET", keys.meta, "store"),
            self._caller.command("HGET", keys.commands, command_id),
        )
        if name is None or record is None:
            return None
        store, _, epoch = name.decode().rpartition(":")
        return Place(store, int(epoch), int(record.rpartition(b":")[2]))

    async def shown(
        self, stream: str, version: Version, head: bytes, *, insists: bool = False
    ) -> Version:
        """How much may be shown of a stream that was read up to ``version``, where it was ``head``.

        Who ``insists`` has a replica asked that has been silent; others do not wait for one.

        Raises:
            LogUnavailable: that is not known, or what was read is no part of the stream any more.
        """
        return await self.pointers.shown(stream, version, head, insists=insists)

    async def is_kept(self, stream: str, again: Again) -> bool:
        """Whether the batch of a repeated command, which was just read, is kept as promised.

        Its head is in no answer, so all events up to it are read.

        Raises:
            LogUnavailable: that is not known, or the batch is not there any more.
        """
        version = again.first + len(again.entries) - 1
        entries = await self.read(stream, 0, version)
        if entries[again.first - 1 :] != again.entries:
            raise LogUnavailable(f"{stream} has another batch at {again.first} by now")
        head = seal.chain(seal.genesis(stream), 0, (entry.public for entry in entries))
        return await self.shown(stream, version, head, insists=True) >= version

    async def due(self, shard: int, now: TimestampMs, limit: int) -> list[DueStream]:
        """See ``timers.DueSets.due``."""
        return await self.timers.due(shard, now, limit)

    async def next_due(self) -> TimestampMs | None:
        """See ``timers.DueSets.next_due``."""
        return await self.timers.next_due()

    def pointer_of(self, batch: Append, seq: int) -> Pointer:
        """What its shard's feed says of a batch that was appended as entry ``seq``."""
        shard, count = self.layout.shard_of(batch.stream), len(batch.entries)
        return Pointer(shard, seq, batch.stream, batch.after + count, count)

    async def feed(self, shard: int, after: int, limit: int) -> list[Pointer]:
        """See ``feed.Feed.read``."""
        return await self.pointers.read(shard, after, limit)

    async def feed_ends(self) -> dict[int, int]:
        """See ``feed.Feed.ends``."""
        return await self.pointers.ends()

    def follow(self, after: Mapping[int, int]) -> AsyncGenerator[Pointer, None]:
        """See ``feed.Feed.follow``."""
        return self.pointers.follow(after)


def _kept(batch: Append, shard: int, seq: int, link: str) -> JournalEntry:
    """A batch that was appended, for the time until the journal has it."""
    return JournalEntry(
        shard,
        seq,
        link,
        batch.stream,
        batch.after,
        batch.previous,
        batch.head,
        batch.command_id,
        batch.digest,
        batch.status,
        batch.due,
        batch.entries,
    )


def _stored(stream: str, entries: list[Any], after: int) -> list[Stored]:
    """Entries as the store returned them; their versions must follow ``after`` without a gap."""
    result = []
    for version, (number, fields) in enumerate(entries, after + 1):
        if number != b"%d-0" % version:
            raise Damaged(f"{stream}: {number.decode()} stands where {version}-0 belongs")
        if isinstance(fields, dict):  # the client of a cluster knows the command
            result.append(Stored(version, fields[b"e"], fields.get(b"p")))
        else:  # as the protocol has it
            result.append(Stored(version, fields[1], fields[3] if len(fields) > 2 else None))  # noqa: PLR2004
    return result


def _all_of(stream: str, entries: list[Any], after: int, count: int) -> list[Stored]:
    """As ``_stored``, and there must be ``count`` of them."""
    if len(entries) != count:
        raise Damaged(f"{stream}: {len(entries)} entries after {after}, and {count} belong there")
    return _stored(stream, entries, after)
