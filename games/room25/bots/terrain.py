"""The complex in numbers: cells 0 to 24 row-major, their neighbours, and every shift (data)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from games.room25.model.board import (
    AXIS,
    CELLS,
    CENTRE,
    EXIT_ZONES,
    LINE_WAYS,
    NEIGHBOURS,
    OPPOSITE,
    SHIFT_TABLE,
    SIDE,
    Cell,
    Direction,
    Line,
    lines_through,
    wraps,
)

Place = int
"""A cell by its number."""

PLACE: Final[dict[Cell, Place]] = {name: number for number, name in enumerate(CELLS)}
PLACES: Final[tuple[Place, ...]] = tuple(range(len(CELLS)))
MIDDLE: Final[Place] = PLACE[CENTRE]
NEXT: Final[tuple[tuple[Place, ...], ...]] = tuple(
    tuple(PLACE[n] for n in NEIGHBOURS[name].values()) for name in CELLS
)
AXES: Final[dict[tuple[Place, Place], str]] = {
    (PLACE[name], PLACE[n]): AXIS[way] for name in CELLS for way, n in NEIGHBOURS[name].items()
}
"""The axis of the step between two neighbours."""

CORNER_IDS: Final = frozenset(PLACE[name] for name in EXIT_ZONES)
"""The ids of the tiles that started in an exit zone: Room 25 is one of them (§4.1.4, R119)."""


class Shift(Struct, frozen=True):
    """A shift: where each place's tile goes (``to``), and where each place's new one comes from.

    ``against`` is the direction in which the line's marker would forbid it; ``out`` the place whose
    tile leaves the grid.
    """

    line: Line
    way: Direction
    against: Direction
    to: tuple[Place, ...]
    source: tuple[Place, ...]
    out: Place


def _shift(line: Line, way: Direction) -> Shift:
    to, source = list(PLACES), list(PLACES)
    for old, new in SHIFT_TABLE[line, way].items():
        to[PLACE[old]] = PLACE[new]
        source[PLACE[new]] = PLACE[old]
    return Shift(line, way, OPPOSITE[way], tuple(to), tuple(source), PLACE[wraps(line, way)])


SHIFTS: Final[dict[str, Shift]] = {
    f"{line}:{way}": _shift(line, way) for line, ways in LINE_WAYS.items() for way in ways
}
"""All shifts by the id of their option."""

SHIFTS_AT: Final[tuple[tuple[Shift, ...], ...]] = tuple(
    ()
    if name == CENTRE
    else tuple(SHIFTS[f"{line}:{way}"] for line in lines_through(name) for way in LINE_WAYS[line])
    for name in CELLS
)
"""The shifts that somebody on a place may make, markers aside."""


def _steps_out(place: Place) -> int:
    row, column = divmod(place, SIDE)
    middle = SIDE // 2
    ways = [row + 1, SIDE - row] if column != middle else []
    return min(ways + ([column + 1, SIDE - column] if row != middle else []), default=SIDE)


STEPS_OUT: Final[tuple[int, ...]] = tuple(_steps_out(place) for place in PLACES)
"""How many shifts it takes to push a tile out of the complex from each place."""
