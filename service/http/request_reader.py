"""Extracts one request from the bytes of a connection, and feeds it to the parser in parts.

The parser sees a head only when it is complete and has been checked, then exactly the bytes of the
body, up to the end of the request and never beyond: so every limit is exact, and what follows a
request is not read before its turn.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from httptools import HttpRequestParser

from service.http.framing import (
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
    """What is awaited next: the head, the body or a part of it, or nothing (all is read)."""

    HEAD = 0
    BODY = 1
    SIZE = 2
    CHUNK = 3
    TRAILERS = 4
    WHOLE = 5


class Reader:
    """Reads the requests of one connection, one at a time.

    Args:
        parser: receives the bytes; its callbacks set ``length`` and ``complete``.
        limit: bytes of a request line and its header section, and again of the framing of the body:
            chunk sizes, their extensions, trailers.
        fields: the maximum number of header fields.

    Attributes:
        phase: what is awaited.
        partial: bytes that were read and not parsed yet: part of a head or of a line.
        length: of the body, to be set when its head is parsed; None: it is chunked.
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
        """Read until the request is complete or the data is used up, and return the rest.

        Raises:
            Unfit: the request is refused.
            httptools.HttpParserError: the parser refuses the request.
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
        else:
            self.phase, self._remaining = Phase.BODY, self.length
            return self._body(data, end)  # the body has arrived too, as nearly always
        return end

    def _too_long(self, data: bytes, start: int) -> Unfit:
        if data.find(LINE_END, start, start + self._limit) < 0:
            return Unfit("address-too-long", f"a request line has less than {self._limit} bytes")
        detail = f"a request line and its header section have at most {self._limit} bytes"
        return Unfit("headers-too-large", detail)

    def _body(self, data: bytes, at: int) -> int:
        """Read a body of known length, or a chunk with its line end."""
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
        """Bound the framing of the body in total, however it is spread over chunks."""
        if self._framing + more > self._limit:
            detail = f"chunk sizes, their extensions and trailers have at most {self._limit} bytes"
            raise Unfit("headers-too-large", detail)

    def _finish(self) -> None:
        """The request is complete by its bytes; refuse it unless the parser agrees."""
        if not self.complete:
            raise ambiguous("the end of the body is ambiguous")
        self.phase = Phase.WHOLE
