"""Maps as text: reading and printing them (§2.10; pure).

Cells are numbers ``y * width + x``. Edges are numbers too: ``2 * cell`` is the east side of a cell,
``2 * cell + 1`` its south side, so that each edge belongs to one cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

EdgeState = Literal["open", "breach", "door_open", "door_closed", "wall"]
"""What an edge is (§2.1)."""

_EDGE_OF: Final[dict[str, EdgeState]] = {
    " ": "open",
    "|": "wall",
    "-": "wall",
    "D": "door_open",
    "X": "door_closed",
    "B": "breach",
}
_SIGN_OF: Final[dict[EdgeState, str]] = {
    "open": " ",
    "door_open": "D",
    "door_closed": "X",
    "breach": "B",
}
_WALLS: Final = "-|"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_OUTDOOR: Final = "."
_IMPASSABLE: Final = "#"
_LEAST_LINES: Final = 3


class MapText(Struct, frozen=True):
    """What a map's text says, cells row by row from the top left.

    ``buildings``: the letter of each cell, ``""`` outdoors. ``impassable``: cells that are so from
    the start. ``edges``: the state of each edge by its number; what lies on the perimeter, to the
    east of the last column and to the south of the last row, is a wall.
    """

    width: int
    height: int
    buildings: tuple[str, ...]
    impassable: frozenset[int]
    edges: tuple[EdgeState, ...]


def parse_map(text: str) -> MapText:
    """Read a map.

    Raises:
        ValueError: it is none; the message names line and column, counted from 0 as in §2.10.
    """
    lines = text.removesuffix("\n").split("\n")
    _check_shape(lines)
    width, height = len(lines[0]) // 2, len(lines) // 2  # both are odd
    _check_perimeter(lines)
    cells = [(y * width + x, 2 * y + 1, 2 * x + 1) for y in range(height) for x in range(width)]
    edges: list[EdgeState] = []
    for _, line, column in cells:
        edges += (_edge(lines, line, column + 1), _edge(lines, line + 1, column))
    signs = {cell: _cell(lines, line, column) for cell, line, column in cells}
    return MapText(
        width=width,
        height=height,
        buildings=tuple(sign if sign in _LETTERS else "" for sign in signs.values()),
        impassable=frozenset(cell for cell, sign in signs.items() if sign == _IMPASSABLE),
        edges=tuple(edges),
    )


def _check_shape(lines: list[str]) -> None:
    if len(lines) < _LEAST_LINES or len(lines) % 2 == 0:
        raise ValueError(f"a map has an odd number of lines, 3 at least, not {len(lines)}")
    columns = len(lines[0])
    if columns < _LEAST_LINES or columns % 2 == 0:
        raise ValueError(f"a map has an odd number of columns, 3 at least, not {columns}")
    for number, line in enumerate(lines):
        if len(line) != columns:
            raise ValueError(f"line {number} has {len(line)} columns, line 0 has {columns}")
        for column in range(number % 2 == 1, columns, 2):
            if number % 2 == 0 and line[column] not in "+ ":
                raise _wrong(number, column, line[column], "a corner is '+' or a space")


def _check_perimeter(lines: list[str]) -> None:
    last_line, last_column = len(lines) - 1, len(lines[0]) - 1
    places = [(line, column) for line in (0, last_line) for column in range(1, last_column, 2)]
    places += [(line, column) for line in range(1, last_line, 2) for column in (0, last_column)]
    for line, column in places:
        if lines[line][column] not in _WALLS:
            raise _wrong(line, column, lines[line][column], "the perimeter is a wall, '-' or '|'")


def _edge(lines: list[str], line: int, column: int) -> EdgeState:
    sign = lines[line][column]
    if sign not in _EDGE_OF:
        raise _wrong(line, column, sign, "an edge is a space, '-', '|', 'D', 'X' or 'B'")
    return _EDGE_OF[sign]


def _cell(lines: list[str], line: int, column: int) -> str:
    sign = lines[line][column]
    if sign not in (_OUTDOOR, _IMPASSABLE) and sign not in _LETTERS:
        raise _wrong(line, column, sign, "a cell is '.', '#' or a letter from a to z")
    return sign


def _wrong(line: int, column: int, sign: str, right: str) -> ValueError:
    return ValueError(f"line {line}, column {column}: {sign!r}, but {right}")


def print_map(map_: MapText) -> str:
    """The text of a map, which reads back as the same map; it ends with a newline.

    A corner is ``+`` where an edge that is not open ends, else a space.

    Raises:
        ValueError: a cell is both indoors and impassable, which no text can say.
    """
    for cell in map_.impassable:
        if map_.buildings[cell]:
            raise ValueError(f"cell {cell} is indoors and impassable: a map's text cannot say both")
    rows = [_blank(map_.width) for _ in range(2 * map_.height + 1)]
    for line, column, sign in _signs(map_):
        rows[line][column] = sign
    for line in range(0, len(rows), 2):
        for column in range(0, len(rows[0]), 2):
            if any(sign != " " for sign in _around(rows, line, column)):
                rows[line][column] = "+"
    return "".join("".join(row) + "\n" for row in rows)


def _blank(width: int) -> list[str]:
    return [" "] * (2 * width + 1)


def _signs(map_: MapText) -> Iterator[tuple[int, int, str]]:
    """What is not a corner, as line, column and sign."""
    for x in range(map_.width):
        yield 0, 2 * x + 1, "-"
    for y in range(map_.height):
        yield 2 * y + 1, 0, "|"
    for cell, letter in enumerate(map_.buildings):
        y, x = divmod(cell, map_.width)
        outdoors = _IMPASSABLE if cell in map_.impassable else _OUTDOOR
        yield 2 * y + 1, 2 * x + 1, letter or outdoors
        yield 2 * y + 1, 2 * x + 2, _SIGN_OF.get(map_.edges[2 * cell], "|")
        yield 2 * y + 2, 2 * x + 1, _SIGN_OF.get(map_.edges[2 * cell + 1], "-")


def _around(rows: list[list[str]], line: int, column: int) -> Iterator[str]:
    for dy, dx in ((-1, 0), (0, 1), (1, 0), (0, -1)):
        if 0 <= line + dy < len(rows) and 0 <= column + dx < len(rows[0]):
            yield rows[line + dy][column + dx]
