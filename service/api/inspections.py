"""``/v1/games/{game}/inspections``: an auditor begins an inspection of a running game."""

from __future__ import annotations

from typing import Final

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from events.kernel import Actor
from events.logger import get_logger
from events.transact import CommandReceipt
from games.table.events import InspectionBegan
from games.table.inspections import inspection_of
from service.access.view_scope import look_up
from service.api.command_execution import execute, name_command, status_of
from service.app_context import app_context_of
from service.contract.bodies import InspectionReceipt, NewInspection, encode_canonical
from service.contract.operations import AUDITING, operation
from service.http.replies import Reply, done
from service.http.requests import StrictRequest

_log = get_logger(__name__)


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
    """Inspect a running game: read it in a view other than the public one, for a limited time.

    That you inspect it, and until when, is public in the game's log before you have seen anything;
    which view and why is sealed until the end. Reading with `as` then appends nothing. A repetition
    gets the first answer, and does not extend the time.
    """
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    await look_up(app_context, caller, game, known=True)
    command = inspection_of(data.eyes, data.reason, app_context.settings.inspection_seconds)
    named = name_command(app_context, request, caller, key, data)
    receipt = await execute(
        app_context, request, game, command, Actor("auditor", caller.player), named
    )
    answer = _receipt_of(game, receipt)
    if not receipt.again:
        # Neither the view nor the reason: they are sealed, and a log line is not.
        _log.warning("inspection_began", game=game, player=caller.player, until=answer.until)
    return done(encode_canonical(answer), status_of(receipt, 201))


def _receipt_of(game: str, receipt: CommandReceipt) -> InspectionReceipt:
    """The answer to the auditor, in which the view is not sealed."""
    (event,) = receipt.events
    if not isinstance(event, InspectionBegan):
        raise TypeError(f"an inspection made {type(event).__name__}")
    return InspectionReceipt(
        game=game,
        version=receipt.version,
        at=receipt.at,
        until=event.until,
        eyes=str(event.eyes).rstrip(" "),
        durability=receipt.level,
    )


HANDLERS: Final[list[HTTPRouteHandler]] = [inspect_game]
