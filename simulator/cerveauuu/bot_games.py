"""Games of Cerveauuu! between bots, in process and without a table; each sees its own view alone.

``python -m simulator.cerveauuu.bot_games steady random --games 30`` measures who wins how often.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct

from events.kernel import Decision
from games.bots import bot_seed
from games.cerveauuu.bots import AtRandom, Steady
from games.cerveauuu.decider import Cerveauuu
from games.cerveauuu.model.state import State
from games.contract import JsonValue
from games.trees import parts_of
from simulator.cerveauuu.bare_game import BareGame
from simulator.cerveauuu.random_choices import greedy
from simulator.cerveauuu.simulated_players import VARIANTS, Variant
from simulator.chance import chance

Player = Callable[[State, Decision, str], str]
"""``player(view, decision, seed)`` is the id of a leaf of the decision."""


def at_random_but_greedy(game: Cerveauuu, view: State, decision: Decision, seed: str) -> str:
    """Any option, but a zombie that can reach humans mostly attacks one (§13.3)."""
    return greedy(decision, lambda name: game.branch(view, decision, parts_of(name)), chance(seed))


def passing(_: Cerveauuu, __: State, decision: Decision, ___: str) -> str:
    """What a player gets that never says a word."""
    return decision.default or decision.options[0].id


def players(game: Cerveauuu) -> dict[str, Player]:
    """All that can sit down, by name."""
    return {
        "steady": Steady(game.branch).answer,
        "random": AtRandom(game.branch).answer,
        "greedy": partial(at_random_but_greedy, game),
        "passing": partial(passing, game),
        **{name: Variant(game.branch, habits).answer for name, habits in VARIANTS.items()},
    }


class BotMatch:
    """A game that bots play.

    Args:
        names: the player in each seat (``players``).
        seed: a number of which the game key is made.
        options: of the table.

    Attributes:
        sitting: the game.
        spent: the seconds and the number of decisions of each kind of player.
    """

    def __init__(
        self, names: Sequence[str], seed: int, options: Mapping[str, JsonValue] | None = None
    ) -> None:
        self._key = f"{seed:064x}"
        self.sitting = BareGame(len(names), options, bytes.fromhex(self._key))
        known = players(self.sitting.game)
        self._names = dict(enumerate(names, 1))
        self._players = {seat: known[name] for seat, name in self._names.items()}
        self.spent: dict[str, dict[str, list[float]]] = {name: {} for name in names}
        self.sitting.begin()

    @property
    def truth(self) -> State:
        """The game as it is."""
        return self.sitting.truth

    def seat(self, name: str, player: Player) -> None:
        """Let somebody else play for all seats of a player."""
        self._players |= {seat: player for seat, each in self._names.items() if each == name}

    def play(self, check: Callable[[State, Decision, str], None] | None = None) -> BotMatch:
        """Play to the end.

        Args:
            check: what to do with each answer before it is carried out.
        """
        sitting = self.sitting
        while sitting.truth.end is None:
            asked = sitting.pending()[0]
            view = sitting.views[asked.seat]
            decision = sitting.game.find(view, asked.seat, asked.id)
            assert decision is not None
            option = self._answer(view, decision)
            if check is not None:
                check(view, decision, option)
            if not sitting.game.offers(sitting.truth, asked, option):
                raise ValueError(f"not offered for {asked.kind}: {option}")
            sitting.choose(asked, option)
        return self

    def _answer(self, view: State, decision: Decision) -> str:
        began = time.process_time()
        seed = bot_seed(self._key, decision.seat, decision.id)
        option = self._players[decision.seat](view, decision, seed)
        spent = self.spent[self._names[decision.seat]].setdefault(decision.kind, [])
        spent.append(time.process_time() - began)
        return option


class Tally(Struct, frozen=True, kw_only=True):
    """What came of some games: wins (a shared one is a part of one) and points of one player."""

    games: int
    wins: float
    points: float
    others: float


def compete(
    name: str, against: str, others: int, seeds: Sequence[int], **options: JsonValue
) -> Tally:
    """One player against others of one kind, in each seat in turn."""
    wins, points, rest = 0.0, 0.0, 0.0
    for lap, seed in enumerate(seeds):
        seat = 1 + lap % (others + 1)
        names = [against] * (others + 1)
        names[seat - 1] = name
        state = BotMatch(names, seed, options).play().truth
        assert state.end is not None
        wins += (seat in state.end.winners) / len(state.end.winners)
        points += state.scores[seat]
        rest += (sum(state.scores.values()) - state.scores[seat]) / others
    count = len(seeds)
    return Tally(games=count, wins=wins, points=points / count, others=rest / count)


def main() -> None:
    """Measure one player against others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player")
    parser.add_argument("against")
    parser.add_argument("--others", type=int, default=1)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.games)
    record = compete(given.player, given.against, given.others, seeds)
    sys.stdout.write(f"{record}\n")


if __name__ == "__main__":
    main()
