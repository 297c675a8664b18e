"""The fast unit tests of the games, by pytest in this process: what judges a mutant last."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tools.mutating.baseline import Test
from tools.mutating.footprint import Footprint
from tools.mutating.stories import Hurry, Note
from tools.mutating.tree import rules

FOLDER: Final = Path("tests/games")
"""What every game is tested by, as modules of their own."""
TABLE: Final = "tests/games/table"
"""Tests of every game's table."""
SLOW: Final = ("test_random*", "test_steady*")
"""Whole games by the hundred: too slow for what is played for every mutant."""


def learn(footprint: Footprint, note: Note) -> str | None:
    """Run all of them once, followed; the first failure, if there is one."""
    watcher = _Watcher(footprint, note)
    files = [str(path) for path in sorted(FOLDER.glob("test_*.py"))]
    # Tests of another game run through none of the rules that are mutated.
    code = pytest.main(_arguments([*files, TABLE, f"tests/{rules()}"]), plugins=[watcher])
    return None if code == 0 else watcher.failed or "collecting the unit tests"


def play(tests: Sequence[Test], hurry: Hurry) -> str | None:
    """The first of some unit tests that fails."""
    hurry("collecting", 30)
    chosen = _Chosen(tests, hurry)
    files = sorted({test.name.partition("::")[0] for test in tests})
    code = pytest.main(_arguments(files), plugins=[chosen])
    return None if code == 0 else chosen.failed or "collecting the unit tests"


def _arguments(files: Sequence[str]) -> list[str]:
    ignored = [f"--ignore-glob=*/{name}" for name in SLOW]
    without = [f"-p no:{name}".split() for name in ("randomly", "xdist", "cacheprovider")]
    quiet = ["-q", "-x", "-s", "--no-header", "--tb=no", "--hypothesis-seed=0"]
    return [*quiet, *(part for pair in without for part in pair), *ignored, *files]


class _Watcher:
    """Notes what each unit test runs through, what its fixtures do included."""

    def __init__(self, footprint: Footprint, note: Note) -> None:
        self.failed: str | None = None
        self._footprint = footprint
        self._note = note

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        begun = time.process_time()
        with self._footprint.follow():
            result = yield
        self._note(item.nodeid, time.process_time() - begun)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid


class _Chosen:
    """Runs the chosen tests only, in their order, each with its patience."""

    def __init__(self, tests: Sequence[Test], hurry: Hurry) -> None:
        self.failed: str | None = None
        self._tests = {test.name: (place, test) for place, test in enumerate(tests)}
        self._hurry = hurry

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._tests),
            key=lambda item: self._tests[item.nodeid][0],
        )

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._hurry(item.nodeid, self._tests[item.nodeid][1].retry_policy)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid
