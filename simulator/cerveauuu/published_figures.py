"""The figures of §13.3, and how likely it is that games differ from them by chance alone.

They are those of another implementation with players of its own. Its random players are not the
house bot of that name: they eat ten times as much. They are matched by ``greedy`` ones, and its
steady players by ``selfish`` ones; ``steady`` itself hinders whoever is ahead, and they do not.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from simulator.cerveauuu.figures import MatchFigures


class ReferenceFigures(Struct, frozen=True):
    """A row of §13.3, of games with the deck shuffled.

    ``first`` is how many of ``games`` were over in round 1; ``best`` and ``mean`` are scores,
    ``eaten`` is a round's.
    """

    games: int
    rounds: float
    first: int
    best: float
    mean: float
    eaten: float


PUBLISHED: Final[Mapping[tuple[str, int], ReferenceFigures]] = {
    ("greedy", 2): ReferenceFigures(150, 6.1, 8, 3.3, 2.2, 0.7),
    ("greedy", 3): ReferenceFigures(150, 6.4, 2, 4.5, 2.6, 1.2),
    ("greedy", 4): ReferenceFigures(150, 6.1, 0, 5.0, 2.6, 1.7),
    ("greedy", 5): ReferenceFigures(150, 6.3, 0, 5.7, 2.6, 2.1),
    ("greedy", 6): ReferenceFigures(150, 5.5, 0, 5.4, 2.3, 2.6),
    ("steady", 2): ReferenceFigures(100, 5.4, 6, 6.1, 4.0, 1.5),
    ("steady", 3): ReferenceFigures(100, 5.7, 1, 6.6, 3.8, 2.0),
    ("steady", 4): ReferenceFigures(100, 6.0, 0, 7.3, 3.5, 2.4),
    ("steady", 5): ReferenceFigures(100, 5.4, 0, 7.7, 4.5, 4.2),
    ("steady", 6): ReferenceFigures(100, 4.9, 0, 7.7, 3.9, 4.8),
}
"""By the player here that stands for theirs, and the number of players."""

FIRST_SPREAD: Final = (0, 150)
"""Of so many games of two with the deck spread, so many were over in round 1."""

MIDDLE: Final[Mapping[str, tuple[int, int]]] = {"shuffled": (2, 14), "spread": (3, 9)}
"""How many rounds the middle nine tenths of the games of two lasted, by the deck."""

Reading = Callable[[Sequence[MatchFigures]], list[float]]
"""``reading(games)`` are values, one for each game, whose mean is a figure of all of them."""


def _eaten_a_round(games: Sequence[MatchFigures]) -> list[float]:
    """What is eaten in all rounds of all games, by the number of these rounds.

    That is what §13.3 means: in each of its rows, mean score times players is about that times
    rounds. A mean of what is eaten a round in each game is more, for short games are bloodier. As a
    game's value stands what it adds to that ratio, so that their spread is that of the ratio.
    """
    rounds = [game.rounds for game in games]
    ratio = sum(game.eaten for game in games) / sum(rounds)
    return [ratio + (game.eaten - ratio * game.rounds) / statistics.fmean(rounds) for game in games]


READINGS: Final[Mapping[str, Reading]] = {
    "rounds": lambda games: [game.rounds for game in games],
    "best": lambda games: [max(game.scores.values()) for game in games],
    "mean": lambda games: [statistics.fmean(game.scores.values()) for game in games],
    "eaten": _eaten_a_round,
}
"""What is read off games, by the field of ``ReferenceFigures``."""


def middle(games: Sequence[MatchFigures]) -> tuple[int, int]:
    """The fewest and the most rounds of the middle nine tenths of some games."""
    rounds = sorted(game.rounds for game in games)
    aside = len(rounds) // 20
    return rounds[aside], rounds[-1 - aside]


def standard_error(values: Sequence[float]) -> float:
    """That of their mean."""
    return statistics.stdev(values) / math.sqrt(len(values))


def distance(games: Sequence[MatchFigures], published: ReferenceFigures, name: str) -> float:
    """How far a mean is from the published one, in standard errors; infinite if all are alike.

    That of the games here is taken for both: nothing is known of theirs.
    """
    values = READINGS[name](games)
    error = math.hypot(standard_error(values), statistics.stdev(values) / published.games**0.5)
    apart = statistics.fmean(values) - float(getattr(published, name))
    return apart / error if error else math.copysign(math.inf, apart)


def same_share(one: int, of_one: int, other: int, of_other: int) -> float:
    """How likely shares as different as these are if the same stands behind both (Fisher, exact).

    Args:
        one: how many of ``of_one``.
        of_one: the games of one kind.
        other: how many of ``of_other``.
        of_other: those of the other kind.
    """
    hits, whole = one + other, of_one + of_other

    def likely(k: int) -> float:
        return math.comb(of_one, k) * math.comb(of_other, hits - k) / math.comb(whole, hits)

    found = likely(one)
    every = range(max(0, hits - of_other), min(hits, of_one) + 1)
    return min(1.0, sum(p for p in map(likely, every) if p <= found * (1 + 1e-9)))
