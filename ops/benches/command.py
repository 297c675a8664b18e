"""What a durable command costs the API process, against a bare handler that appends to a stream.

Ours is the service as it runs: a player's token, a key, rate limits, metrics and the access log;
the rules decide, the event's secrets are committed to and encrypted, the batch is chained, appended
with ``appendfsync always`` and answered. The command is one that is legal again and again: to
replace one's programme while another player still thinks.

The servers take turns on the first core; load generator and store share the second one.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

import httpx
from msgspec import Struct

from ops.benches.load import drive
from ops.benches.measure import Effort, Figure, Gate, Report, cpu_seconds, two_cores
from ops.children import Child
from ops.secret_file import KEY_ID
from ops.store import Store
from projections.settings import PREFIX, Secret, Settings, environment

NAME: Final = "command"
BAR: Final = 1 / 0.6
CLIENTS: Final = 16

_TABLES_EACH: Final = 4
_PER_MINUTE: Final = 10**9
_SLICE_S: Final = 2.0
_QUICK_SLICE_S: Final = 0.7
_HOUR_S: Final = 3600
_WISH: Final = {
    "rulebook": "first_edition",
    "mode": "cooperation",
    "seats": 2,
    "time": {"programming_s": _HOUR_S, "decision_s": _HOUR_S},
}


class _Side(Struct):
    """One of the two servers, and what was measured of it."""

    name: str
    child: Child
    port: int
    requests: list[Callable[[], bytes]]
    cpu: list[float] = []
    store: list[float] = []
    rates: list[float] = []

    def figure(self, what: str) -> Figure:
        """``cpu`` and ``store`` in microseconds by request, ``rates`` in requests/s."""
        if what == "rates":
            return Figure(f"{self.name}, requests at c=16", "/s", "higher", tuple(self.rates))
        if what == "store":
            return Figure(f"{self.name}, the store's CPU", "us", "lower", tuple(self.store))
        return Figure(f"{self.name}, server's CPU", "us", "lower", tuple(self.cpu))


def settings_for(store: Store) -> Settings:
    """The service as it is deployed, but for the rates, which must not be what is measured."""
    return Settings(
        store_url=store.url,
        rq_url=store.url,
        keys={KEY_ID: Secret(bytes(range(32)))},
        current_key=KEY_ID,
        naming_key=KEY_ID,
        port=0,
        reads_per_minute=_PER_MINUTE,
        commands_per_minute=_PER_MINUTE,
        registrations_per_minute=_PER_MINUTE,
    )


def _port(child: Child) -> int:
    return int(child.first_line().rsplit(":", 1)[1])


def _post(path: str, headers: str, body: str) -> str:
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    return f"{head}{headers}content-length: {len(body)}\r\n\r\n{body}"


class Table(Struct, frozen=True):
    """A live game in its programming phase; two options of the first seat's decision."""

    game: str
    decision: str
    options: tuple[str, str]


class Seated(Struct, frozen=True):
    """A player's token, and the tables at which it has the first seat."""

    token: str
    tables: list[Table]


def seat_players(port: int, count: int) -> list[Seated]:
    """Players with tables of two, at each of which nobody has programmed yet."""
    url = f"http://127.0.0.1:{port}/v1"
    seated: list[Seated] = []
    keys = (f"bench-key-{number:08d}" for number in itertools.count())
    with httpx.Client(base_url=url, timeout=30) as http:

        def post(path: str, body: dict[str, Any], token: str | None = None) -> Any:  # noqa: ANN401 (JSON)
            headers = {} if token is None else {"authorization": f"Bearer {token}"}
            headers["idempotency-key"] = next(keys)
            return http.post(path, json=body, headers=headers).raise_for_status().json()

        def asked(game: str, token: str) -> Any:  # noqa: ANN401 (JSON)
            headers = {"authorization": f"Bearer {token}"}
            found = http.get(f"/games/{game}/decisions", headers=headers).raise_for_status().json()
            return next(each for each in found["decisions"] if not each["optional"])

        def open_table(first: str, second: str) -> Table:
            """A table whose players have chosen their starting clues."""
            game = post("/games", _WISH, first)["game"]
            for token in (first, second):
                post(f"/games/{game}/seats", {}, token)
            for token in (first, second):
                clue = asked(game, token)
                path = f"/games/{game}/decisions/{clue['id']}"
                post(path, {"option": clue["options"][0]["id"]}, token)
            programme = asked(game, first)
            options = [option["id"] for option in programme["options"]]
            return Table(game, programme["id"], (options[0], options[-1]))

        second = post("/players", {"name": "Second"})["token"]["token"]
        for number in range(count):
            first = post("/players", {"name": f"First {number}"})["token"]["token"]
            tables = [open_table(first, second) for _ in range(_TABLES_EACH)]
            seated.append(Seated(first, tables))
    return seated


