"""The geometry of the complex: cells, directions, lines, the exit zones (§0.3, §7; pure)."""

from __future__ import annotations

from typing import Final

SIDE: Final = 5

Cell = str
"""``r<row>c<column>``, rows and columns from 0, from the top left."""

Direction = str
"""``up``, ``right``, ``down`` or ``left``."""

Line = str
"""``row0``, ``row1``, ``row3``, ``row4``, ``col0``, ``col1``, ``col3`` or ``col4`` (§7.1)."""


def cell(row: int, column: int) -> Cell:
    """The name of a cell."""
    return f"r{row}c{column}"


CELLS: Final[tuple[Cell, ...]] = tuple(cell(r, c) for r in range(SIDE) for c in range(SIDE))
"""All 25 cells, row-major (§0.3). A tile's id is the index of the cell where it starts (R119)."""

CENTRE: Final = cell(2, 2)

STEPS: Final[dict[Direction, tuple[int, int]]] = {
    "up": (-1, 0),
    "right": (0, 1),
    "down": (1, 0),
    "left": (0, -1),
}
"""Directions in their canonical order (§0.3), as changes of row and column."""

OPPOSITE: Final[dict[Direction, Direction]] = {
    "up": "down",
    "down": "up",
    "left": "right",
    "right": "left",
}

AXIS: Final[dict[Direction, str]] = {
    "up": "vertical",
    "down": "vertical",
    "left": "horizontal",
    "right": "horizontal",
}
"""The axis of a pivoting room that has been entered by a step in this direction (§5.4)."""


def _neighbours(name: Cell) -> dict[Direction, Cell]:
    row, column = int(name[1]), int(name[3])
    return {
        way: cell(row + dr, column + dc)
        for way, (dr, dc) in STEPS.items()
        if 0 <= row + dr < SIDE and 0 <= column + dc < SIDE
    }


NEIGHBOURS: Final[dict[Cell, dict[Direction, Cell]]] = {c: _neighbours(c) for c in CELLS}
"""The orthogonal neighbours of each cell by direction; figures never wrap (R37)."""

LINES: Final[dict[Line, tuple[Cell, ...]]] = {
    f"row{r}": tuple(cell(r, c) for c in range(SIDE)) for r in (0, 1, 3, 4)
} | {f"col{c}": tuple(cell(r, c) for r in range(SIDE)) for c in (0, 1, 3, 4)}
"""The movable lines in canonical order (§7.1); the two through the centre never move."""

LINE_WAYS: Final[dict[Line, tuple[Direction, Direction]]] = {
    line: ("left", "right") if line.startswith("row") else ("up", "down") for line in LINES
}


def _distance(name: Cell) -> int:
    return abs(int(name[1]) - 2) + abs(int(name[3]) - 2)


EXIT_ZONES: Final[tuple[Cell, ...]] = tuple(c for c in CELLS if _distance(c) >= 3)  # noqa: PLR2004
"""The twelve corner cells from which Room 25 may start (§7.4.1)."""

INNER_CELLS: Final[tuple[Cell, ...]] = tuple(
    c
    for c in CELLS
    if 1 <= _distance(c) <= 2  # noqa: PLR2004
)
"""The twelve cells round the centre that are laid first (§4.1.4)."""

CLUE_CELLS: Final[tuple[Cell, ...]] = (cell(1, 2), cell(2, 3), cell(3, 2), cell(2, 1))
"""The starting clue's choices, in the order of §4.1.7."""


def direction_to(start: Cell, end: Cell) -> Direction | None:
    """The direction of a step from one cell to an orthogonal neighbour, or None."""
    return next((way for way, n in NEIGHBOURS[start].items() if n == end), None)


def lines_through(name: Cell) -> tuple[Line, ...]:
    """The movable lines through a cell: its row first, then its column (§4.5)."""
    return tuple(line for line, cells in LINES.items() if name in cells)


def shifted(line: Line, way: Direction) -> dict[Cell, Cell]:
    """Where each cell's tile goes when ``line`` moves one step: old cell -> new cell (§7.3.1)."""
    cells = LINES[line]
    step = 1 if way in {"right", "down"} else -1
    return {old: cells[(i + step) % SIDE] for i, old in enumerate(cells)}


def wraps(line: Line, way: Direction) -> Cell:
    """The cell whose tile leaves the grid in that shift and comes back at the other end."""
    return LINES[line][-1 if way in {"right", "down"} else 0]


SHIFT_TABLE: Final[dict[tuple[Line, Direction], dict[Cell, Cell]]] = {
    (line, way): shifted(line, way) for line in LINES for way in LINE_WAYS[line]
}
