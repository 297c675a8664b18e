"""The journal on disk: numbered segments in a folder, which grow at their end and never change.

A segment begins with ``frames.MAGIC`` and the frame of the store; batches follow in the order in
which they were shipped. What lies before the watermark was told to others and must be there; what a
crash has left behind it was not, and is kept as far as it is complete.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from events.known import Mark
from events.logger import get_logger
from events.unshipped import JournalEntry
from runtime.embedded.private import make_private, sync_folder
from runtime.journal.frames import (
    MAGIC,
    BrokenFrameError,
    Content,
    StoreNamed,
    contents,
    frame_of,
)
from runtime.journal.watermark import NAME, Watermark, WatermarkFile, read_watermark

SEGMENT_BYTES: Final = 16 << 20
"""A segment that has so many bytes is followed by the next."""

_FILE_MODE: Final = 0o600
_NAME: Final = re.compile(r"([0-9]{8})\.journal")
_log = get_logger(__name__)


class JournalError(RuntimeError):
    """The journal cannot be read or written, or was altered. The message is a sentence."""


class Segment(Struct, frozen=True):
    """What a segment holds, and how many of its bytes are complete frames.

    The first ``durable`` of its contents lie before the watermark.
    """

    contents: list[Content]
    size: int
    durable: int


def segments(folder: Path) -> list[tuple[int, Path]]:
    """The segments of a folder by number, in order."""
    found = ((_NAME.fullmatch(path.name), path) for path in folder.glob("*.journal"))
    return sorted((int(match[1]), path) for match, path in found if match is not None)


def read_segment(path: Path, durable: int) -> Segment:
    """What a segment holds; behind ``durable`` bytes it may end in any way.

    Raises:
        JournalError: it is shorter than that, or altered before.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) < durable:
        raise JournalError(
            f"{path} has {len(data)} bytes, and {durable} had been written: it was cut off"
        )
    if not data.startswith(MAGIC):
        if durable:
            raise JournalError(f"{path} is no segment of a journal")
        return Segment([], 0, 0)
    found: list[Content] = []
    size, before = len(MAGIC), 0
    try:
        for content, end in contents(data, size):
            found.append(content)
            size = end
            before += end <= durable
    except BrokenFrameError as error:
        if error.at < durable:
            raise JournalError(f"{path} is damaged: {error}") from error
    return Segment(found, size, before)


def newest_first(folder: Path) -> Iterator[Segment]:
    """All segments of a folder, from the last to the first.

    Raises:
        JournalError: one is damaged, or missing, or there is no journal.
    """
    found = segments(folder)
    mark = _mark(folder, found)
    if not found:
        raise JournalError(f"there is no journal in {folder}")
    for number, path in reversed(found):
        durable = mark.size if number == mark.segment else path.stat().st_size
        yield read_segment(path, 0 if number > mark.segment else durable)


def tails(folder: Path, wanted: Mapping[int, int]) -> dict[int, list[JournalEntry]]:
    """The batches of some shards after the numbers ``wanted``, in order, on the latest branch.

    Raises:
        JournalError: the journal cannot be read.
    """
    found: dict[int, list[JournalEntry]] = {shard: [] for shard in wanted}
    open_shards = set(wanted)
    for segment in newest_first(folder):
        for each in reversed(segment.contents):
            if not isinstance(each, JournalEntry) or each.shard not in open_shards:
                continue
            tail = found[each.shard]
            if tail and each.seq >= tail[-1].seq:  # given up in a later epoch
                continue
            if each.seq > wanted[each.shard]:
                tail.append(each)
            if each.seq <= wanted[each.shard] + 1:
                open_shards.discard(each.shard)
        if not open_shards:
            break
    return {shard: tail[::-1] for shard, tail in found.items()}


def marked(folder: Path) -> Watermark:
    """Up to where the journal of a folder is on disk.

    Raises:
        JournalError: there is none, or it cannot be read.
    """
    found = segments(folder)
    if not found:
        raise JournalError(f"there is no journal in {folder}")
    return _mark(folder, found)


