"""One client connection: HTTP/1.1 with the server library's parser, within limits.

The server library's protocol reads without limits of size or time. This one feeds its parser one
request at a time (``service.http.request_reader``), and ensures that

* a header section, and all framing of the body (chunk sizes, their extensions, trailers), has a
  bounded size and arrives in time; so does the body;
* an ambiguous request ends the connection, and nothing after it is read;
* a pipelined request waits unread until the previous one is answered;
* a client that does not read its answer is disconnected.
"""

from __future__ import annotations

import asyncio
import math
import urllib.parse
from typing import Any, Final, cast

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from events.logger import get_logger
from service.http.addresses import group_of
from service.http.answering import WRITE_NOW, Cycle
from service.http.errors import what_broke
from service.http.framing import Unfit, ambiguous, check_target, length_of
from service.http.gate import Gate
from service.http.headers import headers_of
from service.http.request_reader import Phase, Reader

LINGER_S: Final = 2.0
"""How long a client may go on sending after its answer, or after shutdown has begun."""

LEAST_TAKEN: Final = 16_384
"""The bytes of an answer that a client must read per write timeout, unless fewer are left."""

_LINGER_BYTES: Final = 262_144
_NEVER: Final = math.inf
_log = get_logger(__name__)


class _PartingTransport:
    """The transport as an answer sees it: closing it first lets the client read the rest."""

    __slots__ = ("close", "is_closing", "write")

    def __init__(self, transport: asyncio.Transport, connection: Connection) -> None:
        self.write = transport.write
        self.is_closing = transport.is_closing
        self.close = connection.part


