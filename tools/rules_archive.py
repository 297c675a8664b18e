"""Keeps the rules of every release: one archive for each build that raised a tag.

``python -m tools.rules_archive --write`` (``make rules-archive``) builds the archive of the present
rules, where one is wanted, into ``games/archives``; ``--check`` exits with 1 and says why if a
present tag has none, if one is not what the list says, or if one and the present code differ.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from events.version import VERSION
from games.rules import RULES
from games.streams import tags_of
from replay.archived import Court
from replay.archives import ArchiveError, RulesArchives
from tools.archiving.building import build
from tools.archiving.comparing import (
    LIMITS,
    RANDOM_GAMES,
    differences,
    golden_trials,
    random_trials,
)
from tools.archiving.keeping import faults, keep
from tools.documents import task_parser

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "games" / "archives"
GOLDEN: Final = ROOT / "tests" / "golden"
TOLD: Final = 10
"""So many differences of an archive are told; a changed rule makes hundreds."""


def complaints(folder: Path, games: int) -> Iterator[str]:
    """What is wrong with the archives in a folder, as soon as it is known.

    Args:
        folder: where they are kept.
        games: how many random games of the lightest kind are judged beside the golden ones.

    Raises:
        ClosureError, StrippingError, BuildError: the present rules make no archive.
    """
    build(ROOT, VERSION, RULES)
    broken = list(faults(folder, tags_of(RULES), VERSION))
    yield from broken
    if broken:
        return
    trials = golden_trials(sorted(GOLDEN.glob("*/*.jsonl")))
    court = Court(RULES)
    trials += random_trials(games, court)
    for archive in RulesArchives(folder, LIMITS).all():
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
    parser = task_parser("tools.rules_archive", __doc__)
    parser.add_argument("--games", type=int, default=RANDOM_GAMES, help="random ones (%(default)s)")
    options = parser.parse_args(argv)
    if options.write:
        print(keep(FOLDER, build(ROOT, VERSION, RULES)))
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
