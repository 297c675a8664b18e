"""Gives a store back the tail that it has lost, or finds that it has gone another way.

Each process puts back what it has appended itself and the journal does not have yet; the process
that ships puts back the rest. Nobody asks the others: each batch goes where the feed ends just
before it, so they take turns by themselves.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

from events.clients import Client
from events.known import StoreBehind
from events.log import Damaged, StreamLog
from events.logger import get_logger
from events.lookout import Lookout
from events.restoring import Restoring
from events.unshipped import JournalEntry, Unshipped
from runtime.embedded.private import make_private, replace_file
from runtime.journal.frames import MAGIC, frame_of
from runtime.journal.segments import JournalError, read_segment

LOOK_S: Final = 0.5
"""Seconds between two looks."""

KEPT: Final = "kept"
"""The folder, in that of the journal, of what processes could not put back themselves."""

_PATIENCE: Final = 10
"""So many looks a gap may last: others may be filling it."""

_log = get_logger(__name__)


class Tail(StrEnum):
    """What is known of the end of a shard's feed.

    ``whole``: it has all that we know of; ``gap``: it lacks a batch that we do not have;
    ``forked``: it has gone another way than we know.
    """

    WHOLE = "whole"
    GAP = "gap"
    FORKED = "forked"


async def heal(
    restoring: Restoring, shard: int, entries: Sequence[JournalEntry]
) -> tuple[Tail, int]:
    """Put back what a shard lacks of some batches, in the order of the feed.

    Returns what is known of its end then, and how many batches were put back.

    Raises:
        StoreBehind: the store is another one.
        Damaged: a stream is not as its feed says.
        LogUnavailable: the store does not answer.
    """
    if not entries:
        return Tail.WHOLE, 0
    by_seq = {entry.seq: entry for entry in entries}
    newest, done = entries[-1], 0
    end, _ = await restoring.feed_end(shard)
    while end.seq < newest.seq:
        entry = by_seq.get(end.seq + 1)
        if entry is None:
            return Tail.GAP, done
        found = await restoring.restore(entry)
        if found is None:
            end, done = entry.mark, done + 1
        elif found.seq == end.seq:
            return Tail.FORKED, done
        else:  # others were faster
            end = found
    same = await restoring.link_at(shard, newest.seq) == newest.link
    return (Tail.WHOLE if same else Tail.FORKED), done


class TailKeeper(Lookout):
    """Puts back what this process has appended and the store has lost; forgets what is shipped.

    Args:
        unshipped: what the process has appended.
        restoring: puts it back.
        folder: that of the journal.
        kind: what the process is.

    Attributes:
        restoring: the store.
    """

    def __init__(self, unshipped: Unshipped, restoring: Restoring, folder: Path, kind: str) -> None:
        super().__init__(LOOK_S, "tail_not_seen")
        self._unshipped = unshipped
        self.restoring = restoring
        self._path = folder / KEPT / f"{kind}-{secrets.token_hex(8)}.journal"
        self._gaps: dict[int, int] = {}
        self._told: dict[int, Tail] = {}
        self._epoch = restoring.epoch
        self._kept_aside: list[tuple[int, int]] = []

    async def _look(self) -> None:
        if self.restoring.epoch != self._epoch:
            await self._begin_epoch()
        for shard in self._unshipped.shards:
            try:
                await self._look_at(shard)
            except (StoreBehind, Damaged) as error:
                _log.debug("tail_not_put_back", shard=shard, reason=str(error))
                self._tell(shard, Tail.FORKED)
        if self._told or self._kept_aside:
            await self.keep_aside()

    async def _look_at(self, shard: int) -> None:
        entries = tuple(self._unshipped.of(shard))
        tail, done = await heal(self.restoring, shard, entries)
        if done:
            _log.warning("tail_put_back", shard=shard, batches=done)
        if tail is Tail.GAP:
            self._gaps[shard] = self._gaps.get(shard, 0) + 1
            if self._gaps[shard] < _PATIENCE:
                return
        if tail is Tail.WHOLE:
            self._gaps.pop(shard, None)
            self._told.pop(shard, None)
            _, shipped = await self.restoring.feed_end(shard)
            # All up to the newest are those of the feed, for its link is; so is what was shipped.
            self._unshipped.forget(shard, min(shipped.seq, entries[-1].seq))
        else:
            self._tell(shard, tail)

    async def _begin_epoch(self) -> None:
        """An operator has accepted the store as it is: what does not belong to it is given up."""
        for shard in tuple(self._told):
            for entry in reversed(tuple(self._unshipped.of(shard))):
                if await self.restoring.link_at(shard, entry.seq) != entry.link:
                    self._unshipped.forget(shard, entry.seq)
                    break
        self._told.clear()
        self._gaps.clear()
        self._epoch = self.restoring.epoch

    async def keep_aside(self) -> None:
        """Write down what is not shipped, for the process that ships and for an operator."""
        entries = [each for shard in self._unshipped.shards for each in self._unshipped.of(shard)]
        places = [(entry.shard, entry.seq) for entry in entries]
        if places == self._kept_aside:
            return
        try:
            if entries:
                await asyncio.to_thread(_write_kept, self._path, entries)
            else:
                self._path.unlink(missing_ok=True)
        except OSError as error:
            _log.error("tail_not_kept", reason=str(error))
        else:
            self._kept_aside = places

    async def close(self) -> None:
        """The process ends: what is not shipped is kept aside, for whoever may need it."""
        await self._look_if_possible()
        await self.keep_aside()

    def _tell(self, shard: int, tail: Tail) -> None:
        if self._told.get(shard) is tail:
            return
        self._told[shard] = tail
        if tail is Tail.GAP:
            _log.error("tail_has_gap", shard=shard)
        else:
            _log.error("tail_forked", shard=shard)


def tail_keeper(
    log: StreamLog, client: Client, folder: Path | None, kind: str
) -> TailKeeper | None:
    """What a process needs that appends to a log; None where there is no journal."""
    if log.unshipped is None or folder is None:
        return None
    return TailKeeper(log.unshipped, Restoring(client, log.layout, log.known), folder, kind)


def kept_aside(folder: Path) -> list[JournalEntry]:
    """What processes have kept aside in the folder of a journal.

    Raises:
        JournalError: a file cannot be read.
    """
    return [entry for entries in kept_files(folder).values() for entry in entries]


def kept_files(folder: Path) -> dict[Path, list[JournalEntry]]:
    """As ``kept_aside``, by file.

    Raises:
        JournalError: a file cannot be read.
    """
    found: dict[Path, list[JournalEntry]] = {}
    for path in sorted((folder / KEPT).glob("*.journal")):
        try:
            size = path.stat().st_size
        except FileNotFoundError:  # it has been shipped meanwhile
            continue
        segment = read_segment(path, size)
        found[path] = [each for each in segment.contents if isinstance(each, JournalEntry)]
    return found


def set_aside_for_good(folder: Path, epoch: int) -> None:
    """What was kept aside has been decided on; the files stay, and nobody puts them back.

    Raises:
        JournalError: a file cannot be renamed.
    """
    for path in (folder / KEPT).glob("*.journal"):
        try:
            path.rename(path.with_suffix(f".epoch-{epoch}"))
        except OSError as error:
            raise JournalError(f"{path} cannot be renamed: {error.strerror}") from error


def keep_branch(folder: Path, entries: Sequence[JournalEntry]) -> None:
    """Keep batches aside that are about to be taken off a store.

    Raises:
        JournalError: they cannot be written.
    """
    try:
        _write_kept(folder / KEPT / f"branch-{secrets.token_hex(8)}.journal", entries)
    except OSError as error:
        raise JournalError(f"{folder / KEPT} cannot be written: {error.strerror}") from error


def continued(seq: int, entries: Iterable[JournalEntry]) -> list[JournalEntry]:
    """Those batches of a shard that follow one another after the number ``seq``."""
    by_seq = {entry.seq: entry for entry in entries}
    found: list[JournalEntry] = []
    while (entry := by_seq.get(seq + 1)) is not None:
        found.append(entry)
        seq = entry.seq
    return found


def _write_kept(path: Path, entries: Sequence[JournalEntry]) -> None:
    make_private(path.parent)
    replace_file(path, MAGIC + b"".join(map(frame_of, entries)))
