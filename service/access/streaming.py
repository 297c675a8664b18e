"""Live streams of a game: Server-Sent Events and NDJSON, over the same chunks.

A new stream starts with a snapshot of the caller's view; a resumed one continues after the version
that the client names. Heartbeats are comments, which do not fire ``onmessage``. A client that is
too slow is sent ``reset`` with the last version it received, and may resume there.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeVar

from litestar.types import Receive, Scope, Send
from msgspec import Struct

from events.codec import with_openings
from events.log import Damaged
from events.scripts import LogUnavailable
from events.tasks import end_tasks
from projections.visible_version import VisibleVersion
from runtime.broadcaster import Broadcaster, Chunk, Frames, Named, NamesTold, Viewpoint
from runtime.send_queue import SendQueue
from service.access.permission import Permission
from service.http.answering import WRITE_NOW
from service.http.connection_limits import ConnectionLimits
from service.http.replies import NDJSON, SECRET, SSE, Header, Reply

SEND_TIMEOUT_S: Final = 60.0
"""How long a client may leave its receive buffer full before the connection is closed."""

RETRY_MS: Final = 2000
"""The reconnection delay suggested to browsers."""


T = TypeVar("T")

Put = Callable[[bytes], Awaitable[None]]
"""Sends some bytes, and waits while the client's buffer is full."""

Attended = Callable[[], contextlib.AbstractContextManager[None]]
"""Makes the context within which a stream is open."""


class Form(Struct, frozen=True, kw_only=True):
    """How a stream is written: its media type, its first bytes and its messages.

    ``event`` writes an event of the game; ``named`` any other message with a name and a JSON body.
    """

    media_type: str
    opening: bytes
    beat: bytes
    event: Frames
    snapshot: Callable[[int, bytes], bytes]
    named: Named


def _sse_event(version: int, public: bytes, openings: bytes | None) -> bytes:
    # The public bytes have a line of their own, so that they can be hashed as received.
    beside = b"" if openings is None else b'data: {"opened":%b}\n' % openings
    return b"id: %d\ndata: %b\n%b\n" % (version, public, beside)


def _line(version: int, public: bytes, openings: bytes | None) -> bytes:  # noqa: ARG001 (the line holds it)
    return with_openings(public, openings) + b"\n"


SSE_FORM: Final = Form(
    media_type=SSE,
    opening=b"retry: %d\n\n" % RETRY_MS,
    beat=b": still here\n\n",
    event=_sse_event,
    snapshot=lambda version, view: b"event: snapshot\nid: %d\ndata: %b\n\n" % (version, view),
    named=lambda name, body: b"event: %b\ndata: %b\n\n" % (name.encode(), body),
)

NDJSON_FORM: Final = Form(
    media_type=NDJSON,
    opening=b"",
    beat=b"\n",
    event=_line,
    snapshot=lambda _, view: b'{"snapshot":%b}\n' % view,
    named=lambda name, body: b'{"%b":%b}\n' % (name.encode(), body),
)


def _headers(form: Form) -> tuple[Header, ...]:
    media_type = form.media_type.encode()
    return (*SECRET, (b"content-type", media_type), (b"x-accel-buffering", b"no"))


def unopened(form: Form) -> Reply:
    """The headers of a stream without the stream, for ``HEAD``."""
    return Reply(b"", _headers(form), media_type=None)


class StreamContent(Struct, frozen=True, kw_only=True):
    """What a stream sends.

    ``after`` is the version that it continues from, ``snapshot`` the view at that version for a new
    stream, ``seen`` the newest visible version. ``permission`` is the caller's.
    """

    viewpoint: Viewpoint
    form: Form
    after: int
    seen: VisibleVersion
    snapshot: bytes | None
    permission: Permission


