"""``make faults`` and ``make faults-short``: the catalogue of faults, run, counted and told.

``--minutes`` is the budget: rounds of all tests begin as long as one more fits into it. With
``--write`` what was found is written to ``docs/faults.md``; without, it is printed only.
``python -m tools.faults kills`` kills parts of a service, a thousand times (``fault_kills``).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from tools.documents import table
from tools.fault_catalogue import (
    CataloguedFault,
    FaultTally,
    TestReport,
    load_catalogue,
    read_report,
    tally,
)
from tools.fault_kills import DOCUMENT, PLACE, KillRecord, lines_of_kills, load_record, run_kills

ROOT: Final = Path(__file__).resolve().parents[1]
KEPT: Final = "build/faults.json"
"""The last run that was written, so that some faults can be run again alone."""


_ABOUT: Final = (
    "Written by `make faults`, which runs the catalogue in `tests/faults/catalogue.json`; a change",
    "by hand is lost. Each fault has tests, controls in which a guard is off and which must then",
    "find what is broken, and counts of what really happened.",
)
_NOWHERE: Final = (
    "Nothing loses its power here: `fdatasync` is believed.",
    "There is no archive of finished games yet: what is half written is backups, journal, records.",
    "There is no log of them either: what may be older than its tree is a signed head.",
    "A store cannot be killed at a named point within itself.",
)
_QUIET: Final = ("-q", "--tb=short", "-p", "no:randomly", "-m", "nightly or not nightly")
_NO_TESTS: Final = 5


class FaultRun(Struct, frozen=True):
    """What all rounds came to.

    Args:
        tallies: by the number of the fault.
        rounds: how often all tests were run.
        seconds: how long that took.
    """

    tallies: dict[int, FaultTally]
    rounds: int
    seconds: float


class KeptRun(Struct, frozen=True):
    """The last run that was written, and its commit: a later one of some faults replaces theirs."""

    run: FaultRun
    commit: str


def with_others(run: FaultRun, commit: str, kept: KeptRun | None) -> KeptRun:
    """A run of some faults, with what was found of the others before."""
    if kept is None or not kept.run.tallies.keys() - run.tallies.keys():
        return KeptRun(run, commit)
    tallies = {**kept.run.tallies, **run.tallies}
    again = ", ".join(map(str, sorted(run.tallies)))
    named = f"{kept.commit} (of {again} on {commit})"
    return KeptRun(FaultRun(tallies, kept.run.rounds, kept.run.seconds), named)


def _kept(root: Path) -> KeptRun | None:
    path = root / KEPT
    return msgspec.json.decode(path.read_bytes(), type=KeptRun) if path.exists() else None


def run_rounds(faults: Sequence[CataloguedFault], minutes: float, processes: int) -> FaultRun:
    """Run all tests of some faults, again and again while there is time; at least once."""
    tallies = {fault.number: FaultTally() for fault in faults}
    begin, rounds = time.monotonic(), 0
    while True:
        began = time.monotonic()
        reports = run_tests(faults, processes)
        for fault in faults:
            tallies[fault.number] = tally(fault, reports, tallies[fault.number])
        rounds += 1
        now = time.monotonic()
        if now + (now - began) > begin + minutes * 60:
            return FaultRun(tallies, rounds, now - begin)


def run_tests(faults: Sequence[CataloguedFault], processes: int) -> list[TestReport]:
    """Run the tests and controls of some faults once."""
    names = sorted({name for fault in faults for name in (*fault.tests, *fault.controls)})
    with tempfile.TemporaryDirectory(prefix="plr-") as folder:
        report = Path(folder) / "report.xml"
        words = [sys.executable, "-m", "pytest", *_QUIET, "-n", str(processes)]
        words += ["--dist", "loadfile", f"--junitxml={report}", *names]
        code = subprocess.run(words, cwd=ROOT, check=False).returncode
        if code == _NO_TESTS or not report.exists():
            raise SystemExit(f"pytest ended with {code} and told nothing")
        return read_report(report)


def lines_of(
    faults: Sequence[CataloguedFault],
    run: FaultRun,
    commit: str,
    absent: Sequence[str],
    kills: KillRecord,
) -> list[str]:
    """The page that tells of a run, and of the kills so far."""
    holds = [f for f in faults if f.number in run.tallies and run.tallies[f.number].holds(f)]
    held = sum(not fault.missing for fault in holds)
    open_ones = sum(not fault.is_there for fault in faults)
    rounds = "one round" if run.rounds == 1 else f"{run.rounds} rounds"
    what = (
        f"Commit {commit}, {time.strftime('%Y-%m-%d', time.gmtime())}: {rounds} in"
        f" {run.seconds:.0f} s on {os.cpu_count()} cores. Of {len(faults)} faults {held} hold,"
        f" {len(holds) - held} hold in part, and {open_ones} have no tests yet."
    )
    lines = [
        "# Faults",
        "",
        *_ABOUT,
        "",
        what,
        "",
        *table(
            ("", "fault", "tests passed", "controls failed", "sometimes", ""),
            (_row(fault, run.tallies.get(fault.number)) for fault in faults),
        ),
        *lines_of_kills(kills),
        "",
        "## What is missing, and why",
        "",
        *(f"- {fault.number}, {fault.name}: {fault.missing}" for fault in faults if fault.missing),
        "",
        "## What could not be used here",
        "",
        *(f"- {each}" for each in absent),
    ]
    return [line.rstrip() for line in lines]


def _row(fault: CataloguedFault, found: FaultTally | None) -> tuple[object, ...]:
    if not fault.is_there:
        return fault.number, fault.name, "–", "–", "–", "not yet"
    if found is None or not found.run:
        return fault.number, fault.name, "–", "–", "–", "not run"
    met = ", ".join(f"{name} {found.met.get(name, 0):,}" for name in fault.sometimes)
    word = "holds" if found.holds(fault) else "**broken**"
    if fault.missing:
        word += ", in part"
    controls = f"{found.controls_failed} of {found.controls_run}" if fault.controls else "none yet"
    return fault.number, fault.name, f"{found.passed} of {found.run}", controls, met, word


def absent_here() -> list[str]:
    """What this machine does not have or allow, and what no machine shows here."""
    found = [
        f"`{name}` is not installed, so {what}."
        for name, what in (
            ("ip", "there are no two hosts between which a network could be cut"),
            ("iptables", "no rule could cut a network"),
            ("faketime", "no store could be given another time"),
        )
        if shutil.which(name) is None
    ]
    if os.geteuid() != 0:
        found.append("Without root no network is cut, and no small disk is mounted.")
    return [*found, *_NOWHERE]


def commit_of(root: Path) -> str:
    """The commit that is checked out, and whether files differ that a run does not write itself."""
    git = ["git", "-C", str(root)]
    name = subprocess.run(
        [*git, "rev-parse", "--short=12", "HEAD"], capture_output=True, check=True
    )
    others = (".", *(f":!{written}" for written in (DOCUMENT, PLACE)))
    changed = subprocess.run(
        [*git, "status", "--porcelain", "--", *others], capture_output=True, check=True
    )
    return name.stdout.decode().strip() + (" with changes" if changed.stdout.strip() else "")


def main(argv: Sequence[str] | None = None) -> int:
    """Run; 0 if every fault that has tests holds."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments[:1] == ["kills"]:
        return run_kills(ROOT, commit_of(ROOT), arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description=__doc__)
    parser.add_argument("--short", action="store_true", help="leave out what takes long")
    parser.add_argument("--minutes", type=float, default=0, help="budget (default: one round)")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="some faults")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", action="store_true", help=f"write {DOCUMENT}")
    said = parser.parse_args(arguments)
    faults = load_catalogue(ROOT)
    chosen = [
        fault
        for fault in faults
        if fault.is_there
        and not (said.short and fault.long)
        and (said.only is None or fault.number in said.only)
    ]
    if not chosen:
        parser.error("none of these faults has a test")
    commit = commit_of(ROOT)
    run = run_rounds(chosen, said.minutes, said.processes)
    whole = with_others(run, commit, _kept(ROOT) if said.only else None)
    lines = lines_of(faults, whole.run, whole.commit, absent_here(), load_record(ROOT))
    if said.write:
        (ROOT / DOCUMENT).write_text("\n".join(lines) + "\n", encoding="utf-8")
        (ROOT / KEPT).parent.mkdir(exist_ok=True)
        (ROOT / KEPT).write_bytes(msgspec.json.encode(whole))
    print("\n".join(line for line in lines if line.startswith("|")))
    broken = [fault for fault in chosen if not run.tallies[fault.number].holds(fault)]
    for fault in broken:
        print(f"BROKEN: {fault.number}, {fault.name}", file=sys.stderr)
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
