"""Effects that move pieces: step, place, flee and lure (§7; pure)."""

from __future__ import annotations

from games.cerveauuu.board import flight, lure, settle
from games.cerveauuu.facts import events as ev
from games.cerveauuu.model.language import Flee, Lure, PlacePiece, TakeSteps
from games.cerveauuu.model.state import Cell, State
from games.cerveauuu.rules.acts import CardAct
from games.cerveauuu.rules.piece_effects import demand_exit
from games.cerveauuu.rules.pieces import occupied, pawns_of, reach_of
from games.cerveauuu.rules.stats import reading
from games.dispatch import Handlers, on


def _trail(state: State, piece: str) -> tuple[Cell, ...]:
    """The cells of the movement that a piece is in the middle of, if it is in one (§2.4)."""
    if state.activation is not None and state.activation.zombie == piece:
        return state.activation.trail
    if state.panic is not None and state.panic.runner == piece:
        return state.panic.trail
    return ()


def _move(act: CardAct, piece: str, path: tuple[Cell, ...], cause: str) -> None:
    act.play.emit(ev.PieceMoved(piece=piece, path=path, cause=cause))
    demand_exit(act.play, piece)


def _step(act: CardAct, effect: TakeSteps) -> None:
    grid = act.play.grid
    for piece in act.pieces(effect.on):
        if act.step is None or act.step == act.state.pieces[piece].cell:
            continue
        reach = reach_of(act.state, grid, piece, effect.steps)
        path = reach.path(grid.cell_of(act.step))
        _move(act, piece, tuple(map(grid.cell_id, path)), "step")


def _place(act: CardAct, effect: PlacePiece) -> None:
    for piece in act.pieces(effect.on):
        _move(act, piece, (act.slot(effect.cell),), "place")


def _flee(act: CardAct, effect: Flee) -> None:
    for name in act.pieces(effect.on):
        state, grid = act.state, act.play.grid
        piece = state.pieces[name]
        if not (piece.human and piece.operational):
            continue
        trail = tuple(map(grid.cell_of, _trail(state, name)))
        sight = reading(state, grid, "sight")
        run = flight(grid, pawns_of(state, grid), name, effect.steps, sight, trail=trail)
        _arrive(act, name, run.path, run.end, "flee")


def _lure(act: CardAct, effect: Lure) -> None:
    where = act.cell(effect.cell)
    for name in act.pieces(effect.on):
        state, grid = act.state, act.play.grid
        path = lure(grid, pawns_of(state, grid), name, effect.steps, where)
        if path:
            trail = [*map(grid.cell_of, _trail(state, name) or (state.pieces[name].cell,)), *path]
            end = settle(grid, trail, occupied(state, grid, name))
            _arrive(act, name, path, end, "lure")


def _arrive(act: CardAct, piece: str, path: tuple[int, ...], end: int, cause: str) -> None:
    """Walk a path and come to rest, perhaps on an earlier cell (§2.4); without a path stay."""
    if path:
        cells = path if path[-1] == end else (*path, end)
        _move(act, piece, tuple(map(act.play.grid.cell_id, cells)), cause)


MOVES: Handlers[CardAct, TakeSteps | PlacePiece | Flee | Lure, None] = (
    on(TakeSteps, _step) | on(PlacePiece, _place) | on(Flee, _flee) | on(Lure, _lure)
)
"""What carries out each of these effects."""
