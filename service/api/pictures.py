"""Pictures of a game: any view as an SVG image, and the preview for links, as PNG too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Final

from litestar import get
from litestar.params import FromPath, QueryParameter

from events.kernel import Seat
from games.words import ENGLISH, WORDS
from projections.board import Board, describe
from projections.board_svg import board_svg
from projections.names import SeatName
from projections.preview_svg import preview_svg, preview_words
from projections.views import View
from service.access.view_scope import Access, look_at, with_names
from service.app_context import AppContext, app_context_of
from service.contract.bodies import LARGEST_VERSION
from service.contract.operations import operation
from service.http.languages import Lang, negotiate
from service.http.problems import Refused
from service.http.replies import PNG, PRIVATE, Header, Reply, matches, tag
from service.http.requests import StrictRequest

SVG: Final = "image/svg+xml"
PREVIEW_S: Final = 30
"""How long a preview may be cached without revalidation, in seconds."""

PNG_READS: Final = 10
"""How many reads a picture as PNG is charged as: drawing it takes as long as they do."""

PreviewAt = Annotated[
    int | None,
    QueryParameter(
        ge=1,
        le=LARGEST_VERSION,
        description="A version that everybody may see. The newest one by default.",
    ),
]

_SAFE: Final[tuple[Header, ...]] = (
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'"),
    (b"cross-origin-resource-policy", b"cross-origin"),
)
"""A picture runs no scripts and loads nothing, and any site may show it."""

_KEPT: Final[tuple[Header, ...]] = (
    (b"cache-control", b"public, max-age=%d" % PREVIEW_S),
    (b"vary", b"authorization, accept-language"),
)
"""A shared cache must tell callers apart, so that it never serves a private table to others."""


def picture_of(access: Access) -> str:
    """The viewer part of a picture's entity tag, distinct from that of the view it shows."""
    return f"{access.view_scope.name}-svg"


async def draw_view(
    request: StrictRequest, app_context: AppContext, access: Access, at: int | None
) -> Reply:
    """The picture of the view at a version, or 304 if the client has it; ``at`` None: the newest.

    Raises:
        Damaged, LogUnavailable: the stream cannot be read.
    """
    version = access.version if at is None else at
    view = await app_context.tables.view(
        access.game, access.view_scope.viewer, at, at_least=version
    )
    names = await app_context.tables.names.seats(view.state.seats)
    etag = tag(view.version, with_names(picture_of(access), names))
    if matches(request, etag):
        reply = _unchanged(PRIVATE, etag)
        return await app_context.compressor.of_game(request, reply, ended=access.ended)
    caption = f"{access.game}, version {view.version}, as {access.view_scope.name}"
    reply = _picture(board_svg(_board(app_context, view, names), caption), PRIVATE, etag)
    return await app_context.compressor.of_game(request, reply, ended=access.ended)


@get(
    "/games/{game:str}/preview.svg",
    operation_id="ReadPreview",
    tags=["games"],
    opt=operation(
        "reads",
        None,
        media=(SVG,),
        tagged=True,
        headers=("Content-Language", "Vary"),
        problems=("game-not-found", "version-not-found"),
    ),
)
async def read_preview(
    request: StrictRequest, game: FromPath[str], at: PreviewAt = None, lang: Lang = None
) -> Reply:
    """The public view of the game as a 1200 by 630 picture for link previews.

    In English, French or Polish. It may be cached for 30 seconds.
    """
    reply, ended = await _preview(request, game, "preview", at, lang)
    return await app_context_of(request).compressor.of_game(request, reply, ended=ended)


@get(
    "/games/{game:str}/preview.png",
    operation_id="ReadPreviewAsPng",
    tags=["games"],
    opt=operation(
        "reads",
        None,
        media=(PNG,),
        tagged=True,
        headers=("Content-Language", "Vary"),
        problems=("game-not-found", "version-not-found"),
        weight=lambda _queries: PNG_READS,
    ),
)
async def read_preview_as_png(
    request: StrictRequest, game: FromPath[str], at: PreviewAt = None, lang: Lang = None
) -> Reply:
    """The same picture as PNG: most sites show no SVG where a link has a preview.

    It is charged as ten reads, and may be cached for 30 seconds.
    """
    reply, _ = await _preview(request, game, "preview-png", at, lang)
    if not reply.body:
        return reply
    drawn = await app_context_of(request).rasterizer.png(reply.body.decode())
    return reply._replace(body=drawn, media_type=PNG.encode())


async def _preview(
    request: StrictRequest, game: str, name: str, at: int | None, lang: str | None
) -> tuple[Reply, bool]:
    """The preview of a game at a version, by ``name`` in its tag, or 304 if the client has it.

    And whether the newest one is the last, because the game is over.

    Raises:
        Refused: game-not-found, version-not-found.
        Damaged, LogUnavailable: the stream cannot be read.
    """
    app_context = app_context_of(request)
    language = lang or negotiate(request.header(b"accept-language"))
    access = await look_at(app_context, request.user, game, "public")
    if at is not None and at > access.version:
        raise Refused("version-not-found", f"the newest version is {access.version}")
    version = access.version if at is None else at
    view = await app_context.tables.view(game, access.view_scope.viewer, at, at_least=version)
    names = await app_context.tables.names.seats(view.state.seats)
    etag = tag(view.version, with_names(f"{name}-{language}", names))
    kept = (*(PRIVATE if access.private else _KEPT), (b"content-language", language.encode()))
    if matches(request, etag):
        return _unchanged(kept, etag), access.ended
    return _picture(_drawn(app_context, view, names, language), kept, etag), access.ended


def _drawn(
    app_context: AppContext, view: View, names: Mapping[Seat, SeatName], language: str
) -> str:
    """A preview in a language of ``games.words``."""
    state, board = view.state, _board(app_context, view, names, language)
    book = app_context.books.name(state.game, state.rulebook, language)
    return preview_svg(board, preview_words(state, board, book, partial(WORDS.word, language)))


def _board(
    app_context: AppContext,
    view: View,
    names: Mapping[Seat, SeatName],
    language: str = ENGLISH,
) -> Board:
    registry = app_context.tables.game_registry
    return describe(registry, view.state, names, settled=view.settled, language=language)


def _picture(image: str, kept: tuple[Header, ...], etag: str) -> Reply:
    headers = (*kept, *_SAFE, (b"etag", etag.encode()))
    return Reply(image.encode(), headers, media_type=SVG.encode())


def _unchanged(kept: tuple[Header, ...], etag: str) -> Reply:
    """The client's copy is current."""
    return Reply(b"", (*kept, *_SAFE, (b"etag", etag.encode())), 304, None)
