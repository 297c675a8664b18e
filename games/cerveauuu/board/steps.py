"""The steps of a board: of each cell by itself, and of many cells at once (§1, §2.3; pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

FAR: Final = 99
"""The step distance between cells that no way joins (§1)."""


class Steps:
    """Where a step leads from each cell.

    The same is kept by direction, as the mask of all cells from which a step leads that way: so a
    whole ring of cells steps at once, which is how distances are found.
    """

    __slots__ = ("_back", "_forth", "neighbours")

    def __init__(self, neighbours: list[tuple[int, ...]], ways: Mapping[int, int]) -> None:
        """Take what belongs together: nothing is derived here.

        Args:
            neighbours: the adjacent cells of each cell, in the order of §2.2.
            ways: by how much a step changes the number of the cell, to the mask of the cells from
                which one does.
        """
        self.neighbours: Final = neighbours
        self._forth: Final = tuple((by, cells) for by, cells in ways.items() if by > 0)
        self._back: Final = tuple((-by, cells) for by, cells in ways.items() if by < 0)

    @classmethod
    def of(cls, neighbours: list[tuple[int, ...]]) -> Steps:
        """The steps to the adjacent cells of each cell."""
        ways: dict[int, int] = {}
        for cell, ends in enumerate(neighbours):
            for end in ends:
                ways[end - cell] = ways.get(end - cell, 0) | 1 << cell
        return cls(neighbours, ways)

    def changed(self, changes: Mapping[int, tuple[int, ...]]) -> Steps:
        """The steps of a board on which some cells have other neighbours."""
        neighbours = list(self.neighbours)
        ways = {**dict(self._forth), **{-by: cells for by, cells in self._back}}
        for cell, ends in changes.items():
            for end in neighbours[cell]:
                ways[end - cell] &= ~(1 << cell)
            for end in ends:
                ways[end - cell] = ways.get(end - cell, 0) | 1 << cell
            neighbours[cell] = ends
        return Steps(neighbours, ways)

    def distances(self, start: int) -> Sequence[int]:
        """The step distance from a cell to each cell, ``FAR`` where no way leads."""
        rings, beyond = self._rings(start)
        size = len(self.neighbours)
        row = _bytes(beyond, size) * FAR
        digit = 1
        while digit < len(rings):
            # The cells in whose distance this binary digit is set; rings have no cell in common.
            sets = (rings[far : far + digit] for far in range(digit, len(rings), 2 * digit))
            row += _bytes(sum(map(sum, sets)), size) * digit
            digit *= 2
        return row.to_bytes(size, "little")

    def _rings(self, start: int) -> tuple[list[int], int]:
        """The masks of the cells at each distance under ``FAR``, and that of all others."""
        ring = 1 << start
        beyond = ((1 << len(self.neighbours)) - 1) ^ ring
        rings: list[int] = []
        while ring and len(rings) < FAR:
            rings.append(ring)
            further = 0
            for by, cells in self._forth:
                further |= (ring & cells) << by
            for by, cells in self._back:
                further |= (ring & cells) >> by
            ring = further & beyond
            beyond ^= ring
        return rings, beyond | ring


def _bytes(mask: int, size: int) -> int:
    """A number that has a byte of 1 for each cell of a mask, and of 0 for any other."""
    digits = int.from_bytes(format(mask, f"0{size}b").encode(), "big")
    # The text of a digit differs from that of 0 in its last bit alone.
    return digits - int.from_bytes(b"0" * size, "big")
