"""Waits until a viewer sees more of a game: for an event, or for a delay to pass."""

from __future__ import annotations

import asyncio
from typing import Final

from events.kernel import Viewer
from projections.visible_version import VisibleVersion
from runtime.feed_subscriber import FeedSubscriber
from runtime.table_service import TableService

LOOK_S: Final = 1.0
"""How often a wait for a time checks the clock, because clocks get set."""


async def wait_to_see(
    tables: TableService,
    feed_subscriber: FeedSubscriber,
    game: str,
    viewer: Viewer,
    seen: VisibleVersion,
    beyond: int,
    timeout_s: float,
) -> VisibleVersion | None:
    """Wait until ``viewer`` sees a version after ``beyond``; returns how far it then sees.

    None: it did not come within ``timeout_s`` seconds, or the process is stopping. What a viewer
    may not see yet does not end the wait, so the moment of the answer tells nothing either.

    Args:
        tables: reads the games.
        feed_subscriber: reports when they move.
        game: its id.
        viewer: the viewer that waits.
        seen: how far it saw at the last check.
        beyond: the version that it has.
        timeout_s: seconds.

    Raises:
        NoSuchStream, Damaged, LogUnavailable: see ``Views.visible_version``.
    """
    now = asyncio.get_running_loop().time
    end = now() + timeout_s
    while seen.version <= beyond:
        pause = end - now()
        if pause <= 0 or feed_subscriber.stopping:
            return None
        if seen.moves_at is not None:
            pause = min(pause, LOOK_S, max(0.0, (seen.moves_at - tables.clock()) / 1000))
        known = max(seen.newest, beyond)
        moved = await feed_subscriber.wait(game, known, pause)
        told = feed_subscriber.last_version(game)
        # Of many who wait, the first one reads what they were told of, and the others find it read.
        at_least = seen.newest if not moved else told if told > known else None
        seen = await tables.visible_version(game, viewer, at_least)
    return seen
