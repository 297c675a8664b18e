"""The append-only file of the embedded store: what a crash did to it, and how it is repaired.

A store that is killed or loses power while writing leaves an incomplete last record. Its write was
never acknowledged, because the store answers only once the record is on disk; so the record may be
cut off, and is kept aside. Any other fault may mean that acknowledged writes are lost, and is never
repaired here.

The form is that of Valkey and Redis 7.0 and newer: a folder with a manifest, which names one base
(an RDB file, whose checksum the server verifies by itself, or records) and the records after it, in
one file or in several. A record is a command as a client sends it (RESP: ``*3``, then ``$3``,
``SET`` and so on, each line ended by CR LF). Several between ``MULTI`` and ``EXEC`` are one.
"""

from __future__ import annotations

import mmap
import os
import re
import shutil
import time
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from runtime.embedded.private import sync_folder

FOLDER: Final = "appendonlydir"
MANIFEST: Final = "appendonly.aof.manifest"

TAIL_MAX: Final = 8 << 20
"""Bytes. An incomplete end is part of one write, so a longer one has another cause."""

_OWNER_ONLY: Final = 0o600
_RDB: Final = (b"REDIS", b"VALKEY")
_LINE_BYTES: Final = 13  # a mark, at most 10 digits, CR LF
_ZEROS_AT_ONCE: Final = 1 << 16
_KINDS: Final = re.compile("b?i*")
_LINE: Final = re.compile(r"file ([\w.-]+) seq [0-9]+ type ([bhi])(?: \S+ \S+)*")
_RECORD: Final = re.compile(rb"\r\n(?=\*[1-9][0-9]{0,9}\r\n\$[0-9]{1,10}\r\n)")

_NAMES: Final = frozenset(
    b"""
    APPEND BITFIELD BITOP BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH BZMPOP BZPOPMAX BZPOPMIN CLUSTER
    COPY DECR DECRBY DEL DELIFEQ EXEC EXPIRE EXPIREAT FLUSHALL FLUSHDB FUNCTION GEOADD GEORADIUS
    GEORADIUSBYMEMBER GEOSEARCHSTORE GETDEL GETEX GETSET HDEL HEXPIRE HEXPIREAT HGETDEL HGETEX
    HINCRBY HINCRBYFLOAT HMSET HPERSIST HPEXPIRE HPEXPIREAT HSET HSETEX HSETNX INCR INCRBY
    INCRBYFLOAT LINSERT LMOVE LMPOP LPOP LPUSH LPUSHX LREM LSET LTRIM MIGRATE MOVE MSET MSETEX
    MSETNX MULTI PERSIST PEXPIRE PEXPIREAT PFADD PFDEBUG PFMERGE PSETEX RENAME RENAMENX RESTORE
    RESTORE-ASKING RPOP RPOPLPUSH RPUSH RPUSHX SADD SDIFFSTORE SELECT SET SETBIT SETEX SETNX
    SETRANGE SINTERSTORE SMOVE SORT SPOP SREM SUNIONSTORE SWAPDB UNLINK XACK XADD XAUTOCLAIM XCLAIM
    XDEL XGROUP XREADGROUP XSETID XTRIM ZADD ZDIFFSTORE ZINCRBY ZINTERSTORE ZMPOP ZPOPMAX ZPOPMIN
    ZRANGESTORE ZREM ZREMRANGEBYLEX ZREMRANGEBYRANK ZREMRANGEBYSCORE ZUNIONSTORE
    """.split()
)
"""The commands that write. Any other name in the file was altered."""

Bytes: TypeAlias = "bytes | mmap.mmap"


class AofError(Exception):
    """The file is not what the store wrote, or cannot be repaired. The message is a sentence."""


class UnfinishedEnd(Struct, frozen=True):
    """An incomplete end: ``size`` bytes of ``path`` from the offset ``at``."""

    path: Path
    at: int
    size: int


class AlteredError(AofError):
    """No store wrote what is at the offset ``at``."""

    def __init__(self, at: int, what: str) -> None:
        super().__init__(f"{what} at byte {at}")
        self.at = at


class _Unfinished(Exception):
    """The bytes end before the record does."""


def require_manifest(folder: Path) -> None:
    """Check that a folder with files in it has a manifest that names them.

    Without one the server would begin a new, empty store.

    Raises:
        AofError: it has none.
    """
    if folder.is_dir() and any(folder.iterdir()):
        _files(folder)


def unfinished_tail(folder: Path) -> UnfinishedEnd | None:
    """The incomplete last record, or transaction, of the newest file; None if all are complete.

    Raises:
        AofError: something else is wrong.
    """
    named = _files(folder)
    for number, (name, kind) in enumerate(named, 1):
        path = folder / name
        try:
            size = path.stat().st_size
            whole = _whole(path, may_be_rdb=kind == "b")
        except AlteredError as error:
            raise AofError(f"{path} was altered or damaged: {error}") from error
        except OSError as error:
            raise AofError(f"{path} cannot be read: {error.strerror}") from error
        if whole < size and number < len(named):
            raise AofError(f"{path} ends within a record, though a newer file follows it")
        if size - whole > TAIL_MAX:
            raise AofError(f"{path} is damaged from byte {whole} on: that is more than one write")
        if whole < size:
            return UnfinishedEnd(path, whole, size - whole)
    return None


