"""Plays a whole game of Cerveauuu! at the table by a plan."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from events.kernel import Decision
from games.cerveauuu.opening.options import COLOURS
from simulator.cerveauuu.illegal import PROBES
from simulator.cerveauuu.plans import PLAYING, Plan
from simulator.cerveauuu.random_choices import hungry, uniform
from simulator.cerveauuu.run import Run
from simulator.cerveauuu.steering import steered
from simulator.chance import chance
from simulator.driver import DrivenGame, Rates, drive
from simulator.run import Watched, Watcher

STEERING: Final = 0.5
"""How often an eager player looks for what seldom happens."""


class RandomPlayer:
    """Knows where humans stand, and chooses by lot; an eager one aims at what is rare."""

    def __init__(self, plan: Plan) -> None:
        self.rng = chance("player", plan.seed)
        self.hungry = plan.style != "uniform"
        self.steering = plan.style == "eager"
        self.playing = PLAYING.get(plan.style, 0.0)

    def pick(self, match: Run, decision: Decision) -> str:
        """Some leaf."""
        below = match.below(decision)
        if self.steering and self.rng.random() < STEERING:
            found = steered(match.play, decision, below, self.rng)
            if found is not None:
                return found
        if not self.hungry:
            return uniform(decision, below, self.rng, self.playing)
        humans = [piece.cell for piece in match.play.humans()]
        return hungry(decision, below, self.rng, humans, self.playing)

    def acts(self, match: Run, decision: Decision) -> str | None:
        """Some voluntary acts, now and then; resigning is left to the plan's temper."""
        temper = match.plan.temper
        share = temper.resign if decision.kind == "resign" else temper.voluntary
        return self.pick(match, decision) if self.rng.random() < share else None


def _wish(match: Run, rng: Random) -> tuple[str, ...]:
    """Sometimes a colour that nobody has."""
    taken = {name for seat in match.state.seats.values() for name in seat.characters}
    free = [name for name in COLOURS if name not in taken]
    return () if rng.randrange(3) == 0 else (rng.choice(free),)


DRIVER: Final = DrivenGame(probes=PROBES, wish=_wish, steps_max=30_000)
"""Cerveauuu!, as drivers know it."""


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
    drive(match, RandomPlayer(plan), DRIVER, rates or Rates(), absent=plan.style == "absent")
    return match
