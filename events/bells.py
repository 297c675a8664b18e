"""Bells: the store tells a process at once which shard has been appended to.

Each append publishes, in the same step, where the feed now ends and when its stream wants to be
woken, on the channel of the shard, which is called as its feed is. One connection to each node
carries the bells of all shards that lie there, because in a cluster a shard's messages stay on its
own node. When a shard moves to another node, its bell is found there.

A bell is only a hint, and may be lost. So whoever listens is told when a subscription is new or has
ended, and must look by itself then; and now and then without any reason.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any, Final

from hiredis import pack_command
from msgspec import Struct
from redis.asyncio import RedisCluster
from redis.asyncio.connection import AbstractConnection

from events.clients import NO_ANSWER, Client
from events.kernel import TimestampMs
from events.layout import Layout
from events.logger import get_logger
from events.tasks import end_tasks

_PAUSES_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
_CONNECT_S: Final = 5.0
_QUIET_S: Final = 15.0
"""After such a silence the node is asked whether it is there; after two it counts as gone."""

_log = get_logger(__name__)


class Ring(Struct, frozen=True):
    """A shard's feed has reached ``seq``; a stream of it wants to be woken at ``due``, if told."""

    shard: int
    seq: int
    due: TimestampMs | None


Listener = Callable[[int, "Ring | None"], None]
"""Called with a shard and what was rung; None: something may have been missed, so look there. Must
not block or raise."""


class Bells:
    """The bells of a store or cluster. Belongs to the client's event loop.

    Args:
        client: finds the nodes (``clients.listening``); connections for bells are made beside it.
        layout: names the channels.
    """

    def __init__(self, client: Client, layout: Layout) -> None:
        self._client = client
        self._layout = layout
        self._listeners: dict[int, list[Listener]] = {}
        self._lines: _Lines | None = None

    @contextlib.asynccontextmanager
    async def heard(self, shards: Iterable[int], listener: Listener) -> AsyncIterator[None]:
        """Pass the bells of some shards to ``listener`` for as long as the context lasts.

        Look at the shards after entering: what was appended before then has not been rung. It
        returns at once, also if the store does not answer; each shard is told of as None when its
        subscription stands.
        """
        wanted = tuple(shards)
        for shard in wanted:
            self._listeners.setdefault(shard, []).append(listener)
        if self._lines is None:
            self._lines = _Lines(self._client, self._layout, self._listeners)
        self._lines.seek()
        try:
            yield
        finally:
            await self._forget(wanted, listener)

    async def _forget(self, shards: Iterable[int], listener: Listener) -> None:
        for shard in shards:
            self._listeners[shard].remove(listener)
            if not self._listeners[shard]:
                del self._listeners[shard]
        lines = self._lines
        if lines is None:
            return
        if self._listeners:
            lines.seek()
        else:
            self._lines = None
            await lines.close()


class _Line(Struct, eq=False):
    """A connection to one node, and the shards whose bells were asked for over it."""

    connection: AbstractConnection
    shards: set[int]
    reader: asyncio.Task[None] | None = None


