"""``GET /v1/players/{player}/profile`` and ``/v1/leaderboards``."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from club.account_state import Account
from projections.results import (
    ALL,
    GameCount,
    Ladder,
    line_of,
    season_of,
)
from runtime.leaderboard_reading import BoardPlace, PlayerResults, Ranked, board_place
from runtime.listing import BadCursor
from service.access.accounts import AccountService
from service.api.owners import require_player_id
from service.app_context import AppContext, app_context_of
from service.contract.bodies import encode
from service.contract.operations import operation
from service.contract.profile_bodies import (
    LeaderboardInfo,
    LeaderboardList,
    LeaderboardPage,
    LeaderboardRow,
    PlayedInfo,
    ProfileInfo,
    RatingInfo,
    SeasonInfo,
)
from service.http.problems import Refused
from service.http.replies import PUBLIC, Reply, checked, content_tag, next_link
from service.http.requests import StrictRequest

PAGE_MAX: Final = 100

_PERIOD: Final = re.compile(r"(all|[0-9]{4}-[1-4])\Z")


@get(
    "/players/{player:str}/profile",
    operation_id="ReadProfile",
    tags=["players"],
    opt=operation(
        "reads", ProfileInfo, tagged=True, problems=("player-not-found", "account-deleted")
    ),
)
async def read_profile(request: StrictRequest, player: FromPath[str]) -> Reply:
    """What a player has played and won, by rulebook, mode, side and season; and their ratings.

    It lags behind the games by a few milliseconds. Nothing is told of deleted players.
    """
    app_context = app_context_of(request)
    account_service = app_context.account_service
    account = await account_service.account(require_player_id(player))
    name = await account_service.name(player, account)
    if account.deleted_at is not None or name is None:
        raise Refused("account-deleted", "this account has been deleted")
    results = await app_context.leaderboards.player(player)
    body = encode(_profile(player, name, account, results))
    return checked(request, body, content_tag(body), PUBLIC)


@get(
    "/leaderboards",
    operation_id="ListLeaderboards",
    tags=["players"],
    opt=operation("reads", LeaderboardList, tagged=True),
)
async def list_leaderboards(request: StrictRequest) -> Reply:
    """The leaderboards that have somebody on them."""
    app_context = app_context_of(request)
    found = sorted(
        await app_context.leaderboards.ladders(), key=lambda each: (each.game, each.side or "")
    )
    newest_first = sorted(found, key=lambda each: each.period, reverse=True)  # "all" is the first
    body = encode(
        LeaderboardList(
            season=season_of(app_context.tables.clock()),
            leaderboards=tuple(
                LeaderboardInfo(season=each.period, game=each.game, side=each.side)
                for each in newest_first
            ),
        )
    )
    return checked(request, body, content_tag(body), PUBLIC)


@get(
    "/leaderboards/{season:str}",
    operation_id="ReadLeaderboard",
    tags=["players"],
    opt=operation(
        "reads",
        LeaderboardPage,
        tagged=True,
        headers=("Link",),
        problems=("bad-cursor", "leaderboard-not-found"),
    ),
)
async def read_leaderboard(
    request: StrictRequest,
    season: FromPath[str],
    game: Annotated[
        str, QueryParameter(max_length=64, description="The game that is played, not a table's id.")
    ],
    side: Annotated[
        str | None,
        QueryParameter(
            max_length=64,
            description="One of the game's sides; without it, games without sides are meant.",
        ),
    ] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=PAGE_MAX)] = 50,
    cursor: Annotated[
        str | None, QueryParameter(max_length=64, description="`next` of the previous page.")
    ] = None,
) -> Reply:
    """Who is strongest in a game, on a side, in a season: those with ten rated games.

    A leaderboard may be empty. Deleted players are on none.
    """
    app_context = app_context_of(request)
    ladder = _ladder(app_context, season, game, side)
    try:
        place = BoardPlace() if cursor is None else board_place(cursor)
    except BadCursor:
        raise Refused("bad-cursor", "take the cursor from the previous page, unchanged") from None
    rows, after = await _rows(app_context, ladder, place, limit)
    following = None if after is None else after.cursor
    body = encode(
        LeaderboardPage(season=season, game=game, side=side, rows=tuple(rows), next=following)
    )
    headers = PUBLIC
    if following is not None:
        queries = {"game": game, "side": side, "limit": limit, "cursor": following}
        link = next_link(f"/v1/leaderboards/{season}", queries)
        headers = (*headers, (b"link", link.encode()))
    return checked(request, body, content_tag(body), headers)


def _ladder(app_context: AppContext, season: str, game: str, side: str | None) -> Ladder:
    """The ladder that is meant.

    Raises:
        Refused: leaderboard-not-found.
    """
    played = app_context.tables.game_registry.games.get(game)
    known = played is not None and (side is None or side in played.rules.sides)
    if not known or not _PERIOD.fullmatch(season):
        raise Refused("leaderboard-not-found", "no such season, game or side")
    return Ladder(season, game, side)


async def _rows(
    app_context: AppContext, ladder: Ladder, place: BoardPlace, limit: int
) -> tuple[list[LeaderboardRow], BoardPlace | None]:
    """A page's rows, and where the next page begins; None: there is none."""
    rows: list[LeaderboardRow] = []
    after = place.after
    while True:
        # One more than wanted tells whether there is a next page.
        page = await app_context.leaderboards.ranked(ladder, after, limit + 1)
        names = await asyncio.gather(
            *(_name(app_context.account_service, ranked.player) for ranked in page)
        )
        for ranked, name in zip(page, names, strict=True):
            if name is not None and len(rows) == limit:
                return rows, BoardPlace(after, place.shown + len(rows))
            after += 1
            if name is not None:
                rows.append(_row(place.shown + len(rows) + 1, ranked, name))
        if len(page) <= limit:
            return rows, None