def last_store(folder: Path) -> StoreNamed | None:
    """What the store last said of itself.

    Raises:
        JournalError: the journal cannot be read.
    """
    for segment in newest_first(folder):
        for each in reversed(segment.contents):
            if isinstance(each, StoreNamed):
                return each
    return None


class JournalWriter:
    """Appends to the journal of a folder. Only one process may.

    Args:
        folder: created if missing, and closed to all but its owner.
        segment_bytes: how long a segment becomes.

    Attributes:
        id: what this journal is called, at random, for as long as its folder is there.
        mark: up to where everything is on disk.

    Raises:
        JournalError: another process writes there, or what is there was altered.
    """

    def __init__(self, folder: Path, segment_bytes: int = SEGMENT_BYTES) -> None:
        self._folder = folder
        self._segment_bytes = segment_bytes
        self._named: StoreNamed | None = None
        self._in_use = threading.Lock()
        self._closed = False
        try:
            make_private(folder)
            self._lock = _lock(folder)
            try:
                self.id = _id_of(folder)
                self.mark = self._recover()
                self._file = WatermarkFile(folder)
                self._handle = self._open() if self.mark.segment else -1
                self._confirm(self.mark)
            except BaseException:
                os.close(self._lock)
                raise
        except OSError as error:
            raise JournalError(f"{folder} cannot be written: {error.strerror}") from error

    def end(self, shard: int) -> Mark:
        """The last entry of a shard's feed that is in the journal."""
        return self.mark.shards.get(shard, Mark(0))

    def name(self, store: StoreNamed) -> None:
        """The batches that follow are of this store, in this epoch.

        Raises:
            JournalError: the journal is of another store, or of a later epoch.
        """
        _require_same_store(self._folder, self.mark, store)
        self._named = store
        self._write([store], store.ends)

    def append(self, entries: Sequence[JournalEntry]) -> None:
        """Append batches, and wait until they are on disk.

        Raises:
            JournalError: they cannot be written, or leave a gap; then open the journal anew.
        """
        ends: dict[int, Mark] = {}
        for entry in entries:
            _require_next(entry, ends.get(entry.shard, self.end(entry.shard)))
            ends[entry.shard] = entry.mark
        self._write(entries, ends)

    def close(self) -> None:
        """Release the folder, once what another thread is writing is there."""
        with self._in_use:
            self._closed = True
            if self._handle >= 0:
                os.close(self._handle)
            self._file.close()
            os.close(self._lock)

    def _write(self, found: Iterable[Content], ends: Mapping[int, Mark]) -> None:
        with self._in_use:
            if self._closed:
                raise JournalError("the journal has been closed")
            self._write_now(found, ends)

    def _write_now(self, found: Iterable[Content], ends: Mapping[int, Mark]) -> None:
        try:
            mark = self.mark
            if self._handle < 0 or mark.size >= self._segment_bytes:
                mark = self._begin_segment(mark)
            data = b"".join(map(frame_of, found))
            _write_all(self._handle, data)
            os.fdatasync(self._handle)
            named = self._named
            self._confirm(
                replace(
                    mark,
                    count=mark.count + 1,
                    size=mark.size + len(data),
                    shards={**mark.shards, **ends},
                    store=mark.store if named is None else named.store,
                    epoch=mark.epoch if named is None else named.epoch,
                )
            )
        except OSError as error:
            raise JournalError(f"{self._folder} cannot be written: {error.strerror}") from error

    def _confirm(self, mark: Watermark) -> None:
        self._file.write(mark)
        self.mark = mark

    def _begin_segment(self, mark: Watermark) -> Watermark:
        if self._handle >= 0:
            os.close(self._handle)
        mark = replace(mark, segment=mark.segment + 1, size=0)
        self._handle = os.open(
            self._path(mark.segment), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, _FILE_MODE
        )
        data = MAGIC
        if self._named is not None:
            data += frame_of(replace(self._named, ends=mark.shards))
        _write_all(self._handle, data)
        sync_folder(self._folder)
        return replace(mark, size=len(data))

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:08}.journal"

    def _open(self) -> int:
        """Open the last segment, without what a crash has left at its end."""
        path = self._path(self.mark.segment)
        handle = os.open(path, os.O_RDWR | os.O_APPEND)
        rest = os.fstat(handle).st_size - self.mark.size
        if rest:
            aside = path.with_name(f"{path.name}.cut-{self.mark.count}")
            aside.write_bytes(path.read_bytes()[self.mark.size :])
            os.ftruncate(handle, self.mark.size)
            _log.warning("journal_tail_cut", file=path.name, at=self.mark.size, bytes=rest)
        os.fsync(handle)
        return handle

    def _recover(self) -> Watermark:
        """The watermark, raised by what is complete behind it.

        Raises:
            JournalError: something before it is missing or altered.
        """
        found = segments(self._folder)
        mark = _mark(self._folder, found)
        for number, path in found:
            if number < mark.segment:
                continue
            if number > mark.segment + 1:
                raise JournalError(f"in {self._folder} the segment {mark.segment + 1} is missing")
            durable = mark.size if number == mark.segment else 0
            segment = read_segment(path, durable)
            if not segment.size:  # it was only just begun
                path.unlink()
                break
            mark = _with(mark, number, segment)
        return replace(mark, count=mark.count + 1)


