"""How late time-outs are: beyond the quarter of a second of grace that every deadline has.

Games of which nobody answers, a clock and two workers as ``make run`` starts them. In the first
case a thousand games are due within four seconds, in the second twenty a second. What a game does
after its first time-out is not counted.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bench.measure import Bar, BenchReport, Effort, Samples
from bench.rig import settings_for
from events.kernel import PUBLIC, Actor, Command, DurationMs, TimestampMs
from games.contract import TimeControl
from games.table.decider import GRACE_MS
from games.table.events import OpenTable, TakeSeat
from runtime.embedded.children import Child
from runtime.embedded.store import Store
from runtime.settings import PREFIX, Settings, environment
from runtime.store_watch import found_store
from runtime.table_service import TableService
from workers.host import Host

NAME: Final = "lateness"
LIMIT_S: Final = 8
_WORKERS: Final = 2
_PATIENCE_S: Final = 30.0
_ALL: Final = 100.0
_HOST: Final = Actor("player", "p00-" + "0" * 26)


class LatenessCase(Struct, frozen=True):
    """So many games, so many of them due a second; the bar is for one percentile, in ms."""

    name: str
    games: int
    rate: float
    percentile: float
    bar: DurationMs


CASES: Final = (
    LatenessCase("1,000 games due within 4 s", 1000, 250.0, 100.0, 1500),
    LatenessCase("20 games due a second", 300, 20.0, 99.0, 100),
)
QUICK_CASES: Final = (
    LatenessCase("100 games due within 0.4 s", 100, 250.0, 100.0, 1500),
    LatenessCase("20 games due a second", 40, 20.0, 99.0, 100),
)


async def open_one(tables: TableService, number: int) -> str:
    """A game alone whose player never answers; its id."""
    game = tables.keys.derived_id("bench", str(number), "g", tables.log.layout.shards)
    time_control = TimeControl(
        limits_s={"programming": LIMIT_S, "decision": LIMIT_S}, absent_after=50
    )
    opening = OpenTable(
        game="room25",
        rulebook="first_edition",
        mode="solo",
        seats=1,
        time=time_control,
        key=tables.game_key(game),
    )
    commands: tuple[Command, ...] = (opening, TakeSeat())
    for step, command in enumerate(commands):
        await tables.command(
            game,
            command,
            actor=_HOST,
            command_id=f"bench-{step}",
            digest="bench",
            opens=not step,
        )
    return game


async def open_all(host: Host, case: LatenessCase) -> list[str]:
    """Open the games of a case at its rate."""
    begin = time.monotonic()
    tasks = []
    for number in range(case.games):
        await asyncio.sleep(begin + number / case.rate - time.monotonic())
        tasks.append(asyncio.create_task(open_one(host.tables, number)))
    return list(await asyncio.gather(*tasks))


async def lateness_of(host: Host, games: list[str]) -> list[DurationMs]:
    """How late, beyond the grace, the first time-out of each game was; waits for the last one."""
    end = time.monotonic() + LIMIT_S + _PATIENCE_S
    late: dict[str, DurationMs] = {}
    while len(late) < len(games) and time.monotonic() < end:
        await asyncio.sleep(1.0)
        for game in games:
            if game not in late:
                due, at = await _first_time_out(host.tables, game)
                if at is not None:
                    late[game] = at - due - GRACE_MS
    missing = len(games) - len(late)
    if missing:
        raise RuntimeError(f"{missing} games were not timed out")
    return sorted(late.values())


async def _first_time_out(
    tables: TableService, game: str
) -> tuple[TimestampMs, TimestampMs | None]:
    due: TimestampMs = 0
    for line in await tables.events(game, PUBLIC, limit=64):
        told = msgspec.json.decode(line)
        if told["event"]["type"] == "clock-started":
            due = told["event"]["due"]
        elif told["event"]["type"] == "seat-timed-out":
            return due, told["at"]
    return due, None


def measure(case: LatenessCase) -> list[DurationMs]:
    """Run one case on a store and processes of its own."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}
    with ExitStack() as open_things:
        home = Path(open_things.enter_context(tempfile.TemporaryDirectory(prefix="parlour-late-")))
        store = open_things.enter_context(Store(home / "store"))
        log = open_things.enter_context((home / "log").open("wb"))
        settings = settings_for(store)
        asyncio.run(found_store(settings))
        environ = {**clean, **environment(settings)}
        parts = [["workers", "clock"], *([["workers", "work"]] * _WORKERS)]
        for part in parts:
            child = Child(" ".join(part), ["-m", *part], environ, log=log)
            open_things.callback(child.stop)
        return asyncio.run(_measure(settings, case))


async def _measure(settings: Settings, case: LatenessCase) -> list[DurationMs]:
    host = Host(settings)
    try:
        await host.watch.begin()
        # The parts have begun when a first game has been timed out; nothing is measured before.
        await lateness_of(host, [await open_one(host.tables, -1)])
        return await lateness_of(host, await open_all(host, case))
    finally:
        await host.close()


def _figure(case: LatenessCase, late: list[DurationMs], percent: float) -> Samples:
    value = late[min(len(late) - 1, int(len(late) * percent / 100))]
    which = "the last" if percent >= _ALL else f"{percent:g} %"
    return Samples(f"{case.name}: {which}", "ms", "lower", (float(value),))


def run(effort: Effort) -> BenchReport:
    """Measure both cases."""
    gates, figures = [], []
    for case in QUICK_CASES if effort.quick else CASES:
        late = measure(case)
        wanted = _figure(case, late, case.percentile)
        gates.append(Bar(wanted.name, wanted, None, case.bar, "lower"))
        figures += [_figure(case, late, percent) for percent in (50.0, 90.0, 99.0, _ALL)]
    note = "beyond the grace of 250 ms; a clock, two workers, no API; the first time-out of each"
    return BenchReport(NAME, tuple(gates), tuple(figures), (note,))