class Connection(HttpToolsProtocol):
    """The protocol of one accepted connection.

    Args:
        config: the server library's own.
        server_state: likewise.
        app_state: of the app's lifespan.
        gate: sets the bounds and counts the connections.
        peer: the caller's address and port.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        gate: Gate,
        peer: tuple[str, int],
    ) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(config, server_state, app_state, loop)
        # Nothing is parsed after a request that ends the connection, so no leniency is needed.
        self.parser.set_dangerous_leniencies(lenient_data_after_close=False)
        self.group = group_of(peer[0])
        self._peer = peer
        self._gate = gate
        self._bounds = gate.bounds
        self._by_proxy = gate.is_proxy(peer[0])
        self._guest: str | None = None
        self._reader = Reader(self.parser, gate.bounds.head, gate.bounds.fields)
        self._deadline = _in(loop.time(), gate.bounds.head_s)
        self._held = b""
        self._over = False
        self._drained = 0
        self._keeps = True
        self._stalled_at: float | None = None
        self._stalled_size = 0

    # --- callbacks of the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is established."""
        made = cast("asyncio.Transport", transport)
        super().connection_made(made)
        self.client = self._peer  # of the accept call: whoever has gone has no address any more
        self._way = cast("asyncio.Transport", _PartingTransport(made, self))

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._over = True
        self._held = b""
        self._gate.leave(self)
        self._release_guest()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client reads more slowly than we send."""
        self._note_stall(self.loop.time())
        super().pause_writing()

    def resume_writing(self) -> None:
        """The client has read nearly everything."""
        self._stalled_at = None
        super().resume_writing()

    def shutdown(self) -> None:
        """The service is shutting down: this request is the last, and its rest must come soon."""
        self._keeps = False
        if self._reader.phase not in {Phase.HEAD, Phase.WHOLE}:
            self._deadline = min(self._deadline, self.loop.time() + LINGER_S)
        super().shutdown()

    def data_received(self, data: bytes) -> None:
        """Bytes have arrived."""
        if self._over:
            self._drain(len(data))
        elif self._reader.phase is Phase.WHOLE:
            # A pipelined request. What was read is kept, and reading is paused.
            self._held += data
            self.transport.pause_reading()
        else:
            self._read(data)

    def _read(self, data: bytes) -> None:
        """Take one request from the bytes; what follows waits until it is answered."""
        reader = self._reader
        before, begun = reader.phase, bool(reader.partial)
        try:
            left = reader.read(data)
        except Unfit as error:
            self._refuse(error)
            return
        except httptools.HttpParserError as error:
            self._refuse(_unfit(error))
            return
        if reader.phase is Phase.WHOLE:
            self._deadline = _NEVER
            if left:
                self._held = left
                self.transport.pause_reading()
        elif reader.phase is Phase.HEAD:
            if not begun and self._cycle is not None:
                self._deadline = _in(self.loop.time(), self._bounds.head_s)
        elif before is Phase.HEAD:
            # An answer before the body is complete ends the connection: what follows is the body.
            self.cycle.keep_alive = False
            self._deadline = _in(self.loop.time(), self._bounds.body_s)

    # --- callbacks of the parser

    def on_headers_complete(self) -> None:
        """The head is complete: start the request.

        Raises:
            Unfit: the head is ambiguous.
        """
        if self.parser.should_upgrade():
            raise ambiguous("protocol upgrades are not supported")
        scope: Any = self.scope
        version = self.parser.get_http_version()
        found = headers_of(scope)
        self._reader.length = length_of(version, self.headers, found)
        check_target(self.url, found)
        if version != "1.1":
            scope["http_version"] = version
        scope["method"] = self.parser.get_method().decode("ascii")
        url = httptools.parse_url(self.url)
        raw_path = url.path or b"/"
        path = raw_path.decode("ascii")
        scope["path"] = urllib.parse.unquote(path) if "%" in path else path
        scope["raw_path"] = raw_path
        scope["query_string"] = url.query or b""
        self._keeps = version == "1.1" and self.parser.should_keep_alive()
        self.cycle = Cycle(
            scope=scope,
            transport=self._way,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=self.expect_100_continue,
            keep_alive=self._keeps,
            on_response=self.on_response_complete,
        )
        scope["extensions"] = {WRITE_NOW: self.cycle.write_now}
        self.headers = []  # for trailer fields, which nothing uses and which come too late
        app: Any = self.app
        if self._by_proxy:
            self._guest = self._gate.enter_guest(scope)
            if self._guest is None:
                app = self._gate.turned_away
        self._start_asgi_task(self.cycle, app)

    def on_message_complete(self) -> None:
        """The body is complete."""
        self._reader.complete = True
        cycle = self.cycle
        if not cycle.response_started:
            cycle.keep_alive = self._keeps
        cycle.more_body = False
        cycle.message_event.set()

    def on_response_complete(self) -> None:
        """The request is answered: go on with the next one."""
        self.server_state.total_requests += 1
        self._release_guest()
        if self._over or self.transport.is_closing():
            return
        self.flow.resume_reading()
        self._reader.phase = Phase.HEAD
        self._deadline = _in(self.loop.time(), self._bounds.idle_s)
        if self._held:
            data, self._held = self._held, b""
            self.transport.resume_reading()
            self._read(data)

    def _release_guest(self) -> None:
        if self._guest is not None:
            self._gate.leave_guest(self._guest)
            self._guest = None

    @property
    def _cycle(self) -> Cycle | None:
        """The newest request and its answer; None before the first."""
        return cast("Cycle | None", self.cycle)

    # --- ending

    def look(self, now: float) -> None:
        """End the connection if its deadline has passed."""
        if self._stalled_at is not None and self._takes_nothing(now):
            self._gate.ended("answer-not-taken")
            self.transport.abort()
        elif self._deadline <= now:
            self._deadline = _NEVER
            self._overdue(now)

    def _overdue(self, now: float) -> None:
        if self._over:
            if self._stalled_at is None:
                self.transport.abort()
        elif self._reader.phase is not Phase.HEAD:
            self._late_body(now)
        elif self._reader.partial.strip():
            seconds = f"{self._bounds.head_s:g} s"
            self._refuse(
                Unfit("request-too-slow", f"a header section must arrive within {seconds}")
            )
        elif self.transport.get_write_buffer_size():
            self._note_stall(now)  # it is still reading its last answer
            self._deadline = _in(now, self._bounds.idle_s)
        else:
            self.part()

    def _late_body(self, now: float) -> None:
        if self.flow.read_paused:  # it is this side that has paused reading
            self._deadline = _in(now, self._bounds.body_s)
            return
        self.scope["state"]["late"] = True
        seconds = f"{self._bounds.body_s:g} s"
        self._refuse(Unfit("request-too-slow", f"a body must arrive within {seconds}"))

    def _note_stall(self, now: float) -> None:
        if self._bounds.write_s and self._stalled_at is None:
            self._stalled_at = now
            self._stalled_size = self.transport.get_write_buffer_size()

    def _takes_nothing(self, now: float) -> bool:
        """Whether the client has read too little of its answer since the last check."""
        assert self._stalled_at is not None
        if now - self._stalled_at < self._bounds.write_s:
            return False
        left = self.transport.get_write_buffer_size()
        if left and self._stalled_size - left < LEAST_TAKEN:
            return True
        self._stalled_at = now if left else None
        self._stalled_size = left
        if not left and self._over:
            self._deadline = now
        return False

    def _refuse(self, error: Unfit) -> None:
        """Tell the client why the request is refused, and close the connection."""
        cycle = self._cycle
        if cycle is not None and not cycle.response_complete:
            # The app sees a disconnected client, and its answer is dropped.
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started:
                self._gate.ended(error.code)
                self.transport.abort()
                return
        if not self.transport.is_closing():
            self.transport.write(self._gate.refused_request(error.code, error.detail))
            self._linger()

    def part(self) -> None:
        """Close the connection once the client has read what was written."""
        if self._over:
            return
        if self._reader.phase in {Phase.WHOLE, Phase.HEAD} and not self._held:
            self._over = True
            self._deadline = _NEVER
            self.transport.close()
            # The connection stays open until the client has read the rest.
            self._note_stall(self.loop.time())
        else:
            self._linger()

    def _linger(self) -> None:
        """Close our side, and let the client finish sending (RFC 9112 §9.6).

        Closing both sides at once, with bytes still unread, would send a reset that overtakes the
        answer.
        """
        self._over = True
        self._held = b""
        self._deadline = self.loop.time() + LINGER_S
        self.transport.write_eof()
        self.flow.read_paused = False
        self.transport.resume_reading()

    def _drain(self, size: int) -> None:
        self._drained += size
        if self._drained > _LINGER_BYTES:
            self.transport.close()
            self._note_stall(self.loop.time())


def _in(now: float, seconds: float) -> float:
    """The deadline in ``seconds``; 0: none."""
    return now + seconds if seconds else _NEVER


def _unfit(error: httptools.HttpParserError) -> Unfit:
    """The problem that the parser, or one of our callbacks, found in a request."""
    cause = error.__context__
    if isinstance(cause, Unfit):
        return cause
    if cause is not None and not isinstance(cause, httptools.HttpParserError):
        _log.error("connection_crashed", **what_broke(cause))
        return Unfit("internal-error", "internal error")
    return ambiguous("the request is not valid HTTP")
