"""Ratings: known skills come back in their order, and a side's luck is nobody's skill."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from functools import cache

import pytest

from club.ratings import CENTRE, Party, Skill, rated

SEEDS = (1, 2)
PLAYERS = 24
GAMES = 900
BIAS = 300.0
"""By how much the smaller side is stronger, in points."""

NOISE = 250.0

Key = tuple[str, int]
"""A side, and who plays it; -1: what the side is worth by itself."""

Skills = Mapping[Key, Skill]


def truths(seed: int) -> list[float]:
    """Skills as they really are."""
    rng = random.Random(seed)
    return [rng.gauss(0, 250) for _ in range(PLAYERS)]


@cache
def season(seed: int, *, with_sides: bool) -> Skills:
    """The ratings after so many games of two against four."""
    rng, true = random.Random(seed), truths(seed)
    skills: dict[Key, Skill] = {}
    for _ in range(GAMES):
        drawn = rng.sample(range(PLAYERS), 6)
        few, many = drawn[:2], drawn[2:]
        gap = sum(true[n] for n in few) + BIAS - sum(true[n] for n in many)
        few_won = rng.random() < 1 / (1 + math.exp(-gap / NOISE))
        keys = [[("few", n) for n in few], [("many", n) for n in many]]
        if with_sides:
            keys = [[*keys[0], ("few", -1)], [*keys[1], ("many", -1)]]
        parties = [
            Party(tuple(skills.get(key, Skill()) for key in members), rank)
            for members, rank in zip(keys, (1, 2) if few_won else (2, 1), strict=True)
        ]
        for members, after in zip(keys, rated(parties), strict=True):
            skills.update(zip(members, after, strict=True))
    return skills


def likeness(one: list[float], other: list[float]) -> float:
    """Spearman's correlation of ranks."""
    ranks = [sorted(values).index for values in (one, other)]
    gaps = [(ranks[0](a) - ranks[1](b)) ** 2 for a, b in zip(one, other, strict=True)]
    count = len(one)
    return 1 - 6 * sum(gaps) / (count * (count**2 - 1))


def mean_of(skills: Skills, side: str) -> float:
    """What a side's players are rated on average, in points."""
    return sum(skills[side, n].mean for n in range(PLAYERS)) / PLAYERS / 1000


@pytest.mark.parametrize("seed", SEEDS)
def test_known_skills_come_back_in_their_order_on_either_side(seed: int) -> None:
    skills, true = season(seed, with_sides=True), truths(seed)
    for side in ("few", "many"):
        found = [float(skills[side, n].mean) for n in range(PLAYERS)]
        assert likeness(found, true) > 0.8, side
    # The planted fault: who has played nothing of it is not told apart.
    assert likeness([float(n) for n in range(PLAYERS)], true) < 0.8


@pytest.mark.parametrize("seed", SEEDS)
def test_the_stronger_side_does_not_inflate_its_players(seed: int) -> None:
    skills = season(seed, with_sides=True)
    gap = mean_of(skills, "few") - mean_of(skills, "many")
    assert skills["few", -1].mean - skills["many", -1].mean > 100_000
    # The planted fault: the same games without what a side is worth by itself.
    without = season(seed, with_sides=False)
    assert abs(gap) < (mean_of(without, "few") - mean_of(without, "many")) / 2


def test_a_game_is_rated_to_the_last_digit() -> None:
    """Written down once: another machine must come to the same numbers."""
    parties = [
        Party((Skill(12_345, 200_000), Skill()), 1),
        Party((Skill(-54_321, 90_000), Skill(1, 249_999), Skill(77_777, 60_001)), 2),
    ]
    assert rated(parties) == [
        (Skill(56_741, 196_611), Skill(69_365, 243_330)),
        (Skill(-63_317, 89_772), Skill(-69_363, 244_337), Skill(73_775, 59_975)),
    ]


def test_winners_rise_losers_fall_and_all_are_known_better() -> None:
    (won,), (lost,) = rated([Party((Skill(),), 1), Party((Skill(),), 2)])
    assert won.mean == -lost.mean > 0
    assert won.deviation == lost.deviation < Skill().deviation
    (one,), (other,) = rated([Party((Skill(),), 1), Party((Skill(),), 1)])
    assert one.mean == other.mean == 0


def test_several_parties_are_compared_by_rank() -> None:
    after = [skill.mean for (skill,) in rated([Party((Skill(),), rank) for rank in (1, 2, 2, 4)])]
    assert after[0] > after[1] == after[2] > after[3]


def test_what_is_shown_is_careful() -> None:
    assert Skill().shown == CENTRE - 500_000
    assert Skill(10_000, 50_000).shown == CENTRE - 90_000


@pytest.mark.parametrize("parties", [[], [Party((Skill(),), 1)], [Party((), 1)] * 2])
def test_nothing_is_compared_with_nobody(parties: list[Party]) -> None:
    with pytest.raises(ValueError, match="two parties"):
        rated(parties)
