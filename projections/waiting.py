"""Waiting until a viewer sees more of a game: for an event, or for the time that shows it."""

from __future__ import annotations

import asyncio
from typing import Final

from events.kernel import Viewer
from projections.desk import Desk
from projections.horizon import Horizon
from projections.hub import Hub

LOOK_S: Final = 1.0
"""Who waits for a time looks at the clock so often, because clocks are set."""


async def wait_to_see(
    desk: Desk, hub: Hub, game: str, viewer: Viewer, seen: Horizon, beyond: int, timeout_s: float
) -> Horizon | None:
    """Wait until ``viewer`` sees the version after ``beyond``: how far it sees then.

    None: it did not come within ``timeout_s`` seconds, or the hub is stopping. What a viewer may
    not see yet does not end the wait, so the moment of the answer tells nothing either.

    Args:
        desk: where games are read.
        hub: tells when they move.
        game: its id.
        viewer: who waits.
        seen: how far it saw when it was last looked.
        beyond: the version that it has, or more.
        timeout_s: seconds.

    Raises:
        NoSuchStream, Damaged, LogUnavailable: see ``Views.horizon``.
    """
    now = asyncio.get_running_loop().time
    end = now() + timeout_s
    while seen.version <= beyond:
        pause = end - now()
        if pause <= 0 or hub.stopping:
            return None
        if seen.moves_at is not None:
            pause = min(pause, LOOK_S, max(0.0, (seen.moves_at - desk.clock()) / 1000))
        moved = await hub.wait(game, max(seen.newest, beyond), pause)
        seen = await desk.horizon(game, viewer, None if moved else seen.newest)
    return seen
