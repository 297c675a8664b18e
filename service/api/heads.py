"""The head of a game's hash chain, to be compared with the events one was sent."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from events import seal
from projections.views import NoSuchVersion
from service.access.view_scope import Access, look_at
from service.api.games import As
from service.app_context import AppContext, app_context_of
from service.contract.bodies import LARGEST_VERSION, HeadInfo, encode
from service.contract.operations import operation
from service.http.problems import Refused
from service.http.replies import Reply, matches, not_modified, seen, tag
from service.http.requests import StrictRequest


@get(
    "/games/{game:str}/head",
    operation_id="ReadHead",
    tags=["games"],
    opt=operation(
        "reads",
        HeadInfo,
        tagged=True,
        problems=(
            "game-not-found",
            "view-not-yours",
            "inspection-needed",
            "version-not-found",
            "history-contradicted",
        ),
    ),
)
async def read_head(
    request: StrictRequest,
    game: FromPath[str],
    at: Annotated[
        int | None,
        QueryParameter(
            ge=1,
            le=LARGEST_VERSION,
            description="A version that you may see. The newest one by default.",
        ),
    ] = None,
    as_: As = None,
) -> Reply:
    """The signed head of the hash chain: it proves that others were sent the same events.

    It is the same for all viewers, because the chain covers only the public form of events.
    """
    app_context = app_context_of(request)
    access = await look_at(app_context, request.user, game, as_)
    etag = tag(access.version if at is None else at, "head")
    if (at is None or at <= access.version) and matches(request, etag):
        return not_modified(etag)
    found = await head_of(app_context, access, at)
    return seen(encode(found), tag(found.version, "head"))


async def head_of(app_context: AppContext, access: Access, at: int | None = None) -> HeadInfo:
    """The head at a version; ``at`` None: the newest visible one.

    Raises:
        Refused: version-not-found.
        Damaged, LogUnavailable: the stream cannot be read.
    """
    try:
        signed = await app_context.tables.head(
            access.game, access.view_scope.viewer, at, access.version
        )
    except NoSuchVersion as error:
        raise Refused("version-not-found", f"the newest version is {error.version}") from None
    return HeadInfo(
        game=access.game,
        version=signed.at.version,
        head=seal.text_of(signed.at.head),
        time=signed.at.time,
        note=signed.note,
        verifier=signed.verifier,
    )


HANDLERS: Final[list[HTTPRouteHandler]] = [read_head]
