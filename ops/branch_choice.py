"""The two branches of a shard, of which an operator chooses the one in the journal.

After a failover others may have written to a shard that lacked what was acknowledged. What the
store has then is one branch, what the journal and processes have kept is the other. The store's
stays by itself. Where the journal's is chosen, what the store has is kept aside, the shard is set
back to the last entry that both have, and is given back what it had lost, byte for byte; then
``accept`` puts the batches of the other branch into streams that have one branch only, and
holds the games that have two.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from events.clients import Client, texts_of
from events.kernel import Version
from events.known import Mark
from events.log import StreamLog
from events.restoring import EarlierStream, Restoring
from events.scripts import Caller
from events.unshipped import JournalEntry, link_after
from ops.acceptance import AcceptanceError
from ops.branches import since_common
from runtime.journal.healing import Tail, heal, keep_branch, kept_aside
from runtime.journal.pages import FeedPages
from runtime.journal.segments import segments

_PAGE: Final = 512


class TwoBranches(Struct, frozen=True):
    """The versions of a stream: the last that both branches have, and the last on either."""

    common: Version
    journal: Version
    store: Version


class Branches(Struct, frozen=True):
    """The last entry of a shard that both branches have, and the batches of either after it."""

    shard: int
    common: Mark
    journal: list[JournalEntry]
    store: list[JournalEntry]

    def both(self) -> Mapping[str, TwoBranches]:
        """The streams that have moved on both."""
        journal = {each.stream: each.version for each in self.journal}
        store = {each.stream: each.version for each in self.store}
        common = {each.stream: each.after for each in reversed(self.store)}
        return {
            stream: TwoBranches(common[stream], journal[stream], store[stream])
            for stream in sorted(journal.keys() & store.keys())
        }


async def branches_of(log: StreamLog, client: Client, folder: Path, shard: int) -> Branches | None:
    """The branches of a shard; None: it has one, or merely lacks its end.

    Raises:
        JournalError: the journal cannot be read.
        Damaged: a batch in the store is not what its link names.
        LogUnavailable: the store does not answer.
    """
    restoring = Restoring(client, log.layout)
    has_journal = bool(await asyncio.to_thread(segments, folder))
    lost = await since_common(restoring, folder, shard) if has_journal else []
    lost += [each for each in await asyncio.to_thread(kept_aside, folder) if each.shard == shard]
    lost = [each for each in lost if await restoring.link_at(shard, each.seq) != each.link]
    if not lost:
        return None
    before = min(each.seq for each in lost) - 1
    common = Mark(before, await restoring.link_at(shard, before) or "")
    end, _ = await restoring.feed_end(shard)
    journal = _linked(common, lost)
    if end.seq <= before or not journal:
        return None
    pages, store = FeedPages(log, Caller(client)), list[JournalEntry]()
    while True:
        found = await pages.read(shard, store[-1].mark if store else common, _PAGE)
        store += found
        if len(found) < _PAGE:
            return Branches(shard, common, journal, store)


async def choose_journal(log: StreamLog, client: Client, folder: Path, found: Branches) -> None:
    """Let a shard have the branch of the journal, and keep that of the store aside.

    Raises:
        AcceptanceError: the store does not say how a stream stood, or somebody writes to it.
        JournalError: the store's branch cannot be kept aside; nothing was changed.
        Damaged, StoreBehind, LogUnavailable: see ``Restoring.set_back``.
    """
    restoring, shard = Restoring(client, log.layout), found.shard
    streams = [
        await _earlier(log, client, found, stream) for stream in {e.stream for e in found.store}
    ]
    accounts = sum(bool(log.layout.stream(each.stream).account_feed) for each in found.store)
    await asyncio.to_thread(keep_branch, folder, found.store)
    await restoring.set_back(shard, found.store[-1].mark, found.common, streams, accounts)
    tail, _ = await heal(restoring, shard, found.journal)
    if tail is not Tail.WHOLE:
        raise AcceptanceError(f"somebody writes to shard {shard}: stop all parts, and choose again")


async def _earlier(log: StreamLog, client: Client, found: Branches, stream: str) -> EarlierStream:
    """How a stream stood where the branches part."""
    own = [each for each in found.store if each.stream == stream]
    later = [each.command_id for each in own]
    version, head = own[0].after, own[0].previous
    if not version:
        return EarlierStream(stream, 0, b"", "", "-", later)
    said = await _pointer(log, client, found, stream, version)
    if said is None or not {"s", "d"} <= said.keys():
        raise AcceptanceError(f"the store does not say how {stream} stood at version {version}")
    return EarlierStream(stream, version, head, said["s"], said["d"], later)


async def _pointer(
    log: StreamLog, client: Client, found: Branches, stream: str, version: Version
) -> Mapping[str, str] | None:
    """The newest entry of the feed, up to the common one, that is of a stream's version."""
    caller, before = Caller(client), found.common.seq
    while before:
        key = log.layout.feed(found.shard)
        page = await caller.command("XREVRANGE", key, f"{before}-0", "-", "COUNT", _PAGE)
        for number, fields in page:
            said = texts_of(fields)
            if (said["g"], int(said["v"])) == (stream, version):
                return said
            before = int(number.partition(b"-")[0]) - 1
        if not page:
            break
    return None


def _linked(common: Mark, entries: Iterable[JournalEntry]) -> list[JournalEntry]:
    """The batches that follow an entry of the feed one by one, by their links."""
    by_place: dict[int, list[JournalEntry]] = {}
    for entry in entries:
        by_place.setdefault(entry.seq, []).append(entry)
    found, at = list[JournalEntry](), common
    while True:
        following = _next(at, by_place.get(at.seq + 1, ()))
        if following is None:
            return found
        found.append(following)
        at = following.mark


def _next(at: Mark, entries: Sequence[JournalEntry]) -> JournalEntry | None:
    for entry in entries:
        if link_after(at.chain, entry.stream, entry.version, entry.head) == entry.link:
            return entry
    return None
