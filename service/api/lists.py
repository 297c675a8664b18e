"""``GET /v1/games``: the tables that the caller may see."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from games.table.checks import TOURNAMENT, TOURNAMENT_MAX
from games.table.state import Phase
from projections.rows import RESULTS, STATUSES
from runtime.listing import BadCursor, Wanted
from service.app_context import app_context_of
from service.contract.bodies import PLAYER_ID, GamePage, encode
from service.contract.operations import operation
from service.http.problems import Flaw, Refused
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
_Status = Annotated[
    str | None,
    QueryParameter(
        enum=STATUSES, pattern=r"^(open|live|finished)\Z", description="The status of the games."
    ),
]
_Player = Annotated[
    str | None,
    QueryParameter(
        pattern=PLAYER_ID, description="Tables of this player: seated, hosting or invited."
    ),
]
_Invited = Annotated[
    str | None,
    QueryParameter(
        enum=("me",),
        pattern=r"^me\Z",
        description="Open tables that you are invited to and have no seat at.",
    ),
]
_Outcome = Annotated[
    str | None,
    QueryParameter(max_length=64, description="How the game ended, by the game's own id."),
]
_Result = Annotated[
    str | None,
    QueryParameter(
        enum=RESULTS,
        pattern=r"^(won|lost|undecided)\Z",
        description="How the game ended for `player`, which must be given too; annulled games "
        "and those that were called off are `undecided`.",
    ),
]
_Time = Annotated[
    int | None,
    QueryParameter(
        ge=0,
        le=2**53,
        description="A time, in milliseconds since 1970 UTC: tables opened from or before it; the "
        "latter without that moment.",
    ),
]
_Tournament = Annotated[
    str | None,
    QueryParameter(
        max_length=TOURNAMENT_MAX,
        pattern=rf"^{TOURNAMENT}\Z",
        description="Tables of this tournament, by its code.",
    ),
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
    status: _Status = None,
    game: _Game = None,
    rulebook: _Rulebook = None,
    mode: Annotated[str | None, QueryParameter(max_length=64)] = None,
    player: _Player = None,
    invited: _Invited = None,
    outcome: _Outcome = None,
    result: _Result = None,
    opened_from: _Time = None,
    opened_before: _Time = None,
    tournament: _Tournament = None,
    limit: Annotated[int, QueryParameter(ge=1, le=PAGE_MAX)] = 20,
    cursor: Annotated[
        str | None, QueryParameter(max_length=128, description="`next` of the previous page.")
    ] = None,
) -> Reply:
    """Tables, newest first: all public ones, and your own.

    Finished ones are found by player, `result`, `outcome` and time of opening too. The list lags
    behind the games by a few milliseconds. A short page may still have a next one.
    """
    _require_player(player, result)
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
        outcome=outcome,
        result=next((each for each in RESULTS if each == result), None),
        opened_from=opened_from,
        opened_before=opened_before,
        tournament=tournament,
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
        "outcome": outcome,
        "result": result,
        "opened_from": opened_from,
        "opened_before": opened_before,
        "tournament": tournament,
        "limit": limit,
        "cursor": page.cursor,
    }
    return seen(body, etag, link=next_link("/v1/games", queries))


def _require_player(player: str | None, result: str | None) -> None:
    """Refuse a result that is nobody's (invalid-parameter)."""
    if result is not None and player is None:
        flaw = Flaw(source="query", at="result", message="It needs a `player`")
        raise Refused("invalid-parameter", flaw.message, errors=(flaw,))


HANDLERS: Final[list[HTTPRouteHandler]] = [list_games]
