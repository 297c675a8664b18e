"""The append contract under faults: ``python -m simulator.append_simulation --seeds 3000``.

Each seed is a run of a few minutes in virtual time: three processes, with the real log and the real
transactions, on a model of the store (``appends.model``) that a test holds against the real one;
players, who repeat what is not settled; and mishaps, which are mended in the end. What does not
hold is told with its seed, and ``--only SEED`` plays that run again and tells what everybody did.
A run that never met a conflict proves nothing about conflicts, so what happened is counted, and a
whole run fails if anything that must happen *sometimes* never did.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import secrets
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import structlog
from msgspec import Struct

from simulator.appends.guards import Guards
from simulator.appends.mishaps import PAIRED, SINGLE
from simulator.appends.trial import TrialOutcome, run_trial
from simulator.history import Violation

SEEDS: Final = 3000
"""How many runs a whole simulation has."""

SOMETIMES: Final = (
    *("answered ok", "answered again", "answered conflict", "answered behind", "answered clock"),
    *("answered tail", "accepted local", "accepted replicated", "accepted again"),
    *("attempt refused", "attempt unknown", "request lost", "answer lost", "request doubled"),
    *("packet delayed", "redirected", "read", "shown less", "history rewritten"),
    *("told by the feed", "feed broken"),
    *("lost tail", "deposed writes thrown away", "acknowledged and lost", "loss told"),
    *("losses accepted", "told StoreBehind", "told ClockSkew", "told LogUnavailable"),
    *SINGLE,
    *PAIRED,
)
"""What must happen in a whole simulation, as it is counted."""

ENOUGH: Final = 300
"""From so many seeds on everything in ``SOMETIMES`` must have happened."""

_TOLD: Final = 20


class SeedResult(Struct, frozen=True):
    """What one seed found and met."""

    seed: int
    setting: str
    violations: list[Violation]
    counts: dict[str, int]


def simulate(seeds: Iterable[int], processes: int = 1) -> Iterator[SeedResult]:
    """Run seeds, side by side if there are several processes; results in their order."""
    if processes == 1:
        yield from map(_result, seeds)
        return
    # A fresh interpreter for each: what runs in virtual time must inherit no loop.
    with multiprocessing.get_context("spawn").Pool(processes, _be_quiet) as pool:
        yield from pool.imap(_result, seeds, chunksize=8)


def never(counts: Counter[str]) -> list[str]:
    """What should have happened sometimes, and did not."""
    return [name for name in SOMETIMES if not counts[name]]


def _result(seed: int) -> SeedResult:
    outcome = run_trial(seed)
    counts = {name: count for name, count in outcome.counts.items() if count}
    return SeedResult(seed, outcome.setting.name, outcome.violations, counts)


def _be_quiet() -> None:
    """What the log of each process says is of no interest: all of it is planned."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


def _tell(outcome: TrialOutcome) -> None:
    """What everybody did in one run."""
    for attempt in outcome.history.attempts:
        answered = "" if attempt.answered is None else f" {attempt.answered / 1e9:.6f}"
        place = f" {attempt.first} to {attempt.version}, {attempt.level}" if attempt.version else ""
        what = f"{attempt.stream} {attempt.command_id}: {attempt.outcome}{place}"
        print(f"{attempt.sent / 1e9:.6f}{answered} {what}")
    for read in outcome.history.reads:
        print(f"{read.began / 1e9:.6f} {read.client} read {read.stream} up to {read.version}")
    for name, count in sorted(outcome.counts.items()):
        print(f"  {name}: {count}")
    print(f"seed {outcome.seed}: {outcome.setting.name}, {outcome.lasted_s:.1f} s of virtual time")


def _only(seed: int, guard: str | None) -> int:
    outcome = run_trial(seed, Guards(**{guard: False}) if guard else Guards())
    _tell(outcome)
    for violation in outcome.violations:
        print(violation.line(), file=sys.stderr)
    return int(bool(outcome.violations))


def _all(first: int, count: int, processes: int) -> int:
    counts: Counter[str] = Counter()
    broken = 0
    print(f"seeds {first} to {first + count - 1}", flush=True)
    for result in simulate(range(first, first + count), processes):
        counts.update(result.counts)
        for violation in result.violations[:_TOLD]:
            print(f"BROKEN by seed {result.seed}: {violation.line()}", file=sys.stderr, flush=True)
        broken += bool(result.violations)
    for name in SOMETIMES:
        print(f"  {name}: {counts[name]}")
    missed = never(counts) if count >= ENOUGH else []
    for name in missed:
        print(f"NEVER: {name}", file=sys.stderr)
    print(f"{count} runs, {counts['batches']} batches appended, {broken} runs broken")
    return int(bool(broken or missed))


def main(argv: Sequence[str] | None = None) -> int:
    """Run; 0 if nothing was found."""
    parser = argparse.ArgumentParser(prog="python -m simulator.append_simulation")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="how many (default: %(default)s)")
    parser.add_argument("--first", type=int, help="the first; by default a new one each time")
    parser.add_argument("--only", type=int, metavar="SEED", help="one run, told in full")
    guards = Guards.__struct_fields__
    parser.add_argument("--without", choices=guards, help="a guard to leave out, with --only")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    said = parser.parse_args(argv)
    if said.seeds < 1 or (said.without and said.only is None):
        parser.error("--seeds is at least 1, and --without goes with --only")
    _be_quiet()
    if said.only is not None:
        return _only(said.only, said.without)
    first = secrets.randbits(32) if said.first is None else said.first
    return _all(first, said.seeds, said.processes)


if __name__ == "__main__":
    sys.exit(main())
