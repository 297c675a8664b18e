"""``parlour replay scenario FILE...``: play scenario files and say what does not hold."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from replay.scenario.engine import EngineTable
from replay.scenario.files import BadFileError, read_scenarios
from replay.scenario.format import Scenario
from replay.scenario.http import RemoteService, ServerError
from replay.scenario.performance import MakeTable, Performance, perform
from replay.scenario.schema import schema_text

HELD: Final = 0
BROKEN: Final = 1
UNUSABLE: Final = 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="parlour replay scenario",
        description="Play acceptance scenarios against the engine, or over HTTP.",
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="scenario files")
    parser.add_argument("--url", help="play over HTTP against the service at this address")
    parser.add_argument("--id", action="append", default=[], help="only the scenario of this id")
    parser.add_argument("--quiet", action="store_true", help="name only what does not hold")
    parser.add_argument("--schema", action="store_true", help="print the format's JSON Schema")
    return parser


def main(argv: Sequence[str]) -> int:
    """Play the scenarios of some files.

    Returns 0 if all hold, 1 if one does not, 2 if a file or the service cannot be used.
    """
    parser = _parser()
    args = parser.parse_args(argv)
    if args.schema:
        print(schema_text(), end="")
        return HELD
    if not args.files:
        parser.error("name at least one file")
    try:
        scenarios = _chosen(args.files, args.id)
        with ExitStack() as stack:
            make = (
                EngineTable
                if args.url is None
                else stack.enter_context(RemoteService(args.url)).table
            )
            broken = _play(scenarios, make, quiet=args.quiet)
    except (BadFileError, ServerError) as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    return BROKEN if broken else HELD


def _chosen(files: list[Path], ids: list[str]) -> list[Scenario]:
    found = [scenario for _, scenario in read_scenarios(files)]
    unknown = sorted(set(ids) - {scenario.id for scenario in found})
    if unknown:
        raise BadFileError(f"no scenario has the id {', '.join(unknown)}")
    return [scenario for scenario in found if not ids or scenario.id in ids]


def _play(scenarios: Sequence[Scenario], make: MakeTable, *, quiet: bool) -> int:
    """Play and print; the number of scenarios that do not hold."""
    played = broken = 0
    for scenario in scenarios:
        for report in perform(scenario, make):
            played += 1
            broken += bool(report.problems)
            _say(report, quiet=quiet)
    print(f"{played - broken} of {played} scenarios hold")
    return broken


def _say(report: Performance, *, quiet: bool) -> None:
    if report.problems or not quiet:
        word = "BROKEN" if report.problems else "holds "
        print(f"{word} {report.scenario} {report.rulebook}: {report.title}")
    for problem in report.problems:
        print(f"       {problem}")
