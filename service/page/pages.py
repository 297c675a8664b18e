"""The page: one document for every address that people open, and the files that it is made of.

These need no token and no budget. A document says nothing about any game, not even whether it
exists: the page asks the API for that, as whoever looks at it.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final
from urllib.parse import quote

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from service.house import House, house_of
from service.problems import Refused
from service.replies import Header, Reply, checked, content_tag
from service.requests import StrictRequest
from service.wire import GAME_ID

_GAME: Final = re.compile(GAME_ID)
_HEAD_END: Final = b"</head>"
_HTML: Final = "text/html; charset=utf-8"

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {framed}; "
    "require-trusted-types-for 'script'"
)
_FRESH: Final[Header] = (b"cache-control", b"no-cache")
"""Names hold no hash, so each use asks whether what is kept is still good."""


def _document_headers(framed: str) -> tuple[Header, ...]:
    return (
        _FRESH,
        (b"content-security-policy", _POLICY.format(framed=framed).encode()),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    )


_ALONE: Final = _document_headers("'none'")
_EMBEDDED: Final = _document_headers("*")
_FILE: Final[tuple[Header, ...]] = (_FRESH, (b"cross-origin-resource-policy", b"same-origin"))


@get("/", name="lobby")
async def show_lobby(request: StrictRequest) -> Reply:
    """The page: open, live and finished games."""
    return await _document(request, None, _ALONE)


@get("/watch/{game:str}", name="watch")
async def show_game(request: StrictRequest, game: FromPath[str]) -> Reply:
    """The page: one game, to watch, to play and to step through."""
    return await _document(request, game, _ALONE)


@get("/embed/{game:str}", name="embed")
async def show_embedded(request: StrictRequest, game: FromPath[str]) -> Reply:
    """The page for a frame in somebody else's: the only address that may stand in one."""
    return await _document(request, game, _EMBEDDED)


@get("/web/{file:path}", name="web")
async def send_file(request: StrictRequest, file: FromPath[str]) -> Reply:
    """A file that the page is made of."""
    found = house_of(request).site().files.get(str(file).removeprefix("/"))
    if found is None:
        raise Refused("not-found", "there is no such file")
    reply = checked(request, found.body, found.etag, _FILE, found.media_type)
    return await house_of(request).packer.common(request, reply, found.etag)


async def _document(request: StrictRequest, game: str | None, headers: tuple[Header, ...]) -> Reply:
    house = house_of(request)
    body = house.site().index
    if game is not None and house.settings.public_url and _GAME.fullmatch(game):
        body = body.replace(_HEAD_END, _preview(house, game).encode() + _HEAD_END, 1)
    etag = content_tag(body)
    reply = checked(request, body, etag, headers, _HTML)
    # One with a preview is another for each address that a stranger thinks up: nothing to keep.
    return await house.packer.common(request, reply, etag) if body is house.site().index else reply


def _preview(house: House, game: str) -> str:
    """What other sites show of a link to a game: made of its id alone, without looking it up."""
    base = house.settings.public_url
    page = f"{base}/watch/{game}"
    asked = quote(page, safe="")
    pairs = {
        "og:site_name": "Parlour",
        "og:title": "Room 25",
        "og:type": "website",
        "og:url": page,
        "og:image": f"{base}/v1/games/{game}/preview.svg",
        "og:image:type": "image/svg+xml",
    }
    lines = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in pairs.items()]
    lines.append(
        '<link rel="alternate" type="application/json+oembed" '
        f'href="{escape(f"{base}/v1/oembed?url={asked}")}" />'
    )
    return "".join(f"  {line}\n  " for line in lines)


HANDLERS: Final[list[HTTPRouteHandler]] = [show_lobby, show_game, show_embedded, send_file]
