"""The options of a go stay while it is open, unless somebody resigns (§4.6, §4.11)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.cerveauuu.rules import goes, levels
from simulator.cerveauuu.driver import DRIVER
from simulator.cerveauuu.plans import plan_of, seeds_of
from simulator.cerveauuu.properties import StableIdsOfQuestions
from simulator.cerveauuu.run import Run
from simulator.chance import chance
from simulator.plans import Temper
from simulator.properties import StableDecisionIds
from simulator.run import PropertyBroken
from simulator.seating import seat_all

TRAILING: dict[str, Any] = {
    "pieces": {
        "h01": {"cell": "r9c9"},
        **{f"z{n:02}": {"cell": f"r{19 * (n > 1)}c{19 * (n > 2)}", "seat": n} for n in (1, 2, 3)},
    },
    "stage": "zombies",
    "hands": {"1": ["c054"]},
    "scores": {"1": 1, "3": 2},
}
"""Seat 1 has its go, and would trail if seat 2 did not."""


def in_a_go(oracle: StableDecisionIds) -> Run:
    """The go of seat 1, an oracle looking on."""
    (seed,) = seeds_of(3, [0])
    plan = replace(
        plan_of(seed),
        situation=TRAILING,
        options={},
        bots=frozenset(),
        start="auto",
        temper=Temper(),
    )
    match = Run(plan, None, [oracle])
    assert seat_all(match, chance("stable", seed), DRIVER.probes, DRIVER.wish)
    (go,) = match.pending()
    assert (go.kind, go.seat) == ("go", 1)
    return match


def take(match: Run, seat: int, kind: str, option: str) -> None:
    """Let a seat choose unasked."""
    (decision,) = (d for d in match.decisions(seat) if d.kind == kind)
    match.choose(decision, option)


def swaps(match: Run) -> bool:
    """Whether the open go offers to change a card."""
    (go,) = match.pending()
    return "swap" in {option.id for option in go.options}


def test_who_trails_since_another_has_resigned_may_swap_in_its_go() -> None:
    match = in_a_go(StableIdsOfQuestions())
    assert not swaps(match)
    take(match, 2, "resign", "resign")
    assert swaps(match)


def test_where_nothing_may_change_options_the_same_is_found() -> None:
    match = in_a_go(StableDecisionIds())
    with pytest.raises(PropertyBroken, match="changed while it was open"):
        take(match, 2, "resign", "resign")


def test_options_that_change_without_a_resignation_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = in_a_go(StableIdsOfQuestions())
    monkeypatch.setattr(levels, "_parts", lambda _: (object(),))  # nothing is remembered
    monkeypatch.setattr(goes, "may_swap", lambda *_: True)
    with pytest.raises(PropertyBroken, match="changed while it was open"):
        take(match, 3, "credits_draw", "stop")
