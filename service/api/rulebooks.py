"""``/v1/rulebooks``: what can be played, described in words."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from games.registry import DEFAULT_GAME
from games.rulebooks import RulebookInfo
from service.app_context import app_context_of
from service.contract.operations import operation
from service.contract.rulebook_schemas import Rulebooks
from service.http.languages import Lang
from service.http.problems import Refused
from service.http.replies import Reply
from service.http.requests import StrictRequest


@get(
    "/rulebooks",
    operation_id="ListRulebooks",
    tags=["rulebooks"],
    opt=operation("reads", Rulebooks, tagged=True, headers=("Content-Language", "Vary")),
)
async def list_rulebooks(request: StrictRequest, lang: Lang = None) -> Reply:
    """All rulebooks, and the available house bots."""
    app_context = app_context_of(request)
    return await app_context.compressor.common(
        request, app_context.books.names.reply(request, lang)
    )


@get(
    "/rulebooks/{rulebook:str}",
    operation_id="ReadRulebook",
    tags=["rulebooks"],
    opt=operation(
        "reads",
        RulebookInfo,
        tagged=True,
        headers=("Content-Language", "Vary"),
        problems=("rulebook-not-found",),
    ),
)
async def read_rulebook(
    request: StrictRequest,
    rulebook: FromPath[str],
    game: Annotated[
        str,
        QueryParameter(
            max_length=64,
            description="The game whose rulebook it is, as `ListRulebooks` names it; two games may "
            f"have rulebooks of the same id. By default `{DEFAULT_GAME}`.",
        ),
    ] = DEFAULT_GAME,
    lang: Lang = None,
) -> Reply:
    """A rulebook of a game: its modes, options and words, and whatever its game is made of.

    In English, French or Polish.
    """
    app_context = app_context_of(request)
    try:
        found = app_context.books.book(game, rulebook)
    except KeyError:
        raise Refused("rulebook-not-found", "rulebook not found") from None
    return await app_context.compressor.common(request, found.reply(request, lang))


HANDLERS: Final[list[HTTPRouteHandler]] = [list_rulebooks, read_rulebook]
