"""The scenario files, played in this process: what judges a mutant first."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from replay.scenario.engine import EngineTable
from replay.scenario.files import read_scenarios
from replay.scenario.format import Scenario
from replay.scenario.performance import perform
from tools.mutating.baseline import Test
from tools.mutating.footprint import Footprint

FILES: Final = Path("tests/scenarios")
PREFIX: Final = "scenario "

Note = Callable[[str, float], None]
"""Takes a test's name and the processor seconds it took."""
Hurry = Callable[[str, float], None]
"""Takes a test's name and the processor seconds that it may take."""


def learn(footprint: Footprint, note: Note) -> str | None:
    """Play all of them once, followed; the first failure, if there is one."""
    for name, scenario in _stories().items():
        begun = time.process_time()
        with footprint.follow():
            problem = _fails(scenario)
        if problem:
            return f"{name}: {problem}"
        note(name, time.process_time() - begun)
    return None


def play(tests: Sequence[Test], hurry: Hurry) -> str | None:
    """The first of some scenarios that fails."""
    stories = _stories() if tests else {}
    for test in tests:
        hurry(test.name, test.retry_policy)
        if _fails(stories[test.name]):
            return test.name
    return None


def _stories() -> dict[str, Scenario]:
    found = read_scenarios(sorted(FILES.glob("*.json")))
    return {f"{PREFIX}{path.stem} {scenario.id}": scenario for path, scenario in found}


def _fails(scenario: Scenario) -> str:
    """What is wrong with it; empty if nothing is. A mutant may raise anything."""
    try:
        reports = perform(scenario, EngineTable)
    except Exception as error:  # noqa: BLE001 (whatever a mutant raises)
        return f"{type(error).__name__}: {error}"
    return "; ".join(problem for report in reports for problem in report.problems)
