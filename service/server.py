"""uvicorn, told of the end before it waits for it: long polls let go, then the server stops."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

import uvicorn

from service.edge import Edge

GRACE_S: Final = 10
"""How long requests that are under way may take at shutdown."""

_BACKLOG = 2048


class Server(uvicorn.Server):
    """A server that sets ``closing`` at the first signal.

    Args:
        config: uvicorn's own.
        closing: set in the server's loop when it is to stop.
        on_start: called when the server listens, with the port.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        closing: asyncio.Event,
        on_start: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__(config)
        self._closing = closing
        self._on_start = on_start
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.started and self._on_start is not None:
            self._on_start(self._port())

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Let the app know first; uvicorn then waits for what is under way."""
        self.close_polls()
        super().handle_exit(sig, frame)

    def close_polls(self) -> None:
        """Set ``closing``, from any thread or signal handler."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._closing.set)

    def _port(self) -> int:
        for server in self.servers:
            for listening in server.sockets:
                name: Any = listening.getsockname()
                if isinstance(name, tuple):
                    return int(name[1])
        return 0


def config_for(app: Edge, host: str, port: int) -> uvicorn.Config:
    """How we run uvicorn: quiet, because the access log is ours, and trusting no proxy headers."""
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="uvloop",
        http="httptools",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=False,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=GRACE_S,
    )
