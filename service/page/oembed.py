"""oEmbed 1.0: what another site needs to show a game in its own page, made of the address alone."""

from __future__ import annotations

import re
from html import escape
from typing import Annotated, Final, Literal

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from msgspec import Struct

from events.patterns import END
from service.house import house_of
from service.operations import operation
from service.problems import Refused
from service.replies import Fixed, Reply
from service.requests import StrictRequest
from service.wire import GAME_ID, encode

WIDTH: Final = 800
HEIGHT: Final = 640
LEAST: Final = 320
"""Less than this, in pixels, and there is nothing to see; who wants less gets this much."""

URL_MAX: Final = 500

_PAGE: Final = re.compile(
    rf"/(?:watch|embed)/({GAME_ID.removeprefix('^').removesuffix(END)})(?:[?#].*)?", re.ASCII
)

Size = Annotated[int | None, QueryParameter(ge=1, le=10_000, description="At most so many pixels.")]


class Embedding(Struct, frozen=True, kw_only=True):
    """How to embed a game (oEmbed 1.0, type ``rich``). Sizes are in pixels."""

    version: Literal["1.0"] = "1.0"
    type: Literal["rich"] = "rich"
    provider_name: str
    provider_url: str
    title: str
    html: str
    width: int
    height: int


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
        QueryParameter(
            max_length=URL_MAX, description="The address of a game's page, as people see it."
        ),
    ],
    format_: Annotated[
        str, QueryParameter(name="format", pattern=r"^json\Z", enum=("json",), description="JSON.")
    ] = "json",
    maxwidth: Size = None,
    maxheight: Size = None,
) -> Reply:
    """How to show a game in another site's page (oEmbed), for a service that knows its address.

    It looks nothing up: whether there is such a game, the frame will tell.
    """
    del format_
    base = house_of(request).settings.public_url
    found = _PAGE.fullmatch(url.removeprefix(base)) if base and url.startswith(base) else None
    if found is None:
        raise Refused("not-found", "this is no page of a game here")
    width, height = _size(maxwidth, WIDTH), _size(maxheight, HEIGHT)
    source = escape(f"{base}/embed/{found[1]}")
    answer = Embedding(
        provider_name="Parlour",
        provider_url=base,
        title="Room 25",
        html=f'<iframe src="{source}" title="Room 25" width="{width}" height="{height}" '
        'loading="lazy" allowfullscreen></iframe>',
        width=width,
        height=height,
    )
    return Fixed.of(encode(answer)).reply(request)


def _size(most: int | None, usual: int) -> int:
    return usual if most is None else max(LEAST, min(most, usual))


HANDLERS: Final[list[HTTPRouteHandler]] = [describe_embedding]
