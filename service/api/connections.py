"""Who of the players at a table is connected, for those who sit there."""

from __future__ import annotations

from typing import Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from events.kernel import Seat
from games.table.state import TableState
from service.access.view_scope import look_up
from service.app_context import app_context_of
from service.contract.bodies import encode
from service.contract.connection_bodies import SeatConnection, TableConnections
from service.contract.operations import operation
from service.http.problems import Refused
from service.http.replies import Reply
from service.http.requests import StrictRequest


@get(
    "/games/{game:str}/connections",
    operation_id="ReadConnections",
    tags=["games"],
    opt=operation(
        "reads",
        TableConnections,
        scopes=("play", "bot"),
        problems=("game-not-found", "not-seated"),
    ),
)
async def read_connections(request: StrictRequest, game: FromPath[str]) -> Reply:
    """Which of the people at your table are connected.

    `here`: a stream of this table is open; `away`: only streams of other tables, or that of all
    their games; `disconnected`: none, for 20 seconds or so. Seats of programs are not listed. This
    is no part of the game: it is in no event, view or record, and only the players of a table are
    told, and its host by `GET /v1/wall`.
    """
    app_context, caller = app_context_of(request), request.caller
    loaded = await look_up(app_context, caller, game)
    state = loaded.state
    if not state.seats_of(caller.player):
        raise Refused("not-seated", "you do not have a seat at this table")
    people = people_of(state)
    found = await app_context.connections.at([(player, game) for player in people.values()])
    seats = tuple(
        SeatConnection(seat=seat, connection=connection)
        for seat, connection in zip(people, found, strict=True)
    )
    return Reply(encode(TableConnections(game=game, seats=seats)))


def people_of(state: TableState) -> dict[Seat, str]:
    """The players at a table who are people, by their seats."""
    return {
        seat: place.player
        for seat, place in sorted(state.seats.items())
        if place.player and place.bot is None and not place.program
    }


HANDLERS: Final[list[HTTPRouteHandler]] = [read_connections]
