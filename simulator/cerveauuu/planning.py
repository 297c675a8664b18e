"""Commands by which the panic of six players is planned anew: what costs the most (§5.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from games.cerveauuu.decider import RULES
from games.cerveauuu.facts.events import PlanMade
from simulator.cerveauuu.driver import play
from simulator.cerveauuu.plans import SEATS, TEMPERS, plan_of, seeds_of
from simulator.costly import Costly, CostlyCommand
from simulator.driver import Rates

LAPS: Final = 2
"""The first game; each fourth from there on is played by who plays many cards."""

RUNNERS: Final = 2
"""So many humans run at least, else it is a way that is planned, no panic."""


def planning_commands(games: int) -> Iterator[CostlyCommand]:
    """Those of so many games with as many players as there can be."""
    for lap in range(games):
        (seed,) = seeds_of(SEATS[-1], [LAPS + 4 * lap])
        plan = replace(plan_of(seed), temper=TEMPERS[0], situation=None)
        for step in play(plan, rates=Rates(probes=0)).steps:
            if any(isinstance(event, PlanMade) and _is_panic(event) for event in step.events):
                yield CostlyCommand(step.before, step.command, step.actor, step.now)


def _is_panic(event: PlanMade) -> bool:
    return len({step.piece for step in event.steps}) >= RUNNERS


PLANNING: Final = Costly(
    what="a panic of six players is planned",
    rules=RULES,
    commands=planning_commands,
    middle_ms=5,
    worst_ms=25,
)
