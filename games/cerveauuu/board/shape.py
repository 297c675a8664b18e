"""The cells and edges of a board of some size: numbers, ids, ranges and sets of cells (pure).

A set of cells is a *mask*, a number whose bit ``1 << cell`` is set for each of them.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

_EDGE: Final = re.compile(r"(r\d+c\d+)([es])", re.ASCII)


class Box(Struct, frozen=True):
    """The cells of a rectangle: bounds of x and y, both included."""

    left: int
    right: int
    top: int
    bottom: int


class Shape:
    """A size of boards: ``width`` x ``height`` cells, ``size`` in all."""

    __slots__ = (
        "_all",
        "_first_column",
        "_ids",
        "_near",
        "_span",
        "cells",
        "edges",
        "height",
        "size",
        "width",
    )

    def __init__(self, width: int, height: int) -> None:
        self.width: Final = width
        self.height: Final = height
        self.size: Final = width * height
        east = [2 * cell for cell in range(self.size) if (cell + 1) % width]
        south = [2 * cell + 1 for cell in range(self.size - width)]
        self.edges: Final = tuple(sorted(east + south))
        """The edges between two cells, ascending."""
        self._span: Final = max(width, height) - 1
        self._all: Final = (1 << self.size) - 1
        self._first_column: Final = sum(1 << cell for cell in range(0, self.size, width))
        self._near: Final[dict[tuple[int, int], int]] = {}
        # Trees of options turn some ten thousand ids into cells for one level.
        self._ids: Final = tuple(f"r{y}c{x}" for y in range(height) for x in range(width))
        self.cells: Final = {id_: cell for cell, id_ in enumerate(self._ids)}
        """The cell of each id."""

    def cell_id(self, cell: int) -> str:
        """``r<y>c<x>``."""
        return self._ids[cell]

    def cell_of(self, id_: str) -> int:
        """The cell that an id names.

        Raises:
            ValueError: there is none.
        """
        cell = self.cells.get(id_)
        if cell is None:
            raise ValueError(f"no cell of this board: {id_!r}")
        return cell

    def edge_id(self, edge: int) -> str:
        """``r<y>c<x>e`` or ``r<y>c<x>s`` (§2.1)."""
        return f"{self.cell_id(edge // 2)}{'es'[edge % 2]}"

    def edge_of(self, id_: str) -> int:
        """The inner edge that an id names.

        Raises:
            ValueError: there is none; the perimeter has no ids.
        """
        found = _EDGE.fullmatch(id_)
        if found is not None:
            edge = 2 * self.cell_of(found[1]) + "es".index(found[2])
            if self.is_inner(edge):
                return edge
        raise ValueError(f"no edge of this board: {id_!r}")

    def is_inner(self, edge: int) -> bool:
        """Whether an edge lies between two cells of the board."""
        y, x = divmod(edge // 2, self.width)
        return y < self.height - 1 if edge % 2 else x < self.width - 1

    def cells_beside(self, edge: int) -> tuple[int, int]:
        """The two cells of an inner edge, in ascending order."""
        cell = edge // 2
        return (cell, cell + self.width if edge % 2 else cell + 1)

    def edge_between(self, a: int, b: int) -> int:
        """The edge between two orthogonal neighbours.

        Raises:
            ValueError: they are none.
        """
        near, far = min(a, b), max(a, b)
        if far - near == self.width:
            return 2 * near + 1
        if far - near == 1 and far % self.width:
            return 2 * near
        raise ValueError(f"not orthogonal neighbours: {self.cell_id(a)} and {self.cell_id(b)}")

    def sides(self, cell: int) -> tuple[int, ...]:
        """The inner edges of a cell."""
        y, x = divmod(cell, self.width)
        found = []
        if y:
            found.append(2 * (cell - self.width) + 1)
        if x < self.width - 1:
            found.append(2 * cell)
        if y < self.height - 1:
            found.append(2 * cell + 1)
        if x:
            found.append(2 * (cell - 1))
        return tuple(found)

    def range(self, a: int, b: int) -> int:
        """The greater of the distances along x and y; walls do not matter (§1)."""
        ay, ax = divmod(a, self.width)
        by, bx = divmod(b, self.width)
        return max(abs(ax - bx), abs(ay - by))

    def near(self, cell: int, reach: int) -> int:
        """The mask of the cells at a range of at most ``reach``, the cell itself included."""
        if reach >= self._span:
            return self._all
        known = self._near.get((cell, reach))
        if known is None:
            y, x = divmod(cell, self.width)
            known = self.mask(Box(x - reach, x + reach, y - reach, y + reach)) if reach >= 0 else 0
            self._near[cell, reach] = known
        return known

    def mask(self, box: Box) -> int:
        """The mask of the cells of a rectangle, as far as it lies on the board."""
        left, right = max(box.left, 0), min(box.right, self.width - 1)
        top, bottom = max(box.top, 0), min(box.bottom, self.height - 1)
        if left > right or top > bottom:
            return 0
        row = ((1 << (right - left + 1)) - 1) << left
        below = self._first_column >> ((self.height - 1 - bottom + top) * self.width)
        return row * below << (top * self.width)
