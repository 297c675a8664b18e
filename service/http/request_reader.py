"""Cuts a request out of the bytes of a connection, and hands it to the parser part by part.

The parser sees a head only when all of it is there and was looked at, then just the bytes of the
body, up to the end of the request and never beyond: so each bound holds exactly, and what is behind
a request is not read before its turn.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from httptools import HttpRequestParser

from service.framing import (
    HEAD_END,
    LINE_END,
    Unfit,
    ambiguous,
    check_begun,
    check_trailers,
    checked_head,
    size_of,
)

_CR: Final = LINE_END[0]


class Phase(Enum):
    """What is awaited: a request's head, its body or a part of it, or nothing: it is whole."""

    HEAD = 0
    BODY = 1
    SIZE = 2
    CHUNK = 3
    TRAILERS = 4
    WHOLE = 5


class Reader:
    """Reads the requests of one connection, one after the other.

    Args:
        parser: is fed; its callbacks set ``length`` and ``complete``.
        limit: bytes of a request line and its header section, and again of all that is not the
            body behind it: chunk sizes, their extensions, trailers.
        fields: how many header fields there may be.

    Attributes:
        phase: what is awaited.
        partial: the bytes that were read and not parsed yet: a part of a head or of a line.
        length: of the body, to be set when its head is parsed; None: it comes in chunks.
        complete: to be set when the parser sees the end of the request.
    """

    def __init__(self, parser: HttpRequestParser, limit: int, fields: int) -> None:
        self.phase = Phase.HEAD
        self.partial = b""
        self.length: int | None = 0
        self.complete = False
        self._parser = parser
        self._limit = limit
        self._fields = fields
        self._looked = 0
        self._remaining = 0
        self._framing = 0

    def read(self, data: bytes) -> bytes:
        """Read on until the request is whole or nothing is left; what is left.

        Raises:
            Unfit: the request is not read on.
            httptools.HttpParserError: likewise, says the parser.
        """
        self._looked = len(self.partial)
        if self._looked:
            data, self.partial = self.partial + data, b""
        at, end = 0, len(data)
        while at < end:
            phase = self.phase
            if phase is Phase.HEAD:
                at = self._head(data, at)
            elif phase is Phase.WHOLE:
                return data[at:]
            elif phase is Phase.SIZE:
                at = self._size(data, at)
            elif phase is Phase.TRAILERS:
                at = self._trailers(data, at)
            else:
                at = self._body(data, at)
        return b""

    def _head(self, data: bytes, at: int) -> int:
        # RFC 9112 §2.2: one empty line
        start = at + 2 if data[at] == _CR and data.startswith(LINE_END, at) else at
        since = max(start, self._looked - len(HEAD_END) + 1) if self._looked else start
        end = data.find(HEAD_END, since)
        size = (len(data) if end < 0 else end + len(HEAD_END)) - start
        if size > self._limit or (end < 0 and size == self._limit):
            raise self._too_long(data, start)
        if end < 0:
            if size > 1:
                check_begun(data[start:], self._looked - start)
            self.partial = data[at:]
            return len(data)
        end += len(HEAD_END)
        head = checked_head(data[start:end], self._fields)
        self._looked, self._framing, self.complete = 0, 0, False
        self._parser.feed_data(head)
        if self.complete:
            self.phase = Phase.WHOLE
        elif self.length is None:
            self.phase = Phase.SIZE
        elif end + self.length > len(data):
            self.phase, self._remaining = Phase.BODY, self.length
        else:  # the body is there too, as nearly always
            body = end + self.length
            self._parser.feed_data(data[end:body])
            self._finish()
            return body
        return end

    def _too_long(self, data: bytes, start: int) -> Unfit:
        if data.find(LINE_END, start, start + self._limit) < 0:
            return Unfit("address-too-long", f"a request line has less than {self._limit} bytes")
        detail = f"a request line and its header section have at most {self._limit} bytes"
        return Unfit("headers-too-large", detail)

    def _body(self, data: bytes, at: int) -> int:
        """A body of known length, or a chunk with the end of its line."""
        end = min(at + self._remaining, len(data))
        self._remaining -= end - at
        self._parser.feed_data(data[at:end])
        if not self._remaining:
            if self.phase is Phase.CHUNK:
                self.phase = Phase.SIZE
            else:
                self._finish()
        return end

    def _size(self, data: bytes, at: int) -> int:
        end = data.find(LINE_END, max(at, self._looked - 1))
        self._bound_framing((len(data) if end < 0 else end + 2) - at)
        if end < 0:
            check_begun(data[at:], self._looked, digits=True)
            self.partial = data[at:]
            return len(data)
        end += 2
        size = size_of(data[at:end])
        self._framing += end - at + 2
        self._looked = 0
        self._parser.feed_data(data[at:end])
        self.phase = Phase.CHUNK if size else Phase.TRAILERS
        self._remaining = size + 2
        return end

    def _trailers(self, data: bytes, at: int) -> int:
        if data.startswith(LINE_END, at):
            end = at + 2
        else:
            found = data.find(HEAD_END, max(at, self._looked - len(HEAD_END) + 1))
            end = 0 if found < 0 else found + len(HEAD_END)
        self._bound_framing((end or len(data)) - at)
        if not end:
            self.partial = data[at:]
            return len(data)
        check_trailers(data[at:end])
        self._looked = 0
        self._parser.feed_data(data[at:end])
        self._finish()
        return end

    def _bound_framing(self, more: int) -> None:
        """What is not the body has a bound, however it is spread over chunks."""
        if self._framing + more > self._limit:
            detail = f"chunk sizes, their extensions and trailers have at most {self._limit} bytes"
            raise Unfit("headers-too-large", detail)

    def _finish(self) -> None:
        """By the bytes the request is whole; by the parser it had better be, too."""
        if not self.complete:
            raise ambiguous("the end of the body can be read in two ways")
        self.phase = Phase.WHOLE
