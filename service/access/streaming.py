"""Live streams of a game: Server-Sent Events and NDJSON, over the same chunks.

A stream that begins afresh starts with a snapshot of the caller's view; one that resumes goes on
after the version that the client names. Heartbeats are comments, which fire no ``onmessage``. A
client that is too slow is told ``reset`` with the last version it was sent, and may resume there.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from litestar.types import Receive, Scope, Send
from msgspec import Struct

from events.codec import with_openings
from events.log import Damaged
from events.scripts import LogUnavailable
from events.tasks import end_tasks
from projections.following import Audience, Chunk, Following, Frames
from projections.horizon import Horizon
from projections.inbox import Inbox
from service.permission import Permission
from service.places import Places
from service.replies import NDJSON, SECRET, Header, Reply

SSE: Final = "text/event-stream"
SEND_PATIENCE_S: Final = 60.0
"""How long a client may leave its connection full before it is closed."""

RETRY_MS: Final = 2000
"""After how long a browser is asked to come back."""


T = TypeVar("T")

Put = Callable[[bytes], Awaitable[None]]
"""Sends some bytes, and waits while the client's connection is full."""


class Form(Struct, frozen=True, kw_only=True):
    """How a stream is written: its media type, its first bytes, and each thing that it says.

    ``named`` is anything else that has a name and a body of JSON. ``event`` is the plain case.
    """

    media_type: str
    opening: bytes
    beat: bytes
    event: Frames
    snapshot: Callable[[int, bytes], bytes]
    named: Callable[[str, bytes], bytes]


def _sse_event(version: int, public: bytes, openings: bytes | None) -> bytes:
    # The public bytes stand alone on their line, so that they can be hashed as they come.
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
    """The headers of a stream that nobody follows, for ``HEAD``."""
    return Reply(b"", _headers(form), media_type=None)


class Course(Struct, frozen=True, kw_only=True):
    """What one stream is to send.

    ``after`` is the version that it goes on from, ``snapshot`` the view of that version where it
    begins afresh, ``seen`` how far the audience sees. ``permission`` is the caller's.
    """

    audience: Audience
    form: Form
    after: int
    seen: Horizon
    snapshot: bytes | None
    permission: Permission


class Lasting(ABC):
    """An answer that lasts: an ASGI app that sends what ``_say`` puts until either side ends it.

    A client that leaves its connection full for too long is hung up on; trouble with the store ends
    the stream too: the client comes back, and then gets a proper answer.

    Args:
        form: how it is written.
        permission: the caller's; looked up at each heartbeat, and at once when it is in doubt.
        limit_s: after so many seconds it ends by itself, so that clients spread over new processes.
        places: where it takes its place among its caller's open ones.
    """

    def __init__(self, form: Form, permission: Permission, limit_s: float, places: Places) -> None:
        self._form = form
        self._permission = permission
        self._limit_s = limit_s
        self._places = places
        self._sending_since: float | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it.

        Raises:
            Refused: too-many-streams, before anything is sent.
        """
        with self._places.take(scope):
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
        """Wait for the end; False where the client has hung up, or takes nothing."""
        now = asyncio.get_running_loop().time
        end = now() + self._limit_s
        while not (flow.done() or gone.done()) and (left := end - now()) > 0:
            # One timer for the whole stream, because one for each thing sent would cost more.
            pause = min(left, SEND_PATIENCE_S)
            await asyncio.wait({flow, gone}, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
            since = self._sending_since
            if since is not None and now() - since >= SEND_PATIENCE_S:
                return False
        return not gone.done()

    async def _flow(self, send: Send) -> None:
        """Say everything."""
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
        """Put everything, in order."""

    async def _serve(
        self, inbox: Inbox[T], put: Put, deliver: Callable[[T], Awaitable[None]]
    ) -> None:
        """Deliver what comes and beat between, until the inbox ends; then say how it did."""
        with self._permission.watched(inbox.doubt):
            # It may have gone between the door and here.
            if await self._permission.holds():
                await self._serve_while_allowed(inbox, put, deliver)

    async def _serve_while_allowed(
        self, inbox: Inbox[T], put: Put, deliver: Callable[[T], Awaitable[None]]
    ) -> None:
        while True:
            item = await inbox.next()
            if item is not None:
                await deliver(item)
            elif inbox.doubted:
                inbox.doubted = False
                if not await self._permission.holds():
                    return
            elif inbox.lost:
                await put(self._form.named("reset", self._reached()))
                return
            elif inbox.beats:
                inbox.beats = 0
                if not await self._permission.holds():
                    return
                await put(self._form.beat)
            elif inbox.over:
                if inbox.ended:
                    await put(self._form.named("end", self._reached()))
                return

    def _reached(self) -> bytes:
        """How far the stream has come, as JSON: what a client needs to resume."""
        return b"{}"


class EventStream(Lasting):
    """The stream of a game."""

    def __init__(
        self, following: Following, course: Course, limit_s: float, places: Places
    ) -> None:
        super().__init__(course.form, course.permission, limit_s, places)
        self._following = following
        self._course = course
        self._position = course.after

    async def _say(self, put: Put) -> None:
        course = self._course
        first = self._form.opening
        if course.snapshot is not None:
            first += self._form.snapshot(course.after, course.snapshot)
        await put(first)
        await self._follow(put)

    async def _follow(self, put: Put) -> None:
        course = self._course
        if course.seen.ended:
            await self._catch_up(course.seen.version, put)
            await put(self._form.named("end", self._reached()))
            return
        follower = self._following.join(course.audience, course.seen)
        try:
            await self._catch_up(self._following.upto(course.audience), put)
            await self._serve(follower, put, lambda chunk: self._pass_on(chunk, put))
        finally:
            self._following.leave(course.audience, follower)

    async def _catch_up(self, last: int, put: Put) -> None:
        while self._position < last:
            chunk = await self._following.catch_up(self._course.audience, self._position, last)
            if chunk.last == self._position:
                return
            await put(chunk.data)
            self._position = chunk.last

    async def _pass_on(self, chunk: Chunk, put: Put) -> None:
        if chunk.first == self._position + 1:
            await put(chunk.data)
            self._position = chunk.last
        else:  # the pump is ahead of us, or we were sent some of it already
            await self._catch_up(chunk.last, put)

    def _reached(self) -> bytes:
        return b'{"version":%d}' % self._position


async def until_gone(receive: Receive) -> None:
    """Wait until the client has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass
