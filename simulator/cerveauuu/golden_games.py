"""Plays the golden games of Cerveauuu!: by lot, but most goes are spent on getting at a human."""

from __future__ import annotations

from collections.abc import Callable

from events.kernel import Decision
from replay.memory import MemoryTable
from simulator import golden_games
from simulator.cerveauuu.random_choices import hungry
from simulator.cerveauuu.steering import steered
from simulator.chance import chance
from simulator.golden_games import GoldenRecipe
from simulator.option_trees import below_of


class Driver(golden_games.GoldenDriver):
    """Plays a table by lot, the same way every time."""

    def leaf(self, decision: Decision) -> str:
        """A leaf of a decision, with chance of its own for each."""
        table = self.table
        below = below_of(table.game_registry.table, table.state, decision)
        humans = [piece.cell for piece in table.state.play.humans()]
        luck = chance("golden", self.recipe.seed, decision.id, table.version)
        found = steered(table.state.play, decision, below, luck)
        if found is not None:
            return found
        return hungry(decision, below, luck, humans, playing=1.0)


def played(recipe: GoldenRecipe, until: Callable[[MemoryTable], bool]) -> MemoryTable | None:
    """A game played until a condition holds, or to its end; None if it never does."""
    driver = Driver(recipe)
    driver.seat_all()
    return driver.table if driver.play(until) else None


def whole_game(recipe: GoldenRecipe) -> MemoryTable:
    """A game played to its end."""
    driver = Driver(recipe)
    driver.seat_all()
    driver.play(lambda _: False)
    return driver.table
