"""Who knows what in Room 25: every view against ``knowledge_table``, at every version."""

from __future__ import annotations

from random import Random
from typing import Any

from events.kernel import PUBLIC, Seat, Viewer
from games.room25.model.state import State
from simulator import knowledge
from simulator.room25.information_flow import InformationFlow
from simulator.room25.knowledge_table import KnowledgeTable, expected
from simulator.room25.run import Run


class _Ledger(KnowledgeTable):
    """Who has learnt what, and what that shows of a state."""

    def expected(self, path: str, truth: Any, seat: Seat | None) -> Any:  # noqa: ANN401 (any part)
        return expected(self, path, truth, seat)


def viewer_of(match: Run, seat: Seat | None) -> Viewer:
    """The public, or a seat with its team as the game sees it."""
    state = match.state
    if seat is None:
        return PUBLIC
    if state.play is None or not state.play.characters:
        return Viewer("seat", seat)
    return match.table.games[state.game].viewer(state.play, seat)


class WhoKnows(knowledge.ViewsAgainstKnowledge):
    """Compares every view of Room 25 with what its viewer has learnt."""

    def __init__(self, rng: Random, rate: float = 1.0) -> None:
        super().__init__(rng, rate, _Ledger(), InformationFlow(), State())

    def viewer(self, match: Run, seat: Seat | None) -> Viewer:
        """The public, or a seat with its team."""
        return viewer_of(match, seat)
