"""``GET /v1/wall``: how many tables stand, in one answer, for whoever watches over them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Annotated, Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from msgspec import UNSET

from events.kernel import PUBLIC, Seat
from events.log import Damaged
from events.logger import get_logger
from games.table.decider import Table
from games.table.state import SeatState, TableState
from projections.asked import halt_in
from projections.names import SeatName
from projections.views import View
from runtime.connections import Connection
from runtime.pause_notices import standstill_of
from service.access.view_scope import look_at
from service.api.connections import people_of
from service.app_context import AppContext, app_context_of
from service.contract.bodies import encode
from service.contract.operations import operation
from service.contract.wall_bodies import Wall, WallSeat, WallTable
from service.http.principals import Principal
from service.http.problems import Flaw, Refused
from service.http.replies import PRIVATE, Reply, checked, content_tag
from service.http.requests import StrictRequest

TABLES_MAX: Final = 50
TABLES_A_READ: Final = 10
"""Of so many tables or fewer the answer is charged like any other read."""

_ID: Final = "g[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26}"
_TABLE: Final = re.compile(rf"{_ID}\Z")
_COMMA: Final = re.compile(rb",|%2c", re.IGNORECASE)
_log = get_logger(__name__)

_Tables = Annotated[
    str,
    QueryParameter(
        # Checked by ``tables_in``, which says what is wrong in words.
        schema_extra={"pattern": rf"^{_ID}(,{_ID}){{0,{TABLES_MAX - 1}}}\Z"},
        description=f"The tables' ids, at most {TABLES_MAX}, with commas between them.",
    ),
]


def weight_of(queries: bytes) -> int:
    """How many reads the queries of a request for a wall are charged as.

    It is worked out before they are checked, so that a refusal is charged as what was asked.
    """
    tables = min(TABLES_MAX, 1 + len(_COMMA.findall(queries)))
    return -(-tables // TABLES_A_READ)


@get(
    "/wall",
    operation_id="ReadWall",
    tags=["games"],
    opt=operation("reads", Wall, tagged=True, problems=("wall-too-large",), weight=weight_of),
)
async def read_wall(request: StrictRequest, tables: _Tables) -> Reply:
    """How several tables stand now: turn, whom they wait for and until when, what is the matter.

    Only what everybody may see, whoever asks: private tables are `missing` as those that there are
    not, unlisted ones are found by whoever knows their ids, and tables with a delay are told as
    their spectators see them. The host of a table is also told which of the people there are
    connected, as in `GET /v1/games/{game}/connections`. Every ten tables, or part of ten, are
    charged as one read.
    """
    app_context = app_context_of(request)
    wanted = tables_in(tables)
    found = await asyncio.gather(*(_view(app_context, game) for game in wanted))
    views = {game: view for game, view in zip(wanted, found, strict=True) if view is not None}
    names = await asyncio.gather(
        *(app_context.tables.names.seats(view.state.seats) for view in views.values())
    )
    connections = await _connections(app_context, request.user, views)
    told = (
        wall_table(app_context.tables.table, game, view, named, connections.get(game, {}))
        for (game, view), named in zip(views.items(), names, strict=True)
    )
    missing = tuple(game for game in wanted if game not in views)
    body = encode(Wall(tables=tuple(told), missing=missing))
    return checked(request, body, content_tag(body), PRIVATE)


def tables_in(text: str) -> list[str]:
    """The ids that are asked for, each once.

    Raises:
        Refused: wall-too-large; invalid-parameter if there is none, or something is no id.
    """
    words = text.split(",")
    if len(words) > TABLES_MAX:
        flaw = _flaw(f"a wall has room for {TABLES_MAX} tables, and {len(words)} were asked for")
        raise Refused("wall-too-large", flaw.message, errors=(flaw,))
    for number, word in enumerate(words, 1):
        if _TABLE.match(word) is None:
            flaw = _flaw(_wrong(text, number))
            raise Refused("invalid-parameter", flaw.message, errors=(flaw,))
    return list(dict.fromkeys(words))


def _wrong(text: str, number: int) -> str:
    """What is wrong, without repeating what was sent."""
    if text == "":
        return "name at least one table by its id"
    return f"number {number} of the tables is no table's id; ids have commas between them"


def _flaw(message: str) -> Flaw:
    return Flaw(source="query", at="tables", message=message)


async def _view(app_context: AppContext, game: str) -> View | None:
    """What a stranger sees of a table; None if that is nothing.

    Raises:
        LogUnavailable: the store does not answer.
    """
    try:
        access = await look_at(app_context, None, game, "public")
        return await app_context.tables.view(game, PUBLIC, at_least=access.version)
    except Refused:
        return None
    except Damaged as error:  # the others are shown all the same
        _log.error("row_not_shown", game=game, reason=type(error).__name__)
        return None


async def _connections(
    app_context: AppContext, caller: Principal | None, views: Mapping[str, View]
) -> Mapping[str, Mapping[Seat, Connection]]:
    """How the people at the tables that a caller watches over are connected.

    Raises:
        LogUnavailable: the store does not answer.
    """
    if caller is None:
        return {}
    people = {
        game: people_of(view.state)
        for game, view in views.items()
        if view.state.phase != "finished" and _watches_over(caller, view.state)
    }
    found = await app_context.connections.at(
        [(player, game) for game, seats in people.items() for player in seats.values()]
    )
    each = iter(found)
    return {game: {seat: next(each) for seat in seats} for game, seats in people.items()}


def _watches_over(caller: Principal, state: TableState) -> bool:
    """Whether a table is a caller's to watch over: as its host, or by office."""
    return state.host == caller.player or caller.has("admin")


def wall_table(
    table: Table,
    game: str,
    view: View,
    names: Mapping[Seat, SeatName],
    connections: Mapping[Seat, Connection],
) -> WallTable:
    """A table as a view of it shows it (pure)."""
    s = view.state
    rules = table.games[s.game]
    halt = halt_in(table.games, view)
    asked = {} if halt is None else {each.seat: each.kind for each in reversed(halt.asked)}
    proposal, clock = s.pauses_held.proposal, s.clock
    return WallTable(
        id=game,
        game=s.game,
        rulebook=s.rulebook,
        mode=s.mode,
        status="live" if s.phase == "none" else s.phase,
        visibility=s.visibility,
        scenario=s.scenario,
        host=s.host,
        seat_count=s.seat_count,
        seats=tuple(
            _seat(seat, place, names[seat], asked.get(seat), connections.get(seat))
            for seat, place in sorted(s.seats.items())
        ),
        version=view.version,
        turn=0 if s.play is None else rules.turn(s.play),
        wait=None if halt is None else halt.wait,
        since=None if clock is None else clock.since,
        due=None if clock is None else clock.due,
        paused=standstill_of(s),
        paused_at=s.paused_at,
        pause_proposed=None if proposal is None else proposal.seat,
        result=s.result,
        delay=s.delay,
        tournament=None if s.tournament is UNSET else s.tournament,
    )


def _seat(
    seat: Seat,
    place: SeatState,
    name: SeatName,
    asked: str | None,
    connection: Connection | None,
) -> WallSeat:
    return WallSeat(
        seat=seat,
        player=place.player,
        name=name.name,
        deleted=name.deleted,
        bot=place.bot,
        asked=asked,
        strikes=place.strikes,
        absent=place.absent,
        resigned=place.resigned,
        connection=connection,
    )


HANDLERS: Final[list[HTTPRouteHandler]] = [read_wall]
