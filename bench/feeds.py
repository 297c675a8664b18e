"""How many bytes of feed the API processes read, one alone and two behind the proxy.

A store with the shards of a large house, 64 games, each followed by a spectator, and players who
listen to what concerns them. The games move a hundred times a second, by a process of its own. All
that an API process reads comes through a relay, which counts what the store sent it in answer to
reads of feeds and of their ends, and over connections for bells. Nothing here is a time.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, Literal

import httpx
from hiredis import Reader
from msgspec.structs import replace

from bench.measure import Bar, BenchReport, Effort, Samples
from bench.rig import BenchTable, Seated, seat_players, settings_for
from events.clients import commands, listening
from events.kernel import Actor
from events.log import StreamLog
from ops.cluster import haproxy
from ops.haproxy import Proxy
from runtime.embedded.children import Child
from runtime.embedded.store import Store
from runtime.settings import PREFIX, Settings, environment
from runtime.store_watch import found_store
from runtime.table_service import TableService

NAME: Final = "feeds"
BAR: Final = 1.1
SHARDS: Final = 64
RATE: Final = 100
_PLAYERS: Final = 16
_SPAN_S: Final = 10
_QUICK_SPAN_S: Final = 5
_READY_S: Final = 300.0
"""The longest that anything may take to be there; nothing here is a time."""

_QUIET_S: Final = 1.0
"""Once nobody has heard anything for so long, all that was sent has been read."""

_AT_ONCE: Final = 8
"""Streams that open side by side: of many, each would wait for all others."""

_LINE: Final = b"\r\n"

Kind = Literal["feed", "watch", "bells", ""]


def length_of(data: bytes, start: int = 0) -> int | None:
    """Where the answer (RESP2 or RESP3) that begins at ``start`` ends; None: not all is there."""
    end = data.find(_LINE, start)
    if end < 0:
        return None
    kind, text, end = data[start : start + 1], data[start + 1 : end], end + 2
    if kind in {b"$", b"=", b"!"}:
        end += max(-2, int(text)) + 2 if int(text) >= 0 else 0
        return end if end <= len(data) else None
    if kind in {b"*", b"~", b">", b"%"}:
        for _ in range(max(0, int(text)) * (2 if kind == b"%" else 1)):
            item = length_of(data, end)
            if item is None:
                return None
            end = item
        return end
    return end


def kind_of(words: list[bytes]) -> Kind:
    """What a command reads: a feed or where it ends, an entry that the store watch knows, or else.

    The watch asks for one entry of each shard by its number, to see that it is still the same.
    """
    match words:
        case [b"XRANGE", key, first, last, *_] if key.endswith((b"}:log", b"}:alog")):
            return "watch" if first == last else "feed"
        case [b"HGET", key, b"seq" | b"aseq"] if key.endswith(b"}:m"):
            return "feed"
    return ""


class Relay:
    """Stands between a process and the store, and counts. Runs in a thread of its own.

    Attributes:
        read: bytes of answers by what was read; ``bells``: all over connections that subscribe.
    """

    def __init__(self, path: Path, store: str) -> None:
        self.read: Counter[Kind] = Counter()
        self._store = store
        self._path = path
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait()

    def stop(self) -> None:
        """End all connections."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        self._loop.run_until_complete(asyncio.start_unix_server(self._serve, str(self._path)))
        self._ready.set()
        self._loop.run_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_store, to_store = await asyncio.open_unix_connection(self._store)
        asked: deque[Kind] = deque()
        subscribes = asyncio.Event()

        async def there() -> None:
            parser = Reader()
            while data := await reader.read(1 << 16):
                parser.feed(data)
                while (words := parser.gets()) is not False:
                    asked.append(kind_of(words))
                    if words[0] == b"SSUBSCRIBE":
                        subscribes.set()
                to_store.write(data)

        async def back() -> None:
            rest = b""
            while data := await from_store.read(1 << 16):
                writer.write(data)
                if subscribes.is_set():
                    self.read["bells"] += len(data)
                    continue
                rest += data
                at = 0
                while at < len(rest) and (end := length_of(rest, at)) is not None:
                    self.read[asked.popleft()] += end - at
                    at = end
                rest = rest[at:]

        both = [asyncio.create_task(there()), asyncio.create_task(back())]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for task in both:
            task.cancel()
        to_store.close()
        writer.close()


@contextmanager
def house(count: int, settings: Settings, home: Path) -> Iterator[tuple[int, list[Relay]]]:
    """So many API processes behind the proxy: its port, and what counts what each reads.

    Raises:
        RuntimeError: HAProxy is not installed, or finds none of them.
    """
    program = haproxy()
    if program is None:
        raise RuntimeError("HAProxy is not installed")
    clean = {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}
    with ExitStack() as open_things:
        log = open_things.enter_context((home / "log").open("ab"))
        relays, places = [], []
        for number in range(count):
            path = home / f"relay{count}{number}"
            user, _, place = settings.store_url.removeprefix("unix://").rpartition("@")
            relay = Relay(path, place)
            open_things.callback(relay.stop)
            relays.append(relay)
            environ = {**clean, **environment(replace(settings, store_url=f"unix://{user}@{path}"))}
            api = Child(f"API {number}", ["-m", "service"], environ, speaks=True, log=log)
            open_things.callback(api.stop)
            places.append(api.first_line().rsplit("/", 1)[1])
        proxy = Proxy(program, home, places, clean, log)
        open_things.callback(proxy.stop)
        port = int(proxy.address.rpartition(":")[2])
        _wait_for(port)
        yield port, relays


