"""Listens to a stream of the service in the test's own loop, piece by piece."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct, json

from events.tasks import end_tasks
from tests.service.stage import Player, Stage

PATIENCE_S = 20.0


class Message(Struct):
    """One message of an event stream (HTML standard, server-sent events)."""

    event: str
    id: str
    data: list[str]

    def json(self, line: int = 0) -> Any:
        """A line of its data, decoded."""
        return json.decode(self.data[line])


def message_of(text: str) -> Message:
    """Parse one block between blank lines."""
    found = Message("message", "", [])
    for line in text.split("\n"):
        name, _, value = line.partition(": ")
        if name == "event":
            found.event = value
        elif name == "id":
            found.id = value
        elif name == "data":
            found.data.append(value)
    return found


class Listener:
    """An open stream; ``text`` is all that was taken of it.

    While ``taking`` is clear nothing is taken. ``ended``: the answer is whole; ``gone``: we have
    hung up; ``left``: the service has.
    """

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.text = ""
        self.ended = asyncio.Event()
        self.gone = asyncio.Event()
        self.left = asyncio.Event()
        self.taking = asyncio.Event()
        self.taking.set()
        self._asked = False
        self._read = 0
        self._news = asyncio.Event()

    async def receive(self) -> Any:
        """As ASGI has it: an empty request, and then nothing until the client hangs up."""
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        """As ASGI has it."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {k.decode(): v.decode() for k, v in message["headers"]}
            return
        await self.taking.wait()
        self.text += message["body"].decode()
        if not message.get("more_body"):
            self.ended.set()
        self._news.set()

    async def until(self, needle: str) -> None:
        """Wait until the stream has said something."""
        async with asyncio.timeout(PATIENCE_S):
            while needle not in self.text:
                self._news.clear()
                await self._news.wait()

    @property
    def unread(self) -> str:
        """What was said after the last message that was read."""
        return self.text[self._read :]

    async def next(self) -> Message:
        """The next message; comments and the opening are passed over."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                block, end, _ = self.unread.partition("\n\n")
                if not end:
                    self._news.clear()
                    await self._news.wait()
                    continue
                self._read += len(block) + 2
                found = message_of(block)
                if found.data:
                    return found

    async def events(self, last: int) -> list[Message]:
        """The messages up to the event of a version."""
        found = [await self.next()]
        while found[-1].id != str(last):
            found.append(await self.next())
        return found


@asynccontextmanager
async def listen(
    on: Stage, who: Player, path: str, headers: Mapping[str, str] | None = None, **queries: Any
) -> AsyncIterator[Listener]:
    """Open a stream, and hang up at the end."""
    listener = Listener()
    sent = who.headers({"accept": "text/event-stream"} | dict(headers or {}))
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": urlencode(queries).encode(),
        "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
        "client": ("127.0.0.1", 1),
        "server": ("test", 80),
        "state": {},
    }
    call = asyncio.create_task(on.service.asgi(scope, listener.receive, listener.send))
    call.add_done_callback(lambda _: listener.left.set())
    try:
        yield listener
    finally:
        listener.gone.set()
        listener.taking.set()
        done, _ = await asyncio.wait({call}, timeout=PATIENCE_S)
        if not done:
            await end_tasks(call)
            raise AssertionError("the stream did not end when the client hung up")
