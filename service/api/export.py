"""A game to keep: its log as one file, and a page that replays it from a disk."""

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
from games.words import LANGUAGES
from service.books import book_in
from service.headers import is_head
from service.heads import head_of
from service.house import House, house_of
from service.languages import Lang, negotiate
from service.operations import operation
from service.problems import Refused
from service.reading import As
from service.replies import (
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
from service.requests import StrictRequest
from service.seeing import Sight, look_at, openings_seen
from service.wire import VIEWER, HeadInfo

HTML: Final = "text/html"
PAGE: Final = 512
"""How many events are read and sent at a time."""


class Archive(Struct, frozen=True, kw_only=True):
    """What a page on a disk knows instead of the API (JSON in the element ``archive``).

    ``lines`` are the events as the viewer gets them, as text, so that they can be hashed, and
    ``names`` what their name seals open to, but for players who have been deleted; ``books``
    are the rulebook by language and ``words`` the page's own texts by language and section.
    ``head`` is the chain's at the end, to be compared with what the lines lead to.
    """

    game: str
    viewer: str
    language: str
    lines: list[str]
    head: HeadInfo
    names: dict[str, NameOpening]
    books: dict[str, Raw]
    words: dict[str, dict[str, Raw]]


class LogFile(NamedTuple):
    """The log of a game as one viewer gets it, read and sent piece by piece: an ASGI app."""

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
            Damaged, LogUnavailable: the log cannot be read; if that is noticed on the way, the
                answer breaks off, so that nobody takes a part of it for the whole.
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
    """All events so far as one file, one a line: what the pages of `events` hold together."""
    house = house_of(request)
    sight = await look_at(house, request.user, game, as_)
    etag = tag(sight.version, sight.eyes.name)
    if matches(request, etag):
        return await house.packer.of_game(request, not_modified(etag), ended=sight.ended)
    name = f"parlour-{game}.{sight.eyes.name.replace(':', '-')}.jsonl"
    if sight.ended:
        lines = [line + b"\n" async for page in _pages(house, sight) for line in page]
        reply = seen(b"".join(lines), etag, media_type=NDJSON, name=name)
        return await house.packer.common(request, reply)
    headers = (
        *PRIVATE,
        (b"etag", etag.encode()),
        (b"content-type", NDJSON.encode()),
        attachment(name),
    )
    if is_head(request.scope):
        return Reply(b"", headers, media_type=None)
    return LogFile(headers, _pages(house, sight))


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
            description="Whose view: `public`, `seat:<n>` or `full`. The public's by default.",
        ),
    ] = "public",
    lang: Lang = None,
) -> Reply:
    """A finished game as one HTML file that replays it without a network, through any eyes."""
    house = house_of(request)
    sight = await look_at(house, request.user, game, as_)
    if not sight.ended:
        raise Refused("game-not-finished", "the game still runs")
    rulebook = (await house.desk.load(game, sight.version)).state.rulebook
    site, language = house.site(), lang or negotiate(request.header(b"accept-language"))
    books = {each: book_in(rulebook, each) for each in LANGUAGES}
    names = await openings_seen(house, sight)
    parts = (
        *(sight.eyes.name, language, site.digest),
        *(books[language].etag.strip('"'), f"n{len(names)}"),
    )
    etag = tag(sight.version, "-".join(parts))
    if matches(request, etag):
        return await house.packer.common(request, not_modified(etag))
    archive = Archive(
        game=game,
        viewer=sight.eyes.name,
        language=language,
        lines=[line.decode() async for page in _pages(house, sight) for line in page],
        head=await head_of(house, sight),
        names=names,
        books={each: Raw(book.body) for each, book in books.items()},
        words=site.words,
    )
    body = site.frame.around(msgspec.json.encode(archive))
    reply = seen(body, etag, media_type=f"{HTML}; charset=utf-8", name=f"parlour-{game}.html")
    return await house.packer.common(request, reply)


async def _pages(house: House, sight: Sight) -> AsyncIterator[list[bytes]]:
    """All events that may be seen, a page at a time."""
    for after in range(0, sight.version, PAGE):
        last = min(after + PAGE, sight.version)
        yield await house.desk.events(
            sight.game, sight.eyes.viewer, after, last - after, at_least=last
        )


HANDLERS: Final[list[HTTPRouteHandler]] = [download_log, download_replay]
