"""One legal step: which cells are adjacent, pieces ignored (§2.2, §2.3; pure)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.cerveauuu.board.map_text import EdgeState

CROSSED: Final[frozenset[EdgeState]] = frozenset({"open", "breach", "door_open"})
"""What an orthogonal step, an attack, a support and sight pass (§2.1)."""

FREE: Final[frozenset[EdgeState]] = frozenset({"open", "breach"})
"""What a diagonal step may pass (§2.1)."""


def steps_from(cell: int, width: int, edges: Sequence[EdgeState]) -> tuple[int, ...]:
    """The cells that are adjacent to a cell, in the order of §2.2.

    The perimeter is wall, and whatever leads off the board crosses it: so a way is tried edge by
    edge, without asking where the board ends. Some numbers of edges are negative then; these are
    the perimeter's.

    Args:
        cell: where the step begins.
        width: of the board.
        edges: effective states by edge; for a piece that must leave an impassable cell with the
            stored states of the sides of its own cell (§2.5).
    """
    above, below = cell - width, cell + width
    north, east, south, west = (
        edges[2 * above + 1],
        edges[2 * cell],
        edges[2 * cell + 1],
        edges[2 * cell - 2],
    )
    steps = [
        end
        for side, end in ((north, above), (east, cell + 1), (south, below), (west, cell - 1))
        if side in CROSSED
    ]
    to_north, to_east, to_south, to_west = (side in FREE for side in (north, east, south, west))
    if (to_north and edges[2 * above] in FREE) or (to_east and edges[2 * above + 3] in FREE):
        steps.append(above + 1)
    if (to_south and edges[2 * below] in FREE) or (to_east and edges[2 * cell + 3] in FREE):
        steps.append(below + 1)
    if (to_south and edges[2 * below - 2] in FREE) or (to_west and edges[2 * cell - 1] in FREE):
        steps.append(below - 1)
    if (to_north and edges[2 * above - 2] in FREE) or (to_west and edges[2 * above - 1] in FREE):
        steps.append(above - 1)
    return tuple(steps)