def _with(mark: Watermark, number: int, segment: Segment) -> Watermark:
    """A watermark that says of a segment what is in it."""
    shards = dict(mark.shards)
    for each in segment.contents[segment.durable :]:
        if isinstance(each, StoreNamed):
            mark = replace(mark, store=each.store, epoch=each.epoch)
            shards = dict(each.ends)
        elif each.seq == shards.get(each.shard, Mark(0)).seq + 1:
            shards[each.shard] = each.mark
    return replace(mark, segment=number, size=segment.size, shards=shards)


def _mark(folder: Path, found: Sequence[tuple[int, Path]]) -> Watermark:
    """The watermark of a folder with these segments.

    Raises:
        JournalError: it cannot be read, or a segment of which it tells is missing.
    """
    numbers = [number for number, _ in found]
    try:
        mark = read_watermark(folder)
    except OSError as error:
        raise JournalError(f"{folder / NAME} cannot be read: {error.strerror}") from error
    except BrokenFrameError as error:
        if numbers:
            raise JournalError(f"{folder / NAME} is damaged") from error
        mark = None  # it was being made when the process ended
    if mark is None:
        if numbers and numbers[-1] > 1:
            raise JournalError(f"{folder / NAME} is missing")
        return Watermark()
    _require_all(folder, numbers, mark)
    return mark


def _require_all(folder: Path, numbers: Sequence[int], mark: Watermark) -> None:
    """Refuse a journal that has not all segments of which its watermark tells."""
    if [number for number in numbers if number <= mark.segment] != [*range(1, mark.segment + 1)]:
        raise JournalError(f"in {folder} a segment is missing: there were {mark.segment}")


def _require_same_store(folder: Path, mark: Watermark, store: StoreNamed) -> None:
    """Refuse another store than that of a journal, or one that is in an earlier epoch."""
    if mark.store and mark.store != store.store:
        raise JournalError(
            f"the journal in {folder} is of the store {mark.store}, and this is the"
            f" store {store.store}"
        )
    if store.epoch < mark.epoch:
        raise JournalError(
            f"the journal in {folder} is of epoch {mark.epoch}, and the store is in epoch"
            f" {store.epoch}"
        )


def _require_next(entry: JournalEntry, end: Mark) -> None:
    """Refuse a batch that does not follow the last one of its shard."""
    if entry.seq != end.seq + 1:
        raise JournalError(f"shard {entry.shard} would have a gap before {entry.seq}")


def _lock(folder: Path) -> int:
    lock = os.open(folder / "journal.lock", os.O_RDWR | os.O_CREAT, _FILE_MODE)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise JournalError(f"another process writes the journal in {folder}") from None
    return lock


def _id_of(folder: Path) -> str:
    """The name of a journal, made with its folder; a crash while it was made leaves none."""
    path = folder / "journal.id"
    with contextlib.suppress(FileNotFoundError):
        if found := path.read_text(encoding="ascii").strip():
            return found
    made = secrets.token_hex(8)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FILE_MODE)
    try:
        _write_all(handle, made.encode())
        os.fsync(handle)
    finally:
        os.close(handle)
    return made


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
