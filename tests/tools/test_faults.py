"""The catalogue of faults: it names tests that there are, and counts what they say."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from simulator.faults.kills import IN_FLIGHT, WEIGHTS, KillRound, Where, kills_of, late_line
from tools.fault_catalogue import (
    PLACE,
    CataloguedFault,
    FaultTally,
    TestReport,
    load_catalogue,
    read_report,
    tally,
)
from tools.fault_kills import (
    KillRecord,
    KillTally,
    lines_of_kills,
    load_record,
    save_record,
    tell_kills,
)
from tools.faults import (
    FaultRun,
    KeptRun,
    absent_here,
    commit_of,
    lines_of,
    main,
    with_others,
)

ROOT = Path(__file__).parents[2]
FAULTS = load_catalogue(ROOT)
FAULT = CataloguedFault(4, "a kill", ("a.py::test_a",), ("b.py::test_b",), ("kills",))


def functions(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    return set(re.findall(r"^(?:async )?def (\w+)", text, re.MULTILINE))


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
    text = "\n".join(lines_of([FAULT, bad, none], run, "abc", absent_here(), KillRecord()))
    assert "Of 3 faults 1 hold, 0 hold in part, and 1 have no tests yet." in text
    assert "| 4 | a kill | 1 of 1 | 1 of 1 | kills 2 | holds |" in text
    assert "| 5 | a pause | 1 of 1 | none yet | never 0 | **broken** |" in text
    assert "| 6 | a fork | – | – | – | not yet |" in text
    assert "- 6, a fork: not yet: it is not built" in text
    assert "Not run yet: `make kills`." in text


def killed(seed: int) -> KillRound:
    kills = {"API, before-wait": 3, "API, anywhen": 1}
    took = {"API, before-wait": [0.3, 0.1, 0.2 * seed], "API, anywhen": [0.1 * seed]}
    return KillRound(
        "cluster",
        seed,
        kills,
        {"replicated": 9},
        received=5,
        took_s=took,
        gone_s={"API, anywhen": [9.0]},
        slowest_s=0.2 * seed,
    )


def test_kills_are_counted_resumed_and_told(tmp_path: Path) -> None:
    (tmp_path / PLACE).parent.mkdir(parents=True)
    for seed in (1, 2):
        record = load_record(tmp_path)
        record.of("cluster").add(killed(seed))
        record.of("cluster").broken.append("seed 3: lost: g: nowhere")
        record.commits = ["abc"]
        save_record(tmp_path, record)
    tally = load_record(tmp_path).of("cluster")
    assert tally == KillTally(
        kills={"API, anywhen": 2, "API, before-wait": 6},
        in_flight=6,
        accepted={"replicated": 18},
        received=10,
        took_s={"API, anywhen": [0.1, 0.2], "API, before-wait": [0.1, 0.1, 0.2, 0.3, 0.3, 0.4]},
        gone_s={"API, anywhen": [9.0, 9.0]},
        slowest_s=0.4,
        seeds=[1, 2],
        broken=["seed 3: lost: g: nowhere"] * 2,
    )
    text = "\n".join(lines_of_kills(load_record(tmp_path)))
    assert "8 kills of all parts, 6 of them at named points" in text
    assert "| acknowledged as replicated | 18 |" in text
    assert "| API, before-wait | 6 |" in text
    assert "| API, before-wait | cluster | 6 | 0.30 | 0.40 | 0.40 |" in text
    assert "| API, anywhen | cluster | 2 | 0.20 | 0.20 | 0.20 |" in text
    assert "| API, anywhen | cluster | 2 | 9.00 | 9.00 | 9.00 |" in text
    assert "- **Broken**, cluster: seed 3: lost: g: nowhere" in text


def test_of_what_came_late_it_is_told_after_what_and_who_had_no_core() -> None:
    waits = {"API": 2.0, "clock": 1.0}, {"API": 23.5, "shipper": 4.0}
    line = late_line("primary, anywhen", 33.04, *waits, niceness=0)
    assert line == "after primary, anywhen: 33.0 s, of which the API waited 21.5 s for a core"
    assert late_line("primary, anywhen", 33.04, *waits, niceness=19) == f"{line}, at niceness 19"
    record = KillRecord()
    record.of("cluster").late = 2  # of a release that noted no more
    late = killed(7)
    late.late, late.lates = 1, [line]
    record.of("cluster").add(late)
    text = "\n".join(lines_of_kills(record))
    assert f"- Late, cluster: seed 7, {line}" in text
    assert "- Late, cluster: 2 times before it was noted" in text


def test_kills_are_told_on_the_page_of_faults_which_else_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    page, record = tmp_path / "docs" / "faults.md", KillRecord()
    page.write_text("# Faults\n\ntable\n\n## Kill -9\n\nNot run yet.\n\n## Missing\n\nnothing\n")
    for seed in (1, 2):
        record.of("cluster").add(killed(seed))
        tell_kills(tmp_path, record)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Faults\n\ntable\n\n## Kill -9\n\n`make kills`: 8 kills")
    assert text.endswith("\n\n## Missing\n\nnothing\n")
    assert "Not run yet" not in text
    page.write_text("# Faults\n")
    with pytest.raises(ValueError, match="no section"):
        tell_kills(tmp_path, record)


@pytest.mark.parametrize("where", ["one store", "cluster"])
def test_most_kills_meet_a_command_in_flight(where: Where) -> None:
    kills = kills_of(where, 25, 1000)
    assert kills == kills_of(where, 25, 1000), "a seed gives its kills again"
    assert sum(how in IN_FLIGHT for _, how in kills) > 500
    assert len(set(kills)) == len(WEIGHTS[where]), "each kind comes"


def test_some_faults_that_are_run_again_keep_what_was_found_of_the_others() -> None:
    good, bad = FaultTally(1, 1, 1, 1), FaultTally(0, 1)
    before = KeptRun(FaultRun({4: good, 5: bad}, 2, 60.0), "abc")
    again = FaultRun({5: good}, 1, 2.0)
    assert with_others(again, "def", before) == KeptRun(
        FaultRun({4: good, 5: good}, 2, 60.0), "abc (of 5 on def)"
    )
    assert with_others(again, "def", None) == KeptRun(again, "def")
    assert with_others(before.run, "def", KeptRun(again, "abc")).commit == "def", "none is left"


def test_a_fault_without_tests_cannot_be_run(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "99"])
    assert "none of these faults has a test" in capsys.readouterr().err
    assert PLACE == "tests/faults/catalogue.json"


def test_what_a_run_writes_itself_does_not_make_a_tree_another_one(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        subprocess.run(["git", "-C", str(tmp_path), *who, *words], check=True, capture_output=True)

    git("init")
    for name in ("docs/faults.md", "tests/faults/kills.json", "code.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("before", encoding="utf-8")
    git("add", ".")
    git("commit", "-m", "one")
    name = commit_of(tmp_path)
    for written in ("docs/faults.md", "tests/faults/kills.json"):
        (tmp_path / written).write_text("after", encoding="utf-8")
    assert commit_of(tmp_path) == name
    (tmp_path / "code.py").write_text("after", encoding="utf-8")
    assert commit_of(tmp_path) == f"{name} with changes"
