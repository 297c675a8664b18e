"""What a board remembers of sight and distances, and what of it outlives a change (pure).

Both belong to one board each. A board that differs in a few edges begins with the answers of the
board before it that the difference cannot have touched.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from games.cerveauuu.board.shape import Box, Shape
from games.cerveauuu.board.sight import sees

FAR: Final = 99
"""The step distance between cells that no way joins (§1)."""


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
        seen, known = list(self._seen), list(self._known)
        for edge in edges:
            # A new blocker hides what was seen, one that is gone shows what was hidden.
            hides = bool(blocks[edge])
            for sources, touched in self._touched(edge):
                for source in sources:
                    known[source] &= ~(touched & (seen[source] if hides else ~seen[source]))
        for source, mask in enumerate(known):
            seen[source] &= mask
        return SightMemo(self._shape, blocks, seen, known)

    def _touched(self, edge: int) -> list[tuple[list[int], int]]:
        """Sources, and the targets so that the rectangle of both holds both cells of an edge."""
        shape = self._shape
        right, bottom = shape.width - 1, shape.height - 1
        cell, other = shape.cells_beside(edge)
        (top, left), (y, x) = divmod(cell, shape.width), divmod(other, shape.width)
        columns = [((0, left), (x, right)), ((x, right), (0, left))]
        rows = [((0, top), (y, bottom)), ((y, bottom), (0, top))]
        if left == x:
            columns = _around(x, right)
        else:
            rows = _around(y, bottom)
        return [
            (
                [v * shape.width + u for v in _span(sources_y) for u in _span(sources_x)],
                shape.mask(Box(*targets_x, *targets_y)),
            )
            for sources_x, targets_x in columns
            for sources_y, targets_y in rows
        ]


Span = tuple[int, int]


def _span(bounds: Span) -> range:
    return range(bounds[0], bounds[1] + 1)


def _around(middle: int, last: int) -> list[tuple[Span, Span]]:
    """Spans of sources, and where their targets are, for a line that both must not lie beside."""
    return [
        ((0, middle - 1), (middle, last)),
        ((middle, middle), (0, last)),
        ((middle + 1, last), (0, middle)),
    ]


class DistanceMemo:
    """Step distances on one board, a row for each cell that was asked for."""

    __slots__ = ("_neighbours", "_rows")

    def __init__(
        self, neighbours: Sequence[Sequence[int]], rows: list[Sequence[int] | None] | None = None
    ) -> None:
        self._neighbours: Final = neighbours
        self._rows: Final[list[Sequence[int] | None]] = (
            [None] * len(neighbours) if rows is None else rows
        )

    def distances(self, cell: int) -> Sequence[int]:
        """The step distance from a cell to each cell, ``FAR`` where no way leads."""
        row = self._rows[cell]
        if row is None:
            row = _searched(self._neighbours, cell)
            self._rows[cell] = row
        return row

    def after(self, neighbours: Sequence[Sequence[int]], cells: Collection[int]) -> DistanceMemo:
        """The memo of a board with other steps.

        A row outlives the change if it is still what a search would find: no step leads to a cell
        that is farther by more than one, and each cell has a neighbour that is nearer by one.

        Args:
            neighbours: the adjacent cells of each cell there.
            cells: those with other neighbours than before, on either side of each changed step.
        """
        rows = [
            row if row is not None and _holds(row, neighbours, cells) else None
            for row in self._rows
        ]
        return DistanceMemo(neighbours, rows)


def _holds(row: Sequence[int], neighbours: Sequence[Sequence[int]], cells: Collection[int]) -> bool:
    for cell in cells:
        distance = row[cell]
        nearest = min([row[n] for n in neighbours[cell]], default=FAR)
        if distance and nearest != (distance - 1 if distance != FAR else FAR):
            return False
    return True


def _searched(neighbours: Sequence[Sequence[int]], start: int) -> Sequence[int]:
    row = [FAR] * len(neighbours)
    row[start] = 0
    frontier, distance = [start], 0
    while frontier and distance < FAR - 1:
        distance += 1
        further = []
        for cell in frontier:
            for end in neighbours[cell]:
                if row[end] == FAR:
                    row[end] = distance
                    further.append(end)
        frontier = further
    return row