def _our_requests(seated: Seated) -> Callable[[], bytes]:
    """The player's commands, table by table, each under a key of its own."""
    auth = f"authorization: Bearer {seated.token}\r\n"

    def make() -> Iterator[bytes]:
        for number in itertools.count():
            table = seated.tables[number % len(seated.tables)]
            option = table.options[number // len(seated.tables) % 2]
            headers = f"{auth}idempotency-key: {os.getpid()}-{number:012d}\r\n"
            path = f"/v1/games/{table.game}/decisions/{table.decision}"
            yield _post(path, headers, f'{{"option":"{option}"}}').encode()

    return make().__next__


def _peer_requests(seated: Seated) -> Callable[[], bytes]:
    """The same paths and bodies, with no token and no key."""

    def make() -> Iterator[bytes]:
        for number in itertools.count():
            table = seated.tables[number % len(seated.tables)]
            path = f"/games/{table.game}/decisions/{table.decision}"
            yield _post(path, "", f'{{"option":"{table.options[0]}"}}').encode()

    return make().__next__


@contextmanager
def servers(store: Store, log: IO[bytes], core: int) -> Iterator[tuple[_Side, _Side]]:
    """Both servers on ``core``, and tables at ours."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}
    children: list[Child] = []
    try:
        environ = {**clean, **environment(settings_for(store))}
        children.append(Child("API", ["-m", "service"], environ, speaks=True, log=log))
        peer = ["-m", "ops.benches.peer", store.url]
        children.append(Child("peer", peer, clean, speaks=True, log=log))
        for child in children:
            os.sched_setaffinity(child.pid, {core})
        ports = [_port(child) for child in children]
        seated = seat_players(ports[0], CLIENTS)
        ours = [_our_requests(each) for each in seated]
        theirs = [_peer_requests(each) for each in seated]
        yield (
            _Side("durable command", children[0], ports[0], ours),
            _Side("bare Litestar + redis-py append", children[1], ports[1], theirs),
        )
    finally:
        for child in children:
            child.stop()


async def _alternate(sides: tuple[_Side, _Side], store: Store, effort: Effort) -> None:
    """Let the sides take turns; the first turn of each only warms it up."""
    seconds = _QUICK_SLICE_S if effort.quick else _SLICE_S
    for turn in range(effort.repetitions + 1):
        for side in sides:
            before, kept = cpu_seconds(side.child.pid), cpu_seconds(store.pid)
            load = await drive(side.port, side.requests, seconds)
            spent = cpu_seconds(side.child.pid) - before
            if turn:
                side.cpu.append(spent / load.requests * 1e6)
                side.store.append((cpu_seconds(store.pid) - kept) / load.requests * 1e6)
                side.rates.append(load.requests / load.seconds)


def run(effort: Effort) -> Report:
    """Start a store and both servers, and measure them in turn."""
    everywhere = os.sched_getaffinity(0)
    measured, rest = two_cores()
    os.sched_setaffinity(0, {rest})  # the store and the load generator inherit it
    try:
        with tempfile.TemporaryDirectory(prefix="room25-bench-") as home:
            log = Path(home) / "servers.log"
            with (
                Store(Path(home) / "store") as store,
                log.open("wb") as file,
                servers(store, file, measured) as sides,
            ):
                asyncio.run(_alternate(sides, store, effort))
    finally:
        os.sched_setaffinity(0, everywhere)
    ours, peer = sides
    return Report(
        NAME,
        gates=(
            Gate("CPU of a durable command", ours.figure("cpu"), peer.figure("cpu"), BAR, "lower"),
        ),
        figures=(
            *(side.figure("rates") for side in sides),
            *(side.figure("store") for side in sides),
        ),
        notes=(
            f"{CLIENTS} clients, {CLIENTS * _TABLES_EACH} live tables, appendfsync always",
            f"servers on core {measured}, load and store on core {rest}",
        ),
    )
