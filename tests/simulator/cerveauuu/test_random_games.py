"""Random whole games at the table, under every property and oracle (§12, §13.3)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.cerveauuu.rules.engine import SEALED, SINGLE
from simulator.campaign import Failure
from simulator.cerveauuu import fuzz_games
from simulator.cerveauuu.census import DECISIONS, UNREACHABLE, CardCensus, kind_of
from simulator.cerveauuu.fuzz_games import FAST, FULL, main, run
from simulator.cerveauuu.plans import SEATS, Plan, plan_of, seeds_of
from simulator.cerveauuu.run import Run

pytestmark = pytest.mark.slow

EVERYDAY = replace(FAST, views=0.3, wide=0.02)
"""At night every view is looked at, and each game as often as in the long run."""

LAPS = range(20, 28)
"""The laps that are played at night, checking all."""


def test_a_random_game_of_each_size_keeps_every_property() -> None:
    """A few with each number of players, so a census of theirs has no stranger either."""
    census, failures = run([seed for seats in SEATS for seed in seeds_of(seats, [4])], EVERYDAY)
    assert failures == []
    assert census.games == len(SEATS)
    assert census.strangers() == []
    assert census.counts["refusal", "option-is-a-branch"]
    assert sum(n for (heading, _), n in census.counts.items() if heading == "card played") > 100


@pytest.mark.nightly
@pytest.mark.parametrize("seats", SEATS)
def test_more_games_do_when_all_is_checked(seats: int) -> None:
    _, failures = run(seeds_of(seats, LAPS), FULL)
    assert failures == []


# --- the census ---


def test_everything_that_must_occur_has_one_name() -> None:
    for heading, names in CardCensus().things().items():
        assert len(set(names)) == len(list(names)), heading
    assert len(list(CardCensus().things()["card played"])) == 140
    assert not {name for _, name in UNREACHABLE} & set(CardCensus().things()["outcome"])


def test_every_question_is_expected() -> None:
    """The game's own, its two orders and the table's two."""
    assert len(SEALED) + len(SINGLE) + 4 == len(DECISIONS)


def test_the_kind_of_a_decision_is_in_its_id() -> None:
    match = fuzz_games.check_game(plan_of(16), replace(FAST, views=0, worlds=0))
    found: dict[str, str] = {}
    for step in match.steps[::5]:
        for seat in step.after.seats:
            found |= {d.id: d.kind for d in match.table.decisions(step.after, seat)}
    assert {name: kind_of(name) for name in found} == found
    assert set(found.values()) >= {"respond", "go", "wander_turn", "yield", "credits_draw"}


def test_a_run_that_misses_something_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played: dict[int, Run] = {}  # both runs are of one game, which would come out the same again

    def check_game(plan: Plan, *effort: Any) -> Run:
        if plan.seed not in played:
            played[plan.seed] = right(plan, *effort)
        return played[plan.seed]

    right = fuzz_games.check_game
    monkeypatch.setattr(fuzz_games, "check_game", check_game)
    few = ["--games", "1", "--seats", "2", "--processes", "1"]
    assert main(few) == 0
    assert "too rare" not in capsys.readouterr().out
    assert main([*few, "--least", "1"]) == 1
    out = capsys.readouterr().out
    assert "too rare, card played c" in out
    assert "too rare, card refused c" in out
    assert "too rare, outcome cancelled: 0" in out


def test_a_broken_property_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("simulator.cerveauuu.conservation.BATCH_MAX", 3)
    assert main(["--games", "1", "--seats", "2", "--processes", "1"]) == 1
    out = capsys.readouterr().out
    assert "a batch of" in out
    assert "again: python -m simulator.cerveauuu.fuzz_games --only 0" in out
    assert main(["--only", "0"]) == 1


def test_a_failure_names_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(plan: Plan, *_: object) -> None:
        raise ValueError(f"{plan.seed}")

    monkeypatch.setattr(fuzz_games, "check_game", broken)
    census, [failure] = run([7], FAST)
    assert census.games == 0
    assert isinstance(failure, Failure)
    assert str(plan_of(7)) in failure.text


def test_plans_go_round_everything() -> None:
    plans = [plan_of(seed) for seed in range(600)]
    assert {plan.seats for plan in plans} == set(SEATS)
    assert {plan.style for plan in plans} == {"uniform", "hungry", "eager", "absent"}
    assert any(plan.situation for plan in plans)
    assert any(plan.bots for plan in plans)
