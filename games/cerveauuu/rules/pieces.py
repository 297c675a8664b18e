"""Where the pieces stand and may walk, in words of the board (§2.4, §5.7; pure)."""

from __future__ import annotations

from events.kernel import Seat
from games.cerveauuu.board import Grid, Pawn, Reach, barred_for, reachable, settle
from games.cerveauuu.facts import events as ev
from games.cerveauuu.model.state import Cell, State
from games.cerveauuu.rules.context import Play


def pawns_of(state: State, grid: Grid) -> list[Pawn]:
    """All pieces as the board knows them, by id."""
    # Each level of a tree of movements asks for them.
    cells = grid.cells
    return [
        Pawn(p.id, cells[p.cell], p.controller is None, not (p.blocked or p.doomed))
        for p in state.pieces.values()
    ]


def occupied(state: State, grid: Grid, but: str = "") -> set[int]:
    """The cells on which pieces stand, other than ``but``."""
    cells = grid.cells
    return {cells[p.cell] for p in state.pieces.values() if p.id != but}


def reach_of(state: State, grid: Grid, piece: str, steps: int, start: int | None = None) -> Reach:
    """Where a piece may move to by the passing rules of its kind.

    Args:
        state: the game.
        grid: its board.
        piece: who moves.
        steps: the most steps.
        start: where it stands, if not on its own cell.
    """
    pawns = pawns_of(state, grid)
    (pawn,) = (p for p in pawns if p.id == piece)
    here = pawn.cell if start is None else start
    taken = {p.cell for p in pawns if p.id != piece}
    return reachable(grid, here, steps, barred_for(pawns, pawn), taken)


def attackable(state: State, grid: Grid, zombie: str, cell: int) -> tuple[str, ...]:
    """What a zombie on ``cell`` may attack: any piece next to it that is not doomed (§4.7)."""
    near = {grid.cell_id(each) for each in grid.neighbours(cell)}
    return tuple(
        p.id for p in state.pieces.values() if p.cell in near and p.id != zombie and not p.doomed
    )


def adjacent(state: State, grid: Grid, one: str, other: str) -> bool:
    """Whether two pieces stand next to one another (§2.3)."""
    cells = [grid.cell_of(state.pieces[name].cell) for name in (one, other)]
    return grid.adjacent(*cells)


def ready_zombies(state: State, seat: Seat) -> tuple[str, ...]:
    """The ready zombies of a seat; those of one that has resigned never are (§4.11)."""
    if seat in state.dormant:
        return ()
    return tuple(p.id for p in state.pieces.values() if p.controller == seat and p.ready)


def rest_cell(state: State, grid: Grid, piece: str, trail: tuple[Cell, ...]) -> int:
    """Where a piece comes to rest that has to stop where it stands (§2.4)."""
    cells = [*map(grid.cell_of, trail), grid.cell_of(state.pieces[piece].cell)]
    return settle(grid, cells, occupied(state, grid, piece))


def bring_to_rest(play: Play, piece: str, trail: tuple[Cell, ...]) -> None:
    """Have a piece that has to stop go back to a free cell, if it needs to."""
    grid = play.grid
    cell = grid.cell_id(rest_cell(play.state, grid, piece, trail))
    if cell != play.state.pieces[piece].cell:
        play.emit(ev.PieceMoved(piece=piece, path=(cell,), cause="settled"))


def lift_exits(play: Play) -> None:
    """Whoever stands on a passable cell need not leave it any more (§2.5)."""
    for piece in tuple(play.state.pieces.values()):
        if piece.must_leave and not play.grid.is_impassable(play.grid.cell_of(piece.cell)):
            play.emit(ev.ExitDemanded(piece=piece.id, must_leave=False))


def remove_unless_out(play: Play, piece: str) -> None:
    """Remove a piece whose movement has ended without its leaving an impassable cell (§2.5)."""
    found = play.state.pieces.get(piece)
    if found is not None and found.must_leave and not found.blocked:
        play.emit(ev.PieceLost(piece=piece, cause="impassable"))
        play.test_end()
