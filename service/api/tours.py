"""``/v1/games/{game}/tours``: one leads through a game, others follow, and nothing is recorded."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Final

import msgspec
from litestar import delete, get, post, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody
from litestar.types import Receive, Scope, Send

from runtime.tours import TourFollower, TourState
from service.access.permission import Permission
from service.access.streaming import NDJSON_FORM, SSE_FORM, Form, Put, StreamingAnswer, unopened
from service.access.view_scope import Access, look_again, look_at
from service.app_context import app_context_of
from service.contract.bodies import encode
from service.contract.operations import PLAYING, operation
from service.contract.tour_bodies import NewTourPlace, TourInfo, TourPlace
from service.http.headers import is_head
from service.http.problems import Refused
from service.http.replies import JSON, NDJSON, SSE, Answer, Reply, done
from service.http.requests import StrictRequest

_encode = msgspec.json.Encoder(order="sorted").encode
_place = msgspec.json.Decoder(TourPlace).decode
_PROBLEMS: Final = ("game-not-found", "tour-not-found", "store-full")


@post(
    "/games/{game:str}/tours",
    operation_id="BeginTour",
    tags=["games"],
    status_code=201,
    opt=operation(
        "reads",
        TourInfo,
        scopes=PLAYING,
        status=201,
        keyed=True,
        headers=("Location",),
        problems=("game-not-found", "store-full", "tour-by-player"),
    ),
)
async def begin_tour(request: StrictRequest, game: FromPath[str]) -> Reply:
    """Lead others through a game. They follow by the tour's id, and see with their own rights.

    A tour is no part of the game, and goes on for as long as you have its stream open; 20 seconds
    after that it is over. Whoever plays in a running game leads no tour of it.
    """
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    await request.require_no_body()
    access = await look_at(app_context, caller, game, None)
    _require_no_player(access)
    tour = app_context.tables.keys.command_id(caller.player, f"tour {game} {key}")
    place = encode(TourPlace(at=access.version if access.ended else None))
    state = await app_context.tours.act(tour, game, caller.player, "begin", told=place)
    body = encode(_shown(tour, state, caller.player))
    return done(body, 201, location=f"/v1/games/{game}/tours/{tour}")


@get(
    "/games/{game:str}/tours/{tour:str}",
    operation_id="FollowTour",
    tags=["games"],
    opt=operation(
        "reads",
        TourInfo,
        media=(JSON, SSE, NDJSON),
        problems=("game-not-found", "tour-not-found", "not-acceptable", "too-many-streams"),
    ),
)
async def follow_tour(request: StrictRequest, game: FromPath[str], tour: FromPath[str]) -> Answer:
    """Where a tour is; as Server-Sent Events or NDJSON, also wherever it goes.

    Each `tour` event says all of it; `end` says that it is over.
    """
    app_context, caller = app_context_of(request), request.user
    access = await look_at(app_context, caller, game, "public")
    player = "" if caller is None else caller.player
    kind = request.accept.best_match([JSON, SSE, NDJSON])
    if kind is None:
        raise Refused("not-acceptable", f"a tour comes as {JSON}, {SSE} or {NDJSON}")
    form = SSE_FORM if kind == SSE else NDJSON_FORM
    if kind == JSON:
        state = await app_context.tours.act(tour, game, player, "read")
        return done(encode(_shown(tour, state, player)))
    app_context.connection_limits.require_free(request.scope)
    if is_head(request.scope):
        return unopened(form)
    follower = await app_context.tours.follow(tour, game, player)
    return TourStream(request, access, tour, follower, form)


@put(
    "/games/{game:str}/tours/{tour:str}",
    operation_id="LeadTour",
    tags=["games"],
    opt=operation(
        "reads",
        TourInfo,
        scopes=PLAYING,
        body=True,
        problems=(
            *_PROBLEMS,
            "not-the-leader",
            "tour-by-player",
            "version-not-found",
            "view-not-yours",
        ),
    ),
)
async def lead_tour(
    request: StrictRequest, game: FromPath[str], tour: FromPath[str], data: JSONBody[NewTourPlace]
) -> Reply:
    """Go somewhere with all who follow. Before the end of a game a tour has the public view."""
    app_context, caller = app_context_of(request), request.caller
    access = await look_at(app_context, caller, game, None)
    _require_no_player(access)
    if data.at is not None and data.at > access.version:
        raise Refused("version-not-found", f"the newest version is {access.version}")
    if data.eyes != "public" and not access.ended:
        raise Refused("view-not-yours", "before the end of a game a tour has the public view")
    state = await app_context.tours.act(
        tour, game, caller.player, "tell", told=encode(data), offered=data.offered
    )
    return done(encode(_shown(tour, state, caller.player)))


@post(
    "/games/{game:str}/tours/{tour:str}/leader",
    operation_id="TakeLead",
    tags=["games"],
    status_code=200,
    opt=operation(
        "reads",
        TourInfo,
        scopes=PLAYING,
        keyed=True,
        problems=(*_PROBLEMS, "not-the-leader", "lead-not-offered", "tour-by-player"),
    ),
)
async def take_lead(request: StrictRequest, game: FromPath[str], tour: FromPath[str]) -> Reply:
    """Lead a tour from now on, if its leader has offered that; who leads already goes on."""
    app_context, caller = app_context_of(request), request.caller
    request.idempotency_key()
    await request.require_no_body()
    _require_no_player(await look_at(app_context, caller, game, None))
    state = await app_context.tours.act(tour, game, caller.player, "take")
    return done(encode(_shown(tour, state, caller.player)))


@delete(
    "/games/{game:str}/tours/{tour:str}",
    operation_id="EndTour",
    tags=["games"],
    status_code=204,
    opt=operation(
        "reads",
        None,
        scopes=PLAYING,
        status=204,
        problems=("game-not-found", "tour-not-found", "not-the-leader"),
    ),
)
async def end_tour(request: StrictRequest, game: FromPath[str], tour: FromPath[str]) -> None:
    """End a tour that you lead."""
    app_context, caller = app_context_of(request), request.caller
    await look_at(app_context, caller, game, None)
    await app_context.tours.act(tour, game, caller.player, "end")


class TourStream(StreamingAnswer):
    """The stream of a tour, for a caller who may know of its game by an access."""

    def __init__(
        self,
        request: StrictRequest,
        access: Access,
        tour: str,
        follower: TourFollower,
        form: Form,
    ) -> None:
        app_context = app_context_of(request)
        permission = Permission.of(app_context.token_cache, request)
        limit_s = app_context.settings.stream_limit_s
        super().__init__(form, permission, limit_s, app_context.connection_limits, nullcontext)
        self._app_context = app_context
        self._caller = request.user
        self._access = access
        self._tour = tour
        self._follower = follower

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, and follow no longer in any case."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._app_context.tours.leave(self._tour, self._follower)

    async def _say(self, put: Put) -> None:
        form, follower = self._form, self._follower
        await put(form.opening)

        async def tell(state: TourState) -> None:
            if not await self._may_follow():
                follower.finish(ended=False)
                return
            await put(form.named("tour", _encode(_shown(self._tour, state, follower.player))))

        await self._serve(follower, put, tell)

    async def _may_follow(self) -> bool:
        """Whether the caller may still know of the game: invitations to a private one end.

        Raises:
            Damaged, LogUnavailable: that cannot be determined.
        """
        if not self._access.private:
            return True
        try:
            await look_again(self._app_context, self._caller, self._access)
        except Refused:
            return False
        return True


def _require_no_player(access: Access) -> None:
    """Refuse a leader who knows more than those who follow (tour-by-player)."""
    if access.seats and not access.ended:
        raise Refused("tour-by-player", "who plays in a running game leads nobody through it")


def _shown(tour: str, state: TourState, player: str) -> TourInfo:
    place = msgspec.structs.replace(_place(state.told), offered=state.offered)
    leading = bool(player) and state.leader == player
    return TourInfo(tour=tour, game=state.game, leading=leading, place=place)


HANDLERS: Final[list[HTTPRouteHandler]] = [
    begin_tour,
    follow_tour,
    lead_tour,
    take_lead,
    end_tour,
]
