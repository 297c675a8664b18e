"""``python -m bench.pace``: the pace of the rules of one tree, measured a slice at a time.

It plays some games, tells which ones as a line of JSON, and then answers every line
``<case> <seconds> <samples>`` with samples of the events per CPU-second of that case, taken in so
many CPU-seconds together. ``against`` runs it in two trees.
"""

from __future__ import annotations

import gc
import hashlib
import sys
from collections.abc import Callable, Mapping

import msgspec
from msgspec import Struct

from bench.measure import rate
from bench.play import Plays


class PaceCourse(Struct, frozen=True):
    """The games that were played: their events, and a digest of the events' types in order."""

    events: int
    types: str


def main() -> None:
    """Answer until the input ends."""
    plays = Plays()
    cases: Mapping[str, Callable[[], int]] = {"fold": plays.fold, "decide": plays.decide}
    for work in cases.values():
        work()
    tags = " ".join(type(event).__name__ for step in plays.steps for event in step.events)
    course = PaceCourse(len(tags.split()), hashlib.sha256(tags.encode()).hexdigest()[:16])
    print(msgspec.json.encode(course).decode(), flush=True)
    for line in sys.stdin:
        name, seconds, samples = line.split()
        gc.collect()
        each = float(seconds) / int(samples)
        print(*(rate(cases[name], each) for _ in range(int(samples))), flush=True)


if __name__ == "__main__":
    main()
