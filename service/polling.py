"""Long polls: a read that waits until there is something new, or until it has waited enough."""

from __future__ import annotations

from typing import Final

from projections.waiting import wait_to_see
from service.house import House
from service.seeing import Sight, look_again

WAIT_MAX_S: Final = 30
"""No read waits longer than so many seconds; the operator may set less."""


async def moved(house: House, sight: Sight, beyond: int, seconds: float) -> bool:
    """Wait until somebody sees the version after ``beyond``; False: it did not come.

    At shutdown everybody is let go at once.
    """
    seconds = min(seconds, house.settings.wait_limit_s)
    if seconds <= 0 or house.closing.is_set():
        return False
    with house.metrics.waiting.track_inprogress():
        viewer = sight.eyes.viewer
        if viewer.kind != "public":
            return await house.hub.wait(sight.game, beyond, seconds)
        found = await wait_to_see(
            house.desk, house.hub, sight.game, viewer, sight.seen, beyond, seconds
        )
    return found is not None


async def wait_beyond(house: House, sight: Sight, beyond: int, seconds: float) -> Sight:
    """What is seen once the version after ``beyond`` is, or as it was."""
    if await moved(house, sight, beyond, seconds):
        return await look_again(house, sight)
    return sight
