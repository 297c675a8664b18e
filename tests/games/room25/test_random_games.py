"""Random whole games of every rulebook and mode, under every oracle (``simulator.room25``)."""

from __future__ import annotations

import pytest

from games.room25.editions import RULEBOOKS
from simulator.room25.fuzz_games import FULL, CheckRates, check_game
from simulator.room25.plans import GROUPS, plan_of

pytestmark = pytest.mark.slow

GOOD: CheckRates = CheckRates(
    probes=1, offers=0.05, options=4, views=1, decisions=0.3, twins=0.5, worlds=3, streams=0.2
)
LAPS = 16
"""Games of each mode at night."""

SEARCHED, EACH = 6, 5
"""Every fifth lap has everything tried; the sixth, of short games, is always played."""

FIRST_MODES = {next(n for n, group in enumerate(GROUPS) if group[0] == book) for book in RULEBOOKS}


def is_always_played(seed: int) -> bool:
    """A game of each mode, and one of each rulebook with everything tried."""
    lap, group = divmod(seed, len(GROUPS))
    return not lap or (lap == SEARCHED and group in FIRST_MODES)


SEEDS = [
    pytest.param(seed, marks=() if is_always_played(seed) else pytest.mark.nightly)
    for seed in range(LAPS * len(GROUPS))
]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_keeps_every_property(seed: int) -> None:
    """Some games of each mode of each rulebook, every fifth of them with everything tried."""
    lap = seed // len(GROUPS)
    check_game(plan_of(seed), FULL if lap % EACH == SEARCHED % EACH else GOOD)
