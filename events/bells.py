"""Bells: the store tells a process at once which shard has been appended to.

Each append publishes, in the same step, where the feed now ends and when its stream wants to be
woken, on the channel of the shard, which is called as its feed is; one to an account does so for
the feed of accounts too. One connection to each node carries all bells that are rung there,
because in a cluster the messages of a slot stay on its own node. When a slot moves to another node,
its bells are found there.

A bell is only a hint, and may be lost. So whoever listens is told when a subscription is new or has
ended, and must look by itself then; and now and then without any reason.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
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
from events.pauses import pause_s
from events.sentinels import WatchedConnection
from events.tasks import end_tasks

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
    ``journaled``: likewise, and the journal has it all. ``link``: that of the entry, if told.
    """

    shard: int
    seq: int
    due: TimestampMs | None
    replicated: bool = False
    journaled: bool = False
    link: str = ""


REPLICATED: Final = "r"
"""What a bell says in place of a wake-up time if it tells of replication; older processes, which do
not know that, take it for a bell of what they have read already."""

JOURNALED: Final = "j"
"""Likewise, if it tells of the journal."""

Listener = Callable[[int, "Ring | None"], None]
"""Called with a shard and what was rung; None: something may have been missed, so look there. Must
not block or raise."""

Hear = Callable[[str, "bytes | None"], None]
"""As ``Listener``, with a channel and what was said on it."""


class Bells:
    """The bells of a store or cluster. Belongs to the client's event loop.

    Args:
        client: finds the nodes (``clients.listening``); connections for bells are made beside it.
        layout: names the channels of shards.
    """

    def __init__(self, client: Client, layout: Layout) -> None:
        self._client = client
        self._layout = layout
        self._listeners: dict[str, list[Hear]] = {}
        self._ears = 0
        self._lines: _Lines | None = None

    @contextlib.asynccontextmanager
    async def heard(self, shards: Iterable[int], listener: Listener) -> AsyncIterator[None]:
        """Pass the bells of some shards to ``listener`` for as long as the context lasts.

        Look at the shards after entering: what was appended before then has not been rung. It
        returns at once, also if the store does not answer; each shard is told of as None when its
        subscription stands.
        """
        channels = {self._layout.feed(shard): shard for shard in shards}

        def hear(channel: str, said: bytes | None) -> None:
            shard = channels[channel]
            listener(shard, None if said is None else ring_of(shard, said))

        async with self.ear(hear) as ear:
            for channel in channels:
                ear.add(channel)
            yield

    @contextlib.asynccontextmanager
    async def ear(self, hear: Hear) -> AsyncIterator[Ear]:
        """What passes the bells of channels to ``hear`` for as long as the context lasts."""
        self._ears += 1
        ear = Ear(hear, self._add, self._drop)
        try:
            yield ear
        finally:
            ear.close()
            self._ears -= 1
            if not self._ears and self._lines is not None:
                lines, self._lines = self._lines, None
                await lines.close()

    def _add(self, channel: str, hear: Hear) -> None:
        self._listeners.setdefault(channel, []).append(hear)
        if self._lines is None:
            self._lines = _Lines(self._client, self._listeners)
        self._lines.seek()

    def _drop(self, channel: str, hear: Hear) -> None:
        self._listeners[channel].remove(hear)
        if not self._listeners[channel]:
            del self._listeners[channel]
        if self._lines is not None:
            self._lines.seek()


class Ear:
    """The channels that one listener hears; they may change at any time."""

    def __init__(
        self,
        hear: Hear,
        add: Callable[[str, Hear], None],
        drop: Callable[[str, Hear], None],
    ) -> None:
        self._hear = hear
        self._add = add
        self._drop = drop
        self._channels: set[str] = set()

    def add(self, channel: str) -> None:
        """Hear a channel too. It is told of as None when its subscription stands."""
        if channel not in self._channels:
            self._channels.add(channel)
            self._add(channel, self._hear)

    def drop(self, channel: str) -> None:
        """Hear a channel no longer."""
        if channel in self._channels:
            self._channels.discard(channel)
            self._drop(channel, self._hear)

    def close(self) -> None:
        """Hear nothing any longer."""
        for channel in tuple(self._channels):
            self.drop(channel)


