"""What an event costs in the store: real games, every key counted, two ways of weighing.

Half of the games are played to their end and half are left in the middle, so that deadlines weigh
too. The lists of the lobby are brought up to date before the weighing.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

from bench.measure import Bar, BenchReport, Effort, Samples
from events.clients import Client, close_client, commands
from events.draw import Draw
from events.kernel import Actor, Command
from games.table.events import OpenTable, TakeSeat
from projections.lobby import LISTS
from runtime.embedded.secret_file import KEY_ID
from runtime.embedded.store import Store
from runtime.settings import Secret, Settings
from runtime.store_watch import found_store
from workers.host import Host

NAME: Final = "memory"
BAR: Final = 250.0
GAMES: Final = 240
QUICK_GAMES: Final = 24
MODES: Final = (("suspicion", 5), ("cooperation", 4), ("team", 6), ("competition", 3), ("solo", 1))

_AT_ONCE = 24
_CUT = 60
_SHARDS = 4


class _Game:
    """One game played by lot through the table service."""

    def __init__(self, host: Host, number: int) -> None:
        self._tables = host.tables
        self._number = number
        self._lots = Draw(b"memory/%d" % number)
        self._id = self._tables.keys.derived_id("bench", str(number), "g", _SHARDS)
        self._players = [
            self._tables.keys.derived_id("bench", f"player {n}", "p", _SHARDS)
            for n in range(number, number + 8)
        ]
        self.commands = 0

    async def play(self) -> None:
        """Play to the end, or a part of the way if the number is odd."""
        mode, seats = MODES[self._number % len(MODES)]
        table = OpenTable(
            game="room25",
            rulebook="first_edition",
            mode=mode,
            seats=seats,
            key=self._tables.game_key(self._id),
        )
        await self._give(table, self._players[0])
        for seat in range(seats):
            entropy = f"{self._lots.below(1 << 40, f'entropy/{seat}'):x}"
            await self._give(TakeSeat(entropy=entropy), self._players[seat])
        while self._number % 2 == 0 or self.commands < _CUT:
            state = (await self._tables.load(self._id, 1)).state
            wait = None
            if state.phase == "live":
                wait = self._tables.table.games[state.game].wait(state.play)
            if wait is None:
                return
            asked = self._lots.choice(wait.pending, f"who/{self.commands}")
            option = self._lots.choice(asked.options, f"what/{self.commands}").id
            await self._tables.choose(
                self._id,
                asked.seat,
                asked.id,
                option,
                actor=Actor("player", state.seats[asked.seat].player),
                command_id=self._command_id(),
                digest=self._tables.keys.digest(option.encode()),
            )

    async def _give(self, command: Command, player: str) -> None:
        await self._tables.command(
            self._id,
            command,
            actor=Actor("player", player),
            command_id=self._command_id(),
            digest=self._tables.keys.digest(b"bench"),
            opens=isinstance(command, OpenTable),
        )

    def _command_id(self) -> str:
        self.commands += 1
        return self._tables.keys.command_id(self._players[0], f"{self._id}/{self.commands}")


async def _play_all(host: Host, games: range) -> int:
    """Play games, some at once; how many commands that took."""
    waiting = iter([_Game(host, number) for number in games])
    played: list[_Game] = []

    async def player() -> None:
        for game in waiting:
            await game.play()
            played.append(game)

    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(player())
    return sum(game.commands for game in played)


async def _used(client: Client) -> int:
    """What the store says it has allocated, in bytes."""
    found: Any = await client.execute_command("INFO", "memory")
    return int(found["used_memory"])


async def _weigh(client: Client) -> tuple[Counter[str], int]:
    """Bytes by kind of key, and the number of events."""
    weights: Counter[str] = Counter()
    events = 0
    keys: list[bytes] = [key async for key in client.scan_iter(count=1000)]
    for key in keys:
        kind = _kind(key.decode())
        weights[kind] += await client.execute_command("MEMORY", "USAGE", key, "SAMPLES", 0)
        if kind == "entries":
            events += await client.execute_command("XLEN", key)
    return weights, events


def _kind(key: str) -> str:
    """What a key holds; see ``events.layout`` and ``projections.lobby``."""
    if ":g:" in key:
        last = key.rsplit(":", 1)[1]
        return {"h": "heads", "e": "entries", "c": "command ids", "n": "names"}.get(last, "other")
    for part, kind in (
        (f":{LISTS}:", "lists"),
        (":log", "feed"),
        (":due", "deadlines"),
        (":m", "meta"),
    ):
        if part in key:
            return kind
    return "other"


async def _measure(store: Store, games: int) -> BenchReport:
    settings = Settings(
        store_url=store.url,
        rq_url=store.url,
        keys={KEY_ID: Secret(bytes(range(32)))},
        current_key=KEY_ID,
        naming_key=KEY_ID,
        shards=_SHARDS,
        var=store.home.parent,
    )
    await found_store(settings)
    scales = commands(store.admin_url)  # the service's own user may not weigh keys
    host = Host(settings)
    try:
        await host.watch.begin()
        await _play_all(host, range(10_000, 10_000 + _AT_ONCE))  # connections and scripts are there
        await host.lobby.catch_up()
        before, (_, warm) = await _used(scales), await _weigh(scales)
        cpu = time.process_time()
        given = await _play_all(host, range(games))
        cpu = time.process_time() - cpu
        await host.lobby.catch_up()
        after, (weights, events) = await _used(scales), await _weigh(scales)
    finally:
        await host.close()
        await close_client(scales)
    return _told(games, given, cpu, (after - before) / (events - warm), weights, events)


def _told(
    games: int, commands: int, cpu: float, used: float, weights: Counter[str], events: int
) -> BenchReport:
    allocated = Samples("used_memory by event", "bytes", "lower", (used,))
    weighed = Samples("MEMORY USAGE by event", "bytes", "lower", (weights.total() / events,))
    parts = [
        Samples(f"of this: {kind}", "bytes", "lower", (size / events,))
        for kind, size in weights.most_common()
    ]
    spent = Samples("our CPU for a command, no HTTP", "us", "lower", (cpu / commands * 1e6,))
    return BenchReport(
        NAME,
        gates=(
            Bar("store, allocated", allocated, None, BAR, "lower"),
            Bar("store, sum of all keys", weighed, None, BAR, "lower"),
        ),
        figures=(*parts, spent),
        notes=(f"{games} games, {commands} commands, {events} events; odd games are still live",),
    )


def run(effort: Effort) -> BenchReport:
    """Play the games on a store of their own, and weigh it."""
    games = QUICK_GAMES if effort.quick else GAMES
    with (
        tempfile.TemporaryDirectory(prefix="parlour-bench-") as home,
        Store(Path(home) / "store") as store,
    ):
        return asyncio.run(_measure(store, games))
