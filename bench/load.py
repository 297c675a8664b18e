"""A load generator that costs little: raw HTTP/1.1 over kept connections, one request at a time.

The next request is ready before the answer to the last one has come, and of an answer only status
and length are read; so the core that it shares with the store is not what limits the server.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial

from msgspec import Struct

_END = b"\r\n\r\n"
_LENGTH = b"content-length: "


class LoadError(RuntimeError):
    """The server answered a request with something else than it should."""


class Load(Struct, frozen=True):
    """What went through: requests, in so many seconds."""

    requests: int
    seconds: float


class Exchange(Struct, frozen=True):
    """A request and the body of its answer; ``sent`` and ``answered`` in ns of ``monotonic_ns``."""

    request: bytes
    sent: int
    answered: int
    body: bytes


class _Connection(asyncio.Protocol):
    """Sends ``next_request()`` again and again until ``stop``; ``kept`` receives each exchange."""

    def __init__(
        self, next_request: Callable[[], bytes], kept: Callable[[Exchange], None] | None
    ) -> None:
        self._next = next_request
        self._kept = kept
        self._under_way = b""
        self._sent = 0
        self._buffer = b""
        self._transport: asyncio.WriteTransport | None = None
        self._ready = b""
        self._stopping = False
        self.answered = 0
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first request."""
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self._ready = self._next()
        self._send()

    def data_received(self, data: bytes) -> None:
        """Count an answer once it is whole, and send the next request."""
        self._buffer += data
        head, found, body = self._buffer.partition(_END)
        if not found:
            return
        lowered = head.lower()
        length = int(lowered.partition(_LENGTH)[2].partition(b"\r")[0] or b"0")
        if len(body) < length:
            return
        if head[9:10] != b"2":
            self._end(LoadError(self._buffer[:600].decode()))
            return
        self._buffer = b""
        self.answered += 1
        if self._kept is not None:
            answered = time.monotonic_ns()
            self._kept(Exchange(self._under_way, self._sent, answered, body))
        if self._stopping:
            self._end(None)
        else:
            self._send()

    def connection_lost(self, exc: Exception | None) -> None:
        """The server has closed the connection."""
        self._end(exc or LoadError("the server closed the connection"))

    def stop(self) -> None:
        """Await the answer under way, then end."""
        self._stopping = True

    def _send(self) -> None:
        assert self._transport is not None
        if self._kept is not None:
            self._under_way, self._sent = self._ready, time.monotonic_ns()
        self._transport.write(self._ready)
        self._ready = self._next()

    def _end(self, error: Exception | None) -> None:
        if self.ended.done():
            return
        if error is None:
            self.ended.set_result(None)
        else:
            self.ended.set_exception(error)
        assert self._transport is not None
        self._transport.close()


async def drive(
    port: int,
    requests: list[Callable[[], bytes]],
    seconds: float,
    kept: Callable[[Exchange], None] | None = None,
) -> Load:
    """Keep one connection for each of ``requests`` busy for ``seconds``.

    Args:
        port: of the server.
        requests: make the requests of each connection.
        seconds: how long.
        kept: receives each exchange, if somebody wants them.

    Raises:
        LoadError: an answer was not a success; its head is the message.
        OSError: the server cannot be reached.
    """
    loop = asyncio.get_running_loop()
    start = time.perf_counter()
    connections: list[_Connection] = []
    for each in requests:
        make = partial(_Connection, each, kept)
        _, made = await loop.create_connection(make, "127.0.0.1", port)
        connections.append(made)
    ends = [connection.ended for connection in connections]
    await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for connection in connections:
        connection.stop()
    await asyncio.gather(*ends)
    answered = sum(connection.answered for connection in connections)
    return Load(answered, time.perf_counter() - start)
