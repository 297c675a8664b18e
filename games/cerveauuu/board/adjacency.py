"""One legal step: which cells are adjacent, pieces ignored (§2.2, §2.3; pure)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from games.cerveauuu.board.map_text import EdgeState

DIRECTIONS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
"""N, E, S, W, NE, SE, SW, NW as changes of x and y: the order wherever one is needed (§2.2)."""

CROSSED: Final[frozenset[EdgeState]] = frozenset({"open", "breach", "door_open"})
"""What an orthogonal step, an attack, a support and sight pass (§2.1)."""

FREE: Final[frozenset[EdgeState]] = frozenset({"open", "breach"})
"""What a diagonal step may pass (§2.1)."""


def edge_between(width: int, a: int, b: int) -> int:
    """The edge between two orthogonal neighbours; they are not checked to be such."""
    near, far = (a, b) if a < b else (b, a)
    return 2 * near if far - near == 1 and far % width else 2 * near + 1


def steps_from(
    cell: int,
    width: int,
    height: int,
    edges: Sequence[EdgeState],
) -> Iterator[int]:
    """The cells that are adjacent to a cell, in the order of §2.2.

    Args:
        cell: where the step begins.
        width: of the board.
        height: of the board.
        edges: effective states by edge; for a piece that must leave an impassable cell with the
            stored states of the sides of its own cell (§2.5).
    """
    y, x = divmod(cell, width)
    for dx, dy in DIRECTIONS:
        if not (0 <= x + dx < width and 0 <= y + dy < height):
            continue
        end = cell + dy * width + dx
        if dx and dy:
            if any(
                edges[edge_between(width, cell, by)] in FREE
                and edges[edge_between(width, by, end)] in FREE
                for by in (cell + dx, cell + dy * width)
            ):
                yield end
        elif edges[edge_between(width, cell, end)] in CROSSED:
            yield end
