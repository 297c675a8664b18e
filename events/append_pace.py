"""How long appends take, and an alarm when they become slow, as on a slow disk.

An append is answered when it is on the disk, so a disk that hesitates is felt by everybody. One
slow answer is nothing; the alarm is that most of the last ones were.
"""

from __future__ import annotations

import math
from collections import deque
from statistics import median
from typing import Final

from events.logger import get_logger

SLOW_S: Final = 0.25
"""So long a call is slow, in seconds; a disk that is well takes a hundredth of it."""

LAST: Final = 16
"""So many of the last appends are looked at."""

_MANY: Final = LAST // 2
_FEW: Final = LAST // 8
_log = get_logger(__name__)


class AppendPace:
    """The durations of the last appends of one process.

    Attributes:
        is_slow: whether the alarm was given and not taken back.
    """

    def __init__(self) -> None:
        self.is_slow = False
        self._last: deque[float] = deque(maxlen=LAST)

    @property
    def median_s(self) -> float:
        """The middle one of the last durations, in seconds; not a number before the first."""
        return median(self._last) if self._last else math.nan

    def note(self, seconds: float) -> None:
        """An append was answered after so long, or not at all after so long."""
        self._last.append(seconds)
        if seconds < SLOW_S and not self.is_slow:
            return  # which is the way of nearly every append
        slow = sum(each >= SLOW_S for each in self._last)
        if not self.is_slow and slow >= _MANY:
            self.is_slow = True
            _log.warning(
                "append_slow", median_ms=_ms(self.median_s), longest_ms=_ms(max(self._last))
            )
        elif self.is_slow and slow <= _FEW:
            self.is_slow = False
            _log.info("append_in_time", median_ms=_ms(self.median_s))


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
