"""Edges, adjacency and distances (§2.1-2.3, §2.5)."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from games.cerveauuu.board import FAR, EdgeState, Grid
from games.cerveauuu.scenarios.bases import HALL
from tests.games.cerveauuu.board.boards import (
    DEFAULT,
    STATES,
    cell_at,
    grid_of,
    open_grid,
    places,
    random_grid,
)

ORDER = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)]


def hall(state: EdgeState) -> Grid:
    grid = grid_of(HALL)
    return grid.changed(edges={grid.edge_of("r2c2e"): state})


def test_the_sides_of_an_impassable_cell_act_as_walls() -> None:
    grid = open_grid(3, 3).changed(impassable={4: True})
    for other in (1, 3, 5, 7):
        edge = grid.edge_between(4, other)
        assert (grid.stored(edge), grid.effective(edge)) == ("open", "wall")
    assert grid.neighbours(4) == ()
    assert grid.distances(0)[4] == FAR


def test_neighbours_come_in_the_order_of_the_rules() -> None:
    grid = open_grid(3, 3)
    x, y = 1, 1
    assert places(grid, grid.neighbours(4)) == [(x + dx, y + dy) for dx, dy in ORDER]


def test_a_piece_steps_out_by_the_stored_sides_of_its_own_cell() -> None:
    grid = hall("door_open")
    inside = cell_at(grid, 2, 2)
    stuck = grid.changed(impassable={inside: True, cell_at(grid, 2, 1): True})
    assert stuck.neighbours(inside) == ()
    # Not through the wall, not onto the other impassable cell, and the door straight on only.
    assert places(stuck, stuck.stepping_out(inside)) == [(3, 2), (2, 3), (1, 2), (1, 3), (1, 1)]


def test_from_a_passable_cell_one_steps_out_as_always() -> None:
    draw = random.Random(25)
    for _ in range(100):
        grid = random_grid(draw)
        for cell in range(grid.size):
            if not grid.is_impassable(cell):
                assert grid.stepping_out(cell) == grid.neighbours(cell)


def by_the_rule(grid: Grid, a: int, b: int) -> bool:
    """Adjacency read off §2.3, without any of the board's own steps."""
    (ay, ax), (by, bx) = divmod(a, grid.width), divmod(b, grid.width)
    if max(abs(ax - bx), abs(ay - by)) != 1:
        return False

    def edge(p: int, q: int) -> EdgeState:
        return grid.effective(grid.edge_between(p, q))

    if ax == bx or ay == by:
        return edge(a, b) in ("open", "breach", "door_open")
    corners = (cell_at(grid, ax, by), cell_at(grid, bx, ay))
    return any(
        edge(a, c) in ("open", "breach") and edge(c, b) in ("open", "breach") for c in corners
    )


def test_adjacency_is_that_of_the_rule_and_symmetric() -> None:
    draw = random.Random(23)
    for _ in range(150):
        grid = random_grid(draw, 6)
        for a in range(grid.size):
            found = [b for b in range(grid.size) if by_the_rule(grid, a, b)]
            assert sorted(grid.neighbours(a)) == found
            assert all(grid.adjacent(b, a) for b in found)


def test_distances_obey_adjacency() -> None:
    draw = random.Random(99)
    for _ in range(100):
        grid = random_grid(draw)
        for start in range(grid.size):
            row = grid.distances(start)
            for cell, distance in enumerate(row):
                around = [row[each] for each in grid.neighbours(cell)]
                if cell == start:
                    assert distance == 0
                else:
                    assert distance == min(1 + min(around, default=FAR), FAR)


def test_whoever_is_farther_than_a_distance_can_say_is_out_of_reach() -> None:
    """§1: 99 is none, so a corridor goes on for 98 steps, also once a step has changed."""
    corridor = open_grid(120, 1)
    for grid in (corridor, corridor.changed(edges={2 * 110: "wall"})):
        row = grid.distances(0)
        assert [*row[:99]] == [*range(99)]
        assert {*row[99:]} == {FAR}
        assert grid.distances(119)[111] == 8