class _Line(asyncio.Protocol):
    """A connection to one node, and the channels that were asked for over it.

    redis-py only says how to connect: its own way of reading costs more for each message than all
    that is done with a bell.

    Args:
        take: called with each thing that the node says, in RESP2.
        lost: called once, when the connection has ended.
    """

    def __init__(self, take: Callable[[_Line, Any], None], lost: Callable[[_Line], None]) -> None:
        self.channels: set[str] = set()
        self.leaving: Counter[str] = Counter()
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
            RedisError: nobody knows which node is the primary.
        """
        if isinstance(connection, UnixDomainSocketConnection):
            await self._loop.create_unix_connection(lambda: self, connection.path)
        else:
            assert isinstance(connection, Connection)
            context = None
            if isinstance(connection, SSLConnection):
                context = connection.ssl_context.get()
            if isinstance(connection, WatchedConnection):
                await connection.find()
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
    """Keeps one connection to each node, and the wanted subscriptions where their slots lie."""

    def __init__(self, client: Client, listeners: dict[str, list[Hear]]) -> None:
        self._client = client
        self._listeners = listeners
        self._lines: dict[str, _Line] = {}
        self._wakes = asyncio.Event()
        self._tries = 0
        self._tried: set[str] = set()
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
            again = not self._tried.isdisjoint(missing)
            if again:
                await asyncio.sleep(pause_s(self._tries))
                self._tries += 1
            self._tried.update(missing)
            try:
                places = await self._places(missing, again=again)
            except NO_ANSWER as error:
                _log.debug("bells_not_placed", reason=str(error))
                continue
            await asyncio.gather(*(self._subscribe(*place) for place in places))

    def _missing(self) -> list[str]:
        there = {channel for line in self._lines.values() for channel in line.channels}
        return [channel for channel in self._listeners if channel not in there]

    async def _places(
        self, channels: Sequence[str], *, again: bool
    ) -> list[tuple[str, Callable[[], AbstractConnection], list[str]]]:
        """The nodes of channels: the name of each, what makes a connection to it, its channels.

        Args:
            channels: the channels.
            again: it was no use to look where they were thought to be.

        Raises:
            NO_ANSWER: the store does not say.
        """
        client = self._client
        if not isinstance(client, RedisCluster):
            return [("", client.connection_pool.make_connection, list(channels))]
        if again:
            await client.aclose()
        await client.initialize()
        found: dict[str, tuple[str, Callable[[], AbstractConnection], list[str]]] = {}
        for channel in channels:
            node = client.get_node_from_key(channel)
            if node is not None:
                name = str(node.name)
                found.setdefault(name, (name, _maker(node), []))[2].append(channel)
        return list(found.values())

    async def _subscribe(
        self, name: str, make: Callable[[], AbstractConnection], channels: list[str]
    ) -> None:
        """Ask a node for channels; a failure leaves them missing."""
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
        line.channels.update(channels)
        line.say("SSUBSCRIBE", channels)

    def _leave_unwanted(self) -> None:
        self._tried &= self._listeners.keys()
        for line in self._lines.values():
            unwanted = line.channels - self._listeners.keys()
            if unwanted:
                line.channels -= unwanted
                line.leaving.update(unwanted)
                line.say("SUNSUBSCRIBE", sorted(unwanted))

    def _gone(self, name: str, line: _Line) -> None:
        """A connection has ended: its channels are to be found again."""
        if self._lines.get(name) is line:
            del self._lines[name]
            self._wakes.set()
            for channel in line.channels:
                self._tell(channel, None)

    def _heard(self, line: _Line, said: Any) -> None:  # noqa: ANN401 (as the protocol has it)
        match said:
            case [b"smessage", channel, text]:
                self._tell(channel.decode(), text)
            case [b"ssubscribe", channel, _]:
                self._tries = 0
                self._tried.discard(channel.decode())
                self._tell(channel.decode(), None)
            case [b"sunsubscribe", channel, _]:
                self._left(line, channel.decode())
            case Exception():
                _log.debug("bells_refused", reason=str(said))
                line.drop()

    def _left(self, line: _Line, channel: str) -> None:
        """A subscription has ended: at our wish, or because its slot has moved."""
        if line.leaving[channel]:
            line.leaving -= Counter((channel,))
        elif channel in line.channels:
            line.channels.discard(channel)
            self._tried.add(channel)  # so the nodes are asked where to
            self._wakes.set()

    def _tell(self, channel: str, said: bytes | None) -> None:
        for hear in tuple(self._listeners.get(channel, ())):
            hear(channel, said)


def ring_of(shard: int, said: bytes) -> Ring:
    """What a shard's bell says."""
    seq, _, rest = said.partition(b" ")
    due, _, link = rest.partition(b" ")
    wake = int(due) if due.isdigit() else None
    replicated, journaled = due == REPLICATED.encode(), due == JOURNALED.encode()
    return Ring(shard, int(seq), wake, replicated, journaled, link.decode())


def _packed(*words: str) -> bytes:
    packed: bytes = pack_command(words)  # type: ignore[arg-type]  # its stub says: one word
    return packed


def _maker(node: Any) -> Callable[[], AbstractConnection]:  # noqa: ANN401 (a node of redis-py)
    def make() -> AbstractConnection:
        made: AbstractConnection = node.connection_class(**node.connection_kwargs)
        return made

    return make
