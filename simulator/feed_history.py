"""Judges what followers of feeds were told, by the feeds and streams in the end (pure).

A follower notes where it begins and each pointer that it is told; where it has to begin anew, as
after another history has been found, it says so, and is judged from there on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from events.durability import Durability
from events.feed import Pointer
from simulator.feed_notes import FeedBegan, FeedNote, FeedTold
from simulator.history import EVERY_LEVEL, FinalStream, Violation, batches_of

MISSED: Final = "missed"
SHUFFLED: Final = "shuffled"
INVENTED: Final = "invented"
EARLY: Final = "early"

FEED_CHECKS: Final[Mapping[str, str]] = {
    MISSED: "a follower is told of every entry of a feed from where it began, up to the end",
    SHUFFLED: "it is told of them in their order, and of nothing otherwise than before",
    INVENTED: "what it is told of is in the feed, and is a batch of the stream",
    EARLY: "it is told of nothing before that is kept as promised",
}
"""The checks of feeds, and what each shows."""


class FeedPromise(Struct, frozen=True, kw_only=True):
    """What followers may rely on.

    Args:
        survives: the levels of which nothing may be missing in the end.
        kept_at: when each entry was first kept as promised, in the unit of the notes; None: that is
            not known.
        stayed: the followers who were told all, and up to which entry of each shard.
    """

    survives: Collection[Durability] = EVERY_LEVEL
    kept_at: Mapping[Pointer, int] | None = None
    stayed: Mapping[str, Mapping[int, int]] = {}


class _Reading:
    """What a follower was told of a shard since it began after the entry ``first``."""

    def __init__(self, first: int) -> None:
        self.first = self.last = first
        self.told: dict[int, Pointer] = {}


def judge_feeds(
    notes: Iterable[FeedNote],
    feeds: Mapping[int, Collection[Pointer]],
    streams: Iterable[FinalStream],
    promise: FeedPromise,
) -> list[Violation]:
    """Everything that does not hold, sorted; empty if all does.

    Args:
        notes: of all followers; each of them begins before it is told anything.
        feeds: the feed of each shard as it is in the end.
        streams: all streams of which a feed tells, as they are in the end.
        promise: what was promised.
    """
    found: list[Violation] = []
    readings: dict[tuple[str, int], list[_Reading]] = defaultdict(list)
    told: dict[tuple[str, Pointer], None] = {}
    for note in notes:
        if isinstance(note, FeedBegan):
            readings[note.follower, note.shard].append(_Reading(note.after))
            continue
        found += _ordered(note, readings[note.follower, note.pointer.shard][-1])
        found += _early(note, promise)
        if note.level in promise.survives:
            told[note.follower, note.pointer] = None
    for (follower, shard), many in readings.items():
        ends = promise.stayed.get(follower, {}).get(shard, 0)
        for reading in many:
            found += _missed(follower, shard, reading, ends if reading is many[-1] else 0)
    return sorted([*found, *_invented(told, feeds, streams)])


def _ordered(note: FeedTold, reading: _Reading) -> Iterator[Violation]:
    """Whether a pointer comes in its turn, or repeats what was told."""
    pointer, shard = note.pointer, f"shard {note.pointer.shard}"
    before = reading.told.get(pointer.seq)
    if before is None and pointer.seq < reading.last:
        what = f"{note.follower} was told of {pointer.seq} after {reading.last}"
        yield Violation(SHUFFLED, shard, what)
    elif before not in (None, pointer):
        what = f"{note.follower} was told of two entries {pointer.seq}"
        yield Violation(SHUFFLED, shard, what)
    reading.told[pointer.seq] = pointer
    reading.last = max(reading.last, pointer.seq)


def _missed(follower: str, shard: int, reading: _Reading, ends: int) -> Iterator[Violation]:
    """What a follower was not told of between two entries, or up to the end."""
    last = max(reading.last, ends)
    if lacks := [n for n in range(reading.first + 1, last + 1) if n not in reading.told]:
        what = f"{follower} was not told of {lacks[0]}, nor of {len(lacks) - 1} more up to {last}"
        yield Violation(MISSED, f"shard {shard}", what)


def _early(note: FeedTold, promise: FeedPromise) -> Iterator[Violation]:
    if promise.kept_at is None:
        return
    kept_at, pointer = promise.kept_at.get(note.pointer), note.pointer
    if kept_at is None or note.at < kept_at:
        when = "never" if kept_at is None else f"{kept_at - note.at} later"
        what = f"{note.follower} was told of {pointer.version}, which was kept {when}"
        yield Violation(EARLY, pointer.stream, what)


def _invented(
    told: Iterable[tuple[str, Pointer]],
    feeds: Mapping[int, Collection[Pointer]],
    streams: Iterable[FinalStream],
) -> Iterator[Violation]:
    """What was told and is not in the feed, or is no batch of its stream."""
    there = {pointer for feed in feeds.values() for pointer in feed}
    batches = {
        (each.stream, each.version, each.version - each.first + 1)
        for end in streams
        for each in batches_of(end)
    }
    for follower, pointer in told:
        what = f"{follower} was told of {pointer.version} by entry {pointer.seq}"
        if pointer not in there:
            yield Violation(INVENTED, pointer.stream, f"{what}, which the feed has not")
        elif (pointer.stream, pointer.version, pointer.count) not in batches:
            yield Violation(INVENTED, pointer.stream, f"{what}, where the stream has no batch")
