"""Gzip compression: only of answers that are the same for everybody, each only once.

Compressing a secret together with attacker-chosen text leaks the secret through the length
(BREACH). So a handler declares which of its answers are the same for everybody, and nothing is
compressed for a request with a token, nor any stream. Compressed answers are cached.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from functools import partial
from typing import Final

from service.http.headers import headers_of
from service.http.made_once import MadeOnce
from service.http.origins import varied
from service.http.replies import PACKED, Fixed, Header, Reply, content_tag
from service.http.requests import StrictRequest

KEPT_BYTES: Final = 32 * 2**20
"""How many bytes of compressed answers a process caches."""

_LEVEL: Final = 6
_OK: Final = 200
_ACCEPTED: Final = b"accept-encoding"
_CODING: Final = re.compile(
    r"([!#$%&'*+.^_`|~0-9a-z-]+)"  # a token (RFC 9110 §5.6.2)
    r"(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?"  # its quality
)


def takes_gzip(header: str | None) -> bool:
    """Whether an ``Accept-Encoding`` header prefers gzip to identity, or ranks them equally.

    RFC 9110 §12.5.3: without the header any coding is acceptable, and then the answer is sent as it
    is. A client that rules out both gets it as it is too, which §12.4.1 allows.
    """
    if header is None:
        return False
    qualities: dict[str, float] = {}
    for part in header.lower().split(","):
        found = _CODING.fullmatch(part.strip(" \t"))
        if found is not None:
            name = {"x-gzip": "gzip"}.get(found[1], found[1])
            qualities[name] = max(qualities.get(name, 0.0), float(found[2] or 1))
    anything = qualities.get("*")
    packed = qualities.get("gzip", anything or 0.0)
    # A coding that is not listed is acceptable, but ranks below any that is.
    plain = qualities.get("identity", 0.0 if anything is None else anything)
    return packed > 0 and packed >= plain


class Compressor:
    """Compresses and caches answers. Belongs to one event loop.

    Args:
        kept: the maximum size of the cache in bytes.
    """

    def __init__(self, kept: int = KEPT_BYTES) -> None:
        self._made = MadeOnce(kept)

    @property
    def size(self) -> int:
        """The size of the cache in bytes."""
        return self._made.size

    async def fixed(self, request: StrictRequest, body: Fixed) -> Reply:
        """The answer with a body that is the same for everybody, or 304 if the client has it."""
        return await self.common(request, body.reply(request), body.etag)

    async def common(self, request: StrictRequest, reply: Reply, name: str | None = None) -> Reply:
        """An answer that is the same for everybody, compressed if the client accepts that.

        Args:
            request: the request to answer.
            reply: the uncompressed answer; 200 or 304, with an entity tag.
            name: identifies the body; by default a digest of the content.
        """
        plain, takes = _negotiated(request, reply)
        if not takes or reply.status != _OK:
            return plain
        return _packed(plain, await self._gzip(name or content_tag(reply.body), reply.body))

    async def of_game(self, request: StrictRequest, reply: Reply, *, ended: bool) -> Reply:
        """An answer about a game, the same for all anonymous callers once it has ``ended``."""
        return await self.common(request, reply) if ended else reply

    async def _gzip(self, name: str, body: bytes) -> bytes:
        return await self._made.get(name, partial(gzip.compress, body, _LEVEL, mtime=0))


def compressed(request: StrictRequest, reply: Reply, packed: Callable[[], bytes]) -> Reply:
    """An answer that is the same for everybody, where its compressed form is at hand."""
    plain, takes = _negotiated(request, reply)
    return _packed(plain, packed()) if takes and reply.status == _OK else plain


def _negotiated(request: StrictRequest, reply: Reply) -> tuple[Reply, bool]:
    """The answer with the headers of its form, and whether that is the compressed one."""
    headers = varied(list(reply.headers), _ACCEPTED)
    given = headers_of(request.scope)
    takes = b"authorization" not in given and takes_gzip(request.header(_ACCEPTED))
    if takes:
        headers = [_weak(header) for header in headers]
    return reply._replace(headers=tuple(headers)), takes


def _packed(reply: Reply, body: bytes) -> Reply:
    return reply._replace(body=body, headers=(*reply.headers, (b"content-encoding", b"gzip")))


def _weak(header: Header) -> Header:
    """The tag of the compressed form: the same content in different bytes."""
    key, value = header
    if key != b"etag":
        return header
    return key, b"W/%b%b" % (value.removesuffix(b'"'), PACKED.encode())
