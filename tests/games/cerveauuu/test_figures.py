"""What becomes of many games at random, as figures beside those of §13.3."""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

import pytest

from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import zombie_events as more
from simulator.cerveauuu.bare_game import BareGame

GAMES = 40


def played(seats: int, seed: int) -> BareGame:
    """A whole game of hungry players who play cards in three versions of ten."""
    random = Random(seed)
    sitting = BareGame(seats, {"first_chief": 1}, f"figures-{seed}".encode()).begin()
    while sitting.truth.end is None:
        decision = random.choice(sitting.pending())
        sitting.choose(decision, sitting.at_random(decision, random))
    return sitting


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def per_round(games: list[BareGame], kind: type) -> float:
    """How often something happens in a round."""
    happened = [sum(isinstance(event, kind) for event in each.events) for each in games]
    return sum(happened) / sum(each.truth.round for each in games)


@pytest.mark.nightly
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_games_last_about_six_rounds(seats: int) -> None:
    games = [played(seats, seed) for seed in range(GAMES)]
    rounds = [each.truth.round for each in games]
    winners = Counter(seat for each in games if each.truth.end for seat in each.truth.end.winners)
    ways = Counter(each.truth.end.outcome for each in games if each.truth.end)
    sys.stdout.write(
        f"\n{seats} players, {GAMES} games: rounds {mean([*rounds]):.1f}"
        f" ({min(rounds)}-{max(rounds)}), over in round 1: {rounds.count(1)},"
        f" eaten a round {per_round(games, more.HumanEaten):.2f},"
        f" cards played a round {per_round(games, cards.CardPlayed):.1f},"
        f" versions a round {per_round(games, cards.VersionBegan):.1f},"
        f" wins by seat {[winners[seat] for seat in range(1, seats + 1)]}, {dict(ways)}\n"
    )
    assert 4 < mean([*rounds]) < 9
    assert max(rounds) < 40
