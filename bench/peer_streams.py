"""The reference of ``streams``: a bare ASGI app that sends ready bytes to all who listen.

``python -m bench.peer_streams``: ``GET`` opens a stream, the body of a ``POST`` goes to every
open one, through a queue each. Nothing is read, folded, redacted or resumed. It prints
``listening on http://127.0.0.1:PORT``.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import uvicorn

from bench.peer import PeerServer


class _Broadcast:
    """The app: who listens, and what each has yet to be sent."""

    def __init__(self) -> None:
        self.queues: set[asyncio.Queue[bytes]] = set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 (ASGI)
        if scope["type"] != "http":
            return
        kind = b"text/event-stream" if scope["method"] == "GET" else b"text/plain"
        headers = [(b"content-type", kind)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["method"] == "GET":
            await self._listen(receive, send)
        else:
            data = (await receive())["body"]
            for queue in self.queues:
                queue.put_nowait(data)
            await send({"type": "http.response.body", "body": b"ok"})

    async def _listen(self, receive: Any, send: Any) -> None:  # noqa: ANN401 (ASGI)
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        self.queues.add(queue)

        async def flow() -> None:
            await send({"type": "http.response.body", "body": b": hello\n\n", "more_body": True})
            while True:
                data = await queue.get()
                await send({"type": "http.response.body", "body": data, "more_body": True})

        sending = asyncio.create_task(flow())
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self.queues.discard(queue)
            sending.cancel()


def main() -> int:
    """Serve until a signal comes."""
    config = uvicorn.Config(
        _Broadcast(),
        host="127.0.0.1",
        port=0,
        loop="uvloop",
        http="httptools",
        lifespan="off",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    PeerServer(config).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