def test_a_changed_board_is_the_board_made_anew() -> None:
    """What a change leaves of the memos is what a new board finds out by itself."""
    draw = random.Random(1)
    for _ in range(60):
        grid = random_grid(draw)
        for _ in range(4):
            everywhere = (1 << grid.size) - 1
            for cell in draw.sample(range(grid.size), grid.size // 2):
                grid.seen_from(cell, draw.getrandbits(grid.size))
                grid.distances(cell)
            grid = changed_somehow(draw, grid)
            new = Grid.of(grid.map()).changed(opaque=dict.fromkeys(grid.opaque, True))
            assert grid == new
            assert hash(grid) == hash(new)
            for cell in range(grid.size):
                assert grid.neighbours(cell) == new.neighbours(cell)
                assert list(grid.distances(cell)) == list(new.distances(cell))
                assert grid.seen_from(cell, everywhere) == new.seen_from(cell, everywhere)


def changed_somehow(draw: random.Random, grid: Grid) -> Grid:
    edges = draw.sample(grid.edges, min(len(grid.edges), draw.randint(0, 3)))
    cells = draw.sample(range(grid.size), min(grid.size, draw.randint(0, 2)))
    return grid.changed(
        edges={edge: draw.choice(STATES) for edge in edges},
        impassable={cell: draw.random() < 0.5 for cell in cells},
        opaque={cell: draw.random() < 0.5 for cell in cells[:1]},
    )


def test_a_change_leaves_the_board_before_it_as_it_was() -> None:
    grid = grid_of(HALL)
    edge = grid.edge_of("r2c2e")
    grid.changed(edges={edge: "wall"}, impassable={0: True}, opaque={1: True})
    assert grid == grid_of(HALL)
    assert grid != hall("wall")


def test_the_perimeter_never_changes() -> None:
    grid = open_grid(3, 3)
    for edge in (2 * 2, 2 * 6 + 1):
        with pytest.raises(ValueError, match="perimeter"):
            grid.changed(edges={edge: "breach"})


def test_ids_name_cells_and_edges() -> None:
    grid = open_grid(12, 3)
    assert [grid.cell_of(grid.cell_id(cell)) for cell in range(36)] == list(range(36))
    assert [grid.edge_of(grid.edge_id(edge)) for edge in grid.edges] == list(grid.edges)
    assert grid.cell_id(cell_at(grid, 11, 2)) == "r2c11"
    assert grid.edge_id(grid.edge_between(13, 1)) == "r0c1s"
    assert grid.edge_id(grid.edge_between(1, 2)) == "r0c1e"
    for edge in grid.edges:
        assert grid.edge_between(*grid.cells_beside(edge)) == edge
    assert all(a < b for a, b in pairwise(grid.edges))


@pytest.mark.parametrize("id_", ["", "r3c0", "r0c12", "r00c1", "r-1c0", "c1r1", "r0c0e", "r٣c0"])
def test_what_is_no_cell_is_refused(id_: str) -> None:
    with pytest.raises(ValueError, match="no cell"):
        open_grid(12, 3).cell_of(id_)


@pytest.mark.parametrize("id_", ["", "r0c0", "r0c11e", "r2c0s", "r9c0e", "r0c0n"])
def test_what_is_no_inner_edge_is_refused(id_: str) -> None:
    with pytest.raises(ValueError, match=r"no (edge|cell)"):
        open_grid(12, 3).edge_of(id_)


def test_only_orthogonal_neighbours_share_an_edge() -> None:
    grid = open_grid(3, 3)
    for a, b in ((0, 0), (0, 4), (2, 3), (0, 2)):
        with pytest.raises(ValueError, match="not orthogonal neighbours"):
            grid.edge_between(a, b)


def test_range_ignores_walls() -> None:
    assert DEFAULT.range(cell_at(DEFAULT, 1, 1), cell_at(DEFAULT, 4, 9)) == 8
    near = DEFAULT.near(cell_at(DEFAULT, 0, 1), 2)
    cells = [cell for cell in range(DEFAULT.size) if near >> cell & 1]
    assert places(DEFAULT, cells) == [(x, y) for y in range(4) for x in range(3)]
    assert DEFAULT.near(0, -1) == 0


def test_a_building_has_cells_and_doors() -> None:
    assert [DEFAULT.edge_id(edge) for edge in DEFAULT.doors("h")] == ["r7c3s", "r9c4e"]
    assert len(DEFAULT.cells_in("h")) == 9
    assert DEFAULT.cells_in("z") == DEFAULT.doors("z") == ()
