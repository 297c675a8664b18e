"""Reading stats, ties and bans (§2.8, §4.9.4; pure)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from events.kernel import Seat
from games.cerveauuu.board import Grid, Reading
from games.cerveauuu.model.language import CardType, PieceFilter, Pieces, PieceStat, SeatStat
from games.cerveauuu.model.state import Modifier, Piece, State

_HUMAN: Final[Mapping[PieceStat, int]] = {"move": 6, "combat": 1, "sight": 99, "wander": 1}
_ZOMBIE: Final[Mapping[PieceStat, int]] = {"move": 4, "combat": 1}
_SEAT: Final[Mapping[SeatStat, int]] = {"draws": 2, "hand": 3}


class Tie(Struct, frozen=True):
    """What cards say of a piece in an equal fight (§4.9.4).

    ``wins``: its side has the tie win by it. ``deprived``: a zombie has lost its privilege against
    humans.
    """

    wins: bool
    deprived: bool


def takes(grid: Grid, pieces: Pieces, piece: Piece, cell: int, seat: Seat | None) -> bool:
    """Whether a selector takes a piece (§7).

    Args:
        grid: the board.
        pieces: what the selector asks of it.
        piece: the piece.
        cell: where it stands; the piece itself may not know it yet.
        seat: whose card it is.
    """
    if pieces.kind != "X" and (pieces.kind == "H") != piece.human:
        return False
    return all(_keeps(grid, each, piece, cell, seat) for each in pieces.filters)


def _keeps(grid: Grid, filter_: PieceFilter, piece: Piece, cell: int, seat: Seat | None) -> bool:
    match filter_:
        case "in":
            return grid.indoor(cell)
        case "out":
            return not grid.indoor(cell)
        case "own":
            return piece.controller == seat
        case "other":
            return piece.controller not in {None, seat}


def _catches(grid: Grid, modifier: Modifier, piece: Piece, cell: int) -> bool:
    """Whether a modifier holds for a piece that stands on ``cell`` (§2.8, C67)."""
    if modifier.area is not None:
        return takes(grid, modifier.area, piece, cell, modifier.seat)
    return piece.id in modifier.pieces


def stat(state: State, grid: Grid, piece: str, name: PieceStat, cell: int | None = None) -> int:
    """A stat of a piece as it is read now (§2.8).

    Args:
        state: the game.
        grid: its board.
        piece: whose stat; zombies have ``move`` and ``combat`` only.
        name: which one.
        cell: where the piece stands when it is read, if not on its own cell (C77).

    Raises:
        KeyError: there is no such piece, or it has no such stat.
    """
    who = state.pieces[piece]
    where = grid.cell_of(who.cell) if cell is None else cell
    base = (_HUMAN if who.human else _ZOMBIE)[name]
    active = [m for m in state.modifiers if m.stat == name and _catches(grid, m, who, where)]
    return _sum(base, active)


def seat_stat(state: State, seat: Seat, name: SeatStat) -> int:
    """A stat of a seat as it is read now (§2.8)."""
    return _sum(_SEAT[name], (m for m in state.modifiers if m.stat == name and seat in m.seats))


def _sum(base: int, active: Iterable[Modifier]) -> int:
    added = 0
    for each in active:
        if each.absolute:
            base = each.value
        else:
            added += each.value
    return max(0, base + added)


def reading(state: State, grid: Grid, name: PieceStat) -> Reading:
    """A stat as the board asks for it: of a piece that stands on a cell (C77).

    A reading is good for one state, and remembers what it has read.
    """
    known: dict[tuple[str, bool], int] = {}

    def read(piece: str, cell: int) -> int:
        key = piece, grid.indoor(cell)
        if key not in known:
            known[key] = stat(state, grid, piece, name, cell)
        return known[key]

    return read


def tie(state: State, grid: Grid, piece: str) -> Tie:
    """What cards say of a piece in an equal fight now."""
    who = state.pieces[piece]
    cell = grid.cell_of(who.cell)
    said = {m.stat for m in state.modifiers if _catches(grid, m, who, cell)}
    return Tie(wins="tie_win" in said, deprived="tie_none" in said)


def banned(state: State, type_: CardType) -> bool:
    """Whether cards of a type cannot be played now (§5.2f)."""
    return any(each.type == type_ for each in state.bans)
