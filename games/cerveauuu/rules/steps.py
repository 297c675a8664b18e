"""Where the step of a card may end, in the state that its earlier effects make (C79; pure)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from events.draw import Draw
from events.kernel import Actor, Context, Seat, Working
from games.cerveauuu.board import Grid
from games.cerveauuu.facts.evolve import evolve
from games.cerveauuu.model.language import (
    Block,
    Card,
    Effect,
    FlagCell,
    Flee,
    Kill,
    Lure,
    ModifyStat,
    PlacePiece,
    Save,
    SetEdges,
    Spawn,
    TakeSteps,
    Unblock,
)
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.model.state import Cell, State
from games.cerveauuu.rules.acts import CardAct
from games.cerveauuu.rules.context import Grids, Play
from games.cerveauuu.rules.effects import apply
from games.cerveauuu.rules.pieces import Ways, occupied, ways_of, why_not_free
from games.cerveauuu.rules.scene import Scene

_SEEN_BEFORE: Final = (
    Block,
    Flee,
    FlagCell,
    Kill,
    Lure,
    ModifyStat,
    PlacePiece,
    Save,
    SetEdges,
    Spawn,
    TakeSteps,
    Unblock,
)
"""The effects before a step that can change where it may end; none of them draws by chance."""

_UNSETTLING: Final = (Flee, FlagCell, Lure, PlacePiece, Spawn, TakeSteps)
"""Those that can make it impossible for a piece to stay where it is."""

_NOBODY: Final = Context(now=0, actor=Actor("worker", "rehearsal"), draw=Draw(b""))
"""A rehearsal has no time and draws nothing: a draw without a seed raises."""


class _Rehearsal(Play):
    """A batch that nobody will record, on a board that is known as long as it stays as it is."""

    def __init__(self, state: State, grid: Grid) -> None:
        super().__init__(Working(evolve, state, _NOBODY), Grids())
        self._given = (state.edges, state.cells, grid)

    @property
    def grid(self) -> Grid:
        """The board as it is now."""
        edges, cells, grid = self._given
        same = self.state.edges is edges and self.state.cells is cells
        return grid if same else self.grids.of(self.state)


def may_step(scene: Scene, card: Card, seat: Seat, slots: Sequence[str]) -> bool:
    """Whether the step of a card, if it has one, can end anywhere.

    A piece that may stay where it is need not be asked further.
    """
    step = card.steps
    if step is None:
        return True
    if scene.at_ease(slots[step.on.slot - 1]) and not any(
        isinstance(each, _UNSETTLING) for each in _before(card, step)
    ):
        return True
    return bool(step_ends(scene, card, seat, slots))


def step_ends(scene: Scene, card: Card, seat: Seat, slots: Sequence[str]) -> tuple[Cell, ...]:
    """The cells where the step of a card may end, its own cell first (§7 ``step``).

    Raises:
        ValueError: the card makes no step.
    """
    grid, here, why_not_stay, ways = _ways(scene, card, seat, slots)
    ends = ways.reach.ends
    return tuple(map(grid.cell_id, (here, *ends) if why_not_stay is None else ends))


def why_no_step_end(
    scene: Scene, card: Card, seat: Seat, slots: Sequence[str]
) -> Callable[[int], Why | None]:
    """What says why the step of a card may not end on a cell.

    Raises:
        ValueError: the card makes no step.
    """
    _, here, why_not_stay, ways = _ways(scene, card, seat, slots)
    why_no_end = ways.why_no_end()
    return lambda cell: why_not_stay if cell == here else why_no_end(cell)


def _ways(
    scene: Scene, card: Card, seat: Seat, slots: Sequence[str]
) -> tuple[Grid, int, Why | None, Ways]:
    """The board before the step, where the piece is on it, why it cannot stay, and its ways."""
    step = card.steps
    if step is None:
        raise ValueError(f"{card.id} makes no step")
    play = _Rehearsal(scene.shown(), scene.grid)
    for place, effect in enumerate(_before(card, step)):
        if isinstance(effect, _SEEN_BEFORE):
            apply(CardAct(play, card, seat, place, tuple(slots)), effect)
    piece, state, grid = slots[step.on.slot - 1], play.state, play.grid
    here = grid.cell_of(state.pieces[piece].cell)
    why_not_stay = why_not_free(grid, occupied(state, grid, piece), here)
    return grid, here, why_not_stay, ways_of(state, grid, piece, step.steps)


def _before(card: Card, step: TakeSteps) -> tuple[Effect, ...]:
    """The effects that a card has before its step."""
    return card.effect[: card.effect.index(step)]
