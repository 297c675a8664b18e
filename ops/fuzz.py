"""``make fuzz``: generated requests against a live service, then random whole games.

``python -m ops.fuzz --seconds 120 --games 5000``; 0 seconds or 0 games leave a part out. The games
are counted for each rulebook and mode; ``docs/fuzzing.md`` says what they must come across.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ops import fuzz_api, fuzz_games


def main(argv: Sequence[str] | None = None) -> int:
    """Run both parts; 0 if neither found anything."""
    parser = argparse.ArgumentParser(prog="python -m ops.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=fuzz_api.SECONDS, help="for the API")
    parser.add_argument(
        "--games", type=int, default=fuzz_games.GAMES, help="of each rulebook and mode"
    )
    said = parser.parse_args(argv)
    codes = [fuzz_api.main(["--seconds", str(said.seconds)])] if said.seconds else []
    codes += [fuzz_games.main(["--games", str(said.games)])] if said.games else []
    return max(codes, default=0)


if __name__ == "__main__":
    sys.exit(main())
