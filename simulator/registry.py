"""Which games have a simulator: whoever tries out or records all games asks here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from simulator.golden_files import GoldenFile
from simulator.room25 import fuzz_games
from simulator.room25.golden import golden_files


class Simulator(Struct, frozen=True, kw_only=True):
    """What only one game's trials know.

    ``fuzz`` plays random games by a command line and returns an exit code, ``fuzzed`` of each
    rulebook and mode if nothing else is said. ``golden`` are the game's golden files.
    """

    fuzz: Callable[[Sequence[str]], int]
    fuzzed: int
    golden: Callable[[], Iterator[GoldenFile]]


SIMULATORS: Final[Mapping[str, Simulator]] = {
    "room25": Simulator(fuzz=fuzz_games.main, fuzzed=fuzz_games.GAMES, golden=golden_files),
}
"""The simulators by the game's id."""
