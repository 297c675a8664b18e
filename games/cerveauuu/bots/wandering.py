"""Whom to send where in the wandering (§4.5, §12.9; pure)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.cerveauuu.bots.mind import Mind, part_of
from games.cerveauuu.rules.pieces import ready_zombies
from games.cerveauuu.rules.stats import stat
from games.cerveauuu.rules.trees import SKIP
from games.cerveauuu.rules.wandering import STAY

COMPANY: Final = 0.5
"""What of a human in reach is left if another human stands beside it."""


class _Reaches:
    """How well a human on a cell could be attacked, by us and by the others."""

    def __init__(self, mind: Mind) -> None:
        state, grid = mind.state, mind.grid
        self._grid = grid
        self._humans = {grid.cell_of(p.cell): p.id for p in state.humans() if p.operational}
        self._ours: list[tuple[Sequence[int], int]] = []
        self._theirs: list[tuple[Sequence[int], int]] = []
        for seat in state.seats:
            into = self._ours if seat == mind.seat else self._theirs
            for zombie in ready_zombies(state, seat):
                distances = grid.distances(grid.cell_of(state.pieces[zombie].cell))
                into.append((distances, stat(state, grid, zombie, "move") + 1))

    def value(self, human: str, cell: int) -> float:
        """What it is worth to us that a human stands on a cell."""
        near = self._grid.neighbours(cell)
        company = any(self._humans.get(each, human) != human for each in near)
        share = COMPANY if company else 1.0
        ours = self._closeness(self._ours, cell)
        return share * (ours - self._closeness(self._theirs, cell) / 2)

    @staticmethod
    def _closeness(zombies: Sequence[tuple[Sequence[int], int]], cell: int) -> float:
        """1 in reach of a zombie, and little, the less the farther, out of it."""
        beyond = min((distances[cell] - reach for distances, reach in zombies), default=99)
        return 1.0 if beyond <= 0 else 0.3 / (1 + beyond)


def wander_turn(mind: Mind) -> str:
    """The step that helps us most: into our reach, out of that of the others, and alone."""
    reaches, values = _Reaches(mind), {SKIP: 0.0}
    for option in mind.decision.options:
        piece = mind.state.pieces.get(option.id)
        if piece is None:
            continue
        now = reaches.value(piece.id, mind.grid.cell_of(piece.cell))
        for end in mind.below((piece.id,)):
            then = reaches.value(piece.id, mind.grid.cell_of(part_of(end)))
            values[end.id] = then - now
    return mind.best(values)


def wander_batch(mind: Mind) -> str:
    """The same for one human that was dealt to us."""
    human = mind.state.pieces[mind.decision.subject or ""]
    reaches = _Reaches(mind)
    values = {STAY: reaches.value(human.id, mind.grid.cell_of(human.cell))}
    for option in mind.decision.options:
        if option.id != STAY:
            values[option.id] = reaches.value(human.id, mind.grid.cell_of(option.id))
    return mind.best(values)
