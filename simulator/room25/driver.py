"""Plays a whole game of Room 25 by a plan.

The blind driver chooses any option; the steering one (``steering``) may read the truth and aims at
rare ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from events.kernel import Decision
from games.room25.editions import RULEBOOKS
from simulator.chance import chance
from simulator.driver import DecisionMaker, DrivenGame, Rates, drive
from simulator.option_trees import random_leaf
from simulator.room25.illegal import PROBES
from simulator.room25.plans import Plan
from simulator.room25.run import Run
from simulator.room25.steering import Steering
from simulator.run import Watched, Watcher

IMPULSES: Final = ("claim_color", "place_reminder", "return")
"""Voluntary acts that a driver takes as the fancy strikes it."""


class Blind:
    """Knows nothing and chooses anything."""

    def __init__(self, plan: Plan) -> None:
        self.rng = chance("blind", plan.seed)

    def pick(self, match: Run, decision: Decision) -> str:
        """Any option."""
        return random_leaf(self.rng, decision.options, match.below(decision))

    def acts(self, match: Run, decision: Decision) -> str | None:
        """Some voluntary acts, now and then; resigning is left to the plan's temper."""
        temper = match.plan.temper
        if decision.kind == "resign":
            wanted = self.rng.random() < temper.resign
        elif decision.kind == "reveal_guard":
            wanted = self.rng.random() < temper.voluntary / 3
        else:
            wanted = decision.kind in IMPULSES and self.rng.random() < temper.voluntary
        return self.pick(match, decision) if wanted else None


def _wish(match: Run, rng: Random) -> tuple[str, ...]:
    """Sometimes characters that are surely allowed: some that nobody has, where anybody may."""
    state, plan = match.state, match.plan
    rulebook = RULEBOOKS[plan.rulebook]
    mode = rulebook.modes[plan.mode]
    if mode.duos or mode.team_casting or state.scenario or rng.randrange(4) == 0:
        return ()
    taken = {name for s in state.seats.values() for name in s.characters}
    free = [name for name in rulebook.characters if name not in taken]
    return tuple(rng.sample(free, rng.randint(1, mode.per_seat[plan.seats])))


DRIVER: Final = DrivenGame(probes=PROBES, wish=_wish, steps_max=3_000)
"""Room 25, as drivers know it."""


def play(
    plan: Plan,
    watchers: Sequence[Watcher[Run]] = (),
    rates: Rates | None = None,
    table: Watched | None = None,
) -> Run:
    """Play a game by its plan to its end and return it; ``rates`` change nothing of the game.

    Raises:
        PropertyBroken: the game does not end, or the engine or a watcher breaks a property.
    """
    match = Run(plan, table, watchers)
    player: DecisionMaker[Run] = Steering(plan) if plan.style == "steered" else Blind(plan)
    drive(match, player, DRIVER, rates or Rates(), absent=plan.style == "absent")
    return match
