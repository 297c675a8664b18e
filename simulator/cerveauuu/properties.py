"""What must hold after every accepted command, in the words of Cerveauuu!."""

from __future__ import annotations

from collections.abc import Hashable

from events.kernel import Decision
from simulator import properties
from simulator.cerveauuu.run import Run


class StableIdsOfQuestions(properties.StableDecisionIds):
    """The same, but for a go in which others resign: they count for the swap no more (§4.11)."""

    def changing(self, match: Run, decision: Decision) -> Hashable:
        """Who has resigned."""
        return match.play.dormant if decision.kind == "go" else ()
