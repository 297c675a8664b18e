"""Where to put humans and zombies at setup (§3, §12.9; pure)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.cerveauuu.bots.mind import Mind

REACH: Final = 5
"""A zombie attacks whom it can come next to: four steps and one more."""

UNSEEN: Final = 0.01
"""What decides between equals: humans in reach that do not see the zombie, and will not run."""


def place_zombie(mind: Mind) -> str:
    """Where most humans are within five steps; of equal places where fewer would see it coming."""
    grid = mind.grid
    humans = [grid.cell_of(human.cell) for human in mind.state.humans()]

    def value(cell: int) -> float:
        distances = grid.distances(cell)
        near = [human for human in humans if distances[human] <= REACH]
        unseen = sum(not grid.sees(human, cell) for human in near)
        return len(near) + UNSEEN * unseen

    return _best(mind, value)


def place_human(mind: Mind) -> str:
    """Alone and in a room: who stands alone has no help, and who stands in a room sees little."""
    grid = mind.grid
    humans = [grid.cell_of(human.cell) for human in mind.state.humans()]

    def value(cell: int) -> float:
        alone = min((grid.range(human, cell) for human in humans), default=REACH)
        return min(alone, REACH) + 2 * grid.indoor(cell)

    return _best(mind, value)


def _best(mind: Mind, value: Callable[[int], float]) -> str:
    """The cell of the highest value; a cell drawn at random is none."""
    cells = [option.id for option in mind.decision.options if option.id != "random"]
    return mind.best({cell: value(mind.grid.cell_of(cell)) for cell in cells})
