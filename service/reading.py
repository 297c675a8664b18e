"""Reading a game: the caller's view, any moment of it, its events, its record."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from service.house import House, house_of
from service.operations import operation
from service.permission import Permission
from service.pictures import SVG, draw_view, picture_of, read_preview
from service.polling import WAIT_MAX_S, a_place, may_wait, moved, wait_beyond
from service.problems import Flaw, Refused
from service.replies import (
    JSON,
    NDJSON,
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
from service.requests import StrictRequest
from service.seeing import Sight, look_again, look_at, openings_seen, view_of, with_names
from service.streaming import NDJSON_FORM, SSE, SSE_FORM
from service.streams import last_event_id, stream_of
from service.wire import VIEWER, EventPage, GameNames, GameView, encode, encode_sorted

PAGE_MAX: Final = 1000
LARGEST_VERSION: Final = 2**31

As = Annotated[
    str | None,
    QueryParameter(
        name="as",
        pattern=VIEWER,
        description="Whose view: `public`, `seat:<n>` or `full`. Your own seat's by default.",
    ),
]
Wait = Annotated[
    int,
    QueryParameter(
        ge=0, le=WAIT_MAX_S, description="Wait so many seconds at most for something new."
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
    """The game as you may see it: through your own seat, or as the public does."""
    house = house_of(request)
    sight = await look_at(house, request.user, game, as_)
    return await _view(request, house, sight, None)


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
            *(
                "game-not-found",
                "view-not-yours",
                "inspection-needed",
                "version-not-found",
                "turn-not-found",
            ),
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
            description="A version, or `turn:<n>` for the beginning of a turn. Now by default.",
        ),
    ] = None,
    as_: As = None,
    wait: Wait = 0,
) -> Reply:
    """The game at any moment, as you could see it then; with `Accept: image/svg+xml` as a picture.

    With `wait`: for a moment that has not come, wait until it comes; without `at`, wait while the
    version in `If-None-Match` is the newest one.
    """
    house = house_of(request)
    sight = await look_at(house, request.user, game, as_)
    draw = request.accept.best_match([JSON, SVG], JSON) == SVG
    newest = await house.desk.view(game, sight.eyes.viewer, at_least=sight.version)
    names = await house.desk.names.seats(newest.state.seats)
    name = with_names(picture_of(sight) if draw else sight.eyes.name, names)
    known = known_version(request, name)
    if at is None and known == sight.version:
        sight = await wait_beyond(house, request, sight, known, wait)
    version = None if at is None else await _version_at(house, request, sight, at, wait)
    return await (draw_view if draw else _view)(request, house, sight, version)


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
        int, QueryParameter(ge=1, le=PAGE_MAX, description="At most so many events.")
    ] = 256,
    as_: As = None,
    wait: Wait = 0,
    follow: Annotated[  # noqa: FBT002 (a query parameter: it is given by name)
        bool, QueryParameter(description="With NDJSON: do not end, go on with what comes.")
    ] = False,
) -> Answer:
    """The events of the game in order: the bytes that are hashed, with what you may open.

    With `wait`: if there is none yet, wait for one. `Accept: application/x-ndjson` gives one event
    a line. `Accept: text/event-stream`, or NDJSON with `follow=true`, gives a stream: a snapshot of
    your view and then every event as it happens, or what comes after `after` or `Last-Event-ID`.
    `limit` and `wait` mean nothing to a stream.
    """
    house = house_of(request)
    kind = request.accept.best_match([JSON, NDJSON, SSE])
    if kind is None:
        raise Refused("not-acceptable", f"events come as {JSON}, {NDJSON} or {SSE}")
    if after is None and "after" in request.query_params:  # the word "null", which msgspec takes
        flaw = Flaw(source="query", at="after", message="It must be a version")
        raise Refused("invalid-parameter", flaw.message, errors=(flaw,))
    seen_last = last_event_id(request)
    sight = await look_at(house, request.user, game, as_)
    if kind == SSE or (follow and kind == NDJSON):
        form = SSE_FORM if kind == SSE else NDJSON_FORM
        position = after if seen_last is None else seen_last
        return await stream_of(request, house, sight, form, position)
    after = after or 0
    if sight.version <= after:
        sight = await wait_beyond(house, request, sight, after, wait)
    last = max(after, min(sight.version, after + limit))
    etag = tag(last, sight.eyes.name)
    if matches(request, etag):
        return await house.packer.of_game(request, not_modified(etag), ended=sight.ended)
    events = await house.desk.events(game, sight.eyes.viewer, after, last - after, at_least=last)
    link = None
    if last < sight.version:
        queries = {"after": last, "limit": limit, "as": as_}
        link = next_link(f"/v1/games/{game}/events", queries)
    body = _lines(events) if kind == NDJSON else _page(sight, last, events)
    reply = seen(body, etag, media_type=kind, link=link)
    return await house.packer.of_game(request, reply, ended=sight.ended)


@get(
    "/games/{game:str}/names",
    operation_id="ReadNames",
    tags=["games"],
    opt=operation("reads", GameNames, tagged=True, problems=("game-not-found", "view-not-yours")),
)
async def read_names(request: StrictRequest, game: FromPath[str], as_: As = None) -> Reply:
    """What the name seals in the events open to, so that anybody can check who was called what.

    Names are in no event: those of deleted players are missing here, and cannot be found out.
    """
    house = house_of(request)
    sight = await look_at(house, request.user, game, as_)
    names = await openings_seen(house, sight)
    etag = content_tag(encode_sorted(names))
    if matches(request, etag):
        return not_modified(etag)
    return seen(encode(GameNames(game=game, names=names)), etag)


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
    """The record of a finished game: one file that holds everything and proves itself.

    It is checked with `parlour replay verify`.
    """
    house = house_of(request)
    sight = await look_at(house, request.user, game, "public")
    if not sight.ended:
        raise Refused("game-not-finished", "the game still runs")
    names = await openings_seen(house, sight)
    etag = tag(sight.version, f"record-n{len(names)}")
    if matches(request, etag):
        return await house.packer.common(request, not_modified(etag))
    content = await house.desk.record(game)
    reply = seen(content, etag, media_type=NDJSON, name=f"parlour-{game}.record.jsonl")
    return await house.packer.common(request, reply)


async def _view(request: StrictRequest, house: House, sight: Sight, at: int | None) -> Reply:
    """The view at a version, unless the client has it; ``at`` None: the newest."""
    eyes = sight.eyes
    version = sight.version if at is None else at
    view = await house.desk.view(sight.game, eyes.viewer, at, at_least=version)
    names = await house.desk.names.seats(view.state.seats)
    etag = tag(view.version, with_names(eyes.name, names))
    if matches(request, etag):
        return await house.packer.of_game(request, not_modified(etag), ended=sight.ended)
    reply = seen(encode(view_of(sight.game, eyes, view, names)), etag)
    return await house.packer.of_game(request, reply, ended=sight.ended)


async def _version_at(
    house: House, request: StrictRequest, sight: Sight, at: str, wait: int
) -> int:
    """The version that ``at`` names, waited for if need be.

    Raises:
        Refused: version-not-found, turn-not-found, invalid-parameter, too-many-streams,
            token-invalid.
    """
    turn = int(at.removeprefix("turn:")) if at.startswith("turn:") else None
    wanted = int(at) if turn is None else None
    if wanted == 0 or turn == 0:
        flaw = Flaw(source="query", at="at", message="Versions and turns are counted from 1")
        raise Refused("invalid-parameter", flaw.message, errors=(flaw,))
    found = await _come(house, sight, wanted, turn)
    if found is None and may_wait(house, sight, wait):
        deadline = house.desk.clock() + wait * 1000
        with a_place(house, request):
            while found is None:
                seconds = (deadline - house.desk.clock()) / 1000
                if not await moved(house, request, sight, sight.version, seconds):
                    break
                await Permission.of(house.bearers, request).require()
                sight = await look_again(house, request.user, sight)
                found = await _come(house, sight, wanted, turn)
    if found is not None:
        return found
    if turn is None:
        raise Refused("version-not-found", f"the newest version is {sight.version}")
    raise Refused("turn-not-found", "this turn has not come")


async def _come(house: House, sight: Sight, version: int | None, turn: int | None) -> int | None:
    """The version, or that of the beginning of the turn, if it may be seen by now."""
    if turn is not None:
        return await house.desk.version_of_turn(sight.game, sight.eyes.viewer, turn)
    return version if version is not None and version <= sight.version else None


def _lines(events: list[bytes]) -> bytes:
    return b"".join(event + b"\n" for event in events)


def _page(sight: Sight, last: int, events: list[bytes]) -> bytes:
    """An ``EventPage``, put together from events that are encoded already."""
    head = f'{{"game":"{sight.game}","viewer":"{sight.eyes.name}","next":{last},"events":['
    return head.encode() + b",".join(events) + b"]}"


HANDLERS: Final[list[HTTPRouteHandler]] = [
    read_game,
    read_state,
    read_preview,
    read_events,
    read_names,
    read_record,
]
