"""Answers compressed with gzip: only those that are the same for everybody, each only once.

Compressing a secret beside something that a stranger chooses tells the secret by the length
(BREACH). So a handler says which of its answers are the same for everybody, and nothing is
compressed for who sends a token, nor any stream. What was compressed is kept.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from collections import OrderedDict
from typing import Final

from service.headers import headers_of
from service.origins import varied
from service.replies import PACKED, Fixed, Header, Reply, content_tag
from service.requests import StrictRequest

KEPT_BYTES: Final = 32 * 2**20
"""How much is kept, compressed, in a process."""

_LEVEL: Final = 6
_OK: Final = 200
_ACCEPTED: Final = b"accept-encoding"
_CODING: Final = re.compile(
    r"([!#$%&'*+.^_`|~0-9a-z-]+)"  # a token (RFC 9110 §5.6.2)
    r"(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?"  # its quality
)


def takes_gzip(header: str | None) -> bool:
    """Whether an ``Accept-Encoding`` header likes gzip at least as well as nothing.

    RFC 9110 §12.5.3: no header means that anything will do, and then we send what needs no work.
    Who rules out both gets its answer as it is, which §12.4.1 lets us do.
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
    # What is not named is acceptable, but less so than anything that is.
    plain = qualities.get("identity", 0.0 if anything is None else anything)
    return packed > 0 and packed >= plain


class Packer:
    """Compresses answers, and keeps what was compressed. Belongs to one event loop.

    Args:
        kept: how many bytes at most.
    """

    def __init__(self, kept: int = KEPT_BYTES) -> None:
        self._most = kept
        self._size = 0
        self._packed: OrderedDict[str, bytes] = OrderedDict()
        self._packing: dict[str, asyncio.Future[bytes]] = {}

    @property
    def size(self) -> int:
        """How many bytes are kept."""
        return self._size

    async def fixed(self, request: StrictRequest, body: Fixed) -> Reply:
        """The answer with a body that everybody sees alike, or that the client has it."""
        return await self.common(request, body.reply(request), body.etag)

    async def common(self, request: StrictRequest, reply: Reply, name: str | None = None) -> Reply:
        """An answer that is the same for everybody, compressed if the client likes that.

        Args:
            request: asked for it.
            reply: as it is; 200 or 304, with an entity tag.
            name: tells the body from all others; by default it is made of the content.
        """
        headers = varied(list(reply.headers), _ACCEPTED)
        plain = reply._replace(headers=tuple(headers))
        given = headers_of(request.scope)
        if b"authorization" in given or not takes_gzip(request.header(_ACCEPTED)):
            return plain
        headers = [_weak(header) for header in headers]
        if reply.status != _OK:
            return plain._replace(headers=tuple(headers))
        body = await self._gzip(name or content_tag(reply.body), reply.body)
        return plain._replace(body=body, headers=(*headers, (b"content-encoding", b"gzip")))

    async def of_game(self, request: StrictRequest, reply: Reply, *, ended: bool) -> Reply:
        """An answer about a game, which is the same for all strangers once it has ``ended``."""
        return await self.common(request, reply) if ended else reply

    async def _gzip(self, name: str, body: bytes) -> bytes:
        packed = self._packed.get(name)
        if packed is not None:
            self._packed.move_to_end(name)
            return packed
        task = self._packing.get(name)
        if task is None:
            task = self._packing[name] = asyncio.ensure_future(self._pack(name, body))
        # Others may wait for it when this client has gone.
        return await asyncio.shield(task)

    async def _pack(self, name: str, body: bytes) -> bytes:
        try:
            packed = await asyncio.to_thread(gzip.compress, body, _LEVEL, mtime=0)
        finally:
            del self._packing[name]
        self._packed[name] = packed
        self._size += len(packed)
        while self._size > self._most:
            _, oldest = self._packed.popitem(last=False)
            self._size -= len(oldest)
        return packed


def _weak(header: Header) -> Header:
    """The tag of the compressed form: the content is the same, and the bytes are others."""
    key, value = header
    if key != b"etag":
        return header
    return key, b"W/%b%b" % (value.removesuffix(b'"'), PACKED.encode())
