"""Reading a game: the caller's view at any version, its events and its record."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from projections.asked import asked_in
from projections.record import Names
from service.access.permission import Permission
from service.access.streaming import NDJSON_FORM, SSE_FORM
from service.access.view_scope import (
    Access,
    digest_of,
    look_again,
    look_at,
    openings_seen,
    view_of,
    with_names,
)
from service.api.long_polls import WAIT_MAX_S, long_poll_slot, may_wait, moved, wait_beyond
from service.api.pictures import SVG, draw_view, picture_of, read_preview, read_preview_as_png
from service.api.streams import last_event_id, stream_of
from service.app_context import AppContext, app_context_of
from service.contract.bodies import (
    LARGEST_VERSION,
    VIEWER,
    EventPage,
    GameNames,
    GameView,
    encode,
)
from service.contract.operations import operation
from service.http.problems import Flaw, Refused
from service.http.replies import (
    JSON,
    NDJSON,
    SSE,
    Answer,
    Reply,
    content_tag,
    known_version,
    matches,
    next_link,
    not_modified,
    seen,
    tag,
)
from service.http.requests import StrictRequest

PAGE_MAX: Final = 1000

As = Annotated[
    str | None,
    QueryParameter(
        name="as",
        pattern=VIEWER,
        description="The view: `public`, `seat:<n>` or `full`. That of your own seat by default.",
    ),
]
Wait = Annotated[
    int,
    QueryParameter(
        ge=0, le=WAIT_MAX_S, description="Wait at most this many seconds for something new."
    ),
]


@get(
    "/games/{game:str}",
    operation_id="ReadGame",
    tags=["games"],
    opt=operation(
        "reads",
        GameView,
        tagged=True,
        problems=("game-not-found", "view-not-yours", "inspection-needed"),
    ),
)
async def read_game(request: StrictRequest, game: FromPath[str], as_: As = None) -> Reply:
    """The game as you may see it: the view of your seat, or the public view."""
    app_context = app_context_of(request)
    access = await look_at(app_context, request.user, game, as_)
    return await _view(request, app_context, access, None)


@get(
    "/games/{game:str}/state",
    operation_id="ReadState",
    tags=["games"],
    opt=operation(
        "reads",
        GameView,
        media=(JSON, SVG),
        tagged=True,
        problems=(
            "game-not-found",
            "view-not-yours",
            "inspection-needed",
            "version-not-found",
            "turn-not-found",
            "too-many-streams",
        ),
    ),
)
async def read_state(
    request: StrictRequest,
    game: FromPath[str],
    at: Annotated[
        str | None,
        QueryParameter(
            pattern=r"^(turn:)?[0-9]{1,9}\Z",
            description="A version, or `turn:<n>` for the start of a turn. The newest by default.",
        ),
    ] = None,
    as_: As = None,
    wait: Wait = 0,
) -> Reply:
    """The game at any version, as you could see it then; as a picture with `Accept: image/svg+xml`.

    With `wait`: wait for a version or turn that has not come yet; without `at`, wait while the
    version in `If-None-Match` is the newest one.
    """
    app_context = app_context_of(request)
    access = await look_at(app_context, request.user, game, as_)
    draw = request.accept.best_match([JSON, SVG], JSON) == SVG
    newest = await app_context.tables.view(game, access.view_scope.viewer, at_least=access.version)
    names = await app_context.tables.names.seats(newest.state.seats)
    name = with_names(picture_of(access) if draw else access.view_scope.name, names)
    known = known_version(request, name)
    if at is None and known == access.version:
        access = await wait_beyond(app_context, request, access, known, wait)
    version = None if at is None else await _version_at(app_context, request, access, at, wait)
    return await (draw_view if draw else _view)(request, app_context, access, version)


@get(
    "/games/{game:str}/events",
    operation_id="ReadEvents",
    tags=["games"],
    opt=operation(
        "reads",
        EventPage,
        media=(JSON, NDJSON, SSE),
        tagged=True,
        resumed=True,
        headers=("Link",),
        problems=(
            "game-not-found",
            "view-not-yours",
            "inspection-needed",
            "not-acceptable",
            "too-many-streams",
        ),
    ),
)
async def read_events(
    request: StrictRequest,
    game: FromPath[str],
    after: Annotated[
        int | None,
        QueryParameter(
            ge=0,
            le=LARGEST_VERSION,
            description="The events after this version. 0 by default; a stream without it begins "
            "with a snapshot.",
        ),
    ] = None,
    limit: Annotated[
        int, QueryParameter(ge=1, le=PAGE_MAX, description="The maximum number of events.")
    ] = 256,
    as_: As = None,
    wait: Wait = 0,
    follow: Annotated[  # noqa: FBT002 (a query parameter: it is passed by name)
        bool,
        QueryParameter(
            description="With NDJSON: keep the stream open and send new events as they happen."
        ),
    ] = False,
    asked: Annotated[  # noqa: FBT002 (a query parameter: it is passed by name)
        bool,
        QueryParameter(
            description="With a stream: also say after each batch whom the game waits for."
        ),
    ] = False,
) -> Answer:
    """The events of the game in order: the hashed bytes, with what you may open.

    With `wait`: if there is none yet, wait for one. `Accept: application/x-ndjson` gives one event
    per line. `Accept: text/event-stream`, or NDJSON with `follow=true`, gives a stream: a snapshot
    of your view and then every event as it happens, or everything after `after` or `Last-Event-ID`.
    Streams ignore `limit` and `wait`; everything else ignores `asked`.
    """
    app_context = app_context_of(request)
    kind = request.accept.best_match([JSON, NDJSON, SSE])
    if kind is None:
        raise Refused("not-acceptable", f"events come as {JSON}, {NDJSON} or {SSE}")
    if after is None and "after" in request.query_params:  # the word "null", which msgspec accepts
        flaw = Flaw(source="query", at="after", message="It must be a version")
        raise Refused("invalid-parameter", flaw.message, errors=(flaw,))
    seen_last = last_event_id(request)
    access = await look_at(app_context, request.user, game, as_)
    if kind == SSE or (follow and kind == NDJSON):
        form = SSE_FORM if kind == SSE else NDJSON_FORM
        position = after if seen_last is None else seen_last
        return await stream_of(request, app_context, access, form, position, tells_asked=asked)
    after = after or 0
    if access.version <= after:
        access = await wait_beyond(app_context, request, access, after, wait)
    last = max(after, min(access.version, after + limit))
    etag = tag(last, access.view_scope.name)
    if matches(request, etag):
        return await app_context.compressor.of_game(request, not_modified(etag), ended=access.ended)
    events = await app_context.tables.events(
        game, access.view_scope.viewer, after, last - after, at_least=last
    )
    link = None
    if last < access.version:
        queries = {"after": last, "limit": limit, "as": as_}
        link = next_link(f"/v1/games/{game}/events", queries)
    body = _lines(events) if kind == NDJSON else _page(access, last, events)
    reply = seen(body, etag, media_type=kind, link=link)
    return await app_context.compressor.of_game(request, reply, ended=access.ended)


@get(
    "/games/{game:str}/names",
    operation_id="ReadNames",
    tags=["games"],
    opt=operation("reads", GameNames, tagged=True, problems=("game-not-found", "view-not-yours")),
)
async def read_names(request: StrictRequest, game: FromPath[str], as_: As = None) -> Reply:
    """The openings of the name seals in the events, so that anybody can verify the names.

    Events contain no names: those of deleted players are missing here, and cannot be recovered.
    """
    app_context = app_context_of(request)
    access = await look_at(app_context, request.user, game, as_)
    line = Names.of(await openings_seen(app_context, access))
    view = await app_context.tables.view(game, access.view_scope.viewer, at_least=access.version)
    seated = await app_context.tables.names.seats(view.state.seats)
    at_table = {
        place.name_seal: seated[seat].name or ""
        for seat, place in view.state.seats.items()
        if seated[seat].renamed
    }
    body = encode(GameNames(game=game, names=line.names, renamed=line.renamed | at_table))
    etag = content_tag(body)
    return not_modified(etag) if matches(request, etag) else seen(body, etag)


@get(
    "/games/{game:str}/record",
    operation_id="ReadRecord",
    tags=["games"],
    opt=operation(
        "reads",
        None,
        media=(NDJSON,),
        tagged=True,
        headers=("Content-Disposition",),
        problems=("game-not-found", "game-not-finished", "history-contradicted"),
    ),
)
async def read_record(request: StrictRequest, game: FromPath[str]) -> Reply:
    """The record of a finished game: one file that holds everything and verifies itself.

    Check it with `parlour replay verify`.
    """
    app_context = app_context_of(request)
    access = await look_at(app_context, request.user, game, "public")
    if not access.ended:
        raise Refused("game-not-finished", "the game is still running")
    names = await openings_seen(app_context, access)
    etag = tag(access.version, f"record-n{len(names)}-{digest_of(names)}")
    if matches(request, etag):
        return await app_context.compressor.common(request, not_modified(etag))
    content = await app_context.tables.record(game)
    reply = seen(content, etag, media_type=NDJSON, name=f"parlour-{game}.record.jsonl")
    return await app_context.compressor.common(request, reply)


async def _view(
    request: StrictRequest, app_context: AppContext, access: Access, at: int | None
) -> Reply:
    """The view at a version, or 304 if the client has it; ``at`` None: the newest."""
    view_scope = access.view_scope
    version = access.version if at is None else at
    view = await app_context.tables.view(access.game, view_scope.viewer, at, at_least=version)
    names = await app_context.tables.names.seats(view.state.seats)
    etag = tag(view.version, with_names(view_scope.name, names))
    if matches(request, etag):
        return await app_context.compressor.of_game(request, not_modified(etag), ended=access.ended)
    asked = asked_in(app_context.tables.table.games, view)
    reply = seen(encode(view_of(access.game, view_scope, view, names, asked)), etag)
    return await app_context.compressor.of_game(request, reply, ended=access.ended)


async def _version_at(
    app_context: AppContext, request: StrictRequest, access: Access, at: str, wait: int
) -> int:
    """The version that ``at`` names; wait for it if necessary.

    Raises:
        Refused: version-not-found, turn-not-found, invalid-parameter, too-many-streams,
            token-invalid.
    """
    turn = int(at.removeprefix("turn:")) if at.startswith("turn:") else None
    wanted = int(at) if turn is None else None
    if wanted == 0 or turn == 0:
        flaw = Flaw(source="query", at="at", message="Versions and turns are counted from 1")
        raise Refused("invalid-parameter", flaw.message, errors=(flaw,))
    found = await _version_if_visible(app_context, access, wanted, turn)
    if found is None and may_wait(app_context, access, wait):
        deadline = app_context.tables.clock() + wait * 1000
        with long_poll_slot(app_context, request):
            while found is None:
                seconds = (deadline - app_context.tables.clock()) / 1000
                if not await moved(app_context, request, access, access.version, seconds):
                    break
                await Permission.of(app_context.token_cache, request).require()
                access = await look_again(app_context, request.user, access)
                found = await _version_if_visible(app_context, access, wanted, turn)
    if found is not None:
        return found
    if turn is None:
        raise Refused("version-not-found", f"the newest version is {access.version}")
    raise Refused("turn-not-found", "this turn has not begun")


async def _version_if_visible(
    app_context: AppContext, access: Access, version: int | None, turn: int | None
) -> int | None:
    """The version, or the first one of the turn, if it is visible by now."""
    if turn is not None:
        return await app_context.tables.version_of_turn(access.game, access.view_scope.viewer, turn)
    return version if version is not None and version <= access.version else None


def _lines(events: list[bytes]) -> bytes:
    return b"".join(event + b"\n" for event in events)


def _page(access: Access, last: int, events: list[bytes]) -> bytes:
    """An ``EventPage``, assembled from events that are already encoded."""
    durable = min(last, access.version)
    head = f'{{"game":"{access.game}","viewer":"{access.view_scope.name}","next":{last},'
    head += f'"durable_version":{durable},"events":['
    return head.encode() + b",".join(events) + b"]}"


HANDLERS: Final[list[HTTPRouteHandler]] = [
    read_game,
    read_state,
    read_preview,
    read_preview_as_png,
    read_events,
    read_names,
    read_record,
]
