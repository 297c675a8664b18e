"""Who knows what in Cerveauuu!: every view against ``knowledge_table``, at every version."""

from __future__ import annotations

from random import Random
from typing import Final

from events.kernel import Decision
from games.cerveauuu.model.state import State
from games.table.decider import Table
from games.table.state import TableState
from simulator import knowledge
from simulator.cerveauuu.information_flow import InformationFlow
from simulator.cerveauuu.knowledge_table import KnowledgeTable
from simulator.chance import often
from simulator.option_trees import differing_sample

WIDTH: Final = 100
"""So many branches of each depth of a tree are compared; whole trees have up to 100,000s."""


class WhoKnows(knowledge.ViewsAgainstKnowledge):
    """Compares every view with what its viewer has learnt, and the trees of both.

    Args:
        rng: says at which steps trees are compared, and on which levels if they are large.
        rate: at how many of the steps.
        wide: at how many of those with up to ``WIDTH`` branches of each depth, so that trees which
            have no more are compared whole; at the others on one way down.
    """

    def __init__(self, rng: Random, rate: float = 1.0, wide: float = 0.1) -> None:
        super().__init__(rng, rate, KnowledgeTable(), InformationFlow(), State())
        self._wide = wide

    def differing(
        self, table: Table, truth: TableState, view: TableState, full: Decision, own: Decision
    ) -> str | None:
        """Where a view lists other options than the truth."""
        width = WIDTH if often(self.rng, self._wide) else 1
        return differing_sample(table, truth, view, full, own, self.rng, width)
