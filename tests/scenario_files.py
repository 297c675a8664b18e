"""The scenario files, read once for all tests of a process: nothing read of them can change."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from replay.scenario.engine import EngineTable
from replay.scenario.files import read_scenarios
from replay.scenario.format import Scenario
from replay.scenario.performance import perform
from replay.scenario.schema import schema

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.json"))


@cache
def whole_form() -> dict[str, Any]:
    """The schema of such files, made once: nobody changes it."""
    return schema()


@cache
def scenarios_of(path: Path) -> tuple[Scenario, ...]:
    """The scenarios of a file."""
    return tuple(scenario for _, scenario in read_scenarios([path]))


def all_scenarios() -> tuple[tuple[Path, Scenario], ...]:
    """Every scenario in the order of the files, each with the file it stands in."""
    return tuple((path, scenario) for path in FILES for scenario in scenarios_of(path))


@cache
def of_game(game: str) -> tuple[tuple[Path, Scenario], ...]:
    """Those of one game, by its id."""
    return tuple(each for each in all_scenarios() if each[1].game.rules.id == game)


def named(name: str) -> Scenario:
    """The scenario of that id."""
    (found,) = (scenario for _, scenario in all_scenarios() if scenario.id == name)
    return found


def played(scenario: Scenario) -> list[EngineTable]:
    """The tables of a scenario, once with each of its rulebooks, when all is done."""
    tables: list[EngineTable] = []

    def made() -> EngineTable:
        tables.append(EngineTable())
        return tables[-1]

    perform(scenario, made)
    assert len(tables) == len(scenario.rulebooks)
    return tables
