"""The page: one document for every address that people open, and its files.

These need no token and no budget. A document discloses nothing about any game, not even whether it
exists: the page asks the API for that, with the token of its user.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final
from urllib.parse import quote

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from service.app_context import AppContext, app_context_of
from service.contract.bodies import GAME_ID
from service.http.problems import Refused
from service.http.replies import Header, Reply, checked, content_tag
from service.http.requests import StrictRequest
from service.page.oembed import TITLE

_GAME: Final = re.compile(GAME_ID)
_HEAD_END: Final = b"</head>"
_HTML: Final = "text/html; charset=utf-8"

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {framed}; "
    "require-trusted-types-for 'script'"
)
_FRESH: Final[Header] = (b"cache-control", b"no-cache")
"""File names contain no hash, so each use revalidates the cached copy."""


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
    """The page: one game, to watch, play and step through."""
    return await _document(request, game, _ALONE)


@get("/embed/{game:str}", name="embed")
async def show_embedded(request: StrictRequest, game: FromPath[str]) -> Reply:
    """The page for embedding in other sites: the only address that may be framed."""
    return await _document(request, game, _EMBEDDED)


@get("/web/{file:path}", name="web")
async def send_file(request: StrictRequest, file: FromPath[str]) -> Reply:
    """A file of the page."""
    found = app_context_of(request).static_files().files.get(str(file).removeprefix("/"))
    if found is None:
        raise Refused("not-found", "file not found")
    reply = checked(request, found.body, found.etag, _FILE, found.media_type)
    return await app_context_of(request).compressor.common(request, reply, found.etag)


async def _document(request: StrictRequest, game: str | None, headers: tuple[Header, ...]) -> Reply:
    app_context = app_context_of(request)
    body = app_context.static_files().index
    if game is not None and app_context.settings.public_url and _GAME.fullmatch(game):
        body = body.replace(_HEAD_END, _preview(app_context, game).encode() + _HEAD_END, 1)
    etag = content_tag(body)
    reply = checked(request, body, etag, headers, _HTML)
    # One with a preview differs for every address that a caller makes up, so it is not cached.
    return (
        await app_context.compressor.common(request, reply, etag)
        if body is app_context.static_files().index
        else reply
    )


def _preview(app_context: AppContext, game: str) -> str:
    """The link preview of a game for other sites, derived from its id without looking it up."""
    base = app_context.settings.public_url
    page = f"{base}/watch/{game}"
    asked = quote(page, safe="")
    pairs = {
        "og:site_name": "Parlour",
        "og:title": TITLE,
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
