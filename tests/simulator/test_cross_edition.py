"""Openings that are right for another rulebook or mode are refused, each with its own code."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.kernel import Rejected
from games.contract import TableOpening
from games.room25 import ROOM25, Code
from simulator.room25.cross_edition import (
    SEATS,
    foreign_openings,
    rooms_of_ones_own,
    situation_of_ones_own,
)
from simulator.room25.plans import GROUPS, Plan, plan_of

ROWS = 12
"""So many games of each mode, of which half are steered ones of the same table."""


def plans(group: tuple[str, str]) -> list[Plan]:
    place = GROUPS.index(group)
    return [plan_of(2 * n * len(GROUPS) + place) for n in range(ROWS)]


def wish(plan: Plan, **changes: object) -> TableOpening:
    """What the plan's host would ask for, without its situation, or something else."""
    base = TableOpening(
        rulebook=plan.rulebook, mode=plan.mode, seats=plan.seats, options=plan.options
    )
    return replace(base, **changes)


def refusal(opening: TableOpening) -> str:
    """The code with which an opening is refused; ``""`` if it is not."""
    try:
        ROOM25.open(opening)
    except Rejected as rejected:
        return str(rejected.code)
    return ""


@pytest.mark.parametrize("group", GROUPS, ids=" ".join)
def test_what_is_foreign_is_refused_for_its_own_reason(group: tuple[str, str]) -> None:
    for plan in plans(group):
        for changes, code in foreign_openings(plan):
            assert (changes, refusal(wish(plan, **changes))) == (changes, code)


@pytest.mark.parametrize("group", GROUPS, ids=" ".join)
def test_what_it_is_made_from_is_accepted(group: tuple[str, str]) -> None:
    for plan in plans(group):
        rooms = {"composition": "custom", "rooms": rooms_of_ones_own(plan)}
        assert refusal(wish(plan, options={**plan.options, **rooms})) == ""
        assert refusal(wish(plan, situation=situation_of_ones_own(plan))) == ""


@pytest.mark.parametrize("group", GROUPS, ids=" ".join)
def test_every_mode_meets_every_kind_of_foreign_opening(group: tuple[str, str]) -> None:
    """But unknown modes where the rulebook has all that there are."""
    rulebook, mode = group
    found = {code for plan in plans(group) for _, code in foreign_openings(plan)}
    wanted = {
        Code.BAD_SEAT_COUNT,
        Code.UNKNOWN_OPTION,
        Code.BAD_OPTION,
        Code.BAD_COMPOSITION,
        Code.IMPOSSIBLE_SCENARIO,
    }
    everything = {mode for modes in SEATS.values() for mode in modes}
    assert found == wanted | ({Code.UNKNOWN_MODE} if everything - set(SEATS[rulebook]) else set())
    assert mode in SEATS[rulebook]
