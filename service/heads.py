"""Where a game's hash chain stands: what everybody can compare with what was sent to them."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from events import seal
from projections.views import NoSuchVersion
from service.house import House, house_of
from service.operations import operation
from service.problems import Refused
from service.reading import LARGEST_VERSION, As
from service.replies import Reply, matches, not_modified, seen, tag
from service.requests import StrictRequest
from service.seeing import Sight, look_at
from service.wire import HeadInfo, encode


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
            ge=1, le=LARGEST_VERSION, description="A version that you may see; the newest one."
        ),
    ] = None,
    as_: As = None,
) -> Reply:
    """The head of the hash chain, signed: it proves that others were sent the same events.

    It is the same for all viewers, because the chain covers what everybody may see.
    """
    house = house_of(request)
    sight = await look_at(house, request.user, game, as_)
    etag = tag(sight.version if at is None else at, "head")
    if (at is None or at <= sight.version) and matches(request, etag):
        return not_modified(etag)
    found = await head_of(house, sight, at)
    return seen(encode(found), tag(found.version, "head"))


async def head_of(house: House, sight: Sight, at: int | None = None) -> HeadInfo:
    """The head at a version; ``at`` None: the newest that may be seen.

    Raises:
        Refused: version-not-found.
        Damaged, LogUnavailable: the stream cannot be read.
    """
    try:
        signed = await house.desk.head(sight.game, sight.eyes.viewer, at, sight.version)
    except NoSuchVersion as error:
        raise Refused("version-not-found", f"the newest version is {error.version}") from None
    return HeadInfo(
        game=sight.game,
        version=signed.at.version,
        head=seal.text_of(signed.at.head),
        time=signed.at.time,
        note=signed.note,
        verifier=signed.verifier,
    )


HANDLERS: Final[list[HTTPRouteHandler]] = [read_head]
