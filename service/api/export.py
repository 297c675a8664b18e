"""Exporting a game: its log as one file, and a page that replays it offline."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter
from litestar.types import Receive, Scope, Send
from msgspec import Raw, Struct

from events.names import NameOpening
from projections.record import Names
from service.access.view_scope import Access, digest_of, look_at, openings_seen
from service.api.games import As
from service.api.heads import head_of
from service.app_context import AppContext, app_context_of
from service.contract.bodies import VIEWER, HeadInfo
from service.contract.operations import operation
from service.http.headers import is_head
from service.http.languages import Lang, negotiate
from service.http.problems import Refused
from service.http.replies import (
    NDJSON,
    PRIVATE,
    Answer,
    Header,
    Reply,
    attachment,
    matches,
    not_modified,
    seen,
    tag,
)
from service.http.requests import StrictRequest

HTML: Final = "text/html"
PAGE: Final = 512
"""The number of events read and sent at a time."""


class ReplayArchive(Struct, frozen=True, kw_only=True):
    """What an offline page has instead of the API (JSON in the element ``archive``).

    ``lines`` are the events as the viewer gets them, as text, so that they can be hashed; ``names``
    the openings of their name seals, without deleted players; ``renamed`` the present names of
    those who have been renamed since; ``books`` the rulebook by language and ``words`` the page's
    own texts by language and section. ``head`` is the head of the chain at the end, to compare with
    the one computed from the lines.
    """

    game: str
    viewer: str
    language: str
    lines: list[str]
    head: HeadInfo
    names: dict[str, NameOpening]
    renamed: dict[str, str]
    books: dict[str, Raw]
    words: dict[str, dict[str, Raw]]


class LogFile(NamedTuple):
    """The log of a game for one viewer, read and sent in chunks: an ASGI app."""

    headers: tuple[Header, ...]
    pages: AsyncIterator[list[bytes]]

    async def __call__(
        self,
        scope: Scope,  # noqa: ARG002 (ASGI)
        receive: Receive,  # noqa: ARG002 (ASGI)
        send: Send,
    ) -> None:
        """Send it.

        Raises:
            Damaged, LogUnavailable: the log cannot be read; if that happens part-way, the answer
                breaks off, so that a part is not mistaken for the whole.
        """
        first = await anext(self.pages)
        start: Any = {"type": "http.response.start", "status": 200, "headers": self.headers}
        await send(start)
        await send(_piece(first))
        async for page in self.pages:
            await send(_piece(page))
        end: Any = {"type": "http.response.body", "body": b"", "more_body": False}
        await send(end)


def _piece(page: list[bytes]) -> Any:  # noqa: ANN401 (an ASGI message)
    body = b"".join(line + b"\n" for line in page)
    return {"type": "http.response.body", "body": body, "more_body": True}


@get(
    "/games/{game:str}/log.jsonl",
    operation_id="DownloadLog",
    tags=["games"],
    opt=operation(
        "reads",
        None,
        media=(NDJSON,),
        tagged=True,
        headers=("Content-Disposition",),
        problems=("game-not-found", "view-not-yours", "inspection-needed"),
    ),
)
async def download_log(request: StrictRequest, game: FromPath[str], as_: As = None) -> Answer:
    """All events so far as one file, one per line: the pages of `events` put together."""
    app_context = app_context_of(request)
    access = await look_at(app_context, request.user, game, as_)
    etag = tag(access.version, access.view_scope.name)
    if matches(request, etag):
        return await app_context.compressor.of_game(request, not_modified(etag), ended=access.ended)
    name = f"parlour-{game}.{access.view_scope.name.replace(':', '-')}.jsonl"
    if access.ended:
        lines = [line + b"\n" async for page in _pages(app_context, access) for line in page]
        reply = seen(b"".join(lines), etag, media_type=NDJSON, name=name)
        return await app_context.compressor.common(request, reply)
    headers = (
        *PRIVATE,
        (b"etag", etag.encode()),
        (b"content-type", NDJSON.encode()),
        attachment(name),
    )
    if is_head(request.scope):
        return Reply(b"", headers, media_type=None)
    return LogFile(headers, _pages(app_context, access))


@get(
    "/games/{game:str}/replay.html",
    operation_id="DownloadReplay",
    tags=["games"],
    opt=operation(
        "reads",
        None,
        media=(HTML,),
        tagged=True,
        headers=("Content-Disposition",),
        problems=(
            "game-not-found",
            "game-not-finished",
            "view-not-yours",
            "inspection-needed",
            "history-contradicted",
        ),
    ),
)
async def download_replay(
    request: StrictRequest,
    game: FromPath[str],
    as_: Annotated[
        str,
        QueryParameter(
            name="as",
            pattern=VIEWER,
            description="The view: `public`, `seat:<n>` or `full`. The public one by default.",
        ),
    ] = "public",
    lang: Lang = None,
) -> Reply:
    """A finished game as one HTML file that replays it offline, in any view."""
    app_context = app_context_of(request)
    access = await look_at(app_context, request.user, game, as_)
    if not access.ended:
        raise Refused("game-not-finished", "the game is still running")
    table = (await app_context.tables.load(game, access.version)).state
    static_files = app_context.static_files()
    language = lang or negotiate(request.header(b"accept-language"))
    books = app_context.books.book(table.game, table.rulebook).bodies
    names = Names.of(await openings_seen(app_context, access))
    parts = (
        access.view_scope.name,
        language,
        static_files.digest,
        books[language].etag.strip('"'),
        f"n{digest_of(names)}",
    )
    etag = tag(access.version, "-".join(parts))
    if matches(request, etag):
        return await app_context.compressor.common(request, not_modified(etag))
    archive = ReplayArchive(
        game=game,
        viewer=access.view_scope.name,
        language=language,
        lines=[line.decode() async for page in _pages(app_context, access) for line in page],
        head=await head_of(app_context, access),
        names=names.names,
        renamed=names.renamed,
        books={each: Raw(book.body) for each, book in books.items()},
        words=static_files.words,
    )
    body = static_files.frame.around(msgspec.json.encode(archive))
    reply = seen(body, etag, media_type=f"{HTML}; charset=utf-8", name=f"parlour-{game}.html")
    return await app_context.compressor.common(request, reply)


async def _pages(app_context: AppContext, access: Access) -> AsyncIterator[list[bytes]]:
    """All visible events, a page at a time."""
    for after in range(0, access.version, PAGE):
        last = min(after + PAGE, access.version)
        yield await app_context.tables.events(
            access.game, access.view_scope.viewer, after, last - after, at_least=last
        )


HANDLERS: Final[list[HTTPRouteHandler]] = [download_log, download_replay]
