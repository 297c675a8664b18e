"""What is checked in a game that is played by its rules alone: cheap enough for every step."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import islice
from random import Random
from typing import Final

from msgspec import Struct

from events.kernel import Decision, Event, Rejected
from games.cerveauuu.facts.events import GameEnded
from games.cerveauuu.model.state import State
from simulator.cerveauuu.bare_game import BareGame
from simulator.cerveauuu.conservation import Conservation
from simulator.option_trees import flaw_of_level, sampled_levels
from simulator.run import require

WIDTH: Final = 30
"""Of no depth of a tree more branches are walked."""


class BareRates(Struct, frozen=True, kw_only=True):
    """At how many of the steps the costly checks run.

    ``trees``: trees are walked (``WIDTH``). ``tries``: of each of those so many leaves are chosen
    beside the game. ``views``: the tree is worked out from its seat's view too, if its seat is the
    one whose view is kept.
    """

    trees: float = 0.005
    tries: int = 5
    views: float = 0.04


class BareChecks:
    """Looks at a game after each step; whatever it finds it raises as ``PropertyBroken``.

    Attributes:
        walked: how many leaves were met on the walks.
        tried: how many of them were chosen beside the game.
    """

    def __init__(self, sitting: BareGame, rng: Random, rates: BareRates) -> None:
        self._sitting = sitting
        self._rng = rng
        self._rates = rates
        self._books = Conservation()
        self._asked = set[str]()
        self.walked = 0
        self.tried = 0

    def answered(self, decision: Decision, option: str) -> None:
        """An option was walked to: it is offered, and neither the way to it nor beyond is."""
        game, truth = self._sitting.game, self._sitting.truth
        require(game.offers(truth, decision, option), f"{decision.kind}: {option} is not offered")
        for other in (option.rpartition(".")[0], f"{option}.{option}"):
            offered = bool(other) and game.offers(truth, decision, other)
            require(not offered, f"{decision.kind}: {other} is no leaf, and offered")

    def stepped(self) -> None:
        """The position after a batch."""
        sitting = self._sitting
        require(sitting.last, "a choice made no event")
        self._books.take_in(sitting.last, sitting.truth)
        if sitting.truth.end is not None:
            return
        pending = sitting.pending()
        require(pending, "a game that is not over waits for nobody")
        require(not _is_due(sitting.truth), "the game should be over")
        for decision in pending:
            if decision.id not in self._asked:
                self._asked.add(decision.id)
                self._default(decision)
        if self._rng.random() < self._rates.trees:
            self._walk(self._rng.choice(pending))
        watched = [decision for decision in pending if decision.seat in sitting.views]
        if watched and self._rng.random() < self._rates.views:
            self._seen(self._rng.choice(watched))

    def ended(self) -> None:
        """The last event says who has won; the log gives the end; all views agree on it."""
        sitting = self._sitting
        for seat in sitting.seats:
            open_ = sitting.game.decisions(sitting.truth, seat)
            require(not open_, f"seat {seat} may choose after the end")
        [said] = [event for event in sitting.events if isinstance(event, GameEnded)]
        require(said == winners_of(sitting.truth), f"another end than {said}")
        told = reduce(sitting.game.evolve, sitting.events, sitting.game.initial())
        require(told == sitting.truth, "the log gives another end")
        for seat, view in sitting.views.items():
            require(view.end == sitting.truth.end, f"seat {seat} sees another end")
            require(view.pieces == sitting.truth.pieces, f"seat {seat} sees other pieces")

    def _default(self, decision: Decision) -> None:
        """There is something to choose, and the default can be chosen."""
        ids = [option.id for option in decision.options]
        require(len(set(ids)) == len(ids), f"{decision.kind} has one option twice")
        several = len(ids) > 1 or decision.secret or decision.options[0].branch
        require(several, f"{decision.kind} asks nothing")
        game, default = self._sitting.game, decision.default
        known = default is not None and game.offers(self._sitting.truth, decision, default)
        require(known, f"the default of {decision.kind} is not offered")

    def _walk(self, decision: Decision) -> None:
        """Every level is well formed, every leaf offered, and some of them accepted."""
        sitting, leaves = self._sitting, list[str]()
        below = sitting.below(decision)
        for name, level in sampled_levels(decision.options, below, self._rng, WIDTH):
            flaw = flaw_of_level(name, level) if name else None
            require(flaw is None, f"{decision.kind}: {flaw}")
            for option in level:
                offered = sitting.game.offers(sitting.truth, decision, option.id)
                require(offered != option.branch, f"{decision.kind}: {option.id} is offered amiss")
            leaves += [option.id for option in level if not option.branch]
        self.walked += len(leaves)
        for leaf in self._rng.sample(leaves, min(self._rates.tries, len(leaves))):
            self.tried += 1
            require(self._accepted(decision, leaf), f"{leaf} of {decision.kind} does nothing")

    def _accepted(self, decision: Decision, option: str) -> list[Event]:
        sitting = self._sitting
        try:
            return sitting.rehearse(sitting.truth, decision, option)
        except Rejected as refusal:
            require(holds=False, text=f"{option} of {decision.kind} is refused: {refusal}")
            raise

    def _seen(self, decision: Decision) -> None:
        """The seat's own view lists the same, on some levels."""
        sitting = self._sitting
        view = sitting.views[decision.seat]
        own = sitting.game.find(view, decision.seat, decision.id)
        require(own == decision, f"{decision.kind} is another in the view of seat {decision.seat}")
        for name, level in islice(self._some(decision), WIDTH):
            path = tuple(name.split("."))
            same = not name or sitting.game.branch(view, decision, path) == level
            require(same, f"{decision.kind}: the view lists other options below {name}")

    def _some(self, decision: Decision) -> Iterator[tuple[str, object]]:
        below = self._sitting.below(decision)
        yield from sampled_levels(decision.options, below, self._rng, 3)


def _is_due(state: State) -> bool:
    """Whether nothing but a fight can keep the game from ending (§4.1, §4.12)."""
    filled = len(state.credits) >= state.credits_need
    none_left = state.round > 0 and not any(name[0] == "h" for name in state.pieces)
    return state.fight is None and (filled or none_left)


def winners_of(state: State) -> GameEnded:
    """How a game ends that stands so, by §4.12 alone."""
    active = [seat for seat in state.seats if seat not in state.dormant]
    best = max((state.scores[seat], state.played[seat]) for seat in active)
    winners = [seat for seat in active if (state.scores[seat], state.played[seat]) == best]
    leading = [seat for seat in active if state.scores[seat] == best[0]]
    outcome = "shared" if len(winners) > 1 else "most_cinematic"
    if len(leading) == 1:
        outcome = "last_standing" if len(active) == 1 else "bloodiest"
    return GameEnded(
        outcome=outcome, winners=tuple(winners), scores=state.scores, played=state.played
    )
