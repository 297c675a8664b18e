"""The journal's bytes: frames with a length and a CRC-32C, each of which holds one thing (pure).

A frame is the length of its content and the CRC-32C of that length and the content, four bytes each
(little endian), and then the content (MessagePack): a batch, or what the store says of itself.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from events.crc32c import crc32c
from events.identity import Identity
from events.known import Mark
from events.layout import Tags
from events.unshipped import JournalEntry

MAGIC: Final = b"parlour/journal/1\n"
"""What a segment begins with."""

FRAME_MAX: Final = 64 << 20
"""The most bytes of content; no batch comes near that."""

_HEAD: Final = struct.Struct("<II")


class StoreNamed(Struct, frozen=True, array_like=True, tag="s"):
    """The store of the batches that follow, and its epoch; see ``identity.Identity``.

    ``ends`` are the entries, by shard, after which the feeds go on. In a later epoch that may be an
    earlier one than before: what stood after it was given up.
    """

    store: str
    epoch: int
    shards: int
    keys: Mapping[str, str]
    tags: Tags
    ends: Mapping[int, Mark]

    @classmethod
    def of(cls, identity: Identity, ends: Mapping[int, Mark]) -> StoreNamed:
        """What a store says of itself, for the journal."""
        return cls(
            identity.store, identity.epoch, identity.shards, identity.keys, identity.tags, ends
        )

    @property
    def identity(self) -> Identity:
        """What the store said of itself."""
        return Identity(self.store, self.epoch, self.shards, self.keys, self.tags)


Content = JournalEntry | StoreNamed

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(JournalEntry | StoreNamed).decode


class BrokenFrameError(Exception):
    """There is no complete frame at the offset ``at``; the message says why."""

    def __init__(self, at: int, why: str) -> None:
        super().__init__(f"{why} at byte {at}")
        self.at = at


def frame(content: bytes) -> bytes:
    """The frame of some bytes.

    Raises:
        ValueError: there are too many.
    """
    if not 0 < len(content) <= FRAME_MAX:
        raise ValueError(f"a frame holds 1 to {FRAME_MAX} bytes")
    length = len(content).to_bytes(4, "little")
    return length + crc32c(length + content).to_bytes(4, "little") + content


def frame_of(content: Content) -> bytes:
    """The frame of a batch, or of what a store says of itself."""
    return frame(_encode(content))


def unframed(data: bytes, at: int) -> tuple[bytes, int]:
    """The content of the frame at an offset, and the offset behind it.

    Raises:
        BrokenFrameError: there is none that is complete and unaltered.
    """
    if len(data) - at < _HEAD.size:
        raise BrokenFrameError(at, "a frame is cut off")
    length, check = _HEAD.unpack_from(data, at)
    end = at + _HEAD.size + length
    if not 0 < length <= FRAME_MAX:
        raise BrokenFrameError(at, "no frame begins")
    if end > len(data):
        raise BrokenFrameError(at, "a frame is cut off")
    content = data[at + _HEAD.size : end]
    if crc32c(data[at : at + 4] + content) != check:
        raise BrokenFrameError(at, "a frame does not have its CRC")
    return content, end


def contents(data: bytes, at: int) -> Iterator[tuple[Content, int]]:
    """What the frames from an offset on hold, each with the offset behind it.

    Raises:
        BrokenFrameError: one is not complete, was altered, or holds something else.
    """
    while at < len(data):
        content, end = unframed(data, at)
        try:
            found = _decode(content)
        except msgspec.DecodeError:
            raise BrokenFrameError(at, "a frame holds nothing known") from None
        yield found, end
        at = end
