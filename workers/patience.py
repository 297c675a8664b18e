"""How the clock treats a game that is due and does not get settled (pure).

A due game is handed to the workers at once, again after 1, 2 and 4 seconds, and after 5 seconds
the clock attends to it itself; from then on every 5 seconds. What is settled leaves the list of
due games, because the append that settles it also moves or removes its wake-up time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from events.kernel import Millis

ATTEMPTS_AFTER_MS: Final[tuple[Millis, ...]] = (0, 1000, 2000, 4000)
"""When, counted from the first sight of a due game, the workers are asked."""

OWN_AFTER_MS: Final[Millis] = 5000
"""When, counted likewise, the clock does the work itself; and the pause before it tries again."""


class Due(Struct, frozen=True):
    """A game and the time at which it wanted a worker."""

    game: str
    at: Millis


class Ask(Struct, frozen=True):
    """Ask the workers for ``game``, due at ``at``; ``attempt`` counts from 1."""

    game: str
    at: Millis
    attempt: int


class Own(Struct, frozen=True):
    """The clock attends to ``game`` itself."""

    game: str


class _Waiting(Struct):
    at: Millis
    seen: Millis
    asked: int = 0
    own: Millis = OWN_AFTER_MS


class Patience:
    """Remembers since when each game has been due. Losing this memory costs time, never truth."""

    def __init__(self) -> None:
        self._waiting: dict[str, _Waiting] = {}

    def judge(self, due: Iterable[Due], now: Millis) -> list[Ask | Own]:
        """What to do about the games that are due at ``now``; games left out are forgotten."""
        waiting: dict[str, _Waiting] = {}
        result: list[Ask | Own] = []
        for entry in due:
            known = self._waiting.get(entry.game)
            if known is None or known.at != entry.at:
                known = _Waiting(at=entry.at, seen=now)
            waiting[entry.game] = known
            result += self._steps(entry.game, known, now)
        self._waiting = waiting
        return result

    def _steps(self, game: str, known: _Waiting, now: Millis) -> list[Ask | Own]:
        age = now - known.seen
        result: list[Ask | Own] = []
        if age >= known.own:
            known.own = age + OWN_AFTER_MS
            result.append(Own(game))
        attempts = sum(age >= after for after in ATTEMPTS_AFTER_MS)
        if attempts > known.asked:
            # After a stall several attempts may be overdue: one job is enough.
            known.asked = attempts
            result.append(Ask(game, known.at, attempts))
        return result
