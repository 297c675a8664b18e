"""The page: one document for every address that people open, and its files.

These need no token and no budget. A document tells of a table what the API tells everybody, and of
that the game and the rulebook alone, so that the page can load them at once: nothing of a private
table, not even whether it exists. All else the page asks the API, with the token of its user.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final
from urllib.parse import quote

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from games.words import LANGUAGES
from projections.preview_svg import PREVIEW
from service.app_context import AppContext, app_context_of
from service.contract.bodies import GAME_ID
from service.http.compression import compressed
from service.http.languages import negotiate
from service.http.problems import Refused
from service.http.replies import PNG, Header, Reply, checked, content_tag
from service.http.requests import StrictRequest
from service.page.documents import ROUTES
from service.page.oembed import TITLE, preview_address

_GAME: Final = re.compile(GAME_ID)
_HEAD_END: Final = b"</head>"
_NAMED: Final = ROUTES.keys() - {"lobby", "watch"}
"""The pages that the lobby's address shows where its query says so."""

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors {framed}; require-trusted-types-for 'script'; trusted-types worker"
)
_FRESH: Final[Header] = (b"cache-control", b"no-cache")
"""The document names the files of a release, so each use revalidates the cached copy."""

_FOREVER: Final[Header] = (b"cache-control", b"public, max-age=31536000, immutable")
"""For what is under the digest of a release: it is never anything else."""


def _document_headers(framed: str) -> tuple[Header, ...]:
    return (
        _FRESH,
        (b"content-security-policy", _POLICY.format(framed=framed).encode()),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    )


_ALONE: Final = _document_headers("'none'")
_EMBEDDED: Final = _document_headers("*")
_WORKER: Final[tuple[Header, ...]] = (
    _FRESH,
    (b"content-security-policy", b"default-src 'none'; connect-src 'self'"),
)
_FILE: Final[tuple[Header, ...]] = (_FOREVER, (b"cross-origin-resource-policy", b"same-origin"))


@get("/", name="lobby")
async def show_lobby(request: StrictRequest) -> Reply:
    """The page: open, live and finished games; or whatever else its query asks for."""
    asked = request.query_params.get("page", "")
    return await _document(request, asked if asked in _NAMED else "lobby", None, _ALONE)


@get("/watch/{game:str}", name="watch")
async def show_game(request: StrictRequest, game: FromPath[str]) -> Reply:
    """The page: one game, to watch, play and step through."""
    return await _document(request, "watch", game, _ALONE)


@get("/embed/{game:str}", name="embed")
async def show_embedded(request: StrictRequest, game: FromPath[str]) -> Reply:
    """The page for embedding in other sites: the only address that may be framed."""
    wish = request.query_params.get("lang", "")
    return await _document(request, "watch", game, _EMBEDDED, wish)


@get("/assets/{release:str}/{file:path}", name="assets")
async def send_file(request: StrictRequest, release: FromPath[str], file: FromPath[str]) -> Reply:
    """A file of the page; of another release than the one that is served here, none."""
    static_files, path = app_context_of(request).static_files(), str(file).removeprefix("/")
    if release != static_files.digest:
        raise Refused("not-found", "that release of the page is not served here: load it anew")
    found = static_files.files.get(path)
    if found is None:
        raise Refused("not-found", "file not found")
    reply = checked(request, found.body, found.etag, _FILE, found.media_type)
    return compressed(request, reply, lambda: static_files.packed(path))


@get("/service-worker.js", name="service-worker")
async def send_worker(request: StrictRequest) -> Reply:
    """The page's service worker: at the root, for it answers only what lies below its folder."""
    app_context = app_context_of(request)
    found = app_context.static_files().worker
    if found is None:
        raise Refused("not-found", "the page has no service worker")
    reply = checked(request, found.body, found.etag, _WORKER, found.media_type)
    return await app_context.compressor.common(request, reply, found.etag)


async def _document(
    request: StrictRequest,
    route: str,
    game: str | None,
    headers: tuple[Header, ...],
    wish: str = "",
) -> Reply:
    app_context = app_context_of(request)
    # The page may know of another wish, and then asks for the words of that.
    language = wish if wish in LANGUAGES else negotiate(request.header(b"accept-language"))
    if game is None or not _GAME.fullmatch(game):
        game = table = None
    else:
        table = await app_context.known_tables.of(game)
    found = app_context.static_files().document(route, language, table)
    body, etag = found.body, found.etag
    headers = (*headers, (b"vary", b"accept-language"))
    previewed = game is not None and bool(app_context.settings.public_url)
    if game is not None and previewed:
        preview = _preview(app_context, game, language).encode()
        body = body.replace(_HEAD_END, preview + _HEAD_END, 1)
        etag = content_tag(body)
    reply = checked(request, body, etag, headers, found.media_type)
    # One with a preview differs for every address that a caller makes up: only that of a table
    # that there is gets compressed and cached.
    if previewed and table is None:
        return reply
    return await app_context.compressor.common(request, reply, etag)


def _preview(app_context: AppContext, game: str, language: str) -> str:
    """The link preview of a game for other sites, derived from its id without looking it up."""
    base = app_context.settings.public_url
    page = f"{base}/watch/{game}"
    asked = quote(page, safe="")
    width, height = PREVIEW
    pairs = {
        "og:site_name": "Parlour",
        "og:title": TITLE,
        "og:type": "website",
        "og:url": page,
        "og:image": preview_address(base, game, language),
        "og:image:type": PNG,
        "og:image:width": str(width),
        "og:image:height": str(height),
        "twitter:card": "summary_large_image",
    }
    lines = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in pairs.items()]
    lines.append(
        '<link rel="alternate" type="application/json+oembed" '
        f'href="{escape(f"{base}/v1/oembed?url={asked}")}" />'
    )
    return "".join(f"  {line}\n  " for line in lines)


HANDLERS: Final[list[HTTPRouteHandler]] = [
    show_lobby,
    show_game,
    show_embedded,
    send_file,
    send_worker,
]
