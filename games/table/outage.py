"""Time in which the service took no commands, and how it is given back (pure)."""

from __future__ import annotations

from typing import Final

from events.kernel import Actor, DurationMs, TimestampMs
from games.table.state import TableState

OUTAGE: Final = Actor("director", "clock")
"""The actor that gives back the time of an outage. Unlike a human director it may do so after the
deadline, as long as nobody has been timed out."""


def lost_to_outage(state: TableState, begin: TimestampMs, end: TimestampMs) -> DurationMs:
    """How much of an outage ran on a table's clock, in ms; 0 if no clock runs."""
    if state.phase != "live" or state.paused_at is not None or state.clock is None:
        return 0
    return max(0, end - max(begin, state.clock.since))
