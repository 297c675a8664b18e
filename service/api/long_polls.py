"""Long polls: a read that waits for something new, up to a limit.

While it waits it counts among the open streams of its caller; when the client disconnects, its slot
is released at once.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from typing import Final

from events.tasks import end_tasks
from runtime.long_poll import wait_to_see
from service.access.permission import Permission
from service.access.streaming import until_gone
from service.access.view_scope import Access, look_again
from service.app_context import AppContext
from service.http.requests import StrictRequest

WAIT_MAX_S: Final = 30
"""The longest time that a read may wait, in seconds; the operator may set less."""


def may_wait(app_context: AppContext, access: Access, seconds: float) -> bool:
    """Whether waiting is useful: there is time left, and the game goes on.

    During shutdown no read waits.
    """
    return min(seconds, app_context.settings.wait_limit_s) > 0 and not (
        access.ended or app_context.closing.is_set()
    )


def long_poll_slot(app_context: AppContext, request: StrictRequest) -> AbstractContextManager[None]:
    """Hold a slot for a long poll within the context.

    Raises:
        Refused: too-many-streams, with ``Retry-After``.
    """
    return app_context.connection_limits.take(request.scope, app_context.metrics.waiting)


async def moved(
    app_context: AppContext, request: StrictRequest, access: Access, beyond: int, seconds: float
) -> bool:
    """Wait until the version after ``beyond`` is visible; False: it did not come.

    The wait ends early at shutdown, and when the caller's inspection is over.
    """
    if not may_wait(app_context, access, seconds):
        return False
    seconds = min(seconds, app_context.settings.wait_limit_s)
    if access.view_scope.until is not None:
        seconds = min(seconds, max(0, access.view_scope.until - app_context.tables.clock()) / 1000)
    coming = asyncio.create_task(_version_appears(app_context, access, beyond, seconds))
    gone = asyncio.create_task(until_gone(request.receive))
    try:
        await asyncio.wait({coming, gone}, return_when=asyncio.FIRST_COMPLETED)
        return coming.done() and coming.result()
    finally:
        await end_tasks(coming, gone)


async def _version_appears(
    app_context: AppContext, access: Access, beyond: int, seconds: float
) -> bool:
    viewer = access.view_scope.viewer
    if viewer.kind != "public":
        return await app_context.feed_subscriber.wait(access.game, beyond, seconds)
    found = await wait_to_see(
        app_context.tables,
        app_context.feed_subscriber,
        access.game,
        viewer,
        access.seen,
        beyond,
        seconds,
    )
    return found is not None


async def wait_beyond(
    app_context: AppContext, request: StrictRequest, access: Access, beyond: int, seconds: float
) -> Access:
    """The access once the version after ``beyond`` is visible; unchanged if it does not come.

    Raises:
        Refused: too-many-streams; token-invalid, if the token was revoked meanwhile;
            game-not-found, if the invitation was withdrawn meanwhile; inspection-needed, if the
            inspection is over by then.
        Damaged, LogUnavailable: the game cannot be read.
    """
    if not may_wait(app_context, access, seconds):
        return access
    with long_poll_slot(app_context, request):
        has_moved = await moved(app_context, request, access, beyond, seconds)
    if not has_moved and access.view_scope.until is None:
        return access
    await Permission.of(app_context.token_cache, request).require()
    return await look_again(app_context, request.user, access)
