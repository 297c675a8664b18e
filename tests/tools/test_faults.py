"""The catalogue of faults: it names tests that there are, and counts what they say."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools.fault_catalogue import (
    PLACE,
    CataloguedFault,
    FaultTally,
    TestReport,
    load_catalogue,
    read_report,
    tally,
)
from tools.faults import FaultRun, absent_here, lines_of, main

ROOT = Path(__file__).parents[2]
FAULTS = load_catalogue(ROOT)
FAULT = CataloguedFault(4, "a kill", ("a.py::test_a",), ("b.py::test_b",), ("kills",))


def functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return {node.name for node in tree.body if isinstance(node, kinds)}


def test_all_23_faults_are_there() -> None:
    assert [fault.number for fault in FAULTS] == list(range(1, 24))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: str(fault.number))
def test_what_a_fault_names_is_there_and_what_it_lacks_is_told(fault: CataloguedFault) -> None:
    for node in (*fault.tests, *fault.controls):
        path, _, name = node.partition("::")
        assert name.partition("[")[0] in functions(ROOT / path), node
    assert fault.missing or (fault.tests and fault.controls), "what is not there is told"
    assert bool(fault.tests) == bool(fault.sometimes), "each names what must have happened"


def report(*, passed: bool = True, met: int = 2, control: bool = True) -> list[TestReport]:
    return [
        TestReport("a.py::test_a[one]", passed, {"kills": met}),
        TestReport("b.py::test_b", control, {}),
        TestReport("b.py::test_bb", passed=False, met={}),
    ]


@pytest.mark.parametrize(
    ("told", "holds"),
    [
        (report(), True),
        (report(passed=False), False),
        (report(met=0), False),
        (report(control=False), False),
    ],
    ids=["all", "test", "never", "control"],
)
def test_a_fault_holds_if_tests_controls_and_counts_do(
    told: list[TestReport], *, holds: bool
) -> None:
    found = tally(FAULT, told, FaultTally())
    assert found.holds(FAULT) is holds
    again = tally(FAULT, told, found)
    assert (again.run, again.controls_run) == (2, 2)
    assert again.met["kills"] == 2 * found.met["kills"]
    assert not FaultTally().holds(FAULT), "nothing was run"


def test_what_pytest_reports_is_read(tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    path.write_text(
        '<testsuites><testsuite><testcase classname="tests.a.test_b" name="test_c[x]"><properties>'
        '<property name="sometimes:kills" value="3"/><property name="other" value="x"/>'
        '</properties></testcase><testcase classname="tests.a.test_b" name="test_d"><failure/>'
        "</testcase></testsuite></testsuites>"
    )
    assert read_report(path) == [
        TestReport("tests/a/test_b.py::test_c[x]", passed=True, met={"kills": 3}),
        TestReport("tests/a/test_b.py::test_d", passed=False, met={}),
    ]


def test_the_page_tells_what_was_found_and_what_was_not() -> None:
    good = tally(FAULT, report(), FaultTally())
    bad = CataloguedFault(5, "a pause", ("a.py::test_a",), (), ("never",))
    none = CataloguedFault(6, "a fork", missing="not yet: it is not built")
    run = FaultRun({4: good, 5: tally(bad, report(), FaultTally())}, 1, 2.0)
    text = "\n".join(lines_of([FAULT, bad, none], run, "abc", absent_here()))
    assert "Of 3 faults 1 hold, 0 hold in part, and 1 have no tests yet." in text
    assert "| 4 | a kill | 1 of 1 | 1 of 1 | kills 2 | holds |" in text
    assert "| 5 | a pause | 1 of 1 | none yet | never 0 | **broken** |" in text
    assert "| 6 | a fork | – | – | – | not yet |" in text
    assert "- 6, a fork: not yet: it is not built" in text


def test_a_fault_without_tests_cannot_be_run(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "6"])
    assert "none of these faults has a test" in capsys.readouterr().err
    assert PLACE == "tests/faults/catalogue.json"
