"""``python -m tools.balance [--game GAME] …``: how house bots fare in one game, or in all.

Whatever else is said is for the tool of each game that is measured: ``--games`` and ``--write`` all
of them know.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tools.registry import BALANCES


def main(arguments: Sequence[str]) -> int:
    """Run the tool of each game that is wanted; the worst of their exit codes."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.balance", description=__doc__, add_help=False
    )
    parser.add_argument("--game", choices=BALANCES)
    said, rest = parser.parse_known_args(arguments)
    wanted = BALANCES if said.game is None else [said.game]
    return max(BALANCES[game](rest) for game in wanted)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
