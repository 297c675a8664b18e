"""Whole games at random, with every property checked after each step (§12, §13.3)."""

from __future__ import annotations

import functools
import operator
from random import Random
from typing import Any

import msgspec
import pytest

from games.cerveauuu.facts.events import EVENTS
from simulator.cerveauuu.sitting import Sitting
from tests.games.cerveauuu.properties import Watcher
from tests.games.cerveauuu.worlds import assert_not_told

ALWAYS = 1
LAPS = 20
"""Games of each kind: so many always, so many at night."""

KINDS: list[tuple[int, dict[str, Any]]] = [
    (2, {"credits": "spread"}),
    (3, {"placement": "random", "wander_goes": 0}),
    (4, {"first_chief": 3}),
    (5, {"wander_goes": 6, "placement": "random"}),
    (6, {"credits": "spread", "wander_goes": 1}),
]

GAMES = [
    pytest.param(
        kind * 100 + lap,
        *KINDS[kind],
        marks=() if lap < ALWAYS else pytest.mark.nightly,
        id=f"{KINDS[kind][0]}-seats-{lap}",
    )
    for kind in range(len(KINDS))
    for lap in range(LAPS)
]

STEPS = 20_000
"""No game takes as many choices."""

RESIGNING, ORDERING, TELLING = 0.0005, 0.02, 0.8
"""Below the first a step is a resignation, below the second an optional decision.

Above the third it is made in another world, too.
"""

FACT: Any = functools.reduce(operator.or_, EVENTS)


@pytest.mark.parametrize(("seed", "seats", "options"), GAMES)
def test_a_random_game_keeps_every_property(seed: int, seats: int, options: dict[str, Any]) -> None:
    random = Random(seed)
    sitting = Sitting(seats, options, f"game-{seed}".encode()).begin()
    watcher = Watcher(sitting, random, often=0.2 if seed % 100 < ALWAYS else 1.0)
    for _ in range(STEPS):
        watcher.check()
        if sitting.truth.end is not None:
            break
        take_a_step(sitting, random)
    watcher.check_end()
    assert_stored(sitting)


def take_a_step(sitting: Sitting, random: Random) -> None:
    """Somebody chooses, or now and then changes an order; rarely somebody resigns."""
    luck = random.random()
    seat = random.choice(sitting.truth.active())
    standing = [d for d in sitting.game.decisions(sitting.truth, seat) if d.optional]
    if luck < RESIGNING:
        sitting.resign(seat)
    elif luck < ORDERING:
        decision = random.choice(standing)
        sitting.choose(decision, random.choice(decision.options).id)
    else:
        decision = random.choice(sitting.pending())
        option = sitting.at_random(decision, random)
        if luck > TELLING:
            assert_not_told(sitting, decision, option, random)
        sitting.choose(decision, option)


def assert_stored(sitting: Sitting) -> None:
    """Every event comes back from its stored form as it was."""
    for event in sitting.events:
        assert msgspec.json.decode(msgspec.json.encode(event), type=FACT) == event
