"""Accepting connections: some at a time, only who may come in, and calmly when nobody can be.

The event loop's own server accepts all who wait before anything else is done, builds a transport
for each, and when descriptors run out it drops callers without a word. Here a caller who may not
come in costs one ``send`` and no transport, and without a descriptor to be had accepting rests.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections import deque
from collections.abc import Callable
from typing import Final

from service.connection import Connection
from service.gate import Gate

_AT_ONCE: Final = 8
"""How many are accepted before requests have their turn again."""

_PARTING: Final = 16
_PARTING_S: Final = 1.0
_REST_S: Final = 0.1
_OUT_OF: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class Acceptor:
    """Accepts from one listening socket. Belongs to the running loop.

    Args:
        listening: the socket.
        make: makes what speaks to a caller with an address and a port.
        gate: says who may come in.
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
        """Accept nobody any more."""
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
                continue  # the caller is gone already (ECONNABORTED and the like)
            self._let_in(caller, (peer[0], peer[1]))

    def _rest(self, error: OSError) -> None:
        """The socket stays readable, so without a rest the loop would do nothing but fail."""
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
        except OSError:  # gone already, or no memory for a transport
            caller.close()
            self._gate.leave(connection)

    def _turn_away(self, caller: socket.socket, answer: bytes) -> None:
        """Tell a caller why, and hang up a moment later.

        If we hung up at once, with a request of the caller's unread, a reset would overtake the
        answer. When many are turned away, the moment is short.
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
    """Listen at a host's addresses; port 0: any free one.

    Raises:
        OSError: nobody can listen there.
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
