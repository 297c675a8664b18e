"""``python -m tools.mutants [--game GAME] [--modules NAME...] [--share 0.1] [--again]``.

Mutation testing of the rules of a game (docs/mutants.md): a copy of the tree is mutated, one place
at a time, and the fast tests must notice. ``--again`` tries only what survived the last run, with
the tests as they are now; ``--report`` tells how far a run has come.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from games.registry import DEFAULT_GAME, GAMES
from tools.mutating import session, tree
from tools.mutating.session import Mutant
from tools.mutating.verdicts import MutantVerdict, judged, survivors, table, verdicts

ALIVE = frozenset({"survived", "not covered"})


def _verdicts() -> Path:
    """Where the verdicts of the last run of a game are."""
    return tree.BUILD / f"verdicts-{os.environ[tree.GAME]}.json"


def told(arguments: argparse.Namespace) -> None:
    """Print the report of the session, and remember it for the next one."""
    found = verdicts(session.kept(), session.results(), judged(arguments.game))
    print("\n\n".join(survivors(found)), end="\n\n")
    if arguments.again:
        found = merged(remembered(), found)
    print(f"{time.strftime('%Y-%m-%d')}, seed {arguments.seed}, {len(found)} mutants tried\n")
    print("\n".join(table(found)), flush=True)
    if not arguments.report:
        _verdicts().write_bytes(msgspec.json.encode(found))


def merged(earlier: Sequence[MutantVerdict], found: Sequence[MutantVerdict]) -> list[MutantVerdict]:
    """The last run's verdicts, with those of this one in their places.

    A survivor that this one did not pick has gone with its line.
    """
    picked = {mutant.name for mutant in session.kept()}
    fresh = {verdict.mutant.name: verdict for verdict in found}
    return [
        fresh.get(v.mutant.name, v)
        for v in earlier
        if v.kind not in ALIVE or v.mutant.name in picked
    ]


def remembered() -> list[MutantVerdict]:
    """The verdicts of the last run.

    Raises:
        SystemExit: there was none.
    """
    if not _verdicts().exists():
        raise SystemExit("there was no run yet")
    return msgspec.json.decode(_verdicts().read_bytes(), type=list[MutantVerdict])


def chosen(arguments: argparse.Namespace) -> list[Mutant]:
    """The mutants that are to be tried.

    Raises:
        SystemExit: a module is named that does not exist.
    """
    found = session.worthwhile(session.mutants())
    known = {m.module.removesuffix(".py") for m in found}
    modules = {name.removesuffix(".py") for name in arguments.modules}
    if strange := modules - known:
        raise SystemExit(f"no such module: {', '.join(sorted(strange))}")
    if arguments.again:
        earlier = [v.mutant for v in remembered() if v.kind in ALIVE]
        return session.sample(session.like(found, earlier), 1, arguments.seed, modules)
    return session.sample(found, arguments.share, arguments.seed, modules)


def run(arguments: argparse.Namespace) -> None:
    """Copy, learn, list, choose and try."""
    begun = time.monotonic()
    tree.copy()
    tree.learn()
    print(f"copied and learned in {time.monotonic() - begun:.0f} s", flush=True)
    session.fill()
    session.keep(picked := chosen(arguments))
    print(f"{len(picked)} mutants to try", flush=True)
    session.work_off()
    print(f"tried in {time.monotonic() - begun:.0f} s\n", flush=True)


def _share(text: str) -> float:
    share = float(text)
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError("a share is over 0 and at most 1")
    return share


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code is 0 whatever survives: a score is told, never gated."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("--game", choices=GAMES, default=DEFAULT_GAME, help="(%(default)s)")
    parser.add_argument("--modules", nargs="*", default=[], help="paths in the game's folder")
    parser.add_argument("--share", type=_share, default=1.0, help="of each module's mutants")
    parser.add_argument("--seed", type=int, default=25, help="which of them")
    parser.add_argument("--again", action="store_true", help="what survived the last run")
    parser.add_argument("--report", action="store_true", help="only tell of the last run")
    arguments = parser.parse_args(argv)
    os.environ[tree.GAME] = arguments.game
    if not Path(tree.VENV / "bin" / "cosmic-ray").exists():
        print("Cosmic Ray is not installed: make mutants does it", file=sys.stderr)
        return 2
    try:
        if not arguments.report:
            run(arguments)
    except subprocess.CalledProcessError as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    told(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
