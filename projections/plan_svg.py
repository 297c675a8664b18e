"""A plan as SVG: cells, barriers and figures, none told apart by colour alone (pure)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from games.drawing import Barrier, BoardPlan, DrawnFigure, Ground, PlanCell
from projections.plan_names import plan_names

CELL: Final = 30
"""The side of a cell in user units."""

_RADIUS: Final = 13
_TRIANGLE: Final = 3
_FORMS: Final = (
    ".letter{font-size:11px;text-anchor:middle}"
    ".n{font-size:9px;font-weight:700;text-anchor:middle}"
    ".wall,.door{stroke-width:4}.door{stroke-dasharray:5 4}"
    ".shut{stroke-width:6}.gap{stroke-width:3;stroke-dasharray:1 5}"
)


class _Colours(Struct, frozen=True, kw_only=True):
    """The colours of a plan: of grounds and barriers, of lines between cells, and of letters."""

    grounds: Mapping[Ground, str]
    barriers: Mapping[Barrier, str]
    lines: str
    letters: str
    names: str

    def style(self) -> str:
        """Rules for the classes of a plan: its grounds and barriers by what they are called."""
        grounds = [f".{name}{{fill:{fill}}}" for name, fill in self.grounds.items()]
        barriers = [f".{name}{{stroke:{stroke}}}" for name, stroke in self.barriers.items()]
        lines = f"{','.join(f'.{name}' for name in self.grounds)}{{stroke:{self.lines}}}"
        names = f".n{{fill:{self.names}}}.nb{{fill:{self.barriers['wall']}}}"
        return "".join((*grounds, lines, *barriers, f".letter{{fill:{self.letters}}}", names))


_LIGHT: Final = _Colours(
    grounds={"open": "#ffffff", "room": "#efe9dc", "solid": "#444444", "veiled": "#858585"},
    barriers={"wall": "#1b1b1b", "door": "#256029", "shut": "#8e1b12", "gap": "#1b1b1b"},
    lines="#dddddd",
    letters="#1b1b1b",
    names="#ffffff",
)
_DARK: Final = _Colours(
    grounds={"open": "#1c241d", "room": "#32291f", "solid": "#b9bfc7", "veiled": "#757575"},
    barriers={"wall": "#e6e1d4", "door": "#7fd495", "shut": "#ff9a86", "gap": "#e6e1d4"},
    lines="#2b352b",
    letters="#ffffff",
    names="#1b1b1b",
)

PLAN_STYLE: Final = f"{_FORMS}{_LIGHT.style()}"
"""The style of an image with a plan."""

DARK_PLAN_STYLE: Final = f"@media (prefers-color-scheme:dark){{{_DARK.style()}}}"
"""What follows it where a plan is dark for those who like pages dark; figures stay as they are."""

_BARRIERS: Final[Mapping[Barrier, str]] = {
    "wall": "wall",
    "door": "open door",
    "shut": "closed door",
    "gap": "hole in the wall",
}

LEGEND: Final = (
    "black: wall; green, dashed: open door; red, thick: closed door; dotted: hole in a wall",
    "dark: nobody can enter; grey: nobody sees in; names on walls, or letters: buildings",
)
"""What the marks mean."""


def plan_size(plan: BoardPlan) -> tuple[int, int]:
    """Width and height of a plan in user units."""
    return CELL * plan.width, CELL * len(plan.rows)


def plan_edges(plan: BoardPlan, left: int, top: int) -> list[str]:
    """The numbers of columns and rows beside a plan whose corner is at ``left``, ``top``."""
    middle = CELL // 2
    columns = [
        f'<text class="c" x="{left + CELL * n + middle}" y="{top - 8}">{n}</text>'
        for n in range(plan.width)
    ]
    rows = [
        f'<text class="c" x="{left - 20}" y="{top + CELL * n + middle + 5}">r{n}</text>'
        for n in range(len(plan.rows))
    ]
    return columns + rows


def plan_parts(
    plan: BoardPlan, figures: Mapping[str, DrawnFigure], left: int, top: int
) -> Iterator[str]:
    """The elements of a plan whose corner is at ``left``, ``top``; figures by short name.

    Nothing lies over the names of areas.
    """
    width, height = plan_size(plan)
    yield f'<g transform="translate({left} {top})">'
    places = [
        (CELL * x, CELL * y, cell) for y, row in enumerate(plan.rows) for x, cell in enumerate(row)
    ]
    for x, y, cell in places:
        yield _cell(x, y, cell, plan.names.get(cell.mark, ""))
    for x, y, cell in places:
        if cell.cell in plan.east:
            yield _barrier(plan.east[cell.cell], (x + CELL, y, x + CELL, y + CELL), cell, "east")
        if cell.cell in plan.south:
            yield _barrier(plan.south[cell.cell], (x, y + CELL, x + CELL, y + CELL), cell, "south")
    yield f'<rect width="{width}" height="{height}" class="wall" fill="none"/>'
    for x, y, cell in places:
        for place, name in enumerate(cell.figures):
            yield figure_mark(figures[name], x + CELL // 2 + 5 * place, y + CELL // 2)
    yield from plan_names(plan, CELL)
    yield "</g>"


def _cell(x: int, y: int, cell: PlanCell, name: str) -> str:
    """A cell; ``name`` is that of its area, whose letter it bears where there is none.

    Where nobody can be there is no letter.
    """
    words = ", ".join(word for word in (cell.cell, name or cell.mark, cell.ground) if word)
    letter = "" if name or cell.ground == "solid" else cell.mark
    mark = f'<text class="letter" x="{x + CELL // 2}" y="{y + 19}">{escape(letter)}</text>'
    return (
        f'<g><title>{escape(words)}</title><rect class="{cell.ground}" x="{x}" y="{y}" '
        f'width="{CELL}" height="{CELL}"/>{mark if letter else ""}</g>'
    )


def _barrier(kind: Barrier, line: tuple[int, int, int, int], cell: PlanCell, side: str) -> str:
    x1, y1, x2, y2 = line
    words = escape(f"{_BARRIERS[kind]} {side} of {cell.cell}")
    return (
        f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}">'
        f"<title>{words}</title></line>"
    )


def figure_mark(figure: DrawnFigure, x: int, y: int) -> str:
    """A figure: its outline in its colour, with its label."""
    look = f'fill={quoteattr(figure.color or "#ffffff")} stroke="#1b1b1b" stroke-width="1.5"'
    if figure.corners:
        outline = f'<polygon points="{_corners(figure.corners, x, y)}" {look}/>'
    else:
        outline = f'<circle cx="{x}" cy="{y}" r="{_RADIUS - 2}" {look}/>'
    seat = "" if figure.seat is None else f" (seat {figure.seat})"
    words = ", ".join((f"{figure.called}{seat} on {figure.cell}", *figure.notes))
    return (
        f"<g><title>{escape(words)}</title>{outline}"
        f'<text class="f" x="{x}" y="{y + 4}">{escape(figure.label or figure.short)}</text></g>'
    )


def _corners(number: int, x: int, y: int) -> str:
    """The corners of a regular polygon that stands on a side."""
    radius = _RADIUS + 3 if number == _TRIANGLE else _RADIUS  # it is narrow where the name is
    turn = 2 * math.pi / number
    angles = [math.pi / 2 + turn * (i + 0.5) for i in range(number)]
    return " ".join(
        f"{x + radius * math.cos(a):.1f},{y + radius * math.sin(a):.1f}" for a in angles
    )
