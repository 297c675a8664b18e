"""Geometry (§0.3, §7): neighbours, lines, shifts, exit zones, worked out anew by row and column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.room25.model.board import (
    AXIS,
    CELLS,
    CENTRE,
    CLUE_CELLS,
    EXIT_ZONES,
    INNER_CELLS,
    LINE_WAYS,
    LINES,
    NEIGHBOURS,
    OPPOSITE,
    SHIFT_TABLE,
    STEPS,
    direction_to,
    lines_through,
    shifted,
    wraps,
)

SHIFTS = [(line, way) for line, ways in LINE_WAYS.items() for way in ways]


def place(cell: str) -> tuple[int, int]:
    """Row and column."""
    return int(cell[1]), int(cell[3])


def apply(board: dict[str, str], line: str, way: str) -> dict[str, str]:
    """A board after a shift."""
    moves = shifted(line, way)
    return {moves.get(cell, cell): tile for cell, tile in board.items()}


def test_cells_are_row_major() -> None:
    assert [place(cell) for cell in CELLS] == [(r, c) for r in range(5) for c in range(5)]


def test_directions_come_in_canonical_order() -> None:
    assert list(STEPS) == ["up", "right", "down", "left"]
    assert list(NEIGHBOURS[CENTRE]) == ["up", "right", "down", "left"]
    assert list(LINE_WAYS.values()) == [("left", "right")] * 4 + [("up", "down")] * 4


@pytest.mark.parametrize("cell", CELLS)
def test_neighbours_are_one_step_away_and_never_round_the_edge(cell: str) -> None:
    """§5.2.1, R37."""
    row, column = place(cell)
    expected = {
        "up": (row - 1, column),
        "right": (row, column + 1),
        "down": (row + 1, column),
        "left": (row, column - 1),
    }
    found = {way: place(near) for way, near in NEIGHBOURS[cell].items()}
    assert found == {way: at for way, at in expected.items() if 0 <= at[0] < 5 and 0 <= at[1] < 5}
    for way, near in NEIGHBOURS[cell].items():
        assert NEIGHBOURS[near][OPPOSITE[way]] == cell
        assert direction_to(cell, near) == way


def test_there_is_no_direction_to_a_cell_further_off() -> None:
    assert direction_to("r0c0", "r0c2") is None
    assert direction_to("r0c0", "r1c1") is None
    assert direction_to("r0c0", "r0c4") is None


def test_eight_lines_move_and_the_two_through_the_centre_never() -> None:
    """§7.1, R16."""
    assert list(LINES) == ["row0", "row1", "row3", "row4", "col0", "col1", "col3", "col4"]
    assert all(CENTRE not in cells for cells in LINES.values())
    assert all(len(cells) == 5 for cells in LINES.values())


@pytest.mark.parametrize("cell", CELLS)
def test_the_lines_of_a_cell_are_its_row_and_its_column(cell: str) -> None:
    """So a control action outside the centre always has a line (§7.2)."""
    row, column = place(cell)
    expected = [f"row{row}"] * (row != 2) + [f"col{column}"] * (column != 2)
    assert list(lines_through(cell)) == expected
    assert expected or cell == CENTRE


@pytest.mark.parametrize(("line", "way"), SHIFTS)
def test_a_shift_moves_each_tile_one_cell_and_wraps_one(line: str, way: str) -> None:
    """§7.3.1."""
    dr, dc = STEPS[way]
    moves = SHIFT_TABLE[line, way]
    assert set(moves) == set(moves.values()) == set(LINES[line])
    for old, new in moves.items():
        (r, c), expected = place(old), place(new)
        assert ((r + dr) % 5, (c + dc) % 5) == expected
    gone = [old for old, new in moves.items() if new not in NEIGHBOURS[old].values()]
    assert gone == [wraps(line, way)]


@pytest.mark.parametrize(("line", "way"), SHIFTS)
def test_five_shifts_bring_everything_home_and_fewer_do_not(line: str, way: str) -> None:
    home = {cell: cell for cell in CELLS}
    board = home
    for _ in range(4):
        board = apply(board, line, way)
        assert board != home
    assert apply(board, line, way) == home


@pytest.mark.parametrize(("line", "way"), SHIFTS)
def test_the_opposite_shift_undoes_a_shift(line: str, way: str) -> None:
    home = {cell: cell for cell in CELLS}
    assert apply(apply(home, line, way), line, OPPOSITE[way]) == home


@given(st.lists(st.sampled_from(SHIFTS), max_size=30))
def test_shifts_never_lose_a_tile_nor_move_the_centre(moves: list[tuple[str, str]]) -> None:
    board = {cell: cell for cell in CELLS}
    for line, way in moves:
        board = apply(board, line, way)
    assert sorted(board) == sorted(board.values()) == sorted(CELLS)
    assert board[CENTRE] == CENTRE


def test_the_exit_zones_are_the_cells_from_which_a_line_leads_out() -> None:
    """§7.4.1: worked out from the wraps, not from the distance to the centre."""
    ways_out = {cell: [s for s in SHIFTS if wraps(*s) == cell] for cell in CELLS}
    assert {cell for cell, ways in ways_out.items() if ways} == set(EXIT_ZONES)
    corners = {"r0c0", "r0c4", "r4c0", "r4c4"}
    for cell in EXIT_ZONES:
        assert len(ways_out[cell]) == (2 if cell in corners else 1)
    assert len(EXIT_ZONES) == 12


def test_a_way_out_leads_over_the_edge() -> None:
    for line, way in SHIFTS:
        (row, column), (dr, dc) = place(wraps(line, way)), STEPS[way]
        assert not (0 <= row + dr < 5 and 0 <= column + dc < 5)


def test_the_inner_cells_are_the_other_twelve() -> None:
    """§4.1.4."""
    assert set(INNER_CELLS) == set(CELLS) - set(EXIT_ZONES) - {CENTRE}
    assert len(INNER_CELLS) == 12


def test_the_clues_lie_round_the_centre_clockwise_from_above() -> None:
    """§4.1.7."""
    assert list(CLUE_CELLS) == list(NEIGHBOURS[CENTRE].values())


def test_axes_follow_the_step() -> None:
    assert {way: AXIS[way] for way in STEPS} == {
        "up": "vertical",
        "down": "vertical",
        "left": "horizontal",
        "right": "horizontal",
    }
