"""oEmbed 1.0: what another site needs to embed a game, derived from its address alone."""

from __future__ import annotations

import re
from html import escape
from typing import Annotated, Final, Literal

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from events.patterns import END
from projections.preview_svg import PREVIEW
from service.app_context import app_context_of
from service.contract.bodies import GAME_ID, encode
from service.contract.operations import operation
from service.http.problems import Refused
from service.http.replies import Fixed, Reply
from service.http.requests import StrictRequest

TITLE: Final = "A game at Parlour"
"""What a game is called of which only the address is known."""
WIDTH: Final = 800
HEIGHT: Final = 640
LEAST: Final = 320
"""The minimum size in pixels; smaller requests get this size."""

URL_MAX: Final = 500

_PAGE: Final = re.compile(
    rf"/(?:watch|embed)/({GAME_ID.removeprefix('^').removesuffix(END)})(?:[?#].*)?", re.ASCII
)

Size = Annotated[int | None, QueryParameter(ge=1, le=10_000, description="The maximum in pixels.")]


class Embedding(Struct, frozen=True, kw_only=True):
    """How to embed a game (oEmbed 1.0, type ``rich``). Sizes are in pixels.

    The thumbnail is left out where the caller allows none of its size.
    """

    version: Literal["1.0"] = "1.0"
    type: Literal["rich"] = "rich"
    provider_name: str
    provider_url: str
    title: str
    html: str
    width: int
    height: int
    thumbnail_url: str | UnsetType = UNSET
    thumbnail_width: int | UnsetType = UNSET
    thumbnail_height: int | UnsetType = UNSET


@get(
    "/oembed",
    operation_id="DescribeEmbedding",
    tags=["games"],
    opt=operation("reads", Embedding, tagged=True, problems=("not-found",)),
)
async def describe_embedding(
    request: StrictRequest,
    url: Annotated[
        str,
        QueryParameter(max_length=URL_MAX, description="The public address of a game's page."),
    ],
    format_: Annotated[
        str, QueryParameter(name="format", pattern=r"^json\Z", enum=("json",), description="JSON.")
    ] = "json",
    maxwidth: Size = None,
    maxheight: Size = None,
) -> Reply:
    """How to embed a game in another site's page (oEmbed); needs a public address.

    It does not look the game up: the frame shows whether it exists.
    """
    del format_
    base = app_context_of(request).settings.public_url
    found = _PAGE.fullmatch(url.removeprefix(base)) if base and url.startswith(base) else None
    if found is None:
        raise Refused("not-found", "this is not the address of a game's page on this service")
    width, height = _size(maxwidth, WIDTH), _size(maxheight, HEIGHT)
    source = escape(f"{base}/embed/{found[1]}")
    answer = Embedding(
        provider_name="Parlour",
        provider_url=base,
        title=TITLE,
        html=f'<iframe src="{source}" title="{TITLE}" width="{width}" height="{height}" '
        'loading="lazy" allowfullscreen></iframe>',
        width=width,
        height=height,
    )
    wide, high = PREVIEW
    if (_size(maxwidth, wide), _size(maxheight, high)) == PREVIEW:
        answer = replace(
            answer,
            thumbnail_url=preview_address(base, found[1]),
            thumbnail_width=wide,
            thumbnail_height=high,
        )
    return Fixed.of(encode(answer)).reply(request)


def preview_address(base: str, game: str, language: str | None = None) -> str:
    """Where the picture of a game is that links to it show; most sites show no SVG.

    ``base`` is the service's public address. Without a language it speaks that of whoever asks.
    """
    return f"{base}/v1/games/{game}/preview.png" + (f"?lang={language}" if language else "")


def _size(most: int | None, usual: int) -> int:
    return usual if most is None else max(LEAST, min(most, usual))


HANDLERS: Final[list[HTTPRouteHandler]] = [describe_embedding]
