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
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any, Final, cast

from hiredis import ProtocolError, Reader, pack_command
from msgspec import Struct
from redis.asyncio import RedisCluster
from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    SSLConnection,
    UnixDomainSocketConnection,
)

from events.clients import NO_ANSWER, Client
from events.kernel import TimestampMs
from events.layout import Layout
from events.logger import get_logger
from events.tasks import end_tasks

_PAUSES_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
_CONNECT_S: Final = 5.0
_QUIET_S: Final = 15.0
"""After such a silence the node is asked whether it is there; after two it counts as gone."""

_BUSY_S: Final = 0.01
"""What comes within this time of what came before is one of many."""
_GATHER_S: Final = 0.004
"""How long bells may then gather: taking each by itself would cost a reader as much as the appends
cost their writers."""

_log = get_logger(__name__)


class Ring(Struct, frozen=True):
    """A shard's feed has reached ``seq``; a stream of it wants to be woken at ``due``, if told.

    ``replicated``: it had reached it before, and another machine has it all as well by now.
    """

    shard: int
    seq: int
    due: TimestampMs | None
    replicated: bool = False


REPLICATED: Final = "r"
"""What a bell says in place of a wake-up time if it tells of replication; older processes, which do
not know that, take it for a bell of what they have read already."""

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


class _Line(asyncio.Protocol):
    """A connection to one node, and the shards whose bells were asked for over it.

    redis-py only says how to connect: its own way of reading costs more for each message than all
    that is done with a bell.

    Args:
        take: called with each thing that the node says, in RESP2.
        lost: called once, when the connection has ended.
    """

    def __init__(self, take: Callable[[_Line, Any], None], lost: Callable[[_Line], None]) -> None:
        self.shards: set[int] = set()
        self._take = take
        self._lost = lost
        self._parser = Reader()
        self._loop = asyncio.get_running_loop()
        self._came = -_BUSY_S
        self._asked = False
        self._transport: asyncio.Transport
        self._watch: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is open."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are no subclass
        self._watch = self._loop.call_later(_QUIET_S, self._look)

    @property
    def is_closing(self) -> bool:
        """Whether the connection has ended, or is about to."""
        return self._transport.is_closing()

    async def open(self, connection: AbstractConnection) -> None:
        """Connect as ``connection`` would.

        Raises:
            OSError: the node cannot be reached.
        """
        if isinstance(connection, UnixDomainSocketConnection):
            await self._loop.create_unix_connection(lambda: self, connection.path)
        else:
            assert isinstance(connection, Connection)
            context = None
            if isinstance(connection, SSLConnection):
                context = connection.ssl_context.get()
            place = connection.host, connection.port
            await self._loop.create_connection(lambda: self, *place, ssl=context)
        words: tuple[str, ...] = ()
        if connection.credential_provider is not None:
            words = await connection.credential_provider.get_credentials_async()
        elif connection.username:
            words = (connection.username, connection.password or "")
        elif connection.password:
            words = (connection.password,)
        if words:
            self._transport.write(_packed("AUTH", *words))

    def say(self, word: str, channels: Iterable[str]) -> None:
        """One command for each channel, since a command may not name several slots."""
        self._transport.write(b"".join(_packed(word, name) for name in channels))

    def data_received(self, data: bytes) -> None:
        """Take what the node says. Under load bells gather for a moment, to be taken together."""
        before, self._came = self._came, self._loop.time()
        self._asked = False
        self._parser.feed(data)
        try:
            while (said := self._parser.gets()) is not False:
                self._take(self, said)
        except ProtocolError:
            self.drop()
        if self._came - before < _BUSY_S and not self.is_closing:
            self._transport.pause_reading()
            self._loop.call_later(_GATHER_S, self._go_on)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 (asyncio's own)
        """The connection has ended, at whoever's wish."""
        self._watch.cancel()
        self._lost(self)

    def drop(self) -> None:
        """End the connection; ``lost`` is called soon."""
        self._watch.cancel()
        self._transport.abort()

    def _go_on(self) -> None:
        if not self.is_closing:
            self._transport.resume_reading()

    def _look(self) -> None:
        """After a long silence ask whether the node is there; after a second one it is not."""
        if self._loop.time() - self._came >= _QUIET_S:
            if self._asked:
                self.drop()
                return
            self._asked = True
            self._transport.write(_packed("PING"))
        self._watch = self._loop.call_later(_QUIET_S, self._look)


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
        await end_tasks(self._task)
        lines, self._lines = self._lines, {}
        for line in lines.values():
            line.drop()
        await asyncio.sleep(0)  # in which transports close

    async def _run(self) -> None:
        while True:
            self._wakes.clear()
            self._leave_unwanted()
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
                line = _Line(self._heard, lambda line: self._gone(name, line))
                async with asyncio.timeout(_CONNECT_S):
                    await line.open(make())
                self._lines[name] = line
        except (*NO_ANSWER, TimeoutError) as error:
            _log.debug("bells_not_placed", node=name, reason=str(error))
            return
        if line.is_closing:
            self._gone(name, line)
            return
        line.shards.update(shards)
        line.say("SSUBSCRIBE", map(self._layout.feed, shards))

    def _leave_unwanted(self) -> None:
        for line in self._lines.values():
            unwanted = line.shards - self._listeners.keys()
            if unwanted:
                line.shards -= unwanted
                line.say("SUNSUBSCRIBE", map(self._layout.feed, sorted(unwanted)))

    def _gone(self, name: str, line: _Line) -> None:
        """A connection has ended: its shards are to be found again."""
        if self._lines.get(name) is line:
            del self._lines[name]
            self._wakes.set()
            for shard in line.shards:
                self._tell(shard, None)

    def _heard(self, line: _Line, said: Any) -> None:  # noqa: ANN401 (as the protocol has it)
        match said:
            case [b"smessage", channel, text]:
                shard = self._shard_of[channel]
                seq, _, due = text.partition(b" ")
                wake = int(due) if due.isdigit() else None
                self._tell(shard, Ring(shard, int(seq), wake, due == REPLICATED.encode()))
            case [b"ssubscribe", channel, _]:
                self._tries = 0
                self._tell(self._shard_of[channel], None)
            case [b"sunsubscribe", channel, _]:
                shard = self._shard_of[channel]
                if shard in line.shards:  # not at our wish: it has moved
                    line.shards.discard(shard)
                    self._tries = max(self._tries, 1)  # so the nodes are asked where to
                    self._wakes.set()
            case Exception():
                _log.debug("bells_refused", reason=str(said))
                line.drop()

    def _tell(self, shard: int, ring: Ring | None) -> None:
        for listener in tuple(self._listeners.get(shard, ())):
            listener(shard, ring)


def _packed(*words: str) -> bytes:
    packed: bytes = pack_command(words)  # type: ignore[arg-type]  # its stub says: one word
    return packed


def _maker(node: Any) -> Callable[[], AbstractConnection]:  # noqa: ANN401 (a node of redis-py)
    def make() -> AbstractConnection:
        made: AbstractConnection = node.connection_class(**node.connection_kwargs)
        return made

    return make