class _Lines:
    """Keeps one connection to each node, and the wanted subscriptions where their shards lie."""

    def __init__(
        self, client: Client, layout: Layout, listeners: dict[int, list[Listener]]
    ) -> None:
        self._client = client
        self._layout = layout
        self._listeners = listeners
        self._shard_of = {layout.feed(shard).encode(): shard for shard in range(layout.shards)}
        self._lines: dict[str, _Line] = {}
        self._wakes = asyncio.Event()
        self._tries = 0
        self._task = asyncio.create_task(self._run(), name="bells")

    def seek(self) -> None:
        """See that exactly what is wanted is subscribed to."""
        self._wakes.set()

    async def close(self) -> None:
        """End all subscriptions."""
        readers = [line.reader for line in self._lines.values() if line.reader is not None]
        await end_tasks(self._task, *readers)

    async def _run(self) -> None:
        while True:
            self._wakes.clear()
            await self._leave_unwanted()
            missing = self._missing()
            if not missing:
                await self._wakes.wait()
                continue
            if self._tries:
                await asyncio.sleep(_PAUSES_S[min(self._tries, len(_PAUSES_S)) - 1])
            again, self._tries = bool(self._tries), self._tries + 1
            try:
                places = await self._places(missing, again=again)
            except NO_ANSWER as error:
                _log.debug("bells_not_placed", reason=str(error))
                continue
            await asyncio.gather(*(self._subscribe(*place) for place in places))

    def _missing(self) -> list[int]:
        there = {shard for line in self._lines.values() for shard in line.shards}
        return [shard for shard in self._listeners if shard not in there]

    async def _places(
        self, shards: Sequence[int], *, again: bool
    ) -> list[tuple[str, Callable[[], AbstractConnection], list[int]]]:
        """The nodes of shards: the name of each, what makes a connection to it, its shards.

        Args:
            shards: the shards.
            again: it was no use to look where they were thought to be.

        Raises:
            NO_ANSWER: the store does not say.
        """
        client = self._client
        if not isinstance(client, RedisCluster):
            return [("", client.connection_pool.make_connection, list(shards))]
        if again:
            await client.aclose()
        await client.initialize()
        found: dict[str, tuple[str, Callable[[], AbstractConnection], list[int]]] = {}
        for shard in shards:
            node = client.get_node_from_key(self._layout.feed(shard))
            if node is not None:
                name = str(node.name)
                found.setdefault(name, (name, _maker(node), []))[2].append(shard)
        return list(found.values())

    async def _subscribe(
        self, name: str, make: Callable[[], AbstractConnection], shards: list[int]
    ) -> None:
        """Ask a node for the bells of shards; a failure leaves them missing."""
        try:
            line = self._lines.get(name)
            if line is None:
                line = self._lines[name] = _Line(await _connected(make), set())
                line.reader = asyncio.create_task(self._hear(name, line), name="bells of a node")
            line.shards.update(shards)
            await self._say(line, "SSUBSCRIBE", shards)
        except (*NO_ANSWER, TimeoutError) as error:
            _log.debug("bells_not_placed", node=name, reason=str(error))

    async def _say(self, line: _Line, word: str, shards: Iterable[int]) -> None:
        """One command for each shard, since a command may not name several slots."""
        packed = (pack_command((word, self._layout.feed(s))) for s in shards)  # type: ignore[arg-type]  # its stub says: one word
        await line.connection.send_packed_command(b"".join(packed))

    async def _leave_unwanted(self) -> None:
        for line in list(self._lines.values()):
            unwanted = line.shards - self._listeners.keys()
            if unwanted:
                line.shards -= unwanted
                with contextlib.suppress(*NO_ANSWER):  # the reader finds out as well
                    await self._say(line, "SUNSUBSCRIBE", sorted(unwanted))

    async def _hear(self, name: str, line: _Line) -> None:
        """Pass on what a node rings, until the connection ends or an answer is no good."""
        try:
            while True:
                self._take(line, await self._next(line))
        except (*NO_ANSWER, TimeoutError) as error:
            _log.debug("bells_lost", node=name, reason=str(error))
        finally:
            del self._lines[name]
            await line.connection.disconnect(nowait=True)
            self._wakes.set()
            for shard in line.shards:
                self._tell(shard, None)

    async def _next(self, line: _Line) -> Any:  # noqa: ANN401 (whatever the node says)
        """What the node says next.

        Raises:
            TimeoutError: it has been silent twice as long as it may.
            NO_ANSWER: the connection is lost, or the node has refused something.
        """
        for last in (False, True):
            try:
                async with asyncio.timeout(_QUIET_S):
                    return await line.connection.read_response(
                        timeout=math.inf, disconnect_on_error=False
                    )
            except TimeoutError:
                if last:
                    raise
                await line.connection.send_packed_command(pack_command(("PING",)))
        return None

    def _take(self, line: _Line, said: Any) -> None:  # noqa: ANN401 (as the protocol has it)
        match said:
            case [b"smessage", channel, text]:
                shard = self._shard_of[channel]
                seq, _, due = text.partition(b" ")
                self._tell(shard, Ring(shard, int(seq), int(due) if due.isdigit() else None))
            case [b"ssubscribe", channel, _]:
                self._tries = 0
                self._tell(self._shard_of[channel], None)
            case [b"sunsubscribe", channel, _]:
                shard = self._shard_of[channel]
                if shard in line.shards:  # not at our wish: it has moved
                    line.shards.discard(shard)
                    self._tries = max(self._tries, 1)  # so the nodes are asked where to
                    self._wakes.set()

    def _tell(self, shard: int, ring: Ring | None) -> None:
        for listener in tuple(self._listeners.get(shard, ())):
            listener(shard, ring)


async def _connected(make: Callable[[], AbstractConnection]) -> AbstractConnection:
    """A new connection, open.

    Raises:
        NO_ANSWER, TimeoutError: it cannot be opened.
    """
    connection = make()
    try:
        async with asyncio.timeout(_CONNECT_S):
            await connection.connect()
    except BaseException:
        await connection.disconnect(nowait=True)
        raise
    return connection


def _maker(node: Any) -> Callable[[], AbstractConnection]:  # noqa: ANN401 (a node of redis-py)
    def make() -> AbstractConnection:
        made: AbstractConnection = node.connection_class(**node.connection_kwargs)
        return made

    return make