def whole_records(data: Bytes) -> int:
    """Where the last complete record, or transaction, ends.

    Zeros at the end are left by a file system that had allocated room but not yet written.

    Raises:
        AlteredError: the bytes are neither records nor the beginning of one.
    """
    end = _without_zeros(data)
    at = whole = 0
    is_open = False
    while at < end:
        try:
            name, following = _record(data, at, end)
        except _Unfinished:
            _require_nothing_whole(data, at, end)
            break
        if name == b"MULTI" and is_open:
            raise AlteredError(at, "a transaction within another")
        if name == b"EXEC" and not is_open:
            raise AlteredError(at, "the end of a transaction that did not begin")
        is_open = name == b"MULTI" or (is_open and name != b"EXEC")
        at = following
        if not is_open:
            whole = at
    return whole


def cut(tail: UnfinishedEnd) -> Path:
    """Cut an incomplete end off; returns the new file beside it, in which it is kept.

    Nothing is cut before the copy is on disk.

    Raises:
        AofError: it cannot be kept or cut.
    """
    kept = tail.path.with_name(f"{tail.path.name}.cut-{tail.at}-{time.time_ns()}")
    try:
        with tail.path.open("r+b") as file:
            file.seek(tail.at)
            handle = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
            with os.fdopen(handle, "wb") as copy:
                shutil.copyfileobj(file, copy)
                copy.flush()
                os.fsync(copy.fileno())
            sync_folder(kept.parent)
            file.truncate(tail.at)
            os.fsync(file.fileno())
    except OSError as error:
        raise AofError(f"the end of {tail.path} cannot be kept: {error.strerror}") from error
    return kept


def _files(folder: Path) -> list[tuple[str, str]]:
    """The files that the manifest names with their kinds, oldest first, without history (``h``)."""
    path = folder / MANIFEST
    try:
        text = path.read_text("ascii")
    except FileNotFoundError as error:
        raise AofError(f"{path} is missing, and without it no game can be found") from error
    except (OSError, UnicodeDecodeError) as error:
        raise AofError(f"{path} cannot be read: {error}") from error
    found = [_LINE.fullmatch(line) for line in text.splitlines()]
    named = [(match[1], match[2]) for match in found if match is not None]
    kinds = "".join(kind for _, kind in named if kind != "h")
    if None in found or not text.endswith("\n") or not _KINDS.fullmatch(kinds):
        raise AofError(f"{path} was altered or damaged: it names no base and records after it")
    return [(name, kind) for name, kind in named if kind != "h"]


def _whole(path: Path, *, may_be_rdb: bool) -> int:
    """Where the last complete record of a file ends; of an RDB file, its end."""
    size = path.stat().st_size
    if not size:
        return 0
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if may_be_rdb and data[: len(_RDB[-1])].startswith(_RDB):
            return size
        return whole_records(data)


def _without_zeros(data: Bytes) -> int:
    """The length of the bytes without trailing zeros."""
    end = len(data)
    while end:
        start = max(0, end - _ZEROS_AT_ONCE)
        left = len(data[start:end].rstrip(b"\0"))
        if left:
            return start + left
        end = start
    return 0


def _record(data: Bytes, at: int, end: int) -> tuple[bytes, int]:
    """The name of the command of the record at ``at``, in capitals, and where the record ends.

    Raises:
        _Unfinished: it does not end before ``end``.
        AlteredError: it is none.
    """
    count, following = _number(data, at, end, b"*")
    if not count:
        raise AlteredError(at, "a command without a name")
    name = b""
    for number in range(count):
        size, start = _number(data, following, end, b"$")
        following = start + size + 2
        if data[start + size : min(end, following)] != b"\r\n"[: max(0, end - start - size)]:
            raise AlteredError(start + size, "a value that is not ended")
        if following > end:
            raise _Unfinished
        if not number and (name := data[start : start + size].upper()) not in _NAMES:
            raise AlteredError(start, "a command that no store writes")
    return name, following


def _number(data: Bytes, at: int, end: int, mark: bytes) -> tuple[int, int]:
    """The number of a line such as ``$3``, and where the next line begins.

    Raises:
        _Unfinished: the line does not end before ``end``.
        AlteredError: it is no such line.
    """
    line = data[at : min(end, at + _LINE_BYTES)]
    if line[:1] != mark[: len(line)]:
        raise AlteredError(at, "no record")
    digits, crlf, _ = line[1:].partition(b"\r\n")
    if crlf and digits.isdigit():
        return int(digits), at + 1 + len(digits) + len(crlf)
    rest = line[1:].removesuffix(b"\r")
    if crlf or len(line) == _LINE_BYTES or (rest and not rest.isdigit()) or line[1:2] == b"\r":
        raise AlteredError(at, "no number")
    raise _Unfinished


def _require_nothing_whole(data: Bytes, at: int, end: int) -> None:
    """Check that no complete record lies within one that does not end.

    If a length was altered, a record seems to run on to the end of the file and to swallow
    everything that follows.
    """
    for found in _RECORD.finditer(data, at, end):
        try:
            _record(data, found.end(), end)
        except (_Unfinished, AlteredError):
            continue
        raise AlteredError(at, "a record without an end, with whole ones after it,")
