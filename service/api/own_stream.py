"""``GET /v1/stream``: notifications from all of the caller's games on one connection."""

from __future__ import annotations

from functools import partial
from typing import Final

import msgspec
from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import Receive, Scope, Send

from runtime.notifications import Listener, Notice, Notifications, Standing
from service.access.permission import Permission
from service.access.streaming import (
    NDJSON_FORM,
    SSE_FORM,
    Attended,
    Form,
    Put,
    StreamingAnswer,
    unopened,
)
from service.app_context import app_context_of
from service.contract.operations import operation
from service.http.connection_limits import ConnectionLimits
from service.http.headers import is_head
from service.http.problems import Refused
from service.http.replies import NDJSON, SSE, Answer
from service.http.requests import StrictRequest

_encode = msgspec.json.Encoder(order="sorted").encode


@get(
    "/stream",
    operation_id="FollowOwnGames",
    tags=["games"],
    opt=operation(
        "reads",
        None,
        media=(SSE, NDJSON),
        scopes=("play", "bot", "organise", "audit", "admin"),
        problems=("not-acceptable", "too-many-streams"),
    ),
)
async def follow_own_games(request: StrictRequest) -> Answer:
    """Notifications from all your games and all tables that invite you.

    You are told when a table invites you, fills or closes, and when a game begins, needs a decision
    of yours or needs it no longer, is about to run out of time, or ends. Where you have a seat you
    are also told when somebody asks for a pause and waits for your answer, and when the game pauses
    or goes on.

    A stream, as Server-Sent Events (the event is the notification's name) or NDJSON. It begins with
    the current status of each of your games, so reconnecting loses nothing, and there is nothing to
    resume.
    """
    app_context = app_context_of(request)
    kind = request.accept.best_match([SSE, NDJSON])
    if kind is None:
        raise Refused("not-acceptable", f"notifications come as {SSE} or {NDJSON}")
    form = SSE_FORM if kind == SSE else NDJSON_FORM
    app_context.connection_limits.require_free(request.scope)
    if is_head(request.scope):
        return unopened(form)
    listener, games = await app_context.notifications.join(request.caller.player)
    return OwnStream(
        app_context.notifications,
        listener,
        games,
        form,
        permission=Permission.of(app_context.token_cache, request),
        limit_s=app_context.settings.stream_limit_s,
        connection_limits=app_context.connection_limits,
        attended=partial(app_context.connections.stay, request.caller.player),
    )


class OwnStream(StreamingAnswer):
    """The stream of a player's notifications."""

    def __init__(
        self,
        notifications: Notifications,
        listener: Listener,
        games: list[Standing],
        form: Form,
        *,
        permission: Permission,
        limit_s: float,
        connection_limits: ConnectionLimits,
        attended: Attended,
    ) -> None:
        super().__init__(form, permission, limit_s, connection_limits, attended)
        self._notifications = notifications
        self._listener = listener
        self._games = games

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, and unsubscribe in any case."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._notifications.leave(self._listener)

    async def _say(self, put: Put) -> None:
        form = self._form
        await put(form.opening + form.named("games", _encode(tuple(self._games))))

        async def tell(notice: Notice) -> None:
            await put(form.named(notice.what, _encode(notice)))

        await self._serve(self._listener, put, tell)


HANDLERS: Final[list[HTTPRouteHandler]] = [follow_own_games]
