"""Connections to the store, to which a closed transport is what a lost connection is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    SSLConnection,
    UnixDomainSocketConnection,
)
from redis.exceptions import ConnectionError as NoConnection


class _Closable(AbstractConnection):
    """What all have in common."""

    async def send_packed_command(
        self,
        command: bytes | str | Iterable[bytes],
        check_health: bool = True,  # noqa: FBT001, FBT002 (redis-py's own)
    ) -> None:
        """As redis-py has it, but for a pipeline, which is ``bytes``.

        Who sends one has a time limit for it and its answers; redis-py, which sends lists, would
        add a task and a timer for the sending alone.

        Two things are not told as such there, and would end whoever waits for the store to come
        back. A store that goes may close a transport between two calls: asyncio's own takes what is
        written to it then, and reads nothing; uvloop's refuses it by a RuntimeError. And the
        connections of a node that has left a cluster are closed while others send over them, who
        write to a writer that is None then: an AttributeError.

        Raises:
            RedisError: the connection was lost.
        """
        try:
            if isinstance(command, bytes) and self.is_connected and not self.health_check_interval:
                await self._send_pipeline(command)
            else:
                await super().send_packed_command(command, check_health=check_health)
        except (RuntimeError, AttributeError) as error:
            raise NoConnection(str(error)) from error

    async def _send_pipeline(self, packed: bytes) -> None:
        writer: Any = self._writer  # None if it has been closed meanwhile
        try:
            writer.write(packed)
            await writer.drain()
        except BaseException as error:
            await self.disconnect(nowait=True)
            if isinstance(error, OSError):
                raise NoConnection(str(error)) from error
            raise


class StoreConnection(_Closable, Connection):
    """A connection by TCP."""


class TlsStoreConnection(_Closable, SSLConnection):
    """The same over TLS."""


class SocketStoreConnection(_Closable, UnixDomainSocketConnection):
    """A connection by the socket of a store on the same machine."""


_OURS: Final[dict[type[AbstractConnection], type[AbstractConnection]]] = {
    Connection: StoreConnection,
    SSLConnection: TlsStoreConnection,
    UnixDomainSocketConnection: SocketStoreConnection,
}


def of_ours(kind: type[AbstractConnection]) -> type[AbstractConnection]:
    """The kind of connection to use where redis-py would use this one."""
    return _OURS[kind]


def as_text(said: bytes | str) -> str:
    """What the store says, in either form in which a client returns it."""
    return said.decode() if isinstance(said, bytes) else said
