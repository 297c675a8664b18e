"""What a bot has worked out of late: kept to save time, never to answer otherwise (pure)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from events.lru import LruCache
from games.room25.bots.knowledge import Sight
from games.room25.bots.observation import Snapshot
from games.room25.bots.plans import common_plan
from games.room25.bots.turn import Tokens

V = TypeVar("V")

KEPT: Final = 64
"""So many snapshots are remembered: those of one table, a few versions back."""


class _Latest(Generic[V]):
    """What follows from the snapshots asked for last."""

    def __init__(self, work_out: Callable[[Snapshot], V]) -> None:
        self._work_out = work_out
        self._known: LruCache[Snapshot, V] = LruCache(KEPT)

    def of(self, seen: Snapshot) -> V:
        known = self._known.use(seen)
        if known is None:
            known = self._work_out(seen)
            self._known.keep(seen, known)
        return known


class Memory:
    """The sights and plans of a bot, by the snapshots that they follow from."""

    def __init__(self) -> None:
        self._sights = _Latest(Sight)
        self._plans = _Latest(self._plan)

    def sight(self, seen: Snapshot) -> Sight:
        """The sight of a snapshot."""
        return self._sights.of(seen)

    def plan(self, seen: Snapshot) -> tuple[Tokens, ...]:
        """What the crew will do this turn, as seen by ``seen``."""
        return self._plans.of(seen)

    def _plan(self, seen: Snapshot) -> tuple[Tokens, ...]:
        return common_plan(self.sight(seen))
