"""Maps as text (§2.10-2.12)."""

from __future__ import annotations

import random

import pytest

from games.cerveauuu.board import FAR, Grid, parse_map, print_map
from games.cerveauuu.scenarios.bases import ELBOW, HALL, open_board
from tests.games.cerveauuu.board.boards import grid_of, random_map

EVERY_SIGN = """\
+-+-+-+
|. a b|
+X+B+D+
|# a|b|
+-+-+-+
"""


@pytest.mark.parametrize("text", [HALL, ELBOW, open_board(1, 1), open_board(9, 9), EVERY_SIGN])
def test_a_map_is_printed_as_it_was_read(text: str) -> None:
    map_ = parse_map(text)
    assert parse_map(print_map(map_)) == map_


ONE_WALL = """\
+-+-+-+
|. . .|
+ +-+ +
|. . .|
+   + +
|. .|.|
+-+-+-+
"""


@pytest.mark.parametrize("text", [HALL, ELBOW, open_board(3, 2), ONE_WALL])
def test_a_corner_is_drawn_where_a_wall_ends(text: str) -> None:
    assert print_map(parse_map(text)) == text


def test_each_sign_is_read() -> None:
    grid = grid_of(EVERY_SIGN)
    states = [grid.stored(grid.edge_of(id_)) for id_ in ("r0c0s", "r0c1s", "r0c2s", "r1c1e")]
    assert states == ["door_closed", "breach", "door_open", "wall"]
    assert [grid.building(cell) for cell in range(6)] == ["", "a", "b", "", "a", "b"]
    assert grid.impassable == {3}


def test_any_map_reads_back_from_its_text() -> None:
    draw = random.Random(210)
    for _ in range(300):
        map_ = random_map(draw)
        assert parse_map(print_map(map_)) == map_


def test_either_sign_of_a_wall_and_either_corner_will_do() -> None:
    assert parse_map(" | \n-.-\n - ") == parse_map(open_board(1, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "odd number of lines"),
        ("+-+\n|.|", "odd number of lines"),
        ("+-\n|.\n+-", "odd number of columns"),
        ("+-+-\n|...\n+-+-", "odd number of columns"),
        ("+-+\n|.|\n+-+-", "line 2 has 4 columns"),
        ("+-+\n|.  |\n+-+", "line 1 has 5 columns, line 0 has 3"),
        ("+-+\n|.|\n+-+\n\n", "odd number of lines"),
        ("+-+\n|A|\n+-+", "line 1, column 1: 'A'"),
        ("+-+\n|ä|\n+-+", "line 1, column 1: 'ä'"),
        ("+-+\n|.D\n+-+", "line 1, column 2: 'D', but the perimeter"),
        ("+ +\n|.|\n+-+", "line 0, column 1: ' ', but the perimeter"),
        ("+-+-+\n|.?.|\n+-+-+", "line 1, column 2: '\\?', but an edge"),
        ("*-+\n|.|\n+-+", "line 0, column 0: '\\*', but a corner"),
    ],
)
def test_a_text_that_is_no_map_is_refused_by_its_place(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_map(text)


def test_an_impassable_cell_of_a_building_has_no_text() -> None:
    grid = Grid.of(parse_map("+-+\n|a|\n+-+")).changed(impassable={0: True})
    with pytest.raises(ValueError, match="indoors and impassable"):
        print_map(grid.map())


def test_far_is_the_figure_of_the_rules() -> None:
    assert FAR == 99
