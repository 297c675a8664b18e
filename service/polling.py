"""Long polls: a read that waits until there is something new, or until it has waited enough."""

from __future__ import annotations

from typing import Final

from events.transact import Loaded
from games.table_state import TableState
from service.house import House

WAIT_MAX_S: Final = 30
"""No read waits longer than so many seconds; the operator may set less."""


async def moved(house: House, game: str, beyond: int, seconds: float) -> bool:
    """Wait until a game is beyond a version that was just read; False: it is not.

    At shutdown everybody is let go at once.
    """
    seconds = min(seconds, house.settings.wait_limit_s)
    if seconds <= 0 or house.closing.is_set():
        return False
    with house.metrics.waiting.track_inprogress():
        return await house.hub.wait(game, beyond, seconds)


async def wait_beyond(
    house: House, game: str, loaded: Loaded[TableState], seconds: float
) -> Loaded[TableState]:
    """The game after it has moved, or as it was."""
    if await moved(house, game, loaded.version, seconds):
        return await house.desk.load(game)
    return loaded
