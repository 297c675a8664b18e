"""A way to a store that can swallow, lose answers, break off in one, or hand it on in crumbs."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from types import TracebackType
from typing import Literal, Self

from events.tasks import end_tasks

Mood = Literal["pass", "swallow", "half open", "break", "crumbs"]
"""What the way does: nothing; it swallows everything, both ways; it hands requests on and no
answer; it closes the connection in the middle of each answer; it hands answers on in small
pieces."""

_CHUNK = 1 << 16
_CRUMB = 3


class StoreProxy:
    """A TCP proxy on 127.0.0.1, in a thread of its own.

    Args:
        target: the port of the store.

    Attributes:
        port: where it listens.
        mood: what it does; may change at any time.
        met: how often it did what.
    """

    def __init__(self, target: int) -> None:
        self.port = 0
        self.mood: Mood = "pass"
        self.met: Counter[str] = Counter()
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._listens = threading.Event()
        self._stop: asyncio.Event | None = None
        self._under_way: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),))

    @property
    def url(self) -> str:
        """The store, by this way."""
        return f"redis://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._listens.wait(20)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._stop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()

    async def _run(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._listens.set()
        await self._stop.wait()
        server.close()
        await end_tasks(*self._under_way)
        for writer in self._writers:
            writer.close()
        closed = (writer.wait_closed() for writer in self._writers)
        await asyncio.gather(*closed, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        try:
            await self._carry(reader, writer)
        except OSError:
            writer.close()  # the store is not there
        finally:
            self._under_way.discard(task)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry bytes both ways until one side ends."""
        there, back = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers.append(back)
        ways = (self._hand_on(reader, back), self._answer(there, writer))
        tasks = [asyncio.create_task(each) for each in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end_tasks(*tasks)
            for each in (writer, back):
                each.close()

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(_CHUNK):
            if self.mood == "swallow":
                self.met["request swallowed"] += 1
                continue
            with contextlib.suppress(ConnectionError):
                writer.write(data)
                await writer.drain()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(_CHUNK):
            match self.mood:
                case "swallow" | "half open":
                    self.met["answer swallowed"] += 1
                case "break":
                    self.met["answer broken off"] += 1
                    writer.write(data[: len(data) // 2])
                    return
                case "crumbs":
                    self.met["answer in crumbs"] += 1
                    for start in range(0, len(data), _CRUMB):
                        writer.write(data[start : start + _CRUMB])
                        await writer.drain()
                case "pass":
                    writer.write(data)