def _wait_for(port: int) -> None:
    end = time.monotonic() + _READY_S
    while time.monotonic() < end:
        try:
            if httpx.get(f"http://127.0.0.1:{port}/v1/rulebooks").is_success:
                time.sleep(1)  # so that all processes are found, not one
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.1)
    raise RuntimeError("the proxy finds no process")


class _Stream(asyncio.Protocol):
    """An open stream; counts what it was sent."""

    def __init__(self, path: str, token: str | None) -> None:
        head = f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n"
        right = "" if token is None else f"authorization: Bearer {token}\r\n"
        self._request = f"{head}{right}\r\n".encode()
        self.greeted = asyncio.Event()
        self.messages = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.Transport)
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Count what came."""
        self.messages += data.count(b"\ndata: ")
        if self.messages:
            self.greeted.set()


async def _follow(port: int, seated: list[Seated]) -> list[_Stream]:
    """A spectator at each table, and each player's own stream."""
    loop = asyncio.get_running_loop()
    wanted: list[tuple[str, str | None]] = [("/v1/stream", each.token) for each in seated]
    games = [table.game for each in seated for table in each.tables]
    wanted += [(f"/v1/games/{game}/events", None) for game in games]
    streams = [_Stream(*each) for each in wanted]
    async with asyncio.timeout(_READY_S):
        for begin in range(0, len(streams), _AT_ONCE):
            some = streams[begin : begin + _AT_ONCE]
            for stream in some:
                await loop.create_connection(lambda made=stream: made, "127.0.0.1", port)  # type: ignore[misc]
            for stream in some:
                await stream.greeted.wait()
    return streams


async def _all_heard(streams: list[_Stream]) -> None:
    """Wait until the streams have been silent for a while."""
    heard = -1
    async with asyncio.timeout(_READY_S):
        while heard != (now := sum(stream.messages for stream in streams)):
            heard = now
            await asyncio.sleep(_QUIET_S)


async def _count(
    port: int,
    relays: list[Relay],
    seated: list[Seated],
    settings: Settings,
    span_s: int,
    spans: int,
) -> list[Counter[Kind]]:
    """Bytes read in each span."""
    client, listener = commands(settings.store_url), listening(settings.store_url)
    tables = TableService(StreamLog(client, listener, settings.layout()), settings.key_ring())
    every = [table for each in seated for table in each.tables]
    players = {t.game: (await tables.load(t.game)).state.seats[1].player for t in every}
    streams = await _follow(port, seated)
    salt = os.urandom(4).hex()

    async def move(table: BenchTable, number: int) -> None:
        await tables.choose(
            table.game,
            1,
            table.decision,
            table.options[number // len(every) % 2],
            actor=Actor("player", players[table.game]),
            command_id=f"bench-{salt}-{number}",
            digest="bench",
        )

    found: list[Counter[Kind]] = []
    moves = RATE * span_s
    for span in range(spans):
        before = sum((relay.read for relay in relays), Counter[Kind]())
        under_way: list[asyncio.Task[None]] = []
        begun = time.monotonic()
        for number in range(span * moves, (span + 1) * moves):
            await asyncio.sleep(max(0.0, begun + len(under_way) / RATE - time.monotonic()))
            under_way.append(asyncio.create_task(move(every[number % len(every)], number)))
        await asyncio.gather(*under_way)
        await _all_heard(streams)
        found.append(sum((relay.read for relay in relays), Counter[Kind]()) - before)
    heard = sum(stream.messages for stream in streams)
    if heard < spans * moves:
        raise RuntimeError(f"{spans * moves} moves were made, and followers heard {heard} messages")
    await client.aclose()
    await listener.aclose()
    return found


def run(effort: Effort) -> BenchReport:
    """One process, then two, over the same games."""
    spans, span_s = effort.repetitions, _QUICK_SPAN_S if effort.quick else _SPAN_S
    read: dict[int, list[Counter[Kind]]] = {}
    with (
        tempfile.TemporaryDirectory(prefix="plr-") as folder,
        Store(Path(folder) / "store") as store,
    ):
        home = Path(folder)
        settings = replace(settings_for(store), shards=SHARDS, shard_tags="spread")
        asyncio.run(found_store(settings))
        seated: list[Seated] = []
        for count in (1, 2):
            with house(count, settings, home) as (port, relays):
                seated = seated or seat_players(port, _PLAYERS)
                read[count] = asyncio.run(_count(port, relays, seated, settings, span_s, spans))

    def samples(count: int, name: str, *kinds: Kind) -> Samples:
        values = (sum(each[kind] for kind in kinds) / span_s / RATE for each in read[count])
        who = "one process" if count == 1 else "two processes"
        return Samples(f"{name}, {who}", "bytes by move", "lower", tuple(values))

    two, one = (samples(count, "feeds and bells", "feed", "bells") for count in (2, 1))
    return BenchReport(
        NAME,
        gates=(Bar("bytes of feed, two processes by one", two, one, BAR, "lower"),),
        figures=(
            samples(2, "feeds alone", "feed"),
            samples(1, "feeds alone", "feed"),
            samples(2, "what the watch reads at any pace", "watch"),
            samples(1, "what the watch reads at any pace", "watch"),
        ),
        notes=(
            f"{SHARDS} shards, {RATE} moves a second",
            f"{_PLAYERS * 4} games with a spectator each, {_PLAYERS} players' own streams",
            "ends of feeds are counted too; the watch sees once a second that the store is its own",
        ),
    )
