"""Pictures of a game: any view as an SVG image, and the one that other sites show with a link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from litestar import get
from litestar.params import FromPath

from events.kernel import Seat
from projections.board import Board, describe
from projections.board_svg import board_svg, preview_svg
from projections.names import SeatName
from projections.views import View
from service.house import House, house_of
from service.operations import operation
from service.replies import PRIVATE, Header, Reply, matches, tag
from service.requests import StrictRequest
from service.seeing import Sight, look_at, with_names

SVG: Final = "image/svg+xml"
PREVIEW_S: Final = 30
"""How long a preview may be kept without asking, in seconds."""

_SAFE: Final[tuple[Header, ...]] = (
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'"),
    (b"cross-origin-resource-policy", b"cross-origin"),
)
"""A picture runs nothing and loads nothing, and any site may show it."""

_KEPT: Final[tuple[Header, ...]] = (
    (b"cache-control", b"public, max-age=%d" % PREVIEW_S),
    (b"vary", b"authorization"),
)
"""A shared cache tells callers apart, so that it knows nothing of private tables."""


def picture_of(sight: Sight) -> str:
    """What the entity tag of a picture names beside the version: a picture is not its view."""
    return f"{sight.eyes.name}-svg"


async def draw_view(request: StrictRequest, house: House, sight: Sight, at: int | None) -> Reply:
    """The picture of the view at a version, unless the client has it; ``at`` None: the newest.

    Raises:
        Damaged, LogUnavailable: the stream cannot be read.
    """
    version = sight.version if at is None else at
    view = await house.desk.view(sight.game, sight.eyes.viewer, at, at_least=version)
    names = await house.desk.names.seats(view.state.seats)
    etag = tag(view.version, with_names(picture_of(sight), names))
    if matches(request, etag):
        reply = _unchanged(PRIVATE, etag)
        return await house.packer.of_game(request, reply, ended=sight.ended)
    caption = f"{sight.game}, version {view.version}, as {sight.eyes.name}"
    reply = _picture(board_svg(_board(house, view, names), caption), PRIVATE, etag)
    return await house.packer.of_game(request, reply, ended=sight.ended)


@get(
    "/games/{game:str}/preview.svg",
    operation_id="ReadPreview",
    tags=["games"],
    opt=operation("reads", None, media=(SVG,), tagged=True, problems=("game-not-found",)),
)
async def read_preview(request: StrictRequest, game: FromPath[str]) -> Reply:
    """The game as the public sees it, as a picture of 1200 by 630 for link previews.

    It may be kept for half a minute.
    """
    house = house_of(request)
    sight = await look_at(house, request.user, game, "public")
    kept = PRIVATE if sight.private else _KEPT
    view = await house.desk.view(game, sight.eyes.viewer, at_least=sight.version)
    names = await house.desk.names.seats(view.state.seats)
    etag = tag(view.version, with_names("preview", names))
    if matches(request, etag):
        reply = _unchanged(kept, etag)
        return await house.packer.of_game(request, reply, ended=sight.ended)
    reply = _picture(preview_svg(_board(house, view, names)), kept, etag)
    return await house.packer.of_game(request, reply, ended=sight.ended)


def _board(house: House, view: View, names: Mapping[Seat, SeatName]) -> Board:
    return describe(house.desk.table, view.state, names, settled=view.settled)


def _picture(image: str, kept: tuple[Header, ...], etag: str) -> Reply:
    headers = (*kept, *_SAFE, (b"etag", etag.encode()))
    return Reply(image.encode(), headers, media_type=SVG.encode())


def _unchanged(kept: tuple[Header, ...], etag: str) -> Reply:
    """The client's copy is good."""
    return Reply(b"", (*kept, *_SAFE, (b"etag", etag.encode())), 304, None)
