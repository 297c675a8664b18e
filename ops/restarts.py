"""When a part that has died is restarted, and when it is given up (pure)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

_DOUBLINGS_MAX: Final = 64


class Restarts(Struct, frozen=True):
    """A limited number of restarts within a time window, after growing pauses.

    Attributes:
        limit: the most restarts within the window; after one more death the part is given up.
        window_s: seconds for which a death counts.
        first_s: the pause before the first restart.
        longest_s: the longest pause; each is twice the one before.
    """

    limit: int = 6
    window_s: float = 300.0
    first_s: float = 0.25
    longest_s: float = 10.0

    def recent(self, deaths: Sequence[float]) -> list[float]:
        """The deaths that count when the last of them has just happened.

        Args:
            deaths: their times in seconds, in order.
        """
        return [death for death in deaths if deaths[-1] - death < self.window_s]

    def pause_s(self, deaths: Sequence[float]) -> float | None:
        """How long to wait after the last death; None: do not restart.

        Args:
            deaths: their times in seconds, in order; at least one.
        """
        count = len(self.recent(deaths))
        if count > self.limit:
            return None
        return min(self.longest_s, math.ldexp(self.first_s, min(count - 1, _DOUBLINGS_MAX)))


USUAL: Final = Restarts()
"""About 15 seconds of pauses in all, then the part is given up."""
