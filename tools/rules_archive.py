"""Keeps the rules of every release: one archive for each build that raised a tag.

``python -m ops.rules_archive --write`` (``make rules-archive``) builds the archive of the present
rules, where one is wanted, into ``games/archives``; ``--check`` exits with 1 and says why if a
present tag has none, if one is not what the list says, or if one and the present code differ.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from events.version import VERSION
from games.registry import GAMES
from games.table import TABLE_RULES
from ops.archiving.building import build
from ops.archiving.comparing import (
    LIMITS,
    RANDOM_GAMES,
    differences,
    golden_trials,
    random_trial,
)
from ops.archiving.keeping import faults, keep, present_tags
from replay.archived import Court
from replay.archives import ArchiveError, Archives

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "games" / "archives"
GOLDEN: Final = ROOT / "tests" / "golden"
TOLD: Final = 10
"""So many differences of an archive are told; a changed rule makes hundreds."""


def complaints(folder: Path, games: int) -> Iterator[str]:
    """What is wrong with the archives in a folder, as soon as it is known.

    Args:
        folder: where they are kept.
        games: how many random games are judged beside the golden ones.

    Raises:
        ClosureError, StrippingError, BuildError: the present rules make no archive.
    """
    build(ROOT, VERSION, GAMES)
    broken = list(faults(folder, present_tags(GAMES, TABLE_RULES), VERSION))
    yield from broken
    if broken:
        return
    trials = golden_trials(sorted(GOLDEN.glob("*/*.jsonl")))
    court = Court(GAMES)
    trials += [random_trial(seed, court) for seed in range(games)]
    for archive in Archives(folder, LIMITS).all():
        yield from _told(archive.listed.file, differences(archive, trials, court))


def _told(name: str, found: Iterator[str]) -> Iterator[str]:
    try:
        for number, each in enumerate(found):
            if number == TOLD:
                yield f"{name}: and more"
                return
            yield f"{name}: {each}"
    except ArchiveError as error:
        yield f"{name}: {error}"


def main(argv: Sequence[str] | None = None) -> int:
    """Write or check archives; the exit code is 1 if something is wrong with them."""
    parser = argparse.ArgumentParser(prog="python -m ops.rules_archive", description=__doc__)
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--write", action="store_true", help="keep the present rules")
    task.add_argument("--check", action="store_true", help="compare archives and code")
    parser.add_argument("--games", type=int, default=RANDOM_GAMES, help="random ones (%(default)s)")
    options = parser.parse_args(argv)
    if options.write:
        print(keep(FOLDER, build(ROOT, VERSION, GAMES)))
        return 0
    wrong = False
    for each in complaints(FOLDER, options.games):
        wrong = True
        print(f"rules-archive: {each}", file=sys.stderr)
    if wrong:
        why = "raise the tag of what has changed, then: make rules-archive"
        print(f"rules-archive: {why} (docs/decisions/0024)", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
