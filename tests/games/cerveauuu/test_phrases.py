"""Where a phrase of Cerveauuu! may point: at a cell of the map (§2.10), whatever the map."""

from __future__ import annotations

import pytest

from games.cerveauuu.model.state import State
from games.cerveauuu.rules.context import DEFAULT_MAP
from games.cerveauuu.rules.phrases import PHRASES
from games.cerveauuu.scenarios.bases import open_board


@pytest.mark.parametrize(
    ("map_", "last"), [(DEFAULT_MAP, "r19c19"), (open_board(7, 4), "r3c6")], ids=["town", "field"]
)
def test_a_phrase_points_at_a_cell_of_the_map(map_: str, last: str) -> None:
    state = State()
    state.map = map_
    row, column = map(int, last[1:].split("c"))
    on_it = ("r0c0", last, f"r{row}c0", f"r0c{column}")
    beyond = (f"r{row + 1}c0", f"r0c{column + 1}", f"r{3 * row}c1", f"r1c{3 * column}")
    assert [place for place in (*on_it, *beyond) if PHRASES.has_place(state, place)] == [*on_it]


@pytest.mark.parametrize("place", ["", "r0", "r00c0", "r-1c0", "r0c0e", "r0c0 ", "A1", "m"])
def test_what_is_no_cell_is_pointed_at_by_nobody(place: str) -> None:
    state = State()
    state.map = DEFAULT_MAP
    assert not PHRASES.has_place(state, place)


def test_before_there_is_a_map_nothing_is_pointed_at() -> None:
    assert not PHRASES.has_place(State(), "r0c0")
