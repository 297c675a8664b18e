"""The board as an immutable value: edges, buildings, steps, distances and sight (§2, §6; pure).

Cells are numbers ``y * width + x``, edges ``2 * cell`` (east side) and ``2 * cell + 1`` (south
side); ids are for the outside. What was found out about steps, distances and sight is remembered
in the board itself, and handed on to a changed board as far as the change has not touched it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from games.cerveauuu.board.adjacency import CROSSED, steps_from
from games.cerveauuu.board.map_text import EdgeState, MapText
from games.cerveauuu.board.memos import DistanceMemo, SightMemo
from games.cerveauuu.board.shape import Shape
from games.cerveauuu.board.steps import Steps

_NO_EDGES: Final[Mapping[int, EdgeState]] = MappingProxyType({})
_NO_FLAGS: Final[Mapping[int, bool]] = MappingProxyType({})


class _Stored(Struct, frozen=True):
    """What a board is: all else follows from it."""

    width: int
    height: int
    buildings: tuple[str, ...]
    edges: tuple[EdgeState, ...]
    impassable: frozenset[int]
    opaque: frozenset[int]

    def effective(self, shape: Shape, edge: int) -> EdgeState:
        if not shape.is_inner(edge) or not self.impassable.isdisjoint(shape.cells_beside(edge)):
            return "wall"
        return self.edges[edge]

    def blocks(self, shape: Shape, edge: int, effective: EdgeState) -> bool:
        """Whether an edge stops sight; the perimeter does."""
        if effective not in CROSSED:
            return True
        return not self.opaque.isdisjoint(shape.cells_beside(edge))


class Grid:
    """A board of ``width`` x ``height`` cells, ``size`` in all.

    Boards are equal if they show the same; what they remember does not count.
    """

    __slots__ = (
        "_blocks",
        "_distances",
        "_effective",
        "_shape",
        "_sight",
        "_stored",
        "buildings",
        "cells",
        "edges",
        "height",
        "size",
        "steps",
        "width",
    )

    def __init__(
        self,
        shape: Shape,
        stored: _Stored,
        derived: tuple[list[EdgeState], bytearray, Steps],
        sight: SightMemo,
        distances: DistanceMemo,
    ) -> None:
        self.width: Final = shape.width
        self.height: Final = shape.height
        self.size: Final = shape.size
        self.buildings: Final = tuple(sorted({each for each in stored.buildings if each}))
        """The letters of the buildings, ascending."""
        self.edges: Final = shape.edges
        """All edges but the perimeter, ascending."""
        self.cells: Final[Mapping[str, int]] = shape.cells
        """The cell of each id."""
        self._shape: Final = shape
        self._stored: Final = stored
        self._effective, self._blocks, self.steps = derived
        self._sight: Final = sight
        self._distances: Final = distances

    @staticmethod
    def of(
        map_: MapText,
        sight: Sequence[int] | None = None,
        steps: Steps | None = None,
    ) -> Grid:
        """The board that a map shows; nothing is opaque.

        Args:
            map_: the map.
            sight: the mask of the cells seen from each cell of just this map, if it is known.
            steps: those of just this map (``all_steps``), if they are known.
        """
        shape = Shape(map_.width, map_.height)
        stored = _Stored(
            width=map_.width,
            height=map_.height,
            buildings=map_.buildings,
            edges=map_.edges,
            impassable=map_.impassable,
            opaque=frozenset(),
        )
        effective = _effective(map_, shape)
        blocks = bytearray(state not in CROSSED for state in effective)
        steps = all_steps(map_) if steps is None else steps
        memo = (
            SightMemo.empty(shape, blocks)
            if sight is None
            else SightMemo.full(shape, blocks, sight)
        )
        return Grid(shape, stored, (effective, blocks, steps), memo, DistanceMemo(steps))

    def changed(
        self,
        *,
        edges: Mapping[int, EdgeState] = _NO_EDGES,
        impassable: Mapping[int, bool] = _NO_FLAGS,
        opaque: Mapping[int, bool] = _NO_FLAGS,
    ) -> Grid:
        """The board after a change, with all that is still true of what this one remembers.

        Args:
            edges: new stored states of edges.
            impassable: cells whose flag is set (true) or cleared (false).
            opaque: the same.

        Raises:
            ValueError: an edge is the perimeter's, which never changes (§2.1).
        """
        shape, before = self._shape, self._stored
        for edge in edges:
            if not shape.is_inner(edge):
                raise ValueError(f"the perimeter never changes: edge {edge}")
        states = list(before.edges)
        for edge, state in edges.items():
            states[edge] = state
        stored = _Stored(
            width=before.width,
            height=before.height,
            buildings=before.buildings,
            edges=tuple(states),
            impassable=_flagged(before.impassable, impassable),
            opaque=_flagged(before.opaque, opaque),
        )
        touched = {*edges, *(e for c in (*impassable, *opaque) for e in shape.sides(c))}
        effective, blocks = list(self._effective), bytearray(self._blocks)
        for edge in touched:
            effective[edge] = stored.effective(shape, edge)
            blocks[edge] = stored.blocks(shape, edge, effective[edge])
        stepped = {edge for edge in touched if effective[edge] != self._effective[edge]}
        hidden = [edge for edge in touched if blocks[edge] != self._blocks[edge]]
        moved = self._moved(effective, stepped)
        steps = self.steps.changed(moved)
        return Grid(
            shape,
            stored,
            (effective, blocks, steps),
            self._sight.after(blocks, hidden),
            self._distances.after(steps, moved),
        )

    def _moved(
        self, effective: Sequence[EdgeState], edges: Collection[int]
    ) -> dict[int, tuple[int, ...]]:
        """The adjacent cells of each cell that has others once some edges have changed."""
        shape = self._shape
        beside = 0
        for edge in edges:
            # A diagonal step passes edges of its own two cells or of cells next to these.
            for cell in shape.cells_beside(edge):
                beside |= shape.near(cell, 1)
        found = {cell: steps_from(cell, shape.width, effective) for cell in _cells(beside)}
        return {cell: ends for cell, ends in found.items() if ends != self.neighbours(cell)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self._stored == other._stored

    def __hash__(self) -> int:
        return hash(self._stored)

    def map(self) -> MapText:
        """What a map's text can say of this board: all but the opaque cells."""
        stored = self._stored
        return MapText(
            width=stored.width,
            height=stored.height,
            buildings=stored.buildings,
            impassable=stored.impassable,
            edges=stored.edges,
        )

    # Ids.

    def cell_id(self, cell: int) -> str:
        """``r<y>c<x>``."""
        return self._shape.cell_id(cell)

    def cell_of(self, id_: str) -> int:
        """The cell of an id.

        Raises:
            ValueError: it names none of this board.
        """
        return self._shape.cell_of(id_)

    def edge_id(self, edge: int) -> str:
        """``r<y>c<x>e`` or ``r<y>c<x>s``."""
        return self._shape.edge_id(edge)

    def edge_of(self, id_: str) -> int:
        """The edge of an id.

        Raises:
            ValueError: it names none of this board, or one of the perimeter.
        """
        return self._shape.edge_of(id_)

    def x(self, cell: int) -> int:
        """The column of a cell, 0 in the west."""
        return cell % self.width

    def y(self, cell: int) -> int:
        """The row of a cell, 0 in the north."""
        return cell // self.width

    # Edges.

    def edge_between(self, a: int, b: int) -> int:
        """The edge between two orthogonal neighbours.

        Raises:
            ValueError: they are none.
        """
        return self._shape.edge_between(a, b)

    def cells_beside(self, edge: int) -> tuple[int, int]:
        """The two cells of an inner edge, in ascending order."""
        return self._shape.cells_beside(edge)

    def stored(self, edge: int) -> EdgeState:
        """What an edge is (§2.1, C74)."""
        return self._stored.edges[edge]

    def effective(self, edge: int) -> EdgeState:
        """What an edge acts as: a wall beside an impassable cell (§2.1)."""
        return self._effective[edge]

    # Cells.

    @property
    def impassable(self) -> frozenset[int]:
        """The impassable cells (§2.5)."""
        return self._stored.impassable

    @property
    def opaque(self) -> frozenset[int]:
        """The cells that stop sight (§6)."""
        return self._stored.opaque

    def is_impassable(self, cell: int) -> bool:
        """Whether a cell is impassable (§2.5)."""
        return cell in self._stored.impassable

    def is_opaque(self, cell: int) -> bool:
        """Whether a cell stops sight (§6)."""
        return cell in self._stored.opaque

    def building(self, cell: int) -> str:
        """The letter of a cell's building, ``""`` outdoors."""
        return self._stored.buildings[cell]

    def indoor(self, cell: int) -> bool:
        """Whether a cell is in a building."""
        return bool(self._stored.buildings[cell])

    def border(self, cell: int) -> bool:
        """Whether a cell lies at the edge of the board (§1)."""
        y, x = divmod(cell, self.width)
        return x in (0, self.width - 1) or y in (0, self.height - 1)

    def cells_in(self, building: str) -> tuple[int, ...]:
        """The cells of a building, ascending; none for a letter that is not on the board."""
        return tuple(cell for cell, each in enumerate(self._stored.buildings) if each == building)

    def doors(self, building: str) -> tuple[int, ...]:
        """The edges that are doors now and touch a building, ascending (§7, C74)."""
        found = {edge for cell in self.cells_in(building) for edge in self._shape.sides(cell)}
        states = self._stored.edges
        return tuple(sorted(e for e in found if states[e] in {"door_open", "door_closed"}))

    # Steps.

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """The adjacent cells in the order of §2.2 (§2.3)."""
        return self.steps.neighbours[cell]

    def stepping_out(self, cell: int) -> tuple[int, ...]:
        """Where a first step may lead, also from an impassable cell (§2.5).

        The sides of the cell itself count by their stored states, and the step ends on a passable
        cell. From a passable cell these are its neighbours.
        """
        stored = self._stored
        if cell not in stored.impassable:
            return self.steps.neighbours[cell]
        states = list(self._effective)
        for edge in self._shape.sides(cell):
            states[edge] = stored.edges[edge]
        steps = steps_from(cell, self.width, states)
        return tuple(end for end in steps if end not in stored.impassable)

    def adjacent(self, a: int, b: int) -> bool:
        """Whether one legal step leads from one cell to the other, pieces ignored (§2.3)."""
        return b in self.steps.neighbours[a]

    def distances(self, cell: int) -> Sequence[int]:
        """The step distance from a cell to each cell; ``FAR`` (99) where no way leads (§1)."""
        return self._distances.distances(cell)

    def distance(self, a: int, b: int) -> int:
        """The step distance of two cells; ``FAR`` (99) if no way leads (§1)."""
        return self._distances.distances(a)[b]

    def range(self, a: int, b: int) -> int:
        """The greater of the distances along x and y; walls do not matter (§1)."""
        return self._shape.range(a, b)

    def near(self, cell: int, reach: int) -> int:
        """The mask of the cells at a range of at most ``reach``, the cell itself included."""
        return self._shape.near(cell, reach)

    # Sight.

    def sees(self, source: int, target: int) -> bool:
        """Whether a piece on one cell has line of sight to another cell, at any range (§6)."""
        return bool(self._sight.seen_from(source, 1 << target))

    def seen_from(self, source: int, targets: int) -> int:
        """Those of the cells of the mask ``targets`` that are seen from a cell (§6)."""
        return self._sight.seen_from(source, targets)


def all_steps(map_: MapText) -> Steps:
    """The steps that a map allows."""
    shape = Shape(map_.width, map_.height)
    effective = _effective(map_, shape)
    return Steps.of([steps_from(cell, map_.width, effective) for cell in range(shape.size)])


def _effective(map_: MapText, shape: Shape) -> list[EdgeState]:
    """What each edge of a map acts as; the perimeter is wall in any map."""
    found = list(map_.edges)
    for edge in {edge for cell in map_.impassable for edge in shape.sides(cell)}:
        found[edge] = "wall"
    return found


def _flagged(cells: frozenset[int], flags: Mapping[int, bool]) -> frozenset[int]:
    cleared = {cell for cell, flag in flags.items() if not flag}
    return (cells - cleared) | {cell for cell, flag in flags.items() if flag}


def _cells(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        mask ^= lowest
        yield lowest.bit_length() - 1
