"""``/v1/games/{game}/inspections``: an auditor begins to look at a running game."""

from __future__ import annotations

from typing import Final

import structlog
from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from events.kernel import Actor
from events.transact import Receipt as LogReceipt
from games.inspecting import inspection_of
from games.table_events import InspectionBegan
from service.commanding import execute, name_command
from service.house import house_of
from service.operations import AUDITING, operation
from service.replies import Reply, done
from service.requests import StrictRequest
from service.seeing import look_up
from service.wire import InspectionReceipt, NewInspection, encode_canonical

_log = structlog.get_logger(__name__)


@post(
    "/games/{game:str}/inspections",
    operation_id="InspectGame",
    tags=["auditing"],
    status_code=201,
    opt=operation(
        "commands",
        InspectionReceipt,
        scopes=AUDITING,
        status=201,
        keyed=True,
        problems=(
            "game-not-found",
            "game-not-live",
            "game-over",
            "inspection-by-player",
            "unknown-seat",
        ),
    ),
)
async def inspect_game(
    request: StrictRequest, game: FromPath[str], data: JSONBody[NewInspection]
) -> Reply:
    """Look at a running game through other eyes than the public's, until a time.

    That you look, and until when, stands in the game's log for everybody before you have seen
    anything; through whose eyes and why is sealed until the end. What you then read with `as`
    appends nothing. A repetition has the first answer, and gives no more time.
    """
    house, caller, key = house_of(request), request.caller, request.idempotency_key()
    await look_up(house, caller, game, known=True)
    command = inspection_of(data.eyes, data.reason, house.settings.inspection_seconds)
    named = name_command(house, request, caller, key, data)
    receipt = await execute(house, request, game, command, Actor("auditor", caller.player), named)
    answer = _told(game, receipt)
    if not receipt.again:
        # Neither eyes nor reason: they are sealed, and a log line is not.
        _log.warning("inspection_began", game=game, player=caller.player, until=answer.until)
    return done(encode_canonical(answer), 201)


def _told(game: str, receipt: LogReceipt) -> InspectionReceipt:
    """The answer to whoever inspects, who knows the own eyes."""
    (event,) = receipt.events
    if not isinstance(event, InspectionBegan):
        raise TypeError(f"an inspection made {type(event).__name__}")
    return InspectionReceipt(
        game=game,
        version=receipt.version,
        at=receipt.at,
        until=event.until,
        eyes=str(event.eyes).rstrip(" "),
    )


HANDLERS: Final[list[HTTPRouteHandler]] = [inspect_game]
