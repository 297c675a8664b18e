"""How one human flees (§4.3; pure).

A ``Crowd`` is the pieces as they stand while humans run one after another. Zombies do not move
meanwhile, so that what a human sees is a mask of their cells.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from games.cerveauuu.board.grid import Grid
from games.cerveauuu.board.pawns import Pawn, Reading, number, settle


class Flight(Struct, frozen=True):
    """A human's run.

    ``start``: where it stood. ``path``: the cells entered, one for each step. ``seen``: the zombies
    seen at the outset, those it had seen before included; ``sightings``: the zombies seen so far,
    after each step. ``end``: where it stands in the end, the last cell of the path unless it has
    gone back to a free cell (§2.4).
    """

    human: str
    start: int
    path: tuple[int, ...]
    seen: tuple[str, ...]
    sightings: tuple[tuple[str, ...], ...]
    end: int


class Crowd:
    """Where the pieces stand; runs change it."""

    __slots__ = ("_named", "_zombies", "barred", "cells", "grid", "threats")

    def __init__(self, grid: Grid, pawns: Iterable[Pawn]) -> None:
        self.grid: Final = grid
        self.cells: Final[dict[str, int]] = {}
        """The cell of each piece by its id."""
        zombies = []
        for pawn in pawns:
            self.cells[pawn.id] = pawn.cell
            if pawn.operational and not pawn.human:
                zombies.append((number(pawn.id), pawn.id, pawn.cell))
        self._zombies: Final = {id_: cell for _, id_, cell in sorted(zombies)}
        self.barred: Final = dict.fromkeys(self._zombies.values(), -1)
        """The cells of operational zombies, which no human enters: nearer than any other."""
        self.threats: Final = sum(1 << cell for cell in self.barred)
        """The mask of these cells."""
        self._named: Final[dict[int, tuple[str, ...]]] = {}

    def others(self, id_: str) -> frozenset[int]:
        """The cells that are not free for a piece, because others are there (§2.4)."""
        cells = list(self.cells.values())
        cells.remove(self.cells[id_])
        return frozenset(cells)

    def seen_from(self, cell: int, sight: int) -> int:
        """The mask of the operational zombies that a human on a cell sees.

        Args:
            cell: where it stands.
            sight: the greatest range.
        """
        grid = self.grid
        return grid.seen_from(cell, self.threats & grid.near(cell, sight))

    def mask(self, zombies: Iterable[str]) -> int:
        """The mask of those of some zombies that are operational."""
        cells = (self._zombies.get(id_) for id_ in zombies)
        return sum(1 << cell for cell in {cell for cell in cells if cell is not None})

    def names(self, mask: int) -> tuple[str, ...]:
        """The operational zombies on the cells of a mask, by id."""
        names = self._named.get(mask)
        if names is None:
            names = tuple(id_ for id_, cell in self._zombies.items() if mask >> cell & 1)
            self._named[mask] = names
        return names

    def rows(self, mask: int) -> list[Sequence[int]]:
        """The step distances from each operational zombie on the cells of a mask."""
        distances = self.grid.distances
        return [distances(cell) for cell in self._zombies.values() if mask >> cell & 1]

    def nearest(self, cell: int, mask: int) -> int:
        """The cell of the nearest zombie of a mask: by steps, straight distance, id (§4.3.5)."""
        grid = self.grid
        y, x = divmod(cell, grid.width)

        def far(zombie: int) -> tuple[int, int]:
            zy, zx = divmod(zombie, grid.width)
            # Distances from zombies are asked for anyway, and are remembered.
            return grid.distance(zombie, cell), (zx - x) ** 2 + (zy - y) ** 2

        # The first of equals counts: zombies come by id.
        return min((each for each in self._zombies.values() if mask >> each & 1), key=far)


def flight(
    grid: Grid,
    pawns: Sequence[Pawn],
    human: str,
    allowance: int,
    sight: Reading,
    seen: Iterable[str] = (),
    trail: Sequence[int] = (),
) -> Flight:
    """The flight of one human (§4.3), also that of the primitive ``flee`` (§7).

    Args:
        grid: the board.
        pawns: all pieces; zombies that are not operational frighten nobody.
        human: who flees; it is operational.
        allowance: the most steps.
        sight: the human's ``sight``, read wherever it stands.
        seen: zombies that it has seen before in this movement; those no longer operational, or no
            longer there, do not count.
        trail: the cells of the movement before, from where it began; empty if it begins here.

    Raises:
        KeyError: there is no such human.
    """
    crowd = Crowd(grid, pawns)
    return run(crowd, human, allowance, sight, (crowd.mask(seen), trail))


def run(
    crowd: Crowd, human: str, allowance: int, sight: Reading, before: tuple[int, Sequence[int]]
) -> Flight:
    """Let a human of a crowd flee, and leave it where it comes to rest.

    Args:
        crowd: all pieces.
        human: who flees; it is operational.
        allowance: the most steps.
        sight: the human's ``sight``, read wherever it stands.
        before: the mask of the zombies seen before, and the cells of the movement before.
    """
    start = here = crowd.cells[human]
    occupied = crowd.others(human)
    known = first = before[0] | crowd.seen_from(here, sight(human, here))
    path: list[int] = []
    sightings: list[int] = []
    startled = bool(known)
    while startled:
        startled = False
        for cell in _way(crowd, here, allowance - len(path), known, occupied):
            here = cell
            path.append(here)
            new = crowd.seen_from(here, sight(human, here)) & ~known
            startled = bool(new)
            known |= new
            sightings.append(known)
            if startled:
                break
    moving = known or before[1]
    end = settle(crowd.grid, [*before[1], start, *path], occupied) if moving else start
    crowd.cells[human] = end
    return Flight(
        human=human,
        start=start,
        path=tuple(path),
        seen=crowd.names(first),
        sightings=tuple(crowd.names(mask) for mask in sightings),
        end=end,
    )


def _way(crowd: Crowd, here: int, left: int, known: int, occupied: Container[int]) -> Sequence[int]:
    """The cells to enter until something new comes into view (§4.3.2-6); none if it stays.

    Args:
        crowd: all pieces.
        here: where it stands.
        left: the most steps.
        known: the mask of the zombies that it has seen, at least one.
        occupied: the cells of all other pieces.
    """
    rows = crowd.rows(known)
    nearest = {**crowd.barred, here: min([row[here] for row in rows])}
    parents = {here: here}
    _reach(crowd, rows, nearest, parents, left)
    free = [cell for cell in parents if cell not in occupied]
    if not free:
        return ()
    most = max([nearest[cell] for cell in free])
    best = [cell for cell in free if nearest[cell] == most]
    if len(best) > 1 or best[0] == here:
        sums = [sum([row[cell] for row in rows]) for cell in best]
        highest = max(sums)
        best = [cell for cell, far in zip(best, sums, strict=True) if far == highest]
        if here in best:
            # Nothing is better than to stay (§4.3.6).
            return ()
    ways = [_path(parents, cell) for cell in best]
    return ways[0] if len(ways) == 1 else _straightest(crowd, here, known, ways)


def _path(parents: Mapping[int, int], end: int) -> list[int]:
    """The cells entered on the remembered way to a cell that was reached (§4.3.7)."""
    path = []
    while (before := parents[end]) != end:
        path.append(end)
        end = before
    path.reverse()
    return path


def _reach(
    crowd: Crowd,
    rows: Sequence[Sequence[int]],
    nearest: dict[int, int],
    parents: dict[int, int],
    left: int,
) -> None:
    """Find the reach set of §4.3.3.

    Args:
        crowd: all pieces.
        rows: the step distances from each zombie that it has seen.
        nearest: the least of them for the cell where it stands, and what is less than any for
            cells that are barred; filled for others.
        parents: that cell; filled with each cell reached in the order found, and its first parent.
        left: the most steps.
    """
    neighbours = crowd.grid.steps.neighbours
    frontier = list(parents)
    for _ in range(left):
        further = []
        for cell in frontier:
            least = nearest[cell]
            for end in neighbours[cell]:
                if end in parents:
                    continue
                distance = nearest.get(end)
                if distance is None:
                    distance = nearest[end] = min([row[end] for row in rows])
                if distance >= least:
                    parents[end] = cell
                    further.append(end)
        frontier = further


def _straightest(
    crowd: Crowd, here: int, known: int, ways: Sequence[Sequence[int]]
) -> Sequence[int]:
    """Of ways to equally good cells the one straightest away (the other keys of §4.3.5)."""
    width = crowd.grid.width
    y, x = divmod(here, width)
    zy, zx = divmod(crowd.nearest(here, known), width)
    vx, vy = x - zx, y - zy

    def crooked(way: Sequence[int]) -> tuple[int, int, int, int]:
        cell = way[-1]
        cy, cx = divmod(cell, width)
        ux, uy = cx - x, cy - y
        # Ascending cells are ascending y, then x.
        return abs(vx * uy - vy * ux), -(vx * ux + vy * uy), len(way), cell

    return min(ways, key=crooked)
