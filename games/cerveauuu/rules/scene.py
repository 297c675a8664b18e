"""Who stands where at an anchor of the timeline: a light overlay of the state (§5.2g; pure)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from msgspec.structs import replace

from games.cerveauuu.board import Grid
from games.cerveauuu.model.language import ANCHORED, Window
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.model.state import PlannedStep, State
from games.cerveauuu.rules.stats import reading


class Scene:
    """The pieces at one anchor. Nothing but where they stand differs from the state.

    Attributes:
        state: the game; its pieces stand where they stood before the anchor's steps.
        grid: its board.
        cells: where each piece stands.
    """

    __slots__ = ("_held", "_sight", "cells", "grid", "state")

    def __init__(self, state: State, grid: Grid) -> None:
        self.state = state
        self.grid = grid
        cells = grid.cells  # a scene is made for each anchor of a tree, and looks up all pieces
        self.cells = {name: cells[piece.cell] for name, piece in state.pieces.items()}
        self._held: dict[int, int] = {}
        for cell in self.cells.values():
            self._held[cell] = self._held.get(cell, 0) + 1
        self._sight = reading(state, grid, "sight")

    def copy(self) -> Scene:
        """The same pieces, to be moved on."""
        other = copy(self)
        other.cells, other._held = dict(self.cells), dict(self._held)  # noqa: SLF001 (one of its own kind)
        return other

    def take(self, step: PlannedStep) -> int:
        """Carry out one step of the timeline; the cell that was left."""
        left = self.cells[step.piece]
        self._held[left] -= 1
        cell = self.grid.cell_of(step.cell)
        self.cells[step.piece] = cell
        self._held[cell] = self._held.get(cell, 0) + 1
        return left

    def where(self, part: str) -> int:
        """The cell of a piece, or of a cell's id."""
        cell = self.cells.get(part)
        return self.grid.cell_of(part) if cell is None else cell

    def held(self, cell: int) -> int:
        """How many pieces stand on a cell; two at most, one of them in mid-movement."""
        return self._held.get(cell, 0)

    def why_not_free(self, cell: int) -> Why | None:
        """Why a cell is not free when nothing is being moved (§2.4, §7)."""
        if self._held.get(cell):
            return Why.OCCUPIED
        return Why.IMPASSABLE if self.grid.is_impassable(cell) else None

    def at_ease(self, piece: str) -> bool:
        """Whether a piece could stay where it is: the cell is free but for itself (§2.4)."""
        cell = self.cells[piece]
        return self._held[cell] == 1 and not self.grid.is_impassable(cell)

    def sees(self, human: str, cell: int) -> bool:
        """Whether a human sees a cell, within its ``sight`` (§2.8, §6)."""
        source = self.cells[human]
        reach = self.grid.range(source, cell)
        return reach <= self._sight(human, source) and self.grid.sees(source, cell)

    def shown(self) -> State:
        """A copy of the state in which the pieces stand as they do here."""
        state = replace(self.state)
        state.pieces = {
            name: piece
            if (cell := self.grid.cell_id(self.cells[name])) == piece.cell
            else replace(piece, cell=cell)
            for name, piece in self.state.pieces.items()
        }
        return state


def window_of(state: State) -> Window:
    """The kind of window that a card would be played in; none open: it would open one (§5.1)."""
    return "open" if state.window is None else state.window.kind


def anchors(state: State) -> range:
    """The anchors that a play may name (§5.2g); none at all outside of P and M."""
    window = state.window
    if window is None or window.kind not in ANCHORED:
        return range(0)
    return range(window.floor, len(window.timeline) + 1)


def scene_at(state: State, grid: Grid, anchor: int | None) -> Scene:
    """The pieces at an anchor; None: as they stand."""
    scene = Scene(state, grid)
    if anchor is not None and state.window is not None:
        for step in state.window.timeline[state.window.floor : anchor]:
            scene.take(step)
    return scene


def unrolled(scene: Scene) -> Iterator[tuple[int | None, Scene, frozenset[str]]]:
    """Each anchor in turn, with its scene and what has come into play by its step.

    Later scenes are one and the same object, which goes on with the iteration. What has come into
    play: the piece that made the step, the cell that it left and who stands there. At the first
    anchor that is nothing, for everything is new. A piece that cannot stay where it is always
    counts, for whether a card can move it depends on all others.

    Args:
        scene: the pieces at the first anchor, which stay there.
    """
    state, grid = scene.state, scene.grid
    window = state.window
    if window is None or window.kind not in ANCHORED:
        yield None, scene, frozenset()
        return
    yield window.floor, scene, frozenset()
    now = scene.copy()
    for anchor, step in enumerate(window.timeline[window.floor :], window.floor + 1):
        left = now.take(step)
        fresh = {step.piece, grid.cell_id(left)}
        if now.held(left) or grid.impassable:
            fresh |= {
                name for name in state.pieces if not now.at_ease(name) or now.where(name) == left
            }
        yield anchor, now, frozenset(fresh)
