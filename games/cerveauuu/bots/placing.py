"""Where to put humans and zombies at setup (§3, §12.9; pure)."""

from __future__ import annotations

from typing import Final

from games.cerveauuu.bots.mind import Mind

REACH: Final = 5
"""A zombie attacks whom it can come next to: four steps and one more."""

UNSEEN: Final = 2.0
"""What a human in reach that does not see the zombie is worth more than one that will run."""


def place_zombie(mind: Mind) -> str:
    """Where most humans are within five steps, rather those that would not see it coming."""
    grid = mind.grid
    humans = [grid.cell_of(human.cell) for human in mind.state.humans()]
    values: dict[str, float] = {}
    for option in mind.decision.options:
        if option.id == "random":
            continue
        cell = grid.cell_of(option.id)
        distances = grid.distances(cell)
        near = [human for human in humans if distances[human] <= REACH]
        unseen = sum(not grid.sees(human, cell) for human in near)
        values[option.id] = len(near) + UNSEEN * unseen
    return mind.best(values)


def place_human(mind: Mind) -> str:
    """Alone and in a room: who stands alone has no help, and who stands in a room sees little."""
    grid = mind.grid
    humans = [grid.cell_of(human.cell) for human in mind.state.humans()]
    values: dict[str, float] = {}
    for option in mind.decision.options:
        if option.id == "random":
            continue
        cell = grid.cell_of(option.id)
        alone = min((grid.range(human, cell) for human in humans), default=REACH)
        values[option.id] = min(alone, REACH) + 2 * grid.indoor(cell)
    return mind.best(values)
