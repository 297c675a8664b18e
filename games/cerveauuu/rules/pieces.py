"""Where the pieces stand and may walk, in words of the board (§2.4, §5.7; pure)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from collections.abc import Set as AbstractSet

from events.kernel import Seat
from games.cerveauuu.board import Grid, Pawn, Reach, barred_for, reachable, settle
from games.cerveauuu.facts import events as ev
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.model.state import Cell, Piece, State
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


def why_not_free(grid: Grid, taken: AbstractSet[int], cell: int) -> Why | None:
    """Why nothing can be put on a cell (§2.4): others stand on the cells of ``taken``."""
    if cell in taken:
        return Why.OCCUPIED
    return Why.IMPASSABLE if grid.is_impassable(cell) else None


class Ways:
    """The ways that a piece has from where it is, by the passing rules of its kind.

    Attributes:
        reach: where it may go.
    """

    __slots__ = ("_grid", "_steps", "_taken", "reach")

    def __init__(
        self, grid: Grid, start: int, steps: int, barred: Collection[int], taken: AbstractSet[int]
    ) -> None:
        self._grid = grid
        self._steps = steps
        self._taken = taken
        self.reach = reachable(grid, start, steps, barred, taken)

    def why_no_end(self) -> Callable[[int], Why | None]:
        """What says why the piece may not end its movement on a cell."""
        grid, start, taken = self._grid, self.reach.start, self._taken
        ends = frozenset(self.reach.ends)
        # As if there were no other pieces, and no end to its steps.
        alone = reachable(grid, start, grid.size, (), ())
        there = frozenset(alone.ends)

        def why_not(cell: int) -> Why | None:
            if cell in ends:
                return None
            if cell == start:
                return Why.START
            taken_or_not = why_not_free(grid, taken, cell)
            if taken_or_not is not None:
                return taken_or_not
            if not self._steps:
                return Why.NO_STEPS
            if cell in there and alone.steps(cell) <= self._steps:
                return Why.IN_THE_WAY
            if grid.range(start, cell) == 1:
                return Why.WALL
            return Why.TOO_FAR if cell in there else Why.SHUT_OFF

        return why_not


def reach_of(state: State, grid: Grid, piece: str, steps: int, start: int | None = None) -> Reach:
    """Where a piece may move to by the passing rules of its kind; see ``ways_of``."""
    return ways_of(state, grid, piece, steps, start).reach


def ways_of(state: State, grid: Grid, piece: str, steps: int, start: int | None = None) -> Ways:
    """The ways that a piece has by the passing rules of its kind.

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
    return Ways(grid, here, steps, barred_for(pawns, pawn), taken)


def attackable(state: State, grid: Grid, zombie: str, cell: int) -> tuple[str, ...]:
    """What a zombie on ``cell`` may attack: any piece next to it that is not doomed (§4.7)."""
    near = {grid.cell_id(each) for each in grid.neighbours(cell)}
    others = (p for p in state.pieces.values() if p.id != zombie)
    return tuple(p.id for p in others if why_no_attack(near, p) is None)


def why_no_attack(near: AbstractSet[Cell], piece: Piece) -> Why | None:
    """Why a piece cannot be attacked from between the cells of ``near``."""
    if piece.cell not in near:
        return Why.NOT_ADJACENT
    return Why.DOOMED if piece.doomed else None


def adjacent(state: State, grid: Grid, one: str, other: str) -> bool:
    """Whether two pieces stand next to one another (§2.3)."""
    cells = [grid.cell_of(state.pieces[name].cell) for name in (one, other)]
    return grid.adjacent(*cells)


def ready_zombies(state: State, seat: Seat) -> tuple[str, ...]:
    """The ready zombies of a seat; those of one that has resigned never are (§4.11)."""
    if seat in state.dormant:
        return ()
    return tuple(p.id for p in state.pieces.values() if why_not_ready(seat, p) is None)


def why_not_ready(seat: Seat, piece: Piece) -> Why | None:
    """Why a seat cannot activate a piece (§4.6)."""
    if piece.controller != seat:
        return Why.NOT_A_ZOMBIE if piece.human else Why.NOT_OWN
    return why_not_operational(piece) or (Why.ACTIVATED if piece.activated else None)


def why_not_operational(piece: Piece) -> Why | None:
    """Why a piece can do nothing: it is blocked or doomed."""
    if piece.blocked:
        return Why.BLOCKED
    return Why.DOOMED if piece.doomed else None


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
