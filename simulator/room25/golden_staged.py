"""Golden games that begin as scenario files do, so that what is rare is kept too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from events.draw import Draw
from events.kernel import Actor, Command, Rejected
from replay.memory import MemoryTable
from replay.scenario.engine import EngineTable
from replay.scenario.files import read_scenarios
from replay.scenario.format import Scenario
from replay.scenario.performance import perform
from replay.scenario.tables import TableRefusal
from simulator.room25.golden_recipes import Stage

SCENARIOS: Final = Path(__file__).resolve().parents[2] / "tests" / "scenarios"


class _Reached(Exception):
    """The table asks for what the game is to wait for."""


class _Recorder(EngineTable):
    """A scenario's table whose commands are sealed and kept as the service would."""

    def __init__(self, table: MemoryTable, until: str | None) -> None:
        super().__init__()
        self.table = table
        self._until = until

    def key(self, scenario: Scenario, number: int) -> str:  # noqa: ARG002 (as the engine's table has it)
        """The key that the record's commitments are made with."""
        return self.table.game_key()

    def give(self, command: Command, actor: Actor) -> None:
        """Execute a command, and stop where the game is to stop.

        Raises:
            Refused: with the engine's code.
        """
        self.table.now = max(self.table.now, self.now)
        try:
            self.log += self.table.give(command, actor)
        except Rejected as rejected:
            raise TableRefusal(rejected.code, rejected.detail) from None
        self.state = self.table.state
        if any(decision.kind == self._until for decision in self.table.pending()):
            raise _Reached


def staged_game(stage: Stage, make: Callable[[str], MemoryTable]) -> MemoryTable:
    """Play a stage; ``make`` gives the table of a name.

    Raises:
        ValueError: there is no such scenario, it does not hold, or it never asks for the kind.
    """
    found = [s for _, s in read_scenarios([SCENARIOS / f"{stage.file}.json"])]
    scenario = next((s for s in found if s.id == stage.scenario), None)
    if scenario is None:
        raise ValueError(f"{stage.file} has no scenario {stage.scenario}")
    table = make(stage.name)
    once = replace(scenario, rulebooks=(stage.rulebook,), seeds=1, sometimes=())
    try:
        reports = perform(once, lambda: _Recorder(table, stage.until))
    except _Reached:
        return table
    if stage.until is not None:
        raise ValueError(f"{stage.scenario} never asks for {stage.until}")
    problems = [problem for report in reports for problem in report.problems]
    if problems:
        raise ValueError(f"{stage.scenario} does not hold: {problems}")
    _finish(table, Draw(b"golden/" + stage.name.encode()))
    return table


def _finish(table: MemoryTable, lots: Draw) -> None:
    """Play on by lot until the game is over."""
    while pending := table.pending():
        table.now += 1000
        lot = f"lot/{table.version}"
        decision = lots.choice(pending, lot)
        table.choose(decision, lots.choice(decision.options, f"{lot}/option").id)