class StreamingAnswer(ABC):
    """A long-lived answer: an ASGI app that sends what ``_say`` puts until either side ends.

    A client that stops reading for too long is disconnected. A failing store ends the stream too:
    the client reconnects, and then gets a proper error.

    Args:
        form: how it is written.
        permission: the caller's; checked at each heartbeat, and at once when it may have changed.
        limit_s: seconds after which it ends by itself, so that clients spread over new processes.
        connection_limits: count it among its caller's open streams.
        attended: lasts while it is open; says that a player is connected by it.
    """

    def __init__(
        self,
        form: Form,
        permission: Permission,
        limit_s: float,
        connection_limits: ConnectionLimits,
        attended: Attended,
    ) -> None:
        self._form = form
        self._permission = permission
        self._limit_s = limit_s
        self._connection_limits = connection_limits
        self._attended = attended
        self._sending_since: float | None = None
        self._write_now: Callable[[bytes], bool] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it.

        Raises:
            Refused: too-many-streams, before anything is sent.
        """
        extensions: Any = scope.get("extensions") or {}
        self._write_now = extensions.get(WRITE_NOW)
        with self._connection_limits.take(scope), self._attended():
            await self._send(receive, send)

    async def _send(self, receive: Receive, send: Send) -> None:
        headers = _headers(self._form)
        start: Any = {"type": "http.response.start", "status": 200, "headers": headers}
        await send(start)
        flow = asyncio.create_task(self._flow(send))
        gone = asyncio.create_task(until_gone(receive))
        try:
            taken = await self._wait(flow, gone)
        finally:
            await end_tasks(flow, gone)
        if taken:
            if not flow.cancelled():
                flow.result()
            end: Any = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(end)

    async def _wait(self, flow: asyncio.Task[None], gone: asyncio.Task[None]) -> bool:
        """Wait for the end; False if the client has disconnected or stopped reading."""
        now = asyncio.get_running_loop().time
        end = now() + self._limit_s
        while not (flow.done() or gone.done()) and (left := end - now()) > 0:
            # One timer for the whole stream, because one per message would cost more.
            pause = min(left, SEND_TIMEOUT_S)
            await asyncio.wait({flow, gone}, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
            since = self._sending_since
            if since is not None and now() - since >= SEND_TIMEOUT_S:
                return False
        return not gone.done()

    async def _flow(self, send: Send) -> None:
        """Send everything."""
        now = asyncio.get_running_loop().time

        async def put(data: bytes) -> None:
            message: Any = {"type": "http.response.body", "body": data, "more_body": True}
            self._sending_since = now()
            await send(message)
            self._sending_since = None

        with contextlib.suppress(LogUnavailable, Damaged):
            await self._say(put)

    @abstractmethod
    async def _say(self, put: Put) -> None:
        """Send everything, in order."""

    async def _serve(
        self, send_queue: SendQueue[T], put: Put, deliver: Callable[[T], Awaitable[None]]
    ) -> None:
        """Deliver the queue with heartbeats in between until it ends, then say why it ended."""
        with self._permission.watched(send_queue.doubt):
            # It may have been revoked since the request was admitted.
            if await self._permission.holds():
                await self._serve_while_allowed(send_queue, put, deliver)

    async def _serve_while_allowed(
        self, send_queue: SendQueue[T], put: Put, deliver: Callable[[T], Awaitable[None]]
    ) -> None:
        while True:
            item = await send_queue.next()
            if item is not None:
                await deliver(item)
            elif send_queue.doubted:
                send_queue.doubted = False
                if not await self._permission.holds():
                    return
            elif send_queue.lost:
                await put(self._form.named("reset", self._reached()))
                return
            elif send_queue.beats:
                send_queue.beats = 0
                if not await self._permission.holds():
                    return
                await put(self._form.beat)
            elif send_queue.over:
                if send_queue.ended:
                    await put(self._form.named("end", self._reached()))
                return

    def _reached(self) -> bytes:
        """The position of the stream, as JSON: what a client needs to resume."""
        return b"{}"


class EventStream(StreamingAnswer):
    """The stream of a game."""

    def __init__(
        self,
        broadcaster: Broadcaster,
        content: StreamContent,
        limit_s: float,
        connection_limits: ConnectionLimits,
        attended: Attended,
    ) -> None:
        super().__init__(content.form, content.permission, limit_s, connection_limits, attended)
        self._broadcaster = broadcaster
        self._content = content
        self._position = content.after

    async def _say(self, put: Put) -> None:
        content = self._content
        first = self._form.opening
        if content.snapshot is not None:
            first += self._form.snapshot(content.after, content.snapshot)
        await put(first)
        await self._follow(put)

    async def _follow(self, put: Put) -> None:
        content = self._content
        if content.seen.ended:
            await self._catch_up(content.seen.version, put)
            await put(self._form.named("end", self._reached()))
            return
        follower = self._broadcaster.join(content.viewpoint, content.seen)
        try:
            await self._catch_up(self._broadcaster.upto(content.viewpoint), put)
            if asked := await self._broadcaster.asked(content.viewpoint):
                await put(asked)
            if self._write_now is not None:
                follower.send_now = partial(self._pass_on_now, self._write_now)
            await self._serve(follower, put, lambda chunk: self._pass_on(chunk, put))
        finally:
            self._broadcaster.leave(content.viewpoint, follower)

    async def _catch_up(self, last: int, put: Put) -> None:
        while self._position < last:
            chunk = await self._broadcaster.catch_up(self._content.viewpoint, self._position, last)
            if chunk.last == self._position:
                return
            await put(chunk.data)
            self._position = chunk.last

    def _pass_on_now(self, write_now: Callable[[bytes], bool], chunk: Chunk | NamesTold) -> bool:
        """Send what follows at once; False if it has to wait its turn."""
        if isinstance(chunk, NamesTold) or chunk.first != self._position + 1:
            return False
        if not write_now(chunk.data):
            return False
        self._position = chunk.last
        return True

    async def _pass_on(self, chunk: Chunk | NamesTold, put: Put) -> None:
        if isinstance(chunk, NamesTold):
            await put(self._content.form.named("names", chunk.names))
        elif chunk.first == self._position + 1:
            await put(chunk.data)
            self._position = chunk.last
        else:  # the broadcaster is ahead of this stream, or part of the chunk was sent already
            await self._catch_up(chunk.last, put)
            if chunk.asked:
                await put(chunk.asked)

    def _reached(self) -> bytes:
        return b'{"version":%d,"durable_version":%d}' % (self._position, self._position)


async def until_gone(receive: Receive) -> None:
    """Wait until the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass
