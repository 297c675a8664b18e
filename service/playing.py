"""``/v1/games/{game}/decisions``: what a player may choose, and choosing."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from events.kernel import Decision, Seat
from games.table_state import TableState
from service.commanding import name_command, receipt_of
from service.house import house_of
from service.operations import PLAYING, operation
from service.polling import WAIT_MAX_S, wait_beyond
from service.principals import Principal
from service.problems import Refused
from service.replies import Reply, known_version, matches, not_modified, seen, tag, wanted_version
from service.requests import StrictRequest
from service.seeing import look_at, look_up
from service.wire import Choice, Decisions, Receipt, encode


def _status_of(state: TableState) -> Literal["open", "live", "paused", "held", "finished"]:
    """Whether it is worth waiting for a decision."""
    if state.phase == "none":
        raise AssertionError("a table that can be looked at has been opened")
    if state.is_held:
        return "held"
    return "paused" if state.paused_at is not None else state.phase


def _is_other_kind(state: TableState, seat: Seat, caller: Principal) -> bool:
    """Whether a person sits there and a program asks, or the other way round."""
    place = state.seats.get(seat)
    return place is not None and (place.program is True) != caller.is_program


@get(
    "/games/{game:str}/decisions",
    operation_id="ReadDecisions",
    tags=["playing"],
    opt=operation(
        "reads",
        Decisions,
        scopes=PLAYING,
        tagged=True,
        problems=("game-not-found", "too-many-streams"),
    ),
)
async def read_decisions(
    request: StrictRequest,
    game: FromPath[str],
    wait: Annotated[
        int,
        QueryParameter(
            ge=0,
            le=WAIT_MAX_S,
            description="With `If-None-Match`: wait so many seconds for the game to move on.",
        ),
    ] = 0,
) -> Reply:
    """All that your seats may choose now. Empty if it is not your turn, or not your table.

    `status` says whether there is anything to wait for.
    """
    house, caller = house_of(request), request.caller
    sight = await look_at(house, caller, game, None)
    name = f"player:{caller.player}"
    if known_version(request, name) == sight.version:
        sight = await wait_beyond(house, request, sight, sight.version, wait)
    version = sight.version
    found: list[Decision] = []
    if sight.seats:
        loaded = await house.desk.load(game, version)
        version = loaded.version
        state = loaded.state
        found = [d for n in sight.seats for d in house.desk.table.decisions(state, n)]
    else:
        state = (await house.desk.view(game, sight.eyes.viewer, version)).state
    etag = tag(version, name)
    if matches(request, etag):
        return not_modified(etag)
    body = Decisions(
        game=game,
        version=version,
        now=house.desk.clock(),
        status=_status_of(state),
        seats=sight.seats,
        decisions=tuple(found),
    )
    return seen(encode(body), etag)


@post(
    "/games/{game:str}/decisions/{decision:str}",
    operation_id="Choose",
    tags=["playing"],
    status_code=200,
    opt=operation(
        "commands",
        Receipt,
        scopes=PLAYING,
        keyed=True,
        problems=(
            "game-not-found",
            "not-seated",
            "wrong-kind-of-token",
            "game-not-live",
            "game-over",
            "game-held",
            "table-paused",
            "decision-not-open",
            "option-not-offered",
            "deadline-passed",
            "choice-not-secret",
            "choice-not-public",
        ),
    ),
)
async def choose(
    request: StrictRequest, game: FromPath[str], decision: FromPath[str], data: JSONBody[Choice]
) -> Reply:
    """Choose an option of an open decision of yours.

    A secret choice stays yours, and may be replaced, until everybody has chosen.
    """
    house, caller, key = house_of(request), request.caller, request.idempotency_key()
    loaded = await look_up(house, caller, game, known=True)
    seats = loaded.state.seats_of(caller.player)
    if not seats:
        loaded = await look_up(house, caller, game)
        seats = loaded.state.seats_of(caller.player)
    if not seats:
        raise Refused("not-seated", "you do not sit at this table")
    if _is_other_kind(loaded.state, seats[0], caller):
        loaded = await look_up(house, caller, game)  # it may have left and come back as the other
        if _is_other_kind(loaded.state, seats[0], caller):
            raise Refused(
                "wrong-kind-of-token", "who sat down here plays by the other kind of token"
            )
    named = name_command(house, request, caller, key, data)
    receipt = await house.desk.choose(
        game,
        seats[0],
        decision,
        data.option,
        actor=caller.as_player,
        command_id=named.command_id,
        digest=named.digest,
        after=wanted_version(request),
    )
    return receipt_of(game, receipt, house.desk.viewer(loaded.state, seats[0]))


HANDLERS: Final[list[HTTPRouteHandler]] = [read_decisions, choose]
