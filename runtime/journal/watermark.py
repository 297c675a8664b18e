"""How far the journal is on its disk: one small file, written in two places by turns.

A write that is torn leaves the other place as it was, so the newest of the two that can be read is
at most one write old; and nothing is told of a write before it is on the disk.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from events.known import Mark
from runtime.embedded.private import sync_folder
from runtime.journal.frames import BrokenFrameError, frame, unframed

NAME: Final = "watermark"
PLACES: Final = 2
"""A watermark is written where the one before the last was, so that a crash spoils one at most."""

_PLACE: Final = 32 << 10
_FILE_MODE: Final = 0o600


class Watermark(Struct, frozen=True):
    """Up to where all is on disk: ``size`` bytes of the segment ``segment``.

    ``shards`` are the last entries of the feeds that are in it. ``count`` grows by each write.
    """

    count: int = 0
    segment: int = 0
    size: int = 0
    store: str = ""
    epoch: int = 0
    shards: Mapping[int, Mark] = {}


_decode = msgspec.msgpack.Decoder(Watermark).decode


def read_watermark(folder: Path) -> Watermark | None:
    """The newest watermark of a folder; None if none was ever written.

    Raises:
        BrokenFrameError: what is there cannot be read.
        OSError: nor can the file.
    """
    try:
        data = (folder / NAME).read_bytes()
    except FileNotFoundError:
        return None
    found = []
    for at in range(0, PLACES * _PLACE, _PLACE):
        try:
            found.append(_decode(unframed(data, at)[0]))
        except (BrokenFrameError, msgspec.DecodeError):
            continue
    if not found:
        raise BrokenFrameError(0, "the watermark cannot be read")
    return max(found, key=lambda mark: mark.count)


class WatermarkFile:
    """The file of a folder, for its one writer.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, folder: Path) -> None:
        self._handle = os.open(folder / NAME, os.O_WRONLY | os.O_CREAT, _FILE_MODE)
        sync_folder(folder)

    def write(self, mark: Watermark) -> None:
        """Write a watermark, and wait until it is on disk.

        Raises:
            OSError: it is not.
        """
        content = frame(msgspec.msgpack.encode(mark))
        if len(content) > _PLACE:
            raise ValueError("a watermark does not fit into its place")
        os.pwrite(self._handle, content, _PLACE * (mark.count % PLACES))
        os.fdatasync(self._handle)

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)
