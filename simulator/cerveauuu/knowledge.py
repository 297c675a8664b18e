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
from simulator.option_trees import differing_walk

WALKS: Final = 3
"""So many ways down a tree are compared; whole trees have hundreds of thousands of leaves."""


class WhoKnows(knowledge.ViewsAgainstKnowledge):
    """Compares every view with what its viewer has learnt, and the trees of both by walks."""

    def __init__(self, rng: Random, rate: float = 1.0) -> None:
        super().__init__(rng, rate, KnowledgeTable(), InformationFlow(), State())

    def differing(
        self, table: Table, truth: TableState, view: TableState, full: Decision, own: Decision
    ) -> str | None:
        """Where a view lists other options than the truth, on some walks down a tree."""
        walks = WALKS if any(option.branch for option in full.options) else 1
        for _ in range(walks):
            found = differing_walk(table, truth, view, full, own, self.rng)
            if found is not None:
                return found
        return None
