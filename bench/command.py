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
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from bench.load import Exchange, drive
from bench.measure import Bar, BenchReport, Effort, Samples, cpu_seconds
from bench.rig import TABLES_EACH, BenchRig, RunningServer, Seated, rig, seat_players
from bench.told import attempt_of, require_all, versions_of

NAME: Final = "command"
BAR: Final = 1.3
CLIENTS: Final = 16

_SLICE_S: Final = 2.0
_QUICK_SLICE_S: Final = 0.7


class _Side(Struct):
    """One of the two servers, and what was measured of it."""

    name: str
    server: RunningServer
    requests: list[Callable[[], bytes]]
    kept: list[Exchange] | None = None
    cpu: list[float] = []
    store: list[float] = []
    rates: list[float] = []

    def figure(self, what: str) -> Samples:
        """``cpu`` and ``store`` in microseconds by request, ``rates`` in requests/s."""
        if what == "rates":
            return Samples(f"{self.name}, requests at c=16", "/s", "higher", tuple(self.rates))
        if what == "store":
            return Samples(f"{self.name}, the store's CPU", "us", "lower", tuple(self.store))
        return Samples(f"{self.name}, server's CPU", "us", "lower", tuple(self.cpu))


def _post(path: str, headers: str, body: str) -> str:
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    return f"{head}{headers}content-length: {len(body)}\r\n\r\n{body}"


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


def _sides(servers: BenchRig, seated: list[Seated]) -> tuple[_Side, _Side]:
    """Both servers, and the requests of every client to each. What ours answers is kept."""
    ours = [_our_requests(each) for each in seated]
    theirs = [_peer_requests(each) for each in seated]
    return (
        _Side("durable command", servers.api, ours, []),
        _Side("bare Litestar + redis-py append", servers.peer, theirs),
    )


async def _alternate(servers: BenchRig, sides: tuple[_Side, _Side], effort: Effort) -> None:
    """Let the sides take turns; the first turn of each only warms it up."""
    seconds = _QUICK_SLICE_S if effort.quick else _SLICE_S
    for turn in range(effort.repetitions + 1):
        for side in sides:
            before, kept = cpu_seconds(side.server.child.pid), cpu_seconds(servers.store.pid)
            keep = None if side.kept is None else side.kept.append
            load = await drive(side.server.port, side.requests, seconds, keep)
            spent = cpu_seconds(side.server.child.pid) - before
            if turn:
                side.cpu.append(spent / load.requests * 1e6)
                side.store.append((cpu_seconds(servers.store.pid) - kept) / load.requests * 1e6)
                side.rates.append(load.requests / load.seconds)


async def _measure(servers: BenchRig, effort: Effort) -> tuple[tuple[_Side, _Side], int]:
    """Both sides, measured, and how many of our commands were found in the store."""
    seated = await asyncio.to_thread(seat_players, servers.api.port, CLIENTS)
    players = {each.token: each.player for each in seated}
    games = [table.game for each in seated for table in each.tables]
    begun = await versions_of(servers.settings, games)
    sides = _sides(servers, seated)
    await _alternate(servers, sides, effort)
    keys = servers.settings.key_ring()
    attempts = (
        attempt_of(each, lambda token, key: keys.command_id(players[token], key))
        for each in sides[0].kept or ()
    )
    return sides, await require_all(servers.settings, begun, attempts)


def run(effort: Effort) -> BenchReport:
    """Start a store and both servers, and measure them in turn.

    Raises:
        LoadError: what was acknowledged is not in the store as it was acknowledged.
    """
    with rig("bench.peer", with_store=True) as servers:
        sides, commands = asyncio.run(_measure(servers, effort))
        measured, rest = servers.cores
    ours, peer = sides
    return BenchReport(
        NAME,
        gates=(
            Bar("CPU of a durable command", ours.figure("cpu"), peer.figure("cpu"), BAR, "lower"),
        ),
        figures=(
            *(side.figure("rates") for side in sides),
            *(side.figure("store") for side in sides),
        ),
        notes=(
            f"{CLIENTS} clients, {CLIENTS * TABLES_EACH} live tables, appendfsync always",
            f"servers on core {measured}, load and store on core {rest}",
            f"all {commands} commands of ours are in the store once, where their receipts say",
        ),
    )
