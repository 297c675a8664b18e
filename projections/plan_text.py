"""A plan as text: cells of two characters, one between them for what lies there (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.drawing import Barrier, BoardPlan, PlanCell

CELL: Final = 2
"""Characters of a cell."""

_MARGIN: Final = 4
_UPRIGHT: Final[Mapping[Barrier, str]] = {"wall": "|", "door": "D", "shut": "X", "gap": ":"}
_LEVEL: Final[Mapping[Barrier, str]] = {"wall": "--", "door": "DD", "shut": "XX", "gap": ".."}
_GROUNDS: Final = {"open": " ", "room": " ", "solid": "#", "veiled": "%"}

MARKS: Final = "| -- wall, D open door, X closed door, : .. hole in a wall, ## solid, %% veiled"
"""What the characters mean."""


def plan_lines(plan: BoardPlan) -> list[str]:
    """The plan with the numbers of its rows and columns; 20 columns of cells are 65 wide."""
    columns = " ".join(f"{n:>{CELL}}" for n in range(plan.width))
    edge = " " * _MARGIN + "+" + "+".join(["-" * CELL] * plan.width) + "+"
    lines = [" " * (_MARGIN + 1) + columns, edge]
    rows = plan.rows
    for number, row in enumerate(rows):
        lines.append(f"r{number}".ljust(_MARGIN) + "|" + _cells(plan, row))
        lines.append(" " * _MARGIN + "+" + _below(plan, row) if row != rows[-1] else edge)
    return [*lines, "", MARKS]


def _cells(plan: BoardPlan, row: tuple[PlanCell, ...]) -> str:
    parts = []
    for cell in row:
        barrier = plan.east.get(cell.cell)
        between = "" if barrier is None else _UPRIGHT[barrier]
        parts.append(_cell(cell) + (between or ("|" if cell is row[-1] else " ")))
    return "".join(parts)


def _cell(cell: PlanCell) -> str:
    """Who stands there, else what it is; of two who share a cell the first, with a ``+``."""
    if len(cell.figures) > 1:
        return cell.figures[0][: CELL - 1] + "+"
    if cell.figures:
        return cell.figures[0][:CELL].ljust(CELL)
    if cell.ground in {"solid", "veiled"}:
        return _GROUNDS[cell.ground] * CELL
    return (cell.mark or ".").center(CELL)


def _below(plan: BoardPlan, row: tuple[PlanCell, ...]) -> str:
    barriers = (plan.south.get(cell.cell) for cell in row)
    return "".join((" " * CELL if b is None else _LEVEL[b]) + "+" for b in barriers)
