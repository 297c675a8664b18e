"""Commands that a caller gives for the seat it plays for."""

from __future__ import annotations

from collections.abc import Callable

from events.kernel import Command, Seat
from service.api.command_execution import execute, name_command, receipt_of
from service.api.seated import own_seat
from service.app_context import app_context_of
from service.http.replies import Reply
from service.http.requests import StrictRequest


async def give(
    request: StrictRequest, game: str, body: object, command: Callable[[Seat], Command]
) -> Reply:
    """Give what ``command`` makes of the caller's seat; the answer is as that seat sees it.

    ``body`` is the request's, by which a repetition under the same key is known.

    Raises:
        Refused: idempotency-key-invalid, game-not-found, not-seated, wrong-kind-of-token,
            invalid-parameter.
        Moved, Rejected, KeyReused, LogUnavailable: see ``TableService.command``.
        NoSuchStream, Damaged: see ``Transactor.load``.
    """
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    loaded, seat = await own_seat(app_context, caller, game)
    named = name_command(app_context, request, caller, key, body)
    receipt = await execute(app_context, request, game, command(seat), caller.as_player, named)
    return receipt_of(game, receipt, app_context.tables.viewer(loaded.state, seat))