async def _name(account_service: AccountService, player: str) -> str | None:
    """What a player is called now; None for one who has been deleted."""
    try:
        account = await account_service.account(player)
    except Refused:  # nobody of that id: an account that a store has lost
        return None
    return None if account.deleted_at is not None else await account_service.name(player, account)


def _row(rank: int, ranked: Ranked, name: str) -> LeaderboardRow:
    entry = ranked.entry
    return LeaderboardRow(
        rank=rank,
        player=ranked.player,
        name=name,
        rating=_points(entry.skill.shown),
        deviation=_points(entry.deviation),
        games=entry.games,
        won=entry.won,
    )


def _profile(player: str, name: str, account: Account, results: PlayerResults) -> ProfileInfo:
    played: dict[tuple[str, str, str, str | None], GameCount] = {}
    seasons: dict[str, GameCount] = {}
    total = GameCount()
    for key, count in results.record.lines.items():
        line = line_of(key)
        alike = line.game, line.rulebook, line.mode, line.side
        played[alike] = played.get(alike, GameCount()).plus(count)
        seasons[line.season] = seasons.get(line.season, GameCount()).plus(count)
        total = total.plus(count)
    return ProfileInfo(
        id=player,
        name=name,
        registered_at=account.registered_at,
        games=total.games,
        won=total.won,
        lost=total.lost,
        last_played_at=results.record.last_at or None,
        played=tuple(
            PlayedInfo(
                game=game,
                rulebook=rulebook,
                mode=mode,
                side=side,
                games=count.games,
                won=count.won,
                lost=count.lost,
            )
            for (game, rulebook, mode, side), count in sorted(played.items(), key=_by_id)
        ),
        ratings=_ratings(results, ALL),
        seasons=tuple(
            SeasonInfo(
                season=season,
                games=count.games,
                won=count.won,
                lost=count.lost,
                ratings=_ratings(results, season),
            )
            for season, count in sorted(seasons.items(), reverse=True)
        ),
    )


def _by_id(found: tuple[tuple[str, str, str, str | None], GameCount]) -> tuple[str, ...]:
    return tuple(part or "" for part in found[0])


def _ratings(results: PlayerResults, period: str) -> tuple[RatingInfo, ...]:
    """A player's ratings in a period, by game and side."""
    return tuple(
        RatingInfo(
            game=ladder.game,
            side=ladder.side,
            games=entry.games,
            won=entry.won,
            rating=_points(entry.skill.shown) if entry.is_shown else None,
            deviation=_points(entry.deviation) if entry.is_shown else None,
        )
        for ladder, entry in results.entries.items()
        if ladder.period == period
    )


def _points(thousandths: int) -> int:
    """Whole points, rounded to the nearest."""
    return (thousandths + 500) // 1000


HANDLERS: Final[list[HTTPRouteHandler]] = [read_profile, list_leaderboards, read_leaderboard]
