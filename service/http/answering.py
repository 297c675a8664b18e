"""A request and its answer, sent in as few writes as possible.

The server library validates each header field of each answer and writes the head before the body,
which is a good part of the cost of a small answer. Here fields are remembered as lines, since most
are the same in every answer, and the head of an answer of known length is sent together with its
body, which follows at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from http import HTTPStatus
from itertools import starmap
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

_LINES: Final = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus
}
_BODILESS: Final = frozenset({204, 304})
_START: Final = "http.response.start"
_LENGTH_CHARS: Final = len("content-length")

WRITE_NOW: Final = "parlour.write_now"
"""The ASGI extension that gives an app ``Cycle.write_now``, where our own server serves it."""


@lru_cache(maxsize=512)
def _line(name: bytes, value: bytes) -> bytes:
    """The line of a header field.

    Raises:
        RuntimeError: the field would make several, or ends a text in some reader.
    """
    line = b"%b: %b\r\n" % (name, value)
    if line.count(b"\n") != 1 or line.count(b"\r") != 1 or line.count(b"\0"):
        raise RuntimeError("a header field contains a line break or NUL")
    return line


class Cycle(RequestResponseCycle):
    """The server library's cycle with its own way of sending."""

    _head = b""

    async def send(self, message: Any) -> None:  # noqa: ANN401 (the library's unions of messages)
        """Send the head or a part of the body, per ASGI.

        Raises:
            RuntimeError: the app violates the protocol: a wrong length, a malformed header field,
                a message out of order.
        """
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()
        if self.disconnected:
            return
        if self.response_started == (message["type"] == _START) or self.response_complete:
            raise RuntimeError(f"an app sent {message['type']} out of order")
        if message["type"] == _START:
            self._begin(message["status"], message["headers"])
        else:
            self._go_on(message.get("body", b""), more=message.get("more_body", False))

    def write_now(self, body: bytes) -> bool:
        """Send a part of a body that is under way, past every wrapper of ``send``.

        For parts that nothing changes on their way, such as a stream's: it awaits nothing, so it
        may be called by whoever has something to tell. False: nothing was sent, because the answer
        is not under way, or its recipient reads too slowly, or has gone.
        """
        if not self.chunked_encoding or not self.response_started or self.response_complete:
            return False
        if self.disconnected or self.flow.write_paused or not body:
            return False
        self._go_on(body, more=True)
        return True

    def _begin(self, status: int, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Send the head, or hold it for a body of known length."""
        self.response_started = True
        self.waiting_for_100_continue = False
        fields = [*self.default_headers, *headers]
        for name, value in fields:
            if len(name) == _LENGTH_CHARS and name.lower() == b"content-length":
                self.expected_content_length = int(value)
                self.chunked_encoding = False
        if not self.keep_alive:
            fields.append((b"connection", b"close"))
        if self.chunked_encoding is None and self.scope["method"] != "HEAD":
            self.chunked_encoding = status not in _BODILESS
            if self.chunked_encoding:
                fields.append((b"transfer-encoding", b"chunked"))
        head = b"".join([_LINES[status], *starmap(_line, fields), b"\r\n"])
        if self.chunked_encoding:
            self.transport.write(head)
        else:
            self._head = head

    def _go_on(self, body: bytes, *, more: bool) -> None:
        head, self._head = self._head, b""
        if self.scope["method"] == "HEAD":
            self.expected_content_length = 0
            body = b""
        elif self.chunked_encoding:
            last = b"" if more else b"0\r\n\r\n"
            body = b"%x\r\n%b\r\n%b" % (len(body), body, last) if body else last
        else:
            self.expected_content_length -= len(body)
            if self.expected_content_length < 0:
                raise RuntimeError("an answer is longer than its Content-Length")
        if head or body:
            self.transport.write(head + body if head else body)
        if not more:
            self._end()

    def _end(self) -> None:
        if self.expected_content_length:
            raise RuntimeError("an answer is shorter than its Content-Length")
        self.response_complete = True
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()
