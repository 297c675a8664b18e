"""Random games by the rules alone, over all seats and options (§11), and what is found in them."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from events.kernel import Decision, Option
from games.cerveauuu.decider import Cerveauuu
from games.cerveauuu.model.state import State
from games.cerveauuu.opening.options import VALUES
from games.cerveauuu.rules import ending
from simulator.cerveauuu import bare_campaign
from simulator.cerveauuu.bare_campaign import (
    COMBINATIONS,
    LAPS,
    STYLES,
    WHOLE,
    BareResult,
    main,
    plan_of,
    play,
    read,
    result_of,
)
from simulator.cerveauuu.bare_checks import BareRates
from simulator.cerveauuu.random_choices import greedy, uniform
from simulator.chance import chance
from simulator.run import PropertyBroken

Patch = pytest.MonkeyPatch

OFTEN = BareRates(trees=0.3, tries=3, views=0.3)

SHORT = 4
"""A game of two."""


def test_every_combination_of_options_is_played_by_every_style() -> None:
    """The rules name 700: 25 pairs of seats and a first chief, and 28 of what remains."""
    assert len(COMBINATIONS) == 700
    assert WHOLE >= 20_000
    pairs = Counter((seats, tuple(sorted(o.items()))) for seats, o in COMBINATIONS)
    assert set(pairs.values()) == {1}
    for seats in range(2, 7):
        values = {(n, v) for s, o in COMBINATIONS if s == seats for n, v in o.items()}
        every = {(name, value) for name, row in VALUES.items() for value in row}
        assert every - values == {("first_chief", chief) for chief in range(seats + 1, 7)}
    played = Counter((seed % 700, plan_of(seed).style) for seed in range(WHOLE))
    assert set(played.values()) == {LAPS // len(STYLES)}
    assert len(played) == len(COMBINATIONS) * len(STYLES)


def test_some_games_of_each_size_and_style_end_legally() -> None:
    """``make test`` plays a few of them; the whole campaign is told of in docs/fuzzing.md."""
    game = Cerveauuu()
    seeds = [5 + 700 * lap + 151 * lap for lap in range(9)]
    for seed in seeds:
        play(plan_of(seed), game, replace(OFTEN, trees=0.02, views=0.05))
    plans = [plan_of(seed) for seed in seeds]
    assert {plan.seats for plan in plans} >= {2, 3, 4, 5}
    assert {plan.style for plan in plans} == set(STYLES)
    assert any(plan.resigning for plan in plans)


# --- what is planted is found ---


def test_a_game_that_does_not_end_in_time_is_found(monkeypatch: Patch) -> None:
    monkeypatch.setattr(ending, "is_due", lambda _: False)
    with pytest.raises(PropertyBroken, match="the game should be over"):
        play(plan_of(SHORT))


def test_a_wrong_winner_is_found(monkeypatch: Patch) -> None:
    right = ending.ended
    monkeypatch.setattr(ending, "ended", lambda state: replace(right(state), winners=(9,)))
    with pytest.raises(PropertyBroken, match="another end than"):
        play(plan_of(SHORT))


def test_an_option_that_is_not_accepted_is_found(monkeypatch: Patch) -> None:
    monkeypatch.setattr(Cerveauuu, "offers", lambda *_: False)
    with pytest.raises(PropertyBroken, match="the default of place_human is not offered"):
        play(plan_of(SHORT))


def test_a_branch_that_can_be_chosen_is_found(monkeypatch: Patch) -> None:
    right = Cerveauuu.offers

    def lax(self: Cerveauuu, state: State, decision: object, option: str) -> bool:
        return option.startswith("z") or right(self, state, decision, option)  # type: ignore[arg-type]

    monkeypatch.setattr(Cerveauuu, "offers", lax)
    with pytest.raises(PropertyBroken, match=r"is no leaf, and offered|is offered amiss"):
        play(plan_of(SHORT))


def test_an_option_that_only_the_truth_lists_is_found(monkeypatch: Patch) -> None:
    right = Cerveauuu.branch

    def seeing(self: Cerveauuu, state: State, decision: object, path: tuple[str, ...]) -> object:
        found = right(self, state, decision, path)  # type: ignore[arg-type]
        return found if state.deck is not None else found[:-1]

    monkeypatch.setattr(Cerveauuu, "branch", seeing)
    with pytest.raises(PropertyBroken, match="the view lists other options below"):
        play(plan_of(SHORT), rates=OFTEN)


def test_a_game_without_an_end_is_found(monkeypatch: Patch) -> None:
    monkeypatch.setattr(bare_campaign, "STEPS_MAX", 30)
    assert "the game does not end" in result_of(plan_of(SHORT)).broken


# --- the file of progress ---


def test_a_run_goes_on_where_it_was_broken_off(
    tmp_path: Path, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "runs" / "bare.jsonl"
    played: list[int] = []

    def noted(plan: bare_campaign.BarePlan, _: object) -> BareResult:
        played.append(plan.seed)
        return BareResult(seed=plan.seed, style=plan.style)

    monkeypatch.setattr(bare_campaign, "result_of", noted)
    arguments = ["--progress", str(file), "--games"]
    assert main([*arguments, "3"]) == 0
    file.write_bytes(file.read_bytes()[:-5])
    assert [result.seed for result in read(file)] == [0, 1]
    assert main([*arguments, "4"]) == 0
    assert played == [0, 1, 2, 2, 3]
    assert [result.seed for result in read(file)] == [0, 1, 2, 3]
    assert "each of 700 combinations" in capsys.readouterr().out


def test_a_broken_game_fails_the_run(
    tmp_path: Path, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("simulator.cerveauuu.conservation.BATCH_MAX", 3)
    assert main(["--progress", str(tmp_path / "bare.jsonl"), "--games", "1"]) == 1
    assert "a batch of" in capsys.readouterr().out
    assert main(["--progress", str(tmp_path / "bare.jsonl"), "--only", "0"]) == 1


def test_combinations_are_made_of_all_that_a_host_may_ask_for() -> None:
    count = sum(1 for _ in itertools.product(*VALUES.values()))
    assert count * 5 - len(COMBINATIONS) == sum(6 - seats for seats in range(2, 7)) * 28


# --- the players ---


def test_players_by_lot_pass_seven_windows_in_ten() -> None:
    """§12.9, §13.3: those who choose pass or play evenly pass at once in four of ten before."""
    window = Decision(
        id="r1-w1-v1-s1",
        kind="respond",
        seat=1,
        options=(Option("pass"), Option("play", branch=True)),
    )
    below = {"play": (Option("play.k1"), Option("play.k2"))}
    rng = chance("players")
    found = Counter(uniform(window, below.__getitem__, rng) for _ in range(1_000))
    assert found["pass"] == pytest.approx(700, abs=60)
    assert min(found["play.k1"], found["play.k2"]) > 100


def test_greedy_players_attack_seven_times_in_ten_whom_they_can_reach() -> None:
    go = Decision(id="r1-1-go-s1", kind="go", seat=1, options=(_way("z01", piece="z01"),))
    below = {
        "z01": (Option("z01.end"), _way("z01.r1c1", cell="r1c1"), _way("z01.r2c2", cell="r2c2")),
        "z01.r1c1": (Option("z01.r1c1.end"), Option("z01.r1c1.attack-h01", {"attack": "h01"})),
        "z01.r2c2": (Option("z01.r2c2.end"), Option("z01.r2c2.attack-z02", {"attack": "z02"})),
    }
    rng = chance("players")
    found = Counter(greedy(go, below.__getitem__, rng) for _ in range(1_000))
    assert found["z01.r1c1.attack-h01"] == pytest.approx(700, abs=60)
    assert set(found) - {"z01.r1c1.attack-h01"} == {"z01.end", "z01.r1c1.end", "z01.r2c2.end"}


def _way(name: str, **meaning: str) -> Option:
    return Option(name, meaning, branch=True)
