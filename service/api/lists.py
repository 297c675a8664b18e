"""``GET /v1/games``: the tables that the caller may see."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from games.table.state import Phase
from projections.rows import STATUSES
from runtime.listing import BadCursor, Wanted
from service.app_context import app_context_of
from service.contract.bodies import PLAYER_ID, GamePage, encode
from service.contract.operations import operation
from service.http.problems import Refused
from service.http.replies import (
    Reply,
    content_tag,
    matches,
    next_link,
    not_modified,
    seen,
)
from service.http.requests import StrictRequest

PAGE_MAX: Final = 100

_Game = Annotated[
    str | None,
    QueryParameter(max_length=64, description="The game that is played, not a table's id."),
]
_Rulebook = Annotated[
    str | None,
    QueryParameter(
        max_length=64,
        description="The rulebook's id; of any game that has one of this id, unless `game` says "
        "of which.",
    ),
]


@get(
    "/games",
    operation_id="ListGames",
    tags=["games"],
    opt=operation(
        "reads", GamePage, tagged=True, headers=("Link",), problems=("bad-cursor", "token-needed")
    ),
)
async def list_games(  # noqa: PLR0913, PLR0917 (each is a query parameter)
    request: StrictRequest,
    status: Annotated[
        str | None,
        QueryParameter(
            enum=STATUSES,
            pattern=r"^(open|live|finished)\Z",
            description="The status of the games.",
        ),
    ] = None,
    game: _Game = None,
    rulebook: _Rulebook = None,
    mode: Annotated[str | None, QueryParameter(max_length=64)] = None,
    player: Annotated[
        str | None,
        QueryParameter(
            pattern=PLAYER_ID, description="Tables of this player: seated, hosting or invited."
        ),
    ] = None,
    invited: Annotated[
        str | None,
        QueryParameter(
            enum=("me",),
            pattern=r"^me\Z",
            description="Open tables that you are invited to and have no seat at.",
        ),
    ] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=PAGE_MAX)] = 20,
    cursor: Annotated[
        str | None, QueryParameter(max_length=128, description="`next` of the previous page.")
    ] = None,
) -> Reply:
    """Tables, newest first: all public ones, and your own.

    The list lags behind the games by a few milliseconds. A short page may still have a next one.
    """
    app_context = app_context_of(request)
    phase: Phase | None = next((each for each in STATUSES if each == status), None)
    wanted = Wanted(
        caller=request.player if invited is None else request.caller.player,
        status=phase,
        game=game,
        rulebook=rulebook,
        mode=mode,
        player=player,
        invited=invited is not None,
        limit=limit,
        cursor=cursor,
    )
    try:
        page = await app_context.listing.page(wanted)
    except BadCursor:
        raise Refused("bad-cursor", "take the cursor from the previous page, unchanged") from None
    body = encode(GamePage(games=tuple(page.rows), next=page.cursor))
    etag = content_tag(body)
    if matches(request, etag):
        return not_modified(etag)
    if page.cursor is None:
        return seen(body, etag)
    queries = {
        "status": status,
        "game": game,
        "rulebook": rulebook,
        "mode": mode,
        "player": player,
        "invited": invited,
        "limit": limit,
        "cursor": page.cursor,
    }
    return seen(body, etag, link=next_link("/v1/games", queries))


HANDLERS: Final[list[HTTPRouteHandler]] = [list_games]
