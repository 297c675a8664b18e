"""The census: what it knows, how it adds up, and that it misses what is missing."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from games.room25.facts.events import EVENTS
from games.room25.rules.abilities import ABILITIES
from games.room25.rules.choices import CHOICES
from games.table.events import TABLE_EVENTS
from simulator.campaign import Failure
from simulator.census import LEAST
from simulator.room25.coverage import kind_of
from simulator.room25.driver import play
from simulator.room25.expected import DECISIONS, UNREACHABLE, things
from simulator.room25.fuzz_games import CheckRates, main, run
from simulator.room25.plans import GROUPS, TABLES, Plan, plan_of, seeds_of
from simulator.room25.statistics import Statistics

LIGHT = CheckRates(
    probes=0, offers=0, options=0, views=0, decisions=0, twins=0, worlds=0, streams=0
)


def test_everything_has_one_name() -> None:
    for heading, names in things().items():
        assert len(set(names)) == len(names), heading
    assert len(things()["event"]) == len(TABLE_EVENTS) + len(EVENTS)


def test_every_question_is_expected_of_the_rulebooks_that_ask_it() -> None:
    """A new kind of decision must be entered with the rulebooks in which it occurs."""
    assert set(CHOICES) <= set(DECISIONS)
    expected = {name.split(" ")[-1] for name in things()["decision"]}
    assert {("decision", kind) for kind in set(DECISIONS) - expected} <= set(UNREACHABLE)


def test_every_ability_is_expected() -> None:
    expected = {name.split()[0] for name in things()["ability"]}
    assert expected == set(ABILITIES)


@pytest.mark.slow
@pytest.mark.parametrize(
    "laps",
    [range(2), pytest.param(range(2, 10), marks=pytest.mark.nightly)],
    ids=["some", "more"],  # more of the same modes
)
def test_nothing_played_is_unknown_to_the_census(laps: range) -> None:
    """Marks, outcomes and kinds of decisions are spelt as they come out of games."""
    census = Statistics()
    for seed in range(laps.start * len(GROUPS), laps.stop * len(GROUPS)):
        census.add(play(plan_of(seed)))
    assert not census.strangers()


def test_the_kind_of_a_decision_is_in_its_id() -> None:
    for seed in seeds_of("ultimate", "cooperation", range(4)):
        match = play(plan_of(seed))
        for step in match.steps:
            for seat in step.after.seats:
                for d in match.table.decisions(step.after, seat):
                    assert kind_of(d.id) == d.kind


def test_what_is_rare_is_missed() -> None:
    census, _ = run([31], LIGHT)
    missing = census.missing()
    assert any(line.startswith("outcome abandoned: ") for line in missing)
    for _ in range(12):
        census.update(census)
    assert len(census.missing()) < len(missing)
    assert all(int(line.rsplit(" ", 1)[1]) < LEAST for line in census.missing())
    assert f"{census.games:,} games" in census.table()


def test_plans_go_round_the_modes_and_half_of_the_games_are_steered() -> None:
    plans = [plan_of(seed) for seed in range(90 * len(GROUPS))]
    assert {(p.rulebook, p.mode, p.seats) for p in plans} == set(TABLES)
    assert sum(p.style == "steered" for p in plans) * 2 == len(plans)
    for style in ("absent", "blind", "steered"):
        assert {(p.rulebook, p.mode) for p in plans if p.style == style} == set(GROUPS)
    assert {p.start for p in plans} == {"auto", "ready", "host"}
    assert {p.rulebook for p in plans if p.situation} == {name for name, _ in GROUPS}
    assert any(p.bots for p in plans)


def test_a_failure_is_reported_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(plan: Plan, effort: CheckRates) -> None:
        raise ValueError(f"{plan.seed} {effort.probes}")

    monkeypatch.setattr("simulator.room25.fuzz_games.check_game", broken)
    census, [failure] = run([7], LIGHT)
    assert census.games == 0
    assert failure.seed == 7
    assert str(plan_of(7)) in failure.text
    assert "ValueError" in failure.trace


def test_the_command_line_plays_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "1", "--rulebook", "first_edition", "--processes", "1"]) == 0
    assert "5 games" in capsys.readouterr().out
    assert main(["--only", "14"]) == 0
    assert "all properties hold" in capsys.readouterr().out


def test_a_run_that_misses_something_fails(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--games", "1", "--rulebook", "prototype", "--mode", "solo", "--processes", "1"]
    assert main(few) == 0
    assert "too rare" not in capsys.readouterr().out
    assert main([*few, "--least", "1"]) == 1
    assert "too rare, event table-resumed: 0" in capsys.readouterr().out


def test_a_broken_property_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("simulator.room25.conservation.BATCH_MAX", 3)
    [seed] = seeds_of("first_edition", "team", [0])
    table = ["--rulebook", "first_edition", "--mode", "team"]
    assert main(["--games", "1", *table, "--processes", "1"]) == 1
    out = capsys.readouterr().out
    assert "a batch of" in out
    assert f"again: python -m simulator.room25.fuzz_games --only {seed}" in out
    assert main(["--only", str(seed)]) == 1


def test_a_run_that_is_interrupted_tells_of_what_was_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever stops it, by a key or by a signal, and it is no success."""
    played = run(seeds_of("first_edition", "team", [0]), LIGHT)

    def parts(*_: object) -> Iterator[tuple[Statistics, list[Failure]]]:
        yield played
        signal.raise_signal(signal.SIGTERM)

    usual = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("simulator.campaign.parts", parts)
    assert main(["--games", "2"]) == 1
    out = capsys.readouterr()
    assert "1 games, " in out.out
    assert "interrupted" in out.err
    assert signal.getsignal(signal.SIGTERM) == usual
