"""Long polls: a read that waits until there is something new, or until it has waited enough.

While it waits it has a place among the open streams of its caller, and it waits for nobody: who
hangs up gives the place back at once.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from typing import Final

from events.tasks import end_tasks
from projections.waiting import wait_to_see
from service.house import House
from service.permission import Permission
from service.requests import StrictRequest
from service.seeing import Sight, look_again
from service.streaming import until_gone

WAIT_MAX_S: Final = 30
"""No read waits longer than so many seconds; the operator may set less."""


def may_wait(house: House, sight: Sight, seconds: float) -> bool:
    """Whether waiting could bring anything: there is time, and the game goes on.

    At shutdown nobody waits any more.
    """
    return min(seconds, house.settings.wait_limit_s) > 0 and not (
        sight.ended or house.closing.is_set()
    )


def a_place(house: House, request: StrictRequest) -> AbstractContextManager[None]:
    """A place for a long poll, for as long as this lasts.

    Raises:
        Refused: too-many-streams, with ``Retry-After``.
    """
    return house.places.take(request.scope, house.metrics.waiting)


async def moved(
    house: House, request: StrictRequest, sight: Sight, beyond: int, seconds: float
) -> bool:
    """Wait until somebody sees the version after ``beyond``; False: it did not come.

    At shutdown everybody is let go at once, and so is whose inspection is over.
    """
    if not may_wait(house, sight, seconds):
        return False
    seconds = min(seconds, house.settings.wait_limit_s)
    if sight.eyes.until is not None:
        seconds = min(seconds, max(0, sight.eyes.until - house.desk.clock()) / 1000)
    coming = asyncio.create_task(_comes(house, sight, beyond, seconds))
    gone = asyncio.create_task(until_gone(request.receive))
    try:
        await asyncio.wait({coming, gone}, return_when=asyncio.FIRST_COMPLETED)
        return coming.done() and coming.result()
    finally:
        await end_tasks(coming, gone)


async def _comes(house: House, sight: Sight, beyond: int, seconds: float) -> bool:
    viewer = sight.eyes.viewer
    if viewer.kind != "public":
        return await house.hub.wait(sight.game, beyond, seconds)
    found = await wait_to_see(
        house.desk, house.hub, sight.game, viewer, sight.seen, beyond, seconds
    )
    return found is not None


async def wait_beyond(
    house: House, request: StrictRequest, sight: Sight, beyond: int, seconds: float
) -> Sight:
    """What is seen once the version after ``beyond`` is, or as it was.

    Raises:
        Refused: too-many-streams; token-invalid, if the token was revoked meanwhile;
            game-not-found, if the invitation was withdrawn meanwhile; inspection-needed, if the
            inspection is over by then.
        Damaged, LogUnavailable: the game cannot be read.
    """
    if not may_wait(house, sight, seconds):
        return sight
    with a_place(house, request):
        has_moved = await moved(house, request, sight, beyond, seconds)
    if not has_moved and sight.eyes.until is None:
        return sight
    await Permission.of(house.bearers, request).require()
    return await look_again(house, request.user, sight)
