"""uvicorn with our own acceptor, and with a shutdown that ends long-lived answers first.

At the first signal long polls and streams end, then the server stops.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from types import FrameType
from typing import Final

import uvicorn
from uvicorn.config import STARTUP_FAILURE

from events.logger import get_logger
from events.tasks import end_tasks
from service.app import Service
from service.http import descriptors
from service.http.acceptor import Acceptor, listening_sockets
from service.http.connection import Connection
from service.http.gate import Gate

GRACE_S: Final = 10
"""How many seconds requests in progress may take at shutdown."""

BACKLOG: Final = 2048
"""How many connections may wait to be accepted."""

_log = get_logger(__name__)


class HttpServer(uvicorn.Server):
    """A server that sets ``closing`` at the first signal.

    Args:
        config: uvicorn's configuration.
        gate: decides who may connect.
        closing: set in the server's loop when it has to stop.
        on_start: called with the port once the server listens.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        gate: Gate,
        closing: asyncio.Event,
        on_start: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__(config)
        self._gate = gate
        self._closing = closing
        self._on_start = on_start
        self._loop: asyncio.AbstractEventLoop | None = None
        self._acceptors: list[Acceptor] = []
        self._watch: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening: on the given sockets, else as configured."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets=[])  # uvicorn's own startup, but without listening
        config = self.config
        try:
            listening = sockets or listening_sockets(config.host, config.port, config.backlog)
        except OSError as error:
            _log.error("cannot_listen", host=config.host, port=config.port, reason=str(error))
            await self.lifespan.shutdown()
            sys.exit(STARTUP_FAILURE)
        self._acceptors = [Acceptor(each, self._connection, self._gate) for each in listening]
        self._watch = self._loop.create_task(self._gate.watch(), name="gate")
        if self._on_start is not None:
            self._on_start(int(listening[0].getsockname()[1]))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting, let requests in progress finish, and stop."""
        for acceptor in self._acceptors:
            acceptor.close()
        await super().shutdown(sockets)
        if self._watch is not None:
            await end_tasks(self._watch)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Notify the app first; uvicorn then waits for requests in progress."""
        self.close_polls()
        super().handle_exit(sig, frame)

    def close_polls(self) -> None:
        """Set ``closing``, from any thread or signal handler."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._closing.set)

    def _connection(self, peer: tuple[str, int]) -> Connection:
        return Connection(self.config, self.server_state, self.lifespan.state, self._gate, peer)


def server_of(
    service: Service, closing: asyncio.Event, on_start: Callable[[int], None] | None = None
) -> HttpServer:
    """A server for a service, configured by its settings, with as many descriptors as allowed."""
    settings, gate = service.app_context.settings, service.gate
    gate.most = descriptors.for_callers(descriptors.raised(), settings.connections_percent)
    _log.info("connections_bounded", in_all=gate.most, by_address=settings.connections_per_address)
    return HttpServer(config_for(service, settings.host, settings.port), gate, closing, on_start)


def config_for(service: Service, host: str, port: int) -> uvicorn.Config:
    """Our configuration of uvicorn: silent, because the access log is ours; no proxy headers."""
    return uvicorn.Config(
        service.asgi,
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
        backlog=BACKLOG,
        timeout_graceful_shutdown=GRACE_S,
    )
