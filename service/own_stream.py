"""``GET /v1/stream``: what concerns the caller, in all its games, on one connection."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import Receive, Scope, Send

from projections.notices import Listener, Notice, Notices, Standing
from service.headers import is_head
from service.house import house_of
from service.operations import operation
from service.permission import Permission
from service.places import Places
from service.problems import Refused
from service.replies import NDJSON, Answer
from service.requests import StrictRequest
from service.streaming import NDJSON_FORM, SSE, SSE_FORM, Form, Lasting, Put, unopened

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
    """What concerns you, in all your games and at all tables that invite you.

    A table invites you, fills or closes; a game began, asks you, runs out of time, or ended.

    A stream, as Server-Sent Events (each notice's name is its event) or NDJSON. It begins with
    where each of your games stands; so nothing is lost by coming back, and there is nothing to
    resume.
    """
    house = house_of(request)
    kind = request.accept.best_match([SSE, NDJSON])
    if kind is None:
        raise Refused("not-acceptable", f"notices come as {SSE} or {NDJSON}")
    form = SSE_FORM if kind == SSE else NDJSON_FORM
    house.places.require_free(request.scope)
    if is_head(request.scope):
        return unopened(form)
    listener, games = await house.notices.join(request.caller.player)
    return OwnStream(
        house.notices,
        listener,
        games,
        form,
        permission=Permission.of(house.bearers, request),
        limit_s=house.settings.stream_limit_s,
        places=house.places,
    )


class OwnStream(Lasting):
    """The stream of a player's notices."""

    def __init__(
        self,
        notices: Notices,
        listener: Listener,
        games: list[Standing],
        form: Form,
        *,
        permission: Permission,
        limit_s: float,
        places: Places,
    ) -> None:
        super().__init__(form, permission, limit_s, places)
        self._notices = notices
        self._listener = listener
        self._games = games

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it; whatever happens, nobody listens afterwards."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._notices.leave(self._listener)

    async def _say(self, put: Put) -> None:
        form = self._form
        await put(form.opening + form.named("games", _encode(tuple(self._games))))

        async def tell(notice: Notice) -> None:
            await put(form.named(notice.what, _encode(notice)))

        await self._serve(self._listener, put, tell)


HANDLERS: Final[list[HTTPRouteHandler]] = [follow_own_games]
