"""Scenario files played under the models: rare positions, each with what the rules say of them.

A scenario leads straight to a rule, so a fault planted there bites at once; the models must say so
whatever the scenario itself expects.
"""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec.structs import replace

from events.kernel import Actor, Command, Rejected
from replay.scenario.engine import EngineTable
from replay.scenario.format import Scenario
from replay.scenario.performance import perform
from replay.scenario.tables import TableRefusal
from simulator.attendance import Attendance
from simulator.room25.conservation import Conservation
from simulator.room25.legal import Legal
from simulator.room25.plans import plan_of
from simulator.room25.properties import Frames, SomebodyAliveWakes, StableIdsOfQuestions
from simulator.room25.run import Run
from simulator.room25.verdicts import Verdicts
from simulator.run import PropertyBroken
from tests.scenario_files import of_game

WATCHERS = (
    Legal,
    Verdicts,
    Conservation,
    Frames,
    StableIdsOfQuestions,
    SomebodyAliveWakes,
    Attendance,
)
"""Who looks on."""


class WatchedStage(EngineTable):
    """A scenario's table whose every command the models look at."""

    match: Run

    def open(self, scenario: Scenario, rulebook: str, number: int) -> None:
        """Plan the game of the scenario, then open its table."""
        given = None if scenario.given is None else msgspec.to_builtins(scenario.given)
        plan = replace(
            plan_of(number),
            rulebook=rulebook,
            mode=scenario.mode,
            seats=scenario.seats,
            options=scenario.options,
            situation=given,
        )
        self.match = Run(plan, None, [watcher() for watcher in WATCHERS])
        super().open(scenario, rulebook, number)

    def give(self, command: Command, actor: Actor) -> None:
        """Execute a command now, under the models.

        Raises:
            Refused: with the engine's code.
            PropertyBroken: a model dislikes what has come of it.
        """
        self.match.now = self.now
        try:
            events = self.match.attempt(command, actor)
        except Rejected as rejected:
            raise TableRefusal(rejected.code, rejected.detail) from None
        self.log += self.match.accept(command, actor, events)
        self.state = self.match.state


@cache
def scenarios() -> dict[str, Scenario]:
    """Every scenario of the game by its id."""
    return {scenario.id: scenario for _, scenario in of_game("room25")}


def complaint(name: str, rulebook: str = "") -> str:
    """What the models say while a scenario is played with a rulebook, its last; ``""``: nothing."""
    scenario = scenarios()[name]
    books = (rulebook or scenario.rulebooks[-1],)
    stages: list[WatchedStage] = []

    def stage() -> WatchedStage:
        stages.append(WatchedStage())
        return stages[-1]

    try:
        perform(replace(scenario, rulebooks=books, seeds=1), stage)
        for played in stages:
            if played.state.phase == "finished":
                played.match.end()
    except PropertyBroken as broken:
        return str(broken)
    return ""
