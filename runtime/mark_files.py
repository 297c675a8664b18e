"""Marks on disk: what the processes of one machine have seen of the store, kept outside it.

Each process has its own file in one folder, replaced atomically and synced to disk; every process
reads all of them when it starts. The number in a file's name is held by a lock for as long as the
process lives, so there are as many files as there were ever processes at once.
"""

from __future__ import annotations

import fcntl
import itertools
import os
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from events.known import Mark, Marks, newest
from runtime.embedded.private import replace_file

FORMAT: Final = "parlour/marks/1"

Kind = Literal["api", "clock", "worker", "supervisor", "accepted"]
"""The kinds of marks files; ``accepted`` holds those with which an operator began an epoch."""

_FOLDER_MODE: Final = 0o700
_FILE_MODE: Final = 0o600


class MarksError(RuntimeError):
    """Marks cannot be read or kept. The message is a sentence."""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """What a file holds: the furthest place in each shard's feed, by the shard's number."""

    format: str
    store: str
    epoch: int
    shards: dict[int, Mark]


def read_marks(folder: Path) -> Marks | None:
    """The combined marks of all files in a folder; None if there are none.

    Raises:
        MarksError: one cannot be read, or they are of two stores.
    """
    found: list[Marks] = []
    for path in sorted(folder.glob("*.json")):
        try:
            said = msgspec.json.decode(path.read_bytes(), type=_File)
        except OSError as error:
            raise MarksError(f"{path} cannot be read: {error.strerror}") from error
        except msgspec.DecodeError as error:
            raise MarksError(f"{path} is damaged: these are no marks") from error
        if said.format != FORMAT:
            raise MarksError(f"{path} is of another format: {said.format}")
        found.append(Marks(said.store, said.epoch, said.shards))
    try:
        return newest(found)
    except ValueError as error:
        raise MarksError(f"in {folder} {error}") from error


class MarkFile:
    """The file of one process.

    Args:
        folder: where all of them are; created if missing.
        kind: the kind of process.

    Raises:
        MarksError: nothing can be written there.
    """

    def __init__(self, folder: Path, kind: Kind) -> None:
        try:
            folder.mkdir(_FOLDER_MODE, parents=True, exist_ok=True)
            self._lock, number = _claim(folder, kind)
        except OSError as error:
            raise MarksError(f"{folder} cannot be written: {error.strerror}") from error
        self.path = folder / f"{kind}-{number}.json"

    def write(self, marks: Marks) -> None:
        """Replace the file, and wait until it is on disk.

        Raises:
            MarksError: that cannot be done; see ``replace_file``.
        """
        said = _File(FORMAT, marks.store, marks.epoch, dict(sorted(marks.shards.items())))
        replace_marks(self.path, msgspec.json.encode(said) + b"\n")

    def close(self) -> None:
        """Release the file to the next process of this kind."""
        os.close(self._lock)


def write_accepted(folder: Path, marks: Marks) -> None:
    """Make all processes that read this folder start from these marks.

    Raises:
        MarksError: that cannot be written.
    """
    file = MarkFile(folder, "accepted")
    try:
        file.write(marks)
    finally:
        file.close()


def replace_marks(path: Path, content: bytes) -> None:
    """Replace a file of marks atomically, and wait until it is on disk.

    Raises:
        MarksError: that cannot be done; see ``replace_file``.
    """
    try:
        replace_file(path, content)
    except OSError as error:
        raise MarksError(f"{path} cannot be written: {error.strerror}") from error


def _claim(folder: Path, kind: Kind) -> tuple[int, int]:
    """Lock the first free number; returns the lock and the number."""
    for number in itertools.count(1):
        lock = os.open(folder / f"{kind}-{number}.lock", os.O_RDWR | os.O_CREAT, _FILE_MODE)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
        else:
            return lock, number
    raise AssertionError("numbers do not end")
