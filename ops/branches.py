"""What the journal has and a store lacks, stream by stream: put back, or on another branch.

Where a whole shard can be given back its tail, the shipper does that. Here others have written
since, so its feed is another one, but most of its streams have not moved: these go on from where
they were. A stream that has moved has two branches, and nothing is put on top of either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from events.clients import Client
from events.kernel import Version
from events.log import Append, Appended, KeyReused, StreamLog, VersionConflict
from events.restoring import Restoring
from events.unshipped import JournalEntry
from runtime.journal.healing import Tail, continued, heal, kept_aside
from runtime.journal.segments import segments, tails

_NEAR: Final = 1_000
_FARTHER: Final = 30


class Fork(Struct, frozen=True):
    """A stream has two branches: up to ``common`` they are one; the lost one comes to ``known``."""

    common: Version
    known: Version


class PutBack(Struct, frozen=True):
    """How many batches were put back, and which streams have two branches."""

    batches: int
    forks: Mapping[str, Fork]


async def put_back(log: StreamLog, client: Client, folders: Iterable[Path]) -> PutBack:
    """Put back what journals have, and what was kept aside in their folders, and a store lacks.

    Raises:
        JournalError: a journal cannot be read.
        Damaged: a stream is not as its feed says.
        LogUnavailable: the store does not answer.
    """
    restoring = Restoring(client, log.layout)
    done, forks = 0, dict[str, Fork]()
    for folder in folders:
        kept = await asyncio.to_thread(kept_aside, folder)
        has_journal = bool(await asyncio.to_thread(segments, folder))
        for shard in range(log.layout.shards):
            own = [entry for entry in kept if entry.shard == shard]
            found = await since_common(restoring, folder, shard) if has_journal else []
            batches, more = await _put_back_shard(log, restoring, shard, [*found, *own])
            done += batches
            forks |= more
    return PutBack(done, forks)


async def _put_back_shard(
    log: StreamLog, restoring: Restoring, shard: int, entries: Sequence[JournalEntry]
) -> tuple[int, dict[str, Fork]]:
    """As ``put_back``, for a shard: as it was if that is possible, else stream by stream."""
    in_order = sorted({(e.seq, e.link): e for e in entries}.values(), key=lambda e: e.seq)
    end, _ = await restoring.feed_end(shard)
    tail, done = await heal(restoring, shard, continued(end.seq, in_order))
    forks: dict[str, Fork] = {}
    if tail is Tail.WHOLE and await _is_there(restoring, shard, in_order):
        return done, forks
    for entry in in_order:
        fork = forks.get(entry.stream)
        if fork is not None:
            forks[entry.stream] = Fork(fork.common, max(fork.known, entry.version))
            continue
        common = await _put_back_batch(log, entry)
        if common is None:
            done += 1
        elif common < entry.version:
            forks[entry.stream] = Fork(common, entry.version)
    return done, forks


async def _is_there(restoring: Restoring, shard: int, entries: Sequence[JournalEntry]) -> bool:
    """Whether all batches stand in the shard's feed as they did."""
    for entry in entries:
        if await restoring.link_at(shard, entry.seq) != entry.link:
            return False
    return True


async def _put_back_batch(log: StreamLog, entry: JournalEntry) -> Version | None:
    """Append a batch to its stream; None: done.

    Otherwise up to which of its versions the stream has what it had: all of it, or less.
    """
    head = await log.head(entry.stream)
    version = 0 if head is None else head.version
    if version == entry.after:
        batch = Append(
            stream=entry.stream,
            after=entry.after,
            previous=entry.previous,
            entries=entry.entries,
            head=entry.head,
            command_id=entry.command_id,
            digest=entry.digest,
            status=entry.status,
            due=entry.due,
            at=0,
        )
        try:
            answer = await log.append(batch)
        except (KeyReused, VersionConflict):  # of one version, and with another head
            return max(0, entry.after - 1)
        return None if isinstance(answer, Appended) else max(0, entry.after - 1)
    return await _common(log, entry, version)


async def _common(log: StreamLog, entry: JournalEntry, version: Version) -> Version:
    """Up to where a stream at ``version`` has the events of a batch."""
    if version < entry.after:
        return version
    there = await log.read(entry.stream, entry.after, len(entry.entries))
    common = entry.after
    for stored, (public, private) in zip(there, entry.entries, strict=False):
        if (stored.public, stored.private or None) != (public, private or None):
            break
        common = stored.version
    return common


async def since_common(restoring: Restoring, folder: Path, shard: int) -> list[JournalEntry]:
    """The journal's batches of a shard after the last that the store has as well."""
    end, _ = await restoring.feed_end(shard)
    near = _NEAR
    while True:
        after = max(0, end.seq - near)
        found = (await asyncio.to_thread(tails, folder, {shard: after}))[shard]
        for place in range(len(found) - 1, -1, -1):
            if await restoring.link_at(shard, found[place].seq) == found[place].link:
                return found[place + 1 :]
        if not after:
            return found
        near *= _FARTHER
