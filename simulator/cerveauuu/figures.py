"""What came of games between bots, as figures like those of §13.3."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from events.kernel import Seat
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts import zombie_events as more
from games.contract import JsonValue
from simulator.cerveauuu.bare_game import BareGame
from simulator.cerveauuu.bot_games import BotMatch


class MatchFigures(Struct, frozen=True, kw_only=True):
    """One game: how it ended, and what happened in it.

    ``chief`` is the first one; ``scores`` and ``winners`` are by seat. ``humans``: those left.
    """

    seats: int
    chief: Seat
    rounds: int
    outcome: str
    winners: tuple[Seat, ...]
    scores: Mapping[Seat, int]
    humans: int
    eaten: int
    played: int
    versions: int

    def place(self, seat: Seat) -> int:
        """The place of a seat, from 0, counted from the first chief."""
        return (seat - self.chief) % self.seats


def figures_of(
    names: Sequence[str], seed: int, options: Mapping[str, JsonValue] | None = None
) -> MatchFigures:
    """Play a game with these bots, and look at what came of it."""
    return figures_of_game(BotMatch(names, seed, options).play().sitting)


def figures_of_game(sitting: BareGame) -> MatchFigures:
    """What came of a game that is over."""
    state, counts = sitting.truth, Counter(type(event) for event in sitting.events)
    began = next(event for event in sitting.events if isinstance(event, ev.GameBegan))
    assert state.end is not None
    return MatchFigures(
        seats=len(sitting.seats),
        chief=began.chief,
        rounds=state.round,
        outcome=state.end.outcome,
        winners=state.end.winners,
        scores=dict(state.scores),
        humans=sum(1 for _ in state.humans()),
        eaten=counts[more.HumanEaten],
        played=counts[cards.CardPlayed],
        versions=counts[cards.VersionBegan],
    )


def wins_by_place(games: Sequence[MatchFigures]) -> list[float]:
    """How often each place from the first chief on has won; a shared victory is a part of one."""
    wins = [0.0] * games[0].seats
    for game in games:
        for seat in game.winners:
            wins[game.place(seat)] += 1 / len(game.winners)
    return wins


def chance_of(wins: Sequence[float]) -> float:
    """How likely wins as uneven as these are if each place is as good as another.

    That of chi square with one degree of freedom less than there are places.
    """
    mean = sum(wins) / len(wins)
    square = sum((each - mean) ** 2 for each in wins) / mean
    return _upper_gamma((len(wins) - 1) / 2, square / 2)


def _upper_gamma(a: float, x: float) -> float:
    """The regularized upper incomplete gamma function of half-integers, by its recurrence."""
    if a == 0.5:  # noqa: PLR2004 (where the recurrence begins)
        return math.erfc(math.sqrt(x))
    if a == 1:
        return math.exp(-x)
    lower = a - 1
    return _upper_gamma(lower, x) + float(x**lower) * math.exp(-x) / math.gamma(a)
