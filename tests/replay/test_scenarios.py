"""Every scenario file holds against the engine."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from replay.scenario.engine import EngineTable
from replay.scenario.files import read_scenarios
from replay.scenario.format import Scenario
from replay.scenario.performance import perform

FILES = sorted((Path(__file__).parents[1] / "scenarios").glob("*.json"))
READ = read_scenarios(FILES)
SCENARIOS = [pytest.param(scenario, id=f"{path.stem}-{scenario.id}") for path, scenario in READ]
CERTAIN = [
    pytest.param(scenario, id=f"{path.stem}-{scenario.id}")
    for path, scenario in READ
    if not scenario.sometimes
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_holds(scenario: Scenario) -> None:
    reports = perform(scenario, EngineTable)
    assert [report.rulebook for report in reports] == list(scenario.rulebooks)
    problems = [problem for report in reports for problem in report.problems]
    assert problems == [], "\n".join([scenario.title, *problems])


class OtherKey(EngineTable):
    """A table of another key, as a server's are."""

    def key(self, scenario: Scenario, number: int) -> str:
        """The game key, made of more than the id."""
        return hashlib.sha256(f"another key/{scenario.id}/{number}".encode()).hexdigest()


@pytest.mark.parametrize("scenario", CERTAIN)
def test_no_scenario_owes_to_its_key_what_it_shows(scenario: Scenario) -> None:
    problems = [problem for each in perform(scenario, OtherKey) for problem in each.problems]
    assert problems == [], "\n".join([scenario.title, *problems])
