"""``make fuzz``: requests, floods and faults, flipped bits in records, random whole games.

``python -m simulator.fuzz --seconds 120 --flood 60 --faults 200 --flips 2000 --games 5000``; 0
leaves a part out. The games are counted for each rulebook and mode; ``docs/fuzzing.md`` says what
they must come across.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from simulator import fuzz_api, fuzz_edge, fuzz_faults, fuzz_flips
from simulator.registry import SIMULATORS


def main(argv: Sequence[str] | None = None) -> int:
    """Run all parts; 0 if none found anything."""
    parser = argparse.ArgumentParser(prog="python -m simulator.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=fuzz_api.SECONDS, help="for the API")
    parser.add_argument("--faults", type=int, default=fuzz_faults.FAULTS, help="in a whole service")
    parser.add_argument(
        "--flood", type=int, default=fuzz_edge.SECONDS, help="seconds that floods stand"
    )
    parser.add_argument(
        "--flips",
        type=int,
        default=fuzz_flips.FLIPS,
        help="bits by lot in golden records, beside every bit of the smallest",
    )
    parser.add_argument(
        "--games", type=int, help="of each rulebook and mode; what each game says if left out"
    )
    said = parser.parse_args(argv)
    codes = [fuzz_api.main(["--seconds", str(said.seconds)])] if said.seconds else []
    codes += [fuzz_edge.main(["--seconds", str(said.flood)])] if said.flood else []
    codes += [fuzz_faults.main(["--faults", str(said.faults)])] if said.faults else []
    codes += [fuzz_flips.main(["--flips", str(said.flips)])] if said.flips else []
    for game in SIMULATORS.values():
        games = game.fuzzed if said.games is None else said.games
        codes += [game.fuzz(["--games", str(games)])] if games else []
    return max(codes, default=0)


if __name__ == "__main__":
    sys.exit(main())
