"""The census: what it knows, how it adds up, and that it misses what is missing."""

from __future__ import annotations

import pytest

from games.room25.events import BASIC_EVENTS
from games.table_events import TABLE_EVENTS
from ops.fuzz_games import Effort, main, run
from ops.fuzzing.census import LEAST, MARKS, OUTCOMES, Census, kind_of, marks_of, things
from ops.fuzzing.driver import play
from ops.fuzzing.plans import TABLES, Plan, plan_of

LIGHT = Effort(probes=0, offers=0, options=0, views=0, decisions=0, twins=0, worlds=0)


def test_everything_has_one_name() -> None:
    for heading, names in things().items():
        assert len(set(names)) == len(names), heading
    assert len(things()["event"]) == len(TABLE_EVENTS) + len(BASIC_EVENTS)


@pytest.mark.slow
def test_nothing_played_is_unknown_to_the_census() -> None:
    """Marks, outcomes and kinds of decisions are spelt as they come out of games."""
    census = Census()
    for seed in range(26, 78):
        match = play(plan_of(seed))
        assert set(marks_of(match)) <= set(MARKS)
        census.add(match)
    for heading, names in things().items():
        strange = {name for h, name in census.counts if h == heading} - set(names)
        assert not strange, f"{heading}: {strange}"


def test_the_kind_of_a_decision_is_in_its_id() -> None:
    match = play(plan_of(31))
    for step in match.steps:
        for seat in step.after.seats:
            for d in match.table.decisions(step.after, seat):
                assert kind_of(d.id) == d.kind


def test_what_is_rare_is_missed() -> None:
    census, _ = run([31], LIGHT)
    missing = census.missing()
    assert any(line.startswith(f"outcome {OUTCOMES[0]}: ") for line in missing)
    for _ in range(12):
        census.update(census)
    assert len(census.missing()) < len(missing)
    assert all(int(line.rsplit(" ", 1)[1]) < LEAST for line in census.missing())
    assert f"{census.games:,} games" in census.table()


def test_plans_go_round_the_tables_and_half_of_the_games_are_steered() -> None:
    plans = [plan_of(seed) for seed in range(20 * len(TABLES))]
    assert {(p.rulebook, p.mode, p.seats) for p in plans} == set(TABLES)
    assert sum(p.style == "steered" for p in plans) * 2 == len(plans)
    for wanted in ("absent", "blind", "steered"):
        assert {(p.mode, p.seats) for p in plans if p.style == wanted} == {t[1:] for t in TABLES}
    assert {p.start for p in plans} == {"auto", "ready", "host"}
    assert any(p.situation for p in plans)
    assert any(p.bots for p in plans)


def test_a_failure_is_reported_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(plan: Plan, effort: Effort) -> None:
        raise ValueError(f"{plan.seed} {effort.probes}")

    monkeypatch.setattr("ops.fuzz_games.check_game", broken)
    census, [failure] = run([7], LIGHT)
    assert census.games == 0
    assert failure.seed == 7
    assert str(plan_of(7)) in failure.text
    assert "ValueError" in failure.trace


def test_the_command_line_plays_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "3", "--processes", "1"]) == 0
    assert "3 games" in capsys.readouterr().out
    assert main(["--only", "14"]) == 0
    assert "all properties hold" in capsys.readouterr().out


def test_a_broken_property_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ops.fuzzing.properties.BATCH_MAX", 3)
    assert main(["--games", "1", "--processes", "1"]) == 1
    out = capsys.readouterr().out
    assert "a batch of" in out
    assert "again: python -m ops.fuzz_games --only 0" in out
    assert main(["--only", "0"]) == 1
