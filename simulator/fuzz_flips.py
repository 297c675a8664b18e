"""The auditor's part of ``make fuzz``: flips single bits of golden records, and audits each.

Every bit of the smallest signed record, then random ones of all. None may pass, each must end in a
check that fails by name, and beside a heads file each flip in an event's line must name that event.

``python -m simulator.fuzz_flips --flips 2000 --stride 1``
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from games.game_registry import installed_games
from projections.record import NAMES_BEGIN
from replay.checks import check_chain
from replay.findings import CHAIN
from replay.heads import heads_of
from replay.lines import HEADER, NAMES, SEAL
from replay.source import SourceError, examine
from replay.verify import Audit, audit
from simulator.golden_files import ROOT

FLIPS: Final = 2000

Flip = tuple[int, int]
"""A byte of a file and a bit of it."""


class Target:
    """A record whose bits are flipped. A line break belongs to the line that it ends."""

    def __init__(self, name: str, content: bytes) -> None:
        self.name = name
        self.content = content
        self.heads = heads_of(examine(content))
        self._named = b"\n" + NAMES_BEGIN in content
        self._ends = [place for place, byte in enumerate(content) if byte == ord("\n")]

    def flipped(self, flip: Flip) -> bytes:
        """The record with one bit flipped."""
        place, bit = flip
        changed = bytes([self.content[place] ^ 1 << bit])
        return self.content[:place] + changed + self.content[place + 1 :]

    def line_of(self, flip: Flip) -> int:
        """The number of the line, 0 for the header; so it is the version in an event's line."""
        return bisect_left(self._ends, flip[0])

    def part_of(self, flip: Flip) -> str:
        """The header, the names or the seal, "" for an event's line."""
        line, last = self.line_of(flip), len(self._ends) - 1
        if line in {0, last}:
            return HEADER if line == 0 else SEAL
        return NAMES if line == last - 1 and self._named else ""

    def every(self, stride: int = 1) -> Iterator[Flip]:
        """Each bit, or every so many of them."""
        bits = ((place, bit) for place in range(len(self.content)) for bit in range(8))
        return islice(bits, 0, None, stride)

    def some(self, count: int, seed: int) -> Iterator[Flip]:
        """So many bits by lot."""
        lots = random.Random(seed)  # noqa: S311 (seeded, so that a failure comes back)
        for _ in range(count):
            yield lots.randrange(len(self.content)), lots.randrange(8)


class FlipOutcome(Struct, frozen=True):
    """What became of one flip.

    ``named``: a check failed by name. ``right`` and ``right_beside``: what was flipped was named,
    without a heads file and beside one.
    """

    named: bool
    right: bool
    right_beside: bool


class FlipTally(Struct):
    """The outcomes of many flips, those in events apart from those in the other lines."""

    flips: int = 0
    passed: int = 0
    named: int = 0
    in_events: int = 0
    right: int = 0
    right_beside: int = 0
    right_parts: int = 0
    wrong: list[str] = []

    def add(self, target: Target, flip: Flip, found: FlipOutcome) -> None:
        """Count one."""
        in_event = not target.part_of(flip)
        self.flips += 1
        self.named += found.named
        self.passed += not found.named
        self.in_events += in_event
        self.right += in_event and found.right
        self.right_beside += in_event and found.right_beside
        self.right_parts += not in_event and found.right_beside
        if not (found.named and found.right_beside):
            self.wrong.append(f"{target.name}, byte {flip[0]}, bit {flip[1]}: {found}")

    def lines(self) -> list[str]:
        """The shares in words."""
        parts = self.flips - self.in_events
        named = _share(self.named, self.flips)
        alone, beside = (_share(n, self.in_events) for n in (self.right, self.right_beside))
        return [
            f"{self.flips} flips, {self.passed} passed, {named} in a check",
            f"{self.in_events} in events: {alone} name the event, {beside} beside a heads file",
            f"{parts} in the other lines: {_share(self.right_parts, parts)} name that",
        ]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "none"


def judge(target: Target, flip: Flip) -> FlipOutcome:
    """Audit a record with one bit flipped, without a heads file and beside one."""
    try:
        source = examine(target.flipped(flip))
    except SourceError:
        return FlipOutcome(named=False, right=False, right_beside=False)
    beside = audit(source, installed_games(), None, target.heads)
    # A heads file changes what is told of the chain, and nothing else.
    findings = tuple(check_chain(source) if f.name == CHAIN else f for f in beside.findings)
    without = msgspec.structs.replace(beside, findings=findings)
    return FlipOutcome(
        named=not beside.passed,
        right=_names(without, target, flip),
        right_beside=_names(beside, target, flip),
    )


def _names(found: Audit, target: Target, flip: Flip) -> bool:
    """Whether an audit names what was flipped, and no event that was not."""
    part, first = target.part_of(flip), found.divergence
    if part:
        failed = [f for f in found.findings if f.status == "FAILED"]
        return first is None and any(f.part == part for f in failed)
    return first is not None and first.version == target.line_of(flip)


def run(target: Target, flips: Iterable[Flip], tally: FlipTally) -> None:
    """Make flips and count them."""
    for flip in flips:
        tally.add(target, flip, judge(target, flip))


def targets() -> list[Target]:
    """The signed golden records, the smallest first."""
    paths: list[Path] = sorted((ROOT / "records").glob("*.jsonl"), key=lambda p: p.stat().st_size)
    return [Target(path.stem, path.read_bytes()) for path in paths]


def main(argv: Sequence[str] | None = None) -> int:
    """Flip, and tell the shares; 0 if all was named."""
    parser = argparse.ArgumentParser(prog="python -m simulator.fuzz_flips", description=__doc__)
    parser.add_argument("--flips", type=int, default=FLIPS, help="by lot in all records")
    parser.add_argument("--stride", type=int, default=1, help="every so many bits of the smallest")
    parser.add_argument("--seed", type=int, default=25)
    said = parser.parse_args(argv)
    records = targets()
    wrong: list[str] = []
    for name, group, flips in (
        (records[0].name, records[:1], None),
        (f"{len(records)} records", records, said.flips // len(records) + 1),
    ):
        tally, begun = FlipTally(), time.monotonic()
        for number, target in enumerate(group):
            every = target.every(said.stride)
            run(target, every if flips is None else target.some(flips, said.seed + number), tally)
        print(f"{name}, {time.monotonic() - begun:.0f} s", *tally.lines(), sep="\n  ")
        wrong += tally.wrong
    print(*wrong[:20], sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
