"""``/v1/games/{game}/phrases``: saying a phrase to everybody at the table."""

from __future__ import annotations

from typing import Final

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from games.table.events import SayPhrase
from service.api.seated_commands import give
from service.contract.bodies import NewPhrase, Receipt
from service.contract.operations import NOT_RUNNING, PLAYING, operation
from service.http.replies import Reply
from service.http.requests import StrictRequest


@post(
    "/games/{game:str}/phrases",
    operation_id="SayPhrase",
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
            *NOT_RUNNING,
            "phrases-silenced",
            "phrases-too-fast",
            "unknown-phrase",
            "phrase-to-nobody",
            "phrase-target-not-allowed",
        ),
    ),
)
async def say_phrase(
    request: StrictRequest, game: FromPath[str], data: JSONBody[NewPhrase]
) -> Reply:
    """Say a phrase of the game's to everybody: there is no free text.

    The rulebook lists the `phrases` and what each may be aimed at. A phrase is a public event of
    the game, `phrase-said`, which spectators see as late as everything else; it moves neither game
    nor clock, so choices made before it still hold.
    """
    return await give(
        request,
        game,
        data,
        lambda seat: SayPhrase(seat=seat, phrase=data.phrase, place=data.place, to=data.to),
    )


HANDLERS: Final[list[HTTPRouteHandler]] = [say_phrase]
