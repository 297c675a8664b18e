"""The journal's bytes: what was altered or torn is found, wherever it is."""

from __future__ import annotations

import pytest

from events.crc32c import crc32c
from events.known import Mark
from events.unshipped import JournalEntry
from runtime.journal.frames import (
    FRAME_MAX,
    BrokenFrameError,
    Content,
    StoreNamed,
    contents,
    frame,
    frame_of,
    unframed,
)

STORE = StoreNamed("abc", 2, 4, {"k1": "x"}, "spread", {1: Mark(7, "seven")})
BATCH = JournalEntry(
    1, 8, "eight", "g01-a", 2, b"\x01", b"\x02", "c", "d", "s", 5, [(b"e", None), (b"f", b"\x00")]
)


@pytest.mark.parametrize(
    ("content", "check"),
    [
        (b"123456789", 0xE3069283),
        (bytes(32), 0x8A9136AA),  # from here on those of RFC 3720, B.4
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
        (bytes(range(31, -1, -1)), 0x113FDB5C),
    ],
)
def test_the_check_is_the_published_one(content: bytes, check: int) -> None:
    assert crc32c(content) == check


def test_frames_hold_what_was_put_in() -> None:
    both: list[Content] = [STORE, BATCH]
    data = b"ab" + b"".join(map(frame_of, both))
    found = list(contents(data, 2))
    assert [content for content, _ in found] == both
    assert found[-1][1] == len(data)
    assert BATCH.version == 4
    assert STORE.identity.name == "abc:2"


def test_every_cut_is_found() -> None:
    data = frame_of(BATCH)
    for end in range(1, len(data)):
        with pytest.raises(BrokenFrameError) as broken:
            list(contents(frame_of(STORE) + data[:end], 0))
        assert broken.value.at == len(frame_of(STORE))


def test_every_altered_bit_is_found() -> None:
    data = frame(b"what was written")
    for at in range(len(data)):
        for bit in range(8):
            altered = bytearray(data)
            altered[at] ^= 1 << bit
            with pytest.raises(BrokenFrameError):
                unframed(bytes(altered), 0)
    assert unframed(data, 0) == (b"what was written", len(data))


def test_what_is_no_batch_is_found_although_its_check_is_right() -> None:
    with pytest.raises(BrokenFrameError, match="holds nothing known"):
        list(contents(frame(b"\x93\xa1x\x01\x02"), 0))


def test_zeros_are_no_frames() -> None:
    with pytest.raises(BrokenFrameError, match="no frame begins at byte 0"):
        unframed(bytes(64), 0)


@pytest.mark.parametrize("size", [0, FRAME_MAX + 1])
def test_frames_have_bounds(size: int) -> None:
    with pytest.raises(ValueError, match="a frame holds"):
        frame(bytes(size))
