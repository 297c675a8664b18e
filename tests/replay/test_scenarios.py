"""Every scenario file holds against the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from replay.scenario.engine import EngineTable
from replay.scenario.files import read_scenarios
from replay.scenario.format import Scenario
from replay.scenario.performance import perform

FILES = sorted((Path(__file__).parents[1] / "scenarios").glob("*.json"))
SCENARIOS = [
    pytest.param(scenario, id=f"{path.stem}-{scenario.id}")
    for path, scenario in read_scenarios(FILES)
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_holds(scenario: Scenario) -> None:
    reports = perform(scenario, EngineTable)
    assert [report.rulebook for report in reports] == list(scenario.rulebooks)
    problems = [problem for report in reports for problem in report.problems]
    assert problems == [], "\n".join([scenario.title, *problems])
