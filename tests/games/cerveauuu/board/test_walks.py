"""Where pieces walk, rest and are lured to (§2.4, §2.5, §4.5, §4.7, §7)."""

from __future__ import annotations

import random
from functools import partial
from itertools import pairwise

import pytest

from games.cerveauuu.board import barred_for, lure, reachable, settle
from games.cerveauuu.scenarios.bases import HALL
from tests.games.cerveauuu.board.boards import (
    cell_at,
    grid_of,
    human,
    open_grid,
    places,
    random_grid,
    zombie,
)


def test_a_human_passes_humans_and_a_zombie_passes_who_is_out_of_action() -> None:
    grid = open_grid(6, 1)
    pawns = [
        human(grid, 1, (1, 0)),
        human(grid, 2, (3, 0), operational=False),
        zombie(grid, 1, (4, 0)),
        zombie(grid, 2, (5, 0), operational=False),
    ]
    assert barred_for(pawns, pawns[0]) == {4}
    assert barred_for(pawns, pawns[2]) == {1}
    assert barred_for(pawns, pawns[3]) == {1, 4}


def test_a_path_is_the_first_in_the_order_of_directions() -> None:
    grid = open_grid(5, 5)
    reach = reachable(grid, cell_at(grid, 2, 2), 2, (), ())
    assert places(grid, reach.path(cell_at(grid, 3, 0))) == [(2, 1), (3, 0)]
    assert places(grid, reach.path(cell_at(grid, 4, 3))) == [(3, 2), (4, 3)]
    assert reach.path(cell_at(grid, 2, 2)) == ()
    with pytest.raises(KeyError):
        reachable(grid, 0, 1, (), ()).path(24)


def test_reach_is_what_the_distances_say() -> None:
    draw = random.Random(57)
    for _ in range(80):
        grid = random_grid(draw)
        start, allowance = draw.randrange(grid.size), draw.randint(0, 5)
        if grid.is_impassable(start):
            continue
        reach = reachable(grid, start, allowance, (), ())
        row = grid.distances(start)
        assert set(reach.ends) == {c for c in range(grid.size) if 0 < row[c] <= allowance}
        for end in reach.ends:
            path = (start, *reach.path(end))
            assert len(path) - 1 == reach.steps(end) == row[end]
            assert all(grid.adjacent(a, b) for a, b in pairwise(path))


def test_out_of_an_impassable_cell_leads_its_stored_side_and_not_back_in() -> None:
    grid = open_grid(5, 1).changed(impassable={2: True, 3: True})
    assert reachable(grid, 2, 3, (), ()).ends == (1, 0)
    assert lure(grid, [human(grid, 1, (2, 0))], "h01", 3, 0) == ()


def test_a_piece_that_must_stop_goes_back_to_the_last_free_cell() -> None:
    grid = open_grid(6, 1)
    assert settle(grid, [1, 2, 3, 4], {3}) == 4
    assert settle(grid, [1, 2, 3, 4], {4}) == 3
    assert settle(grid, [1, 2, 3, 4], {4, 3}) == 2
    assert settle(grid.changed(impassable={2: True}), [1, 2, 3, 4], {4, 3}) == 1


def test_if_all_of_its_path_is_taken_it_goes_to_the_nearest_free_cell() -> None:
    grid = grid_of(HALL)
    at = partial(cell_at, grid)
    # By steps: [3,1] is at range 1 of [2,2], but two steps away.
    taken = {at(2, 2), at(2, 1), at(2, 3), at(1, 1), at(1, 2), at(1, 3)}
    assert settle(grid, [at(2, 2)], taken) == at(3, 2)
    assert settle(grid, [at(2, 2)], taken | {at(3, 2)}) == at(3, 1)
    # Then by range, then the northernmost and westernmost.
    assert settle(open_grid(3, 3), [4], {4}) == 0
    with pytest.raises(ValueError, match="no cell"):
        settle(open_grid(1, 1), [0], {0})


def test_a_lure_ends_where_no_cell_is_nearer_and_moves_nobody_out_of_action() -> None:
    grid = open_grid(7, 1)
    assert lure(grid, [human(grid, 1, (2, 0))], "h01", 5, 4) == (3, 4)
    assert lure(grid, [human(grid, 1, (2, 0))], "h01", 1, 4) == (3,)
    assert lure(grid, [human(grid, 1, (2, 0))], "h01", 0, 4) == ()
    assert lure(grid, [human(grid, 1, (2, 0), operational=False)], "h01", 5, 4) == ()
    zombies = [zombie(grid, 1, (2, 0)), human(grid, 1, (3, 0))]
    assert lure(grid, zombies, "z01", 5, 4) == ()
    with pytest.raises(KeyError):
        lure(grid, zombies, "z09", 5, 4)


def test_a_lure_that_cannot_be_walked_to_moves_nobody() -> None:
    """C69: no cell is nearer; all of them are equally far."""
    grid = open_grid(5, 1).changed(impassable={3: True})
    assert lure(grid, [human(grid, 1, (1, 0))], "h01", 5, 4) == ()


def test_a_lured_piece_passes_those_of_its_kind() -> None:
    """§7, §4.5; where it comes to rest is told by the whole movement (§2.4)."""
    grid = open_grid(7, 1)
    pawns = [human(grid, 1, (0, 0)), human(grid, 2, (2, 0)), human(grid, 3, (3, 0))]
    assert lure(grid, pawns, "h01", 3, 6) == (1, 2, 3)
