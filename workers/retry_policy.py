"""What the clock does about a due game that is not being settled (pure).

A due game is handed to the workers at once, again after 1, 2 and 4 seconds, and after 5 seconds the
clock advances it itself; from then on every 5 seconds. What is settled leaves the list of due
games, because the append that settles it also moves or removes its wake-up time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from events.kernel import DurationMs, TimestampMs
from events.timers import DueStream

ATTEMPTS_AFTER_MS: Final[tuple[DurationMs, ...]] = (0, 1000, 2000, 4000)
"""When the workers are asked, counted from the first poll that found the game due."""

OWN_AFTER_MS: Final[DurationMs] = 5000
"""When the clock does the work itself, counted likewise, and the pause between its attempts."""


class AskWorkers(Struct, frozen=True):
    """Ask the workers for ``game``, due at ``at``; ``attempt`` counts from 1."""

    game: str
    at: TimestampMs
    attempt: int


class AdvanceHere(Struct, frozen=True):
    """The clock advances ``game`` itself."""

    game: str


class _Waiting(Struct):
    at: TimestampMs
    seen: TimestampMs
    asked: int = 0
    own: DurationMs = OWN_AFTER_MS

    def rests(self, now: TimestampMs) -> DurationMs:
        """How long until the next step."""
        then = min((self.own, *ATTEMPTS_AFTER_MS[self.asked : self.asked + 1]))
        return max(0, self.seen + then - now)


class RetryPolicy:
    """Remembers how long each game has been due. Losing this memory costs time, never truth."""

    def __init__(self) -> None:
        self._waiting: dict[str, _Waiting] = {}

    def judge(self, due: Iterable[DueStream], now: TimestampMs) -> list[AskWorkers | AdvanceHere]:
        """What to do about the games that are due at ``now``; games left out are forgotten."""
        waiting: dict[str, _Waiting] = {}
        result: list[AskWorkers | AdvanceHere] = []
        for game in due:
            known = self._waiting.get(game.stream)
            if known is None or known.at != game.at:
                known = _Waiting(at=game.at, seen=now)
            waiting[game.stream] = known
            result += self._steps(game.stream, known, now)
        self._waiting = waiting
        return result

    def next_step(self, now: TimestampMs) -> DurationMs | None:
        """How long nothing is to be done about the games judged last; None: there are none."""
        return min((each.rests(now) for each in self._waiting.values()), default=None)

    def _steps(
        self, game: str, known: _Waiting, now: TimestampMs
    ) -> list[AskWorkers | AdvanceHere]:
        age = now - known.seen
        result: list[AskWorkers | AdvanceHere] = []
        if age >= known.own:
            known.own = age + OWN_AFTER_MS
            result.append(AdvanceHere(game))
        attempts = sum(age >= after for after in ATTEMPTS_AFTER_MS)
        if attempts > known.asked:
            # After a stall several attempts may be overdue: one job is enough.
            known.asked = attempts
            result.append(AskWorkers(game, known.at, attempts))
        return result
