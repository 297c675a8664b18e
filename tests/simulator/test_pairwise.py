"""Pairwise covers: every pair of settings that a table can have occurs, and no other."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from events.kernel import Rejected
from games.contract import TableOpening
from games.room25 import ROOM25, RULEBOOKS
from games.room25.opening.setup import CUSTOM
from simulator.chance import chance
from simulator.room25.pairwise import COMPOSITION, GUARDS, SEATS, UNSAID, Row, cover
from simulator.room25.plans import GROUPS, plan_of, random_rooms, seeds_of

ROWS_MAX = 40


def accepted(book: str, mode_id: str, row: Row) -> bool:
    """Whether the game opens a table with these settings."""
    rulebook = RULEBOOKS[book]
    mode = rulebook.modes[mode_id]
    options = {name: v for name, v in row.items() if name != SEATS and v != UNSAID}
    if options.get(COMPOSITION) == CUSTOM:
        options["rooms"] = random_rooms(chance("test"), rulebook, mode)
    seats = row[SEATS]
    assert isinstance(seats, int)
    wish = TableOpening(rulebook=book, mode=mode_id, seats=seats, options=options)
    try:
        ROOM25.open(wish)
    except Rejected:
        return False
    return True


def settings(book: str, mode_id: str) -> dict[str, tuple[object, ...]]:
    """Every factor with every value that some table of the rulebook has, or nothing said."""
    rulebook = RULEBOOKS[book]
    mode = rulebook.modes[mode_id]
    found: dict[str, tuple[object, ...]] = {SEATS: mode.seats}
    for name in mode.options:
        if name != "rooms":
            found[name] = (UNSAID, *rulebook.options[name].values)
    return found


@pytest.mark.parametrize(("book", "mode"), GROUPS)
def test_each_pair_of_settings_occurs_unless_no_table_can_have_it(book: str, mode: str) -> None:
    rows = cover(book, mode)
    assert len(rows) <= ROWS_MAX
    factors = settings(book, mode)
    assert all(set(row) == set(factors) for row in rows)
    bound = [name for name in (SEATS, GUARDS, COMPOSITION) if name in factors]
    legal = [
        dict(zip(bound, values, strict=True))
        for values in product(*(factors[name] for name in bound))
        if accepted(book, mode, dict(zip(bound, values, strict=True)))
    ]
    for one, other in combinations(factors, 2):
        seen = {(row[one], row[other]) for row in rows}
        for a, b in product(factors[one], factors[other]):
            fixed: dict[str, object] = {one: a, other: b}
            possible = any(all(fixed.get(n, v) == v for n, v in core.items()) for core in legal)
            assert ((a, b) in seen) == possible, (one, a, other, b)


@pytest.mark.parametrize(("book", "mode"), GROUPS)
def test_every_row_is_a_table_that_can_be_opened(book: str, mode: str) -> None:
    for row in cover(book, mode):
        assert accepted(book, mode, row)


def test_plans_go_through_every_row_blind_and_steered() -> None:
    rows = cover("bga", "suspicion")
    plans = [plan_of(seed) for seed in seeds_of("bga", "suspicion", range(2 * len(rows)))]
    for style in (0, 1):
        said = [{**p.options, SEATS: p.seats} for p in plans[style::2]]
        for row, options in zip(rows, said, strict=True):
            options.pop("rooms", None)
            assert options == {name: v for name, v in row.items() if v != UNSAID}
    assert {p.style for p in plans[1::2]} == {"steered"}
    assert "steered" not in {p.style for p in plans[::2]}
