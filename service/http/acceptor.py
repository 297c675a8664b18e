"""Accepting connections: in small batches, within the limits, and pausing when resources run out.

The event loop's own server accepts every waiting connection before anything else runs, builds a
transport for each, and drops connections silently when descriptors run out. Here a refused caller
costs one ``send`` and no transport, and accepting pauses while no descriptor is free.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections import deque
from collections.abc import Callable
from typing import Final

from service.http.connection import Connection
from service.http.gate import Gate

_AT_ONCE: Final = 8
"""How many connections are accepted before requests are served again."""

_PARTING: Final = 16
_PARTING_S: Final = 1.0
_REST_S: Final = 0.1
_OUT_OF: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class Acceptor:
    """Accepts from one listening socket. Belongs to the running loop.

    Args:
        listening: the socket.
        make: makes the protocol for a peer's address and port.
        gate: decides who may connect.
    """

    def __init__(
        self, listening: socket.socket, make: Callable[[tuple[str, int]], Connection], gate: Gate
    ) -> None:
        self._socket = listening
        self._make = make
        self._gate = gate
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._parting: deque[socket.socket] = deque()
        self._resting: asyncio.TimerHandle | None = None
        listening.settimeout(0)
        self._begin()

    def close(self) -> None:
        """Stop accepting."""
        if self._resting is not None:
            self._resting.cancel()
        self._loop.remove_reader(self._socket.fileno())
        self._socket.close()
        while self._parting:
            self._parting.popleft().close()

    def _begin(self) -> None:
        self._resting = None
        self._loop.add_reader(self._socket.fileno(), self._accept)

    def _accept(self) -> None:
        for _ in range(_AT_ONCE):
            try:
                caller, peer = self._socket.accept()
            except (BlockingIOError, InterruptedError):
                return
            except OSError as error:
                if error.errno in _OUT_OF:
                    self._rest(error)
                    return
                continue  # the caller has already gone (ECONNABORTED and the like)
            self._let_in(caller, (peer[0], peer[1]))

    def _rest(self, error: OSError) -> None:
        """Pause: the socket stays readable, so without one the loop would only keep failing."""
        self._gate.not_accepted(error)
        self._loop.remove_reader(self._socket.fileno())
        self._resting = self._loop.call_later(_REST_S, self._begin)

    def _let_in(self, caller: socket.socket, peer: tuple[str, int]) -> None:
        refusal = self._gate.refusal(peer[0])
        if refusal is not None:
            self._turn_away(caller, refusal)
            return
        caller.settimeout(0)
        connection = self._make(peer)
        self._gate.enter(connection)
        task = self._loop.create_task(self._connect(caller, connection))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, caller: socket.socket, connection: Connection) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: connection, caller)
        except OSError:  # already gone, or no memory for a transport
            caller.close()
            self._gate.leave(connection)

    def _turn_away(self, caller: socket.socket, answer: bytes) -> None:
        """Send the refusal, and close the connection a moment later.

        Closing at once, with a request still unread, would send a reset that overtakes the answer.
        The delay is short when many are refused.
        """
        try:
            caller.settimeout(0)
            caller.send(answer)
            caller.shutdown(socket.SHUT_WR)
        except OSError:
            caller.close()
            return
        self._parting.append(caller)
        if len(self._parting) > _PARTING:
            self._parting.popleft().close()
        elif len(self._parting) == 1:
            self._loop.call_later(_PARTING_S, self._hang_up)

    def _hang_up(self) -> None:
        while self._parting:
            self._parting.popleft().close()


def listening_sockets(host: str, port: int, backlog: int) -> list[socket.socket]:
    """Listen on a host's addresses; port 0: any free one.

    Raises:
        OSError: the address or port cannot be bound.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    made: list[socket.socket] = []
    try:
        for family, _, _, _, address in dict.fromkeys(found):
            made.append(socket.create_server(address, family=family, backlog=backlog))
    except OSError:
        for each in made:
            each.close()
        raise
    return made
