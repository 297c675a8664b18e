"""Pieces as the board knows them: where they stand and who minds whom (§2.4, §2.6; pure)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

from msgspec import Struct

from games.cerveauuu.board.grid import Grid

Reading = Callable[[str, int], int]
"""A stat of a human: its id and the cell where it stands when the stat is read, to the value."""


class Pawn(Struct, frozen=True, gc=False):
    """A piece on the board: ``operational`` is neither blocked nor doomed."""

    id: str
    cell: int
    human: bool
    operational: bool


def number(id_: str) -> int:
    """The number in an id, by which pieces of one kind are ordered (§2.6)."""
    return int(id_[1:])


def found(pawns: Iterable[Pawn], id_: str) -> Pawn:
    """The pawn of an id.

    Raises:
        KeyError: there is none.
    """
    for pawn in pawns:
        if pawn.id == id_:
            return pawn
    raise KeyError(id_)


def barred_for(pawns: Iterable[Pawn], pawn: Pawn) -> frozenset[int]:
    """The cells that a piece may not enter by the passing rules of its kind.

    Operational zombies are in the way of a human (§4.3, §4.5), all operational pieces in that of a
    zombie (§4.7).
    """
    return frozenset(
        each.cell
        for each in pawns
        if each.operational and each.id != pawn.id and not (pawn.human and each.human)
    )


def settle(grid: Grid, trail: Sequence[int], occupied: Container[int]) -> int:
    """Where a piece comes to rest that has to stop (the settling rule of §2.4).

    Args:
        grid: the board.
        trail: the cells of the whole movement, from where it began to where the piece stands.
        occupied: the cells on which other pieces are.

    Raises:
        ValueError: no cell of the board is free.
    """
    here = trail[-1]
    if here not in occupied:
        return here
    for cell in reversed(trail):
        if cell not in occupied and not grid.is_impassable(cell):
            return cell
    distances = grid.distances(here)
    free = [
        (distances[cell], grid.range(here, cell), cell)
        for cell in range(grid.size)
        if cell not in occupied and not grid.is_impassable(cell)
    ]
    if not free:
        raise ValueError("no cell of the board is free")
    # Ascending cells are ascending y, then x.
    return min(free)[2]
