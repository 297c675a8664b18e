"""Time in which the service took no commands, and whom it is given back to (pure)."""

from __future__ import annotations

from typing import Final

from events.kernel import Actor, Millis
from games.table_state import TableState

OUTAGE: Final = Actor("director", "clock")
"""Who gives back the time that an outage took. It may do so after the deadline, as long as nobody
has been timed out; a director who is a person may not."""


def lost_to_outage(state: TableState, begin: Millis, end: Millis) -> Millis:
    """How much of an outage ran on the clock of a table, in ms; 0 where no clock runs."""
    if state.phase != "live" or state.paused_at is not None or state.clock is None:
        return 0
    return max(0, end - max(begin, state.clock.since))
