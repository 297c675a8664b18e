"""``python -m bench [NAME...] [--quick] [--json FILE]``: measure, and hold it against the bars.

``python -m bench play --against COMMIT`` holds the rules against those of another commit.

Each target is measured beside its own reference in one run, interleaved, at least five times; the
gate compares each side's best. Absolute figures are told, never gated. The exit code is 1 if a bar
is missed.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bench import (
    against,
    command,
    costly,
    delivered,
    feeds,
    flooded,
    idle,
    lateness,
    memory,
    play,
    replay,
    streams,
    wakeups,
    winning,
)
from bench.measure import Bar, BenchReport, Effort

BENCHES: Final[Mapping[str, Callable[[Effort], BenchReport]]] = {
    module.NAME: module.run
    for module in (
        replay,
        memory,
        command,
        streams,
        flooded,
        lateness,
        idle,
        wakeups,
        feeds,
        delivered,
        play,
        winning,
        costly,
    )
}
_COLUMNS: Final = ("target", "ours", "reference", "ratio", "bar", "")


class Results(Struct, frozen=True):
    """What ``--json`` writes."""

    when: str
    machine: str
    load: float
    quick: bool
    reports: tuple[BenchReport, ...]


def machine() -> str:
    """The machine in a line."""
    cores = len(os.sched_getaffinity(0))
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    return f"{cores} cores ({model}), Linux {platform.release()}, {platform.python_version()}"


def row(gate: Bar) -> tuple[str, ...]:
    """A gate as the table shows it."""
    sign = "≥" if gate.better == "higher" else "≤"
    return (
        gate.name,
        gate.ours.told(),
        "-" if gate.reference is None else gate.reference.told(),
        "-" if gate.reference is None else f"{gate.value:.2f}",
        f"{sign} {gate.bar:.4g}",
        "ok" if gate.holds else "below the bar",
    )


def lines(report: BenchReport) -> list[str]:
    """A report in plain text."""
    told = [f"== {report.name}"]
    for gate in report.gates:
        told.append(f"  ours       {gate.ours.name}: {gate.ours.told()}")
        if gate.reference is not None:
            told.append(f"  reference  {gate.reference.name}: {gate.reference.told()}")
    told += [f"  {figure.name}: {figure.told()}" for figure in report.figures]
    return [*told, *(f"  ({note})" for note in report.notes)]


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows under a head, in columns."""
    every = [_COLUMNS, *rows]
    widths = [max(len(each[n]) for each in every) for n in range(len(_COLUMNS))]
    return [
        "  ".join(text.ljust(width) for text, width in zip(each, widths, strict=True)).rstrip()
        for each in every
    ]


def main(arguments: Sequence[str]) -> int:
    """Run the wanted benchmarks; 1 if a bar is missed, 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--quick", action="store_true", help="a try: the figures are worth little")
    parser.add_argument("--against", metavar="COMMIT", help="only this: play, here and there")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there too")
    said = parser.parse_args(arguments)
    unknown = [name for name in said.names if name not in BENCHES]
    if unknown:
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    load = os.getloadavg()[0]
    print(f"{machine()}; load {load:.1f}", flush=True)
    effort = Effort(said.quick)
    wanted = [partial(BENCHES[name], effort) for name in said.names or BENCHES]
    if said.against is not None:
        if said.names != [play.NAME]:
            parser.error(f"--against goes with {play.NAME} alone")
        wanted = [partial(against.run, effort, said.against)]
    reports = []
    for measure in wanted:
        try:
            reports.append(measure())
        except against.AgainstError as error:
            parser.error(str(error))
        print("\n".join(lines(reports[-1])), flush=True)
    gates = [gate for report in reports for gate in report.gates]
    if gates:
        print("\n" + "\n".join(table([row(gate) for gate in gates])))
    if said.json is not None:
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        results = Results(when, machine(), load, said.quick, tuple(reports))
        said.json.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    return 0 if all(gate.holds for gate in gates) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
