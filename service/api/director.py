"""The director's commands: pause, resume, extend, annul."""

from __future__ import annotations

from typing import Final

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from events.kernel import Actor, Command
from games.table.events import AnnulTable, ExtendTime, PauseTable, ResumeTable
from service.access.view_scope import look_up
from service.api.command_execution import execute, name_command, receipt_of
from service.app_context import app_context_of
from service.contract.bodies import Annulment, Extension, Pause, Receipt
from service.contract.operations import DIRECTING, operation
from service.http.problems import Refused
from service.http.replies import Reply
from service.http.requests import StrictRequest

_COMMON = ("game-not-found", "not-the-director", "game-over")


@post(
    "/games/{game:str}/pause",
    operation_id="PauseGame",
    tags=["directing"],
    status_code=200,
    opt=operation(
        "commands",
        Receipt,
        scopes=DIRECTING,
        keyed=True,
        problems=(*_COMMON, "game-not-live", "game-held", "table-paused"),
    ),
)
async def pause_game(request: StrictRequest, game: FromPath[str], data: JSONBody[Pause]) -> Reply:
    """Stop the clock and the game."""
    return await _direct(request, game, PauseTable(reason=data.reason), data)


@post(
    "/games/{game:str}/resume",
    operation_id="ResumeGame",
    tags=["directing"],
    status_code=200,
    opt=operation(
        "commands",
        Receipt,
        scopes=DIRECTING,
        keyed=True,
        problems=(*_COMMON, "table-not-paused"),
    ),
)
async def resume_game(request: StrictRequest, game: FromPath[str]) -> Reply:
    """Resume the game: the running deadline moves by the length of the pause.

    A game that was held because the store has lost part of it continues from what is left, and what
    it waits for gets its full time again.
    """
    await request.require_no_body()
    return await _direct(request, game, ResumeTable(), None)


@post(
    "/games/{game:str}/extend",
    operation_id="ExtendTime",
    tags=["directing"],
    status_code=200,
    opt=operation(
        "commands",
        Receipt,
        scopes=DIRECTING,
        keyed=True,
        problems=(
            *_COMMON,
            "game-not-live",
            "game-held",
            "table-paused",
            "deadline-passed",
            "bad-extension",
        ),
    ),
)
async def extend_time(
    request: StrictRequest, game: FromPath[str], data: JSONBody[Extension]
) -> Reply:
    """Give more time for the decisions that the game is waiting for."""
    command = ExtendTime(seconds=data.seconds, reason=data.reason)
    return await _direct(request, game, command, data)


@post(
    "/games/{game:str}/annul",
    operation_id="AnnulGame",
    tags=["directing"],
    status_code=200,
    opt=operation("commands", Receipt, scopes=DIRECTING, keyed=True, problems=_COMMON),
)
async def annul_game(
    request: StrictRequest, game: FromPath[str], data: JSONBody[Annulment]
) -> Reply:
    """End the game without a result. Its log stays."""
    return await _direct(request, game, AnnulTable(reason=data.reason), data)


async def _direct(request: StrictRequest, game: str, command: Command, body: object) -> Reply:
    """Execute a director's command, if the caller directs this table.

    Raises:
        Refused: not-the-director.
    """
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    state = (await look_up(app_context, caller, game, known=True)).state
    if state.host != caller.player and not caller.has("admin"):
        raise Refused("not-the-director", "this table is directed by its host")
    named = name_command(app_context, request, caller, key, body)
    actor = Actor("director", caller.player)
    return receipt_of(game, await execute(app_context, request, game, command, actor, named))


HANDLERS: Final[list[HTTPRouteHandler]] = [pause_game, resume_game, extend_time, annul_game]
