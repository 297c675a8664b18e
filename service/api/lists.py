"""``GET /v1/games``: the tables that the caller may see."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from games.table_state import Phase
from projections.listing import BadCursor, Wanted
from projections.rows import STATUSES
from service.house import house_of
from service.operations import operation
from service.problems import Refused
from service.replies import Reply, content_tag, matches, next_link, not_modified, seen
from service.requests import StrictRequest
from service.wire import PLAYER_ID, GamePage, encode

PAGE_MAX: Final = 100


@get(
    "/games",
    operation_id="ListGames",
    tags=["games"],
    opt=operation(
        "reads", GamePage, tagged=True, headers=("Link",), problems=("bad-cursor", "token-needed")
    ),
)
async def list_games(
    request: StrictRequest,
    status: Annotated[
        str | None,
        QueryParameter(enum=STATUSES, pattern=r"^(open|live|finished)\Z", description="How far."),
    ] = None,
    rulebook: Annotated[str | None, QueryParameter(max_length=64)] = None,
    mode: Annotated[str | None, QueryParameter(max_length=64)] = None,
    player: Annotated[
        str | None,
        QueryParameter(
            pattern=PLAYER_ID, description="Whose tables: as a player, the host or invited."
        ),
    ] = None,
    invited: Annotated[
        str | None,
        QueryParameter(
            enum=("me",),
            pattern=r"^me\Z",
            description="Open tables that you are invited to and do not sit at.",
        ),
    ] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=PAGE_MAX)] = 20,
    cursor: Annotated[
        str | None, QueryParameter(max_length=128, description="`next` of the page before.")
    ] = None,
) -> Reply:
    """Tables, the newest first: all public ones, and those that are yours.

    The list follows the games by a few milliseconds. A page may be short and yet have a next one.
    """
    house = house_of(request)
    phase: Phase | None = next((each for each in STATUSES if each == status), None)
    wanted = Wanted(
        caller=request.player if invited is None else request.caller.player,
        status=phase,
        rulebook=rulebook,
        mode=mode,
        player=player,
        invited=invited is not None,
        limit=limit,
        cursor=cursor,
    )
    try:
        page = await house.listing.page(wanted)
    except BadCursor:
        raise Refused("bad-cursor", "take cursors from the page before, unchanged") from None
    body = encode(GamePage(games=tuple(page.rows), next=page.cursor))
    etag = content_tag(body)
    if matches(request, etag):
        return not_modified(etag)
    if page.cursor is None:
        return seen(body, etag)
    queries = {
        "status": status,
        "rulebook": rulebook,
        "mode": mode,
        "player": player,
        "invited": invited,
        "limit": limit,
        "cursor": page.cursor,
    }
    return seen(body, etag, link=next_link("/v1/games", queries))


HANDLERS: Final[list[HTTPRouteHandler]] = [list_games]
