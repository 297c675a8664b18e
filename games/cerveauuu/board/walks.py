"""Where a piece may walk, and where it is lured to (§4.5, §4.7, §5.7, §7; pure)."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Final

from games.cerveauuu.board.grid import Grid
from games.cerveauuu.board.pawns import Pawn, barred_for, found


class Reach:
    """Where a movement from ``start`` may end, and the canonical way to each of these cells."""

    __slots__ = ("_parents", "ends", "start")

    def __init__(self, start: int, parents: Mapping[int, int], ends: tuple[int, ...]) -> None:
        self.start: Final = start
        self.ends: Final = ends
        """In the order in which they were found: by steps, then by the order of §2.2."""
        self._parents: Final = parents

    def path(self, end: int) -> tuple[int, ...]:
        """The cells entered on the canonical shortest path (§5.7).

        Args:
            end: one of ``ends``, or another cell that was passed on the way to one.

        Raises:
            KeyError: no path leads there.
        """
        path = []
        while end != self.start:
            path.append(end)
            end = self._parents[end]
        return tuple(reversed(path))

    def steps(self, end: int) -> int:
        """The length of that path.

        Raises:
            KeyError: no path leads there.
        """
        return len(self.path(end))


def reachable(
    grid: Grid, start: int, allowance: int, barred: Container[int], occupied: Container[int]
) -> Reach:
    """Where a movement may end: breadth first, first parents, neighbours in the order of §2.2.

    Args:
        grid: the board.
        start: where the piece is; never an end. Out of an impassable cell leads the step of §2.5.
        allowance: the most steps.
        barred: cells that may not be entered (``barred_for``).
        occupied: cells of other pieces; they may be passed unless they are barred, and are no ends.
    """
    parents = {start: start}
    frontier = [start]
    ends = []
    for _ in range(allowance):
        further = []
        for cell in frontier:
            for end in grid.stepping_out(cell):
                if end not in parents and end not in barred:
                    parents[end] = cell
                    further.append(end)
                    if end not in occupied:
                        ends.append(end)
        frontier = further
    return Reach(start, parents, tuple(ends))


def lure(grid: Grid, pawns: Sequence[Pawn], id_: str, steps: int, where: int) -> tuple[int, ...]:
    """The cells that a piece enters as it follows a lure (§7, C69); where it rests is not told.

    There are none if it is not operational, or no cell that it may enter is nearer.

    Args:
        grid: the board.
        pawns: all pieces.
        id_: who is lured.
        steps: the most it makes.
        where: the cell of the lure.

    Raises:
        KeyError: there is no such piece.
    """
    pawn = found(pawns, id_)
    if not pawn.operational:
        return ()
    distances = grid.distances(where)
    barred = barred_for(pawns, pawn)
    trail = [pawn.cell]
    while len(trail) <= steps and (cell := _nearer(grid, trail[-1], barred, distances)) is not None:
        trail.append(cell)
    return tuple(trail[1:])


def _nearer(grid: Grid, here: int, barred: Container[int], distances: Sequence[int]) -> int | None:
    """The neighbour that is nearest to the lure, if one that may be entered is nearer (C69)."""
    nearer = [
        cell
        for cell in grid.neighbours(here)
        if cell not in barred and distances[cell] < distances[here]
    ]
    # The first of equals counts: neighbours come in the order of §2.2.
    return min(nearer, key=distances.__getitem__, default=None)
