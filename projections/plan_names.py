"""The names of the areas of a plan, as boards on their outer walls (pure)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final
from xml.sax.saxutils import escape

from msgspec import Struct

from games.drawing import BoardPlan

HEIGHT: Final = 10
"""How high a board is in user units; its wall goes through its middle."""

_LETTER: Final = 6.6  # about the width of a capital of the size of 9
_EDGE: Final = 3  # left and right of the name
_OVERHANG: Final = 4  # over the end of a wall: the leaf of a door begins behind it


class _Place(Struct, frozen=True):
    """The middle of a board, and how much room it has along its wall, in cells."""

    x: float
    y: float
    room: float


def plan_names(plan: BoardPlan, side: int) -> Iterator[str]:
    """An element for each area that has a name, in the order of ``plan.names``.

    A name hangs on the northernmost level wall of its area that has room for it, else on the
    longest one, pressed together; without such a wall it stands in the middle. No board covers a
    door or a hole. An area of which the plan has no cell has none.

    Args:
        plan: what is drawn.
        side: the side of a cell in user units.
    """
    for mark, name in plan.names.items():
        cells = [
            (x, y) for y, row in enumerate(_marks(plan)) for x, m in enumerate(row) if m == mark
        ]
        if cells:
            width = len(name) * _LETTER + 2 * _EDGE
            yield _board(name, width, _place(plan, mark, cells, width / side), side)


def _marks(plan: BoardPlan) -> list[list[str]]:
    return [[cell.mark for cell in row] for row in plan.rows]


def _place(plan: BoardPlan, mark: str, cells: list[tuple[int, int]], wanted: float) -> _Place:
    walls = list(_outer_walls(plan, mark))
    wide = [wall for wall in walls if wall.room >= wanted]
    if wide or walls:
        return wide[0] if wide else max(walls, key=lambda wall: wall.room)
    xs, ys = ([cell[i] for cell in cells] for i in (0, 1))
    left, right = min(xs), max(xs)
    return _Place((left + right + 1) / 2, (min(ys) + max(ys) + 1) / 2, right - left + 1)


def _outer_walls(plan: BoardPlan, mark: str) -> Iterator[_Place]:
    """The level walls between an area and what is none of it, from north to south."""
    rows, marks = plan.rows, _marks(plan)
    for y in range(len(rows) - 1):
        parts = [
            (marks[y][x] == mark) != (marks[y + 1][x] == mark)
            and plan.south.get(rows[y][x].cell) == "wall"
            for x in range(plan.width)
        ]
        start = 0
        for is_wall, run in groupby(parts):
            length = len(list(run))
            if is_wall:
                yield _Place(start + length / 2, y + 1, length)
            start += length


def _board(name: str, wanted: float, place: _Place, side: int) -> str:
    width = min(wanted, place.room * side + 2 * _OVERHANG)
    x, y = place.x * side, place.y * side
    pressed = f' textLength="{width - 2 * _EDGE:.1f}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<rect class="nb" x="{x - width / 2:.1f}" y="{y - HEIGHT / 2:.1f}" '
        f'width="{width:.1f}" height="{HEIGHT}"/>'
        f'<text class="n" x="{x:.1f}" y="{y + 3:.1f}"{pressed if width < wanted else ""}>'
        f"{escape(name.upper())}</text>"
    )
