"""The director's commands: pause, resume, extend, annul."""

from __future__ import annotations

from typing import Final

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from events.kernel import Actor, Command
from games.table_events import AnnulTable, ExtendTime, PauseTable, ResumeTable
from service.commanding import execute, name_command, receipt_of
from service.house import house_of
from service.operations import DIRECTING, operation
from service.problems import Refused
from service.replies import Reply
from service.requests import StrictRequest
from service.seeing import look_up
from service.wire import Annulment, Extension, Pause, Receipt

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
    """Go on: the running deadline moves by as long as the game stood still.

    A game that was held because the store has lost a part of it goes on from what is there, and
    what it waits for gets its whole time anew.
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
    """Give more time for what the game waits for now."""
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
    """Give a director's command, if the caller directs this table.

    Raises:
        Refused: not-the-director.
    """
    house, caller, key = house_of(request), request.caller, request.idempotency_key()
    state = (await look_up(house, caller, game, known=True)).state
    if state.host != caller.player and not caller.has("admin"):
        raise Refused("not-the-director", "this table is directed by its host")
    named = name_command(house, request, caller, key, body)
    actor = Actor("director", caller.player)
    return receipt_of(game, await execute(house, request, game, command, actor, named))


HANDLERS: Final[list[HTTPRouteHandler]] = [pause_game, resume_game, extend_time, annul_game]
