"""Games of Cerveauuu! between bots, in process and without a table; each sees its own view alone.

``python -m simulator.cerveauuu.bot_games steady random --games 30`` measures who wins how often.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from events.draw import Draw
from events.kernel import Actor, Context, Decision, Seat, Working, redact
from games.bots import bot_seed
from games.cerveauuu.bots import Steady
from games.cerveauuu.decider import Cerveauuu
from games.cerveauuu.model.state import State
from games.contract import JsonValue, Roster, TableOpening
from simulator.chance import chance, often

Player = Callable[[State, Decision, str], str]
"""``player(view, decision, seed)`` is the id of a leaf of the decision."""

PLAYING: Final = 0.3
"""How often players at random play a card in a window if they can (§12.9)."""

_BOT: Final = Actor("bot", "bot")


def at_random(game: Cerveauuu, view: State, decision: Decision, seed: str) -> str:
    """A uniform option at each level; in windows mostly a pass."""
    rng = chance(seed)
    if decision.kind == "respond" and not often(rng, PLAYING):
        return "pass"
    option = rng.choice(decision.options)
    while option.branch:
        option = rng.choice(game.branch(view, decision, tuple(option.id.split("."))))
    return option.id


def passing(_: Cerveauuu, __: State, decision: Decision, ___: str) -> str:
    """What a player gets that never says a word."""
    return decision.default or decision.options[0].id


def players(game: Cerveauuu) -> dict[str, Player]:
    """All that can sit down, by name."""
    return {
        "steady": Steady(game.branch).answer,
        "random": partial(at_random, game),
        "passing": partial(passing, game),
    }


class BotMatch:
    """A game that bots play.

    Args:
        names: the player in each seat (``players``).
        seed: a number of which the game key is made.
        options: of the table.

    Attributes:
        truth: the game as it is.
        spent: the seconds and the number of decisions of each kind of player.
    """

    def __init__(
        self, names: Sequence[str], seed: int, options: Mapping[str, JsonValue] | None = None
    ) -> None:
        self._game = Cerveauuu()
        self._key = f"{seed:064x}"
        known = players(self._game)
        self._players = {seat: known[name] for seat, name in enumerate(names, 1)}
        self._names = dict(enumerate(names, 1))
        self._views = {seat: self._game.initial() for seat in self._players}
        self.spent: dict[str, dict[str, list[float]]] = {name: {} for name in names}
        self.truth = self._game.initial()
        requested = TableOpening(
            rulebook="prototype", mode="standard", seats=len(names), options=options or {}
        )
        opening = self._game.open(requested)
        colours: dict[Seat, tuple[str, ...]] = {}
        for seat in self._players:
            colours[seat] = self._game.cast(opening, colours, seat, ())
        self._batch(lambda w: self._game.begin(w, Roster(opening=opening, characters=colours)))

    def seat(self, name: str, player: Player) -> None:
        """Let somebody else play for all seats of a player."""
        self._players |= {seat: player for seat, each in self._names.items() if each == name}

    def play(self, check: Callable[[State, Decision, str], None] | None = None) -> BotMatch:
        """Play to the end.

        Args:
            check: what to do with each answer before it is carried out.
        """
        while self.truth.end is None:
            wait = self._game.wait(self.truth)
            assert wait is not None
            asked = wait.pending[0]
            view = self._views[asked.seat]
            decision = self._game.find(view, asked.seat, asked.id)
            assert decision is not None
            option = self._answer(view, decision)
            if check is not None:
                check(view, decision, option)
            if not self._game.offers(self.truth, asked, option):
                raise ValueError(f"not offered for {asked.kind}: {option}")
            self._batch(lambda w, d=asked, o=option: self._game.choose(w, d, o))  # type: ignore[misc]  # bound now
        return self

    def _answer(self, view: State, decision: Decision) -> str:
        began = time.process_time()
        seed = bot_seed(self._key, decision.seat, decision.id)
        option = self._players[decision.seat](view, decision, seed)
        spent = self.spent[self._names[decision.seat]].setdefault(decision.kind, [])
        spent.append(time.process_time() - began)
        return option

    def _batch(self, carry_out: Callable[[Working[State]], None]) -> None:
        context = Context(now=0, actor=_BOT, draw=Draw(bytes.fromhex(self._key)))
        before = self.truth
        work = Working(self._game.evolve, self._game.copy(before), context, before=before)
        carry_out(work)
        self._game.settle(work)
        self.truth = work.state
        for seat, view in self._views.items():
            viewer = self._game.viewer(self.truth, seat)
            for event in work.events:
                self._views[seat] = self._game.evolve(view, redact(event, viewer))


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
