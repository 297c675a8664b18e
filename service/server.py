"""uvicorn with our own way to accept, and told of the end before it waits for it.

At the first signal long polls let go, then the server stops.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from types import FrameType
from typing import Final

import structlog
import uvicorn
from uvicorn.config import STARTUP_FAILURE

from events.tasks import end_tasks
from service import descriptors
from service.acceptor import Acceptor, listening_sockets
from service.app import Service
from service.connection import Connection
from service.gate import Gate

GRACE_S: Final = 10
"""How long requests that are under way may take at shutdown."""

BACKLOG: Final = 2048
"""Connections that may wait to be accepted."""

_log = structlog.get_logger(__name__)


class Server(uvicorn.Server):
    """A server that sets ``closing`` at the first signal.

    Args:
        config: uvicorn's own.
        gate: says who may connect.
        closing: set in the server's loop when it is to stop.
        on_start: called when the server listens, with the port.
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
        """Start listening: on these sockets, else where the config says."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets=[])  # all of its own, but that it listens nowhere
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
        """Accept nobody any more, let requests that are under way end, and stop."""
        for acceptor in self._acceptors:
            acceptor.close()
        await super().shutdown(sockets)
        if self._watch is not None:
            await end_tasks(self._watch)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Let the app know first; uvicorn then waits for what is under way."""
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
) -> Server:
    """A server for a service, by its settings, with as many descriptors as the system allows."""
    settings, gate = service.house.settings, service.gate
    gate.most = descriptors.for_callers(descriptors.raised(), settings.connections_percent)
    _log.info("connections_bounded", in_all=gate.most, by_address=settings.connections_per_address)
    return Server(config_for(service, settings.host, settings.port), gate, closing, on_start)


def config_for(service: Service, host: str, port: int) -> uvicorn.Config:
    """How we run uvicorn: quiet, because the access log is ours, and trusting no proxy headers."""
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
