"""Writes golden files: recorded games that every later version must read, verify and play on.

``make golden`` adds what is missing and never touches what is there: a golden file that no longer
passes its test is either a defect or a decision, and both are made by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

from simulator.golden_files import ROOT
from simulator.registry import SIMULATORS


def write_missing(root: Path = ROOT) -> list[Path]:
    """Write every golden file that is not there; returns what was written."""
    wanted = [(root / name, make) for game in SIMULATORS.values() for name, make in game.golden()]
    written = [(path, make) for path, make in wanted if not path.exists()]
    for path, make in written:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(make(root))
    return [path for path, _ in written]


def main() -> int:
    """Write what is missing, and name it."""
    for path in write_missing():
        print(f"new: {path.relative_to(ROOT.parents[1])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
