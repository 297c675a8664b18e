"""What a live event costs by stream, against a bare ASGI app that sends ready bytes.

A thousand spectators follow one game, through the API as it runs: the feed subscriber reads the
feed, the events are read, encoded once, and handed to all. The game is moved by a process of its
own, twice a second, so that no command is part of the figure. The reference sends as many bytes to
as many streams.
"""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Awaitable, Callable
from typing import Final

import httpx
from msgspec import Struct

from bench.measure import Bar, BenchReport, Effort, Samples, cpu_seconds
from bench.rig import BenchRig, Seated, rig, seat_players, settings_for
from events.clients import commands, listening
from events.kernel import PUBLIC, Actor
from events.log import StreamLog
from runtime.embedded.children import Child
from runtime.table_service import TableService

NAME: Final = "streams"
BAR: Final = 0.6
STREAMS: Final = 1000

_PERIOD_S: Final = 0.5
_ROUNDS: Final = 10
_QUICK_ROUNDS: Final = 4
_PATIENCE_S: Final = 60.0
_FILES: Final = 4096

Move = Callable[[], Awaitable[None]]
"""Makes one event that every stream must get."""


class _Listener(asyncio.Protocol):
    """One stream: counts its messages, and says when it has as many as are wanted."""

    def __init__(self, crowd: _Crowd) -> None:
        self._crowd = crowd
        self._tail = b""
        self.messages = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.Transport)
        path = self._crowd.path
        head = f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n"
        transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        """Count the ends of messages."""
        text = self._tail + data
        self.messages += text.count(b"\n\n")
        self._tail = text[-1:] if not text.endswith(b"\n\n") else b""
        self._crowd.check(self)


class _Crowd:
    """All listeners of one server."""

    def __init__(self, port: int, path: str) -> None:
        self.path = path
        self._port = port
        self._listeners: list[_Listener] = []
        self._wanted = 0
        self._behind = 0
        self._caught_up = asyncio.Event()

    async def gather(self, greetings: int) -> None:
        """Open all streams, and wait until each was greeted by so many messages."""
        loop = asyncio.get_running_loop()
        for _ in range(STREAMS):
            await loop.create_connection(self._join, "127.0.0.1", self._port)
        await self._reach(greetings)

    async def hear(self, move: Move) -> None:
        """Let something happen, and wait until everybody has heard of it."""
        wanted = self._listeners[0].messages + 1
        self._wanted, self._behind = wanted, len(self._listeners)
        self._caught_up.clear()
        await move()
        await self._reach(wanted)

    def check(self, listener: _Listener) -> None:
        """A listener has heard something."""
        if listener.messages == self._wanted:
            self._behind -= 1
            if not self._behind:
                self._caught_up.set()

    def _join(self) -> _Listener:
        listener = _Listener(self)
        self._listeners.append(listener)
        return listener

    async def _reach(self, wanted: int) -> None:
        async with asyncio.timeout(_PATIENCE_S):
            while any(each.messages < wanted for each in self._listeners):
                self._wanted = wanted
                self._behind = sum(each.messages < wanted for each in self._listeners)
                self._caught_up.clear()
                await self._caught_up.wait()


class _Side(Struct):
    """One of the two servers, who listens to it, and how something happens there."""

    name: str
    child: Child
    crowd: _Crowd
    move: Move
    rates: list[float] = []

    def figure(self) -> Samples:
        """Events by CPU-second, over all streams."""
        return Samples(self.name, "events/CPU-s", "higher", tuple(self.rates))

    async def turn(self, rounds: int) -> float:
        """Events by CPU-second of the server, two a second to each stream."""
        before = cpu_seconds(self.child.pid)
        for _ in range(rounds):
            began = time.monotonic()
            await self.crowd.hear(self.move)
            await asyncio.sleep(max(0.0, _PERIOD_S - (time.monotonic() - began)))
        return rounds * STREAMS / (cpu_seconds(self.child.pid) - before)


def _mover(tables: TableService, seated: Seated, player: str) -> Move:
    """Replaces a programme, again and again."""
    table, number = seated.tables[0], 0

    async def move() -> None:
        nonlocal number
        number += 1
        await tables.choose(
            table.game,
            1,
            table.decision,
            table.options[number % 2],
            actor=Actor("player", player),
            command_id=f"bench-{number}",
            digest="bench",
        )

    return move


async def _measure(servers: BenchRig, effort: Effort) -> tuple[_Side, _Side]:
    api, peer, store = servers.api, servers.peer, servers.store
    [seated] = await asyncio.to_thread(seat_players, api.port, 1)
    settings = settings_for(store)
    client, listener = commands(store.url), listening(store.url)
    tables = TableService(StreamLog(client, listener, settings.layout()), settings.key_ring())
    game = seated.tables[0].game
    state = (await tables.load(game)).state
    ours = _mover(tables, seated, state.seats[1].player)
    payload = await _one_event(tables, game, ours)

    async with httpx.AsyncClient() as http:

        async def say() -> None:
            await http.post(f"http://127.0.0.1:{peer.port}/", content=payload)

        sides = (
            _Side("live events", api.child, _Crowd(api.port, f"/v1/games/{game}/events"), ours),
            _Side("bare ASGI broadcast", peer.child, _Crowd(peer.port, "/"), say),
        )
        # The service opens with its retry time and a snapshot, the reference with a word.
        for side, greetings in zip(sides, (2, 1), strict=True):
            await side.crowd.gather(greetings)
        rounds = _QUICK_ROUNDS if effort.quick else _ROUNDS
        for turn in range(effort.repetitions + 1):
            for side in sides:
                found = await side.turn(rounds)
                if turn:
                    side.rates.append(found)
    await client.aclose()
    await listener.aclose()
    return sides


async def _one_event(tables: TableService, game: str, move: Move) -> bytes:
    """An event of the kind that is sent, as it is sent: the reference's payload."""
    await move()
    version = (await tables.load(game)).version
    [stored] = await tables.views.entries(game, PUBLIC, version - 1)
    return b"id: %d\ndata: %b\n\n" % (version, stored.public)


def run(effort: Effort) -> BenchReport:
    """Start a store and both servers, open all streams, and measure the sides in turn."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(_FILES, hard)), hard))
    with rig("bench.peer_streams", with_store=False) as servers:
        sides = asyncio.run(_measure(servers, effort))
    ours, reference = (side.figure() for side in sides)
    return BenchReport(
        NAME,
        gates=(Bar("live events by CPU-second", ours, reference, BAR, "higher"),),
        notes=(f"{STREAMS} streams of one game in one process, two events a second to each",),
    )
