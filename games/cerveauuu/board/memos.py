"""What a board remembers of sight and distances, and what of it outlives a change (pure).

Both belong to one board each. A board that differs in a few edges begins with the answers of the
board before it that the difference cannot have touched.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from games.cerveauuu.board.shape import Box, Shape
from games.cerveauuu.board.sight import sees
from games.cerveauuu.board.steps import FAR, Steps


class SightMemo:
    """Who sees whom on one board.

    Two masks for each source: the targets whose answer is known, and those that are seen.
    """

    __slots__ = ("_blocks", "_known", "_seen", "_shape")

    def __init__(
        self, shape: Shape, blocks: Sequence[int], seen: list[int], known: list[int]
    ) -> None:
        self._shape: Final = shape
        self._blocks: Final = blocks
        self._seen: Final = seen
        self._known: Final = known

    @classmethod
    def empty(cls, shape: Shape, blocks: Sequence[int]) -> SightMemo:
        """Nothing is known yet.

        Args:
            shape: of the board.
            blocks: for each edge, whether it stops sight.
        """
        return cls(shape, blocks, [0] * shape.size, [0] * shape.size)

    @classmethod
    def full(cls, shape: Shape, blocks: Sequence[int], seen: Sequence[int]) -> SightMemo:
        """Everything is known: ``seen`` has the mask of what is seen from each cell."""
        return cls(shape, blocks, list(seen), [(1 << shape.size) - 1] * shape.size)

    def seen_from(self, source: int, targets: int) -> int:
        """Those of the cells of a mask that are seen from a cell."""
        unknown = targets & ~self._known[source]
        if unknown:
            self._look(source, unknown)
        return self._seen[source] & targets

    def _look(self, source: int, unknown: int) -> None:
        self._known[source] |= unknown
        found = 0
        while unknown:
            lowest = unknown & -unknown
            unknown ^= lowest
            if sees(self._blocks, self._shape.width, source, lowest.bit_length() - 1):
                found |= lowest
        self._seen[source] |= found

    def after(self, blocks: Sequence[int], edges: Collection[int]) -> SightMemo:
        """The memo of a board on which other edges stop sight.

        Only answers whose bounding rectangle holds a changed edge can be others, that is both of
        its cells: the perimeter of the rectangle touches no line between the two.

        Args:
            blocks: for each edge, whether it stops sight there.
            edges: those for which this is not what it was.
        """
        seen, known = self._seen, self._known
        for edge in edges:
            touched = _touched(self._shape, edge)
            if blocks[edge]:
                # A new blocker hides what was seen, one that is gone shows what was hidden.
                known = [k & ~(t & s) for k, t, s in zip(known, touched, seen, strict=True)]
            else:
                known = [k & (~t | s) for k, t, s in zip(known, touched, seen, strict=True)]
        seen = [s & k for s, k in zip(seen, known, strict=True)]
        return SightMemo(self._shape, blocks, seen, known)


def _touched(shape: Shape, edge: int) -> list[int]:
    """For each source the targets, so that the rectangle of both holds both cells of an edge."""
    cell, other = shape.cells_beside(edge)
    (top, left), (bottom, right) = divmod(cell, shape.width), divmod(other, shape.width)
    columns, rows = _around(left, right, shape.width), _around(top, bottom, shape.height)
    lines = {}
    for y in set(rows):
        masks = {x: shape.mask(Box(*x, *y)) for x in set(columns)}
        lines[y] = [masks[x] for x in columns]
    return [mask for y in rows for mask in lines[y]]


Span = tuple[int, int]


def _around(first: int, second: int, length: int) -> list[Span]:
    """For each source of a line the targets, so that the way between passes two places.

    Args:
        first: one place.
        second: the same or the next.
        length: of the line.
    """
    between = second - first
    before, there, behind = (second, length - 1), (0, length - 1), (0, first)
    return [before] * (first + between) + [there] * (1 - between) + [behind] * (length - 1 - first)


class DistanceMemo:
    """Step distances on one board, a row for each cell that was asked for."""

    __slots__ = ("_rows", "_steps")

    def __init__(self, steps: Steps, rows: list[Sequence[int] | None] | None = None) -> None:
        self._steps: Final = steps
        self._rows: Final[list[Sequence[int] | None]] = (
            [None] * len(steps.neighbours) if rows is None else rows
        )

    def distances(self, cell: int) -> Sequence[int]:
        """The step distance from a cell to each cell, ``FAR`` where no way leads."""
        row = self._rows[cell]
        if row is None:
            row = self._rows[cell] = self._steps.distances(cell)
        return row

    def after(self, steps: Steps, cells: Collection[int]) -> DistanceMemo:
        """The memo of a board with other steps.

        A row outlives the change if it is still what a search would find: no step leads to a cell
        that is farther by more than one, and each cell has a neighbour that is nearer by one.

        Args:
            steps: those of that board.
            cells: those with other neighbours than before, on either side of each changed step.
        """
        rows = [
            row if row is not None and _holds(row, steps.neighbours, cells) else None
            for row in self._rows
        ]
        return DistanceMemo(steps, rows)


def _holds(row: Sequence[int], neighbours: Sequence[Sequence[int]], cells: Collection[int]) -> bool:
    for cell in cells:
        distance = row[cell]
        nearest = min([row[n] for n in neighbours[cell]], default=FAR)
        if distance and nearest != (distance - 1 if distance != FAR else FAR):
            return False
    return True
