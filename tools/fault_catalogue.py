"""The catalogue of faults: what each is, which tests show that it does no harm, and their controls.

The data is ``tests/faults/catalogue.json``. A control is a test in which a guard is off: it passes
if what must hold is then found broken. What a test has met is counted under a name (``sometimes``
of ``tests/conftest.py``), since a fault that never happened proves nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import msgspec
from msgspec import Struct

PLACE: Final = "tests/faults/catalogue.json"
SOMETIMES: Final = "sometimes:"
"""What the names of such counters begin with in a report of tests."""


class CataloguedFault(Struct, frozen=True, forbid_unknown_fields=True):
    """A fault of the catalogue.

    Args:
        number: its number, counted from 1.
        name: what goes wrong, in words.
        tests: node ids, without parameters unless only some of them are meant.
        controls: node ids of the tests in which a guard is off.
        sometimes: names of counters that must be above 0.
        long: whether it is left to ``make faults``, because it takes long.
        missing: what is not shown yet, and why; empty: nothing is.
    """

    number: int
    name: str
    tests: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    sometimes: tuple[str, ...] = ()
    long: bool = False
    missing: str = ""

    @property
    def is_there(self) -> bool:
        """Whether there is anything to be run."""
        return bool(self.tests)


class TestReport(Struct, frozen=True):
    """What became of one test: whether it passed, and what it has met how often."""

    __test__ = False  # to pytest

    node: str
    passed: bool
    met: dict[str, int]


class FaultTally(Struct):
    """What all runs of a fault's tests came to."""

    passed: int = 0
    run: int = 0
    controls_failed: int = 0
    controls_run: int = 0
    met: dict[str, int] = {}

    def holds(self, fault: CataloguedFault) -> bool:
        """Whether all that the catalogue names was shown."""
        return (
            0 < self.run == self.passed
            and self.controls_run == self.controls_failed
            and (self.controls_run > 0 or not fault.controls)
            and all(self.met.get(name, 0) > 0 for name in fault.sometimes)
        )


def load_catalogue(root: Path) -> list[CataloguedFault]:
    """All faults, by number.

    Raises:
        msgspec.ValidationError: the file is not a catalogue.
    """
    return msgspec.json.decode((root / PLACE).read_bytes(), type=list[CataloguedFault])


def read_report(path: Path) -> list[TestReport]:
    """What became of each test, from a report in JUnit's form that pytest has written."""
    found = []
    for case in ET.parse(path).iter("testcase"):  # noqa: S314 (pytest wrote it just now)
        place = case.get("classname", "").replace(".", "/")
        met = {
            str(each.get("name")).removeprefix(SOMETIMES): int(str(each.get("value")))
            for each in case.iter("property")
            if str(each.get("name")).startswith(SOMETIMES)
        }
        failed = any(case.find(what) is not None for what in ("failure", "error", "skipped"))
        found.append(TestReport(f"{place}.py::{case.get('name')}", not failed, met))
    return found


def tally(fault: CataloguedFault, reports: list[TestReport], before: FaultTally) -> FaultTally:
    """What a fault's tests come to with those of one more run."""
    tests = [each for each in reports if _is_named(each.node, fault.tests)]
    controls = [each for each in reports if _is_named(each.node, fault.controls)]
    met = dict(before.met)
    for each in tests:
        for name, times in each.met.items():
            met[name] = met.get(name, 0) + times
    return FaultTally(
        before.passed + sum(each.passed for each in tests),
        before.run + len(tests),
        before.controls_failed + sum(each.passed for each in controls),
        before.controls_run + len(controls),
        met,
    )


def _is_named(node: str, names: tuple[str, ...]) -> bool:
    return any(node == name or node.startswith(f"{name}[") for name in names)
