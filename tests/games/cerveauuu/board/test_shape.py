"""What follows from the size of a board alone: edges, sides, ranges (§1, §2.1)."""

from __future__ import annotations

import pytest

from games.cerveauuu.board.shape import Box, Shape

WIDE = Shape(3, 2)


def names(mask: int) -> set[str]:
    """The cells of a mask."""
    return {WIDE.cell_id(cell) for cell in range(WIDE.size) if mask >> cell & 1}


def test_an_edge_lies_between_two_cells_and_the_perimeter_has_none() -> None:
    found = [WIDE.edge_id(edge) for edge in WIDE.edges]
    assert found == ["r0c0e", "r0c0s", "r0c1e", "r0c1s", "r0c2s", "r1c0e", "r1c1e"]
    assert [WIDE.edge_of(name) for name in found] == list(WIDE.edges)
    for name in ("r0c2e", "r1c0s", "r1c2e", "r2c0e", "r0c0n"):
        with pytest.raises(ValueError, match=r"no (edge|cell) of this board"):
            WIDE.edge_of(name)


def test_the_sides_of_a_cell_are_the_edges_that_it_has_with_its_neighbours() -> None:
    for cell in range(WIDE.size):
        own = {edge for edge in WIDE.edges if cell in WIDE.cells_beside(edge)}
        assert set(WIDE.sides(cell)) == own
        assert len(WIDE.sides(cell)) == len(own)
    for edge in WIDE.edges:
        near, far = WIDE.cells_beside(edge)
        assert WIDE.edge_between(near, far) == WIDE.edge_between(far, near) == edge


@pytest.mark.parametrize(("a", "b"), [("r0c2", "r1c0"), ("r0c0", "r0c2"), ("r0c0", "r1c1")])
def test_what_are_no_neighbours_have_no_edge(a: str, b: str) -> None:
    with pytest.raises(ValueError, match="not orthogonal neighbours"):
        WIDE.edge_between(WIDE.cell_of(a), WIDE.cell_of(b))


def test_a_range_is_the_longer_way_and_what_is_near_includes_the_cell() -> None:
    corner, middle = WIDE.cell_of("r0c0"), WIDE.cell_of("r1c1")
    assert [WIDE.range(corner, cell) for cell in range(6)] == [0, 1, 2, 1, 1, 2]
    assert names(WIDE.near(corner, 0)) == {"r0c0"}
    assert names(WIDE.near(corner, 1)) == {"r0c0", "r0c1", "r1c0", "r1c1"}
    assert len(names(WIDE.near(middle, 1))) == len(names(WIDE.near(corner, 2))) == 6
    assert WIDE.near(corner, -1) == 0


def test_a_rectangle_ends_with_the_board() -> None:
    assert names(WIDE.mask(Box(1, 9, -3, 0))) == {"r0c1", "r0c2"}
    assert names(WIDE.mask(Box(2, 2, 1, 1))) == {"r1c2"}
    assert WIDE.mask(Box(3, 5, 0, 1)) == WIDE.mask(Box(0, 2, 2, 4)) == 0
