"""Answers with ready-made bodies: entity tags, ``304 Not Modified``, ``Link``.

A ``Reply`` is sent as it is. Litestar's own ``Response`` costs more than the rest of a read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import urlencode

from litestar.types import Receive, Scope, Send

from service.http.problems import Refused
from service.http.requests import StrictRequest

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"
PNG: Final = "image/png"

IF_MATCH: Final = r'^(\*|"[0-9]{1,9}(-[a-z0-9:-]{1,60})?")\Z'
"""What a command may require: any version, or the tag of a view."""

_IF_MATCH: Final = re.compile(IF_MATCH)

PACKED: Final = '-gzip"'
"""The suffix of the tag of a compressed answer."""

Header = tuple[bytes, bytes]

PRIVATE: Final[tuple[Header, ...]] = (
    (b"cache-control", b"private, no-cache"),
    (b"vary", b"authorization, accept"),
)
"""For answers that depend on the caller."""

PUBLIC: Final[tuple[Header, ...]] = ((b"cache-control", b"public, no-cache"),)
"""For answers that are the same for everybody."""

SECRET: Final[tuple[Header, ...]] = ((b"cache-control", b"no-store"),)
"""For answers that must not be cached."""


class Answer(Protocol):
    """What a handler returns: an ASGI app."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        ...


class Reply(NamedTuple):
    """An answer that is ready to be sent: an ASGI app.

    ``media_type`` is that of the body; None: no body and no length (RFC 9110 §8.6, §15.3.5).
    """

    body: bytes
    headers: tuple[Header, ...] = SECRET
    status: int = 200
    media_type: bytes | None = b"application/json"

    async def __call__(
        self,
        scope: Scope,  # noqa: ARG002 (ASGI)
        receive: Receive,  # noqa: ARG002 (ASGI)
        send: Send,
    ) -> None:
        """Send it."""
        headers = list(self.headers)
        if self.media_type is not None:
            headers.append((b"content-type", self.media_type))
            headers.append((b"content-length", b"%d" % len(self.body)))
        start: Any = {"type": "http.response.start", "status": self.status, "headers": headers}
        await send(start)
        end: Any = {"type": "http.response.body", "body": self.body, "more_body": False}
        await send(end)


def tag(version: int, viewer: str) -> str:
    """The entity tag of a viewer's answer at a version."""
    return f'"{version}-{viewer}"'


def content_tag(body: bytes) -> str:
    """An entity tag computed from the content, for answers without a version."""
    return f'"{hashlib.sha256(body).hexdigest()[:24]}"'


def matches(request: StrictRequest, etag: str) -> bool:
    """Whether the client already has this answer (RFC 9110, weak comparison)."""
    known = request.header(b"if-none-match")
    if known is None:
        return False
    # A compressed answer has the tag of the plain one, followed by its coding.
    given = (each.strip().removeprefix("W/") for each in known.split(","))
    tags = [f'{each[: -len(PACKED)]}"' if each.endswith(PACKED) else each for each in given]
    return etag in tags or tags == ["*"]


def known_version(request: StrictRequest, viewer: str) -> int | None:
    """The version that the client has for this viewer; None unless it names exactly one.

    A long poll waits while this version is the newest.
    """
    known = (request.header(b"if-none-match") or "").strip().removeprefix("W/").strip('"')
    version, _, name = known.partition("-")
    # Eighteen digits are more than any version has, and int() parses them quickly.
    return int(version[:18]) if version.isdecimal() and name == viewer else None


def wanted_version(request: StrictRequest) -> int | None:
    """The version that ``If-Match`` requires; None if it requires none.

    Raises:
        Refused: invalid-parameter.
    """
    wanted = request.header(b"if-match")
    if wanted is None:
        return None
    wanted = wanted.strip(" \t")
    if wanted == "*":
        return None
    if not _IF_MATCH.fullmatch(wanted):
        raise Refused("invalid-parameter", "If-Match takes one entity tag of the game")
    return int(wanted.strip('"').partition("-")[0])


def attachment(name: str) -> Header:
    """The header that makes browsers save an answer under a file name (RFC 6266)."""
    return b"content-disposition", f'attachment; filename="{name}"'.encode()


def seen(
    body: bytes,
    etag: str,
    *,
    media_type: str = JSON,
    link: str | None = None,
    name: str | None = None,
) -> Reply:
    """An answer for one viewer, to be revalidated at each use.

    ``link`` is the ``Link`` header; ``name`` a file name to save it under.
    """
    headers = (*PRIVATE, (b"etag", etag.encode()))
    if link is not None:
        headers = (*headers, (b"link", link.encode()))
    if name is not None:
        headers = (*headers, attachment(name))
    return Reply(body, headers, media_type=media_type.encode())


class Fixed(NamedTuple):
    """A body that is the same for everybody, built once, and its entity tag."""

    body: bytes
    etag: str

    @classmethod
    def of(cls, body: bytes) -> Fixed:
        """The body with a tag computed from its content."""
        return cls(body, content_tag(body))

    def reply(self, request: StrictRequest) -> Reply:
        """The answer, or 304 if the client has it."""
        return checked(request, self.body, self.etag, PUBLIC)


def done(body: bytes, status: int = 200, location: str | None = None) -> Reply:
    """The answer to a command, which is not cached."""
    if location is None:
        return Reply(body, status=status)
    return Reply(body, (*SECRET, (b"location", location.encode())), status)


def checked(
    request: StrictRequest,
    body: bytes,
    etag: str,
    headers: tuple[Header, ...],
    media_type: str = JSON,
) -> Reply:
    """A body, or 304 if the client has it; either has ``headers`` and the tag."""
    headers = (*headers, (b"etag", etag.encode()))
    if matches(request, etag):
        return Reply(b"", headers, 304, None)
    return Reply(body, headers, media_type=media_type.encode())


def not_modified(etag: str) -> Reply:
    """The answer 304: the client's copy is current."""
    return Reply(b"", (*PRIVATE, (b"etag", etag.encode())), 304, None)


def next_link(path: str, queries: Mapping[str, str | int | None]) -> str:
    """The ``Link`` to the next page (RFC 8288)."""
    given = {name: value for name, value in queries.items() if value is not None}
    return f'<{path}?{urlencode(given)}>; rel="next"'
