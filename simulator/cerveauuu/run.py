"""A game of Cerveauuu! at its table, as the drivers play it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.cerveauuu.decider import RULES
from games.cerveauuu.model.state import State
from simulator.cerveauuu.plans import Plan
from simulator.plans import BOT
from simulator.run import TableRun, Watched, Watcher


def watched_table() -> Watched:
    """The table of every random game; all of a process share what the rules remember."""
    return Watched({RULES.id: RULES}, frozenset({BOT}))


class Run(TableRun[Plan, State]):
    """A game in play; at a table of its own if none is given."""

    def __init__(
        self, plan: Plan, table: Watched | None = None, watchers: Sequence[Watcher[Any]] = ()
    ) -> None:
        super().__init__(plan, watched_table() if table is None else table, watchers)
