"""Which games have a simulator: whoever tries out or records all games asks here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from simulator.cerveauuu import fuzz_games as cerveauuu
from simulator.cerveauuu import golden_recipes as cerveauuu_recipes
from simulator.cerveauuu.driver import play as play_cerveauuu
from simulator.cerveauuu.golden import golden_files as golden_of_cerveauuu
from simulator.cerveauuu.planning import PLANNING
from simulator.cerveauuu.plans import plan_of as cerveauuu_plan
from simulator.costly import Costly
from simulator.driver import Rates
from simulator.golden_files import GoldenFile
from simulator.room25 import fuzz_games as room25
from simulator.room25 import golden_recipes as room25_recipes
from simulator.room25.driver import play as play_room25
from simulator.room25.golden import golden_files as golden_of_room25
from simulator.room25.plans import plan_of as room25_plan
from simulator.run import TableRun


class Simulator(Struct, frozen=True, kw_only=True):
    """What only one game's trials know.

    ``fuzz`` plays random games by a command line and returns an exit code, ``fuzzed`` of each kind
    of table if nothing else is said. ``golden`` are the game's golden files, ``vectors`` those of
    which vectors are made, each with the event at which it is cut. ``costly`` are the commands that
    cost the most, if the game has a bar for them.
    """

    fuzz: Callable[[Sequence[str]], int]
    fuzzed: int
    random_game: Callable[[int, Rates], TableRun[Any, Any]]
    weight: int = 1
    golden: Callable[[], Iterator[GoldenFile]]
    vectors: Mapping[str, int | None] = {}
    costly: Costly | None = None


SIMULATORS: Final[Mapping[str, Simulator]] = {
    "room25": Simulator(
        fuzz=room25.main,
        fuzzed=room25.GAMES,
        random_game=lambda seed, rates: play_room25(room25_plan(seed), (), rates),
        golden=golden_of_room25,
        vectors=room25_recipes.VECTORS,
    ),
    "cerveauuu": Simulator(
        fuzz=cerveauuu.main,
        fuzzed=cerveauuu.GAMES,
        random_game=lambda seed, rates: play_cerveauuu(cerveauuu_plan(seed), (), rates),
        weight=10,
        golden=golden_of_cerveauuu,
        vectors=cerveauuu_recipes.VECTORS,
        costly=PLANNING,
    ),
}
"""The simulators by the game's id."""
