"""Kill -9 of the clock and the workers, again and again: no time-out is lost, none is doubled."""

from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.clients import close_client, commands, listening
from events.kernel import PUBLIC
from events.log import StreamLog
from events.scripts import LogUnavailable
from events.transact import CommandReceipt
from games.contract import TimeControl
from projections.lobby import Lobby
from runtime.embedded.store import Store
from runtime.listing import Listing, Wanted
from tests.conftest import Sometimes
from tests.naming import name_store
from tests.runtime.stage import ANN, BEN, LONG, SHARDS, TOY_REGISTRY, Stage, until
from tests.workers.crew import Crew

pytestmark = pytest.mark.system

GAMES = 8
FEWEST = 3
"""Kills, at the least."""

FAST = TimeControl(limits_s={"programming": 1, "decision": 1}, absent_after=2)
ONCE = TimeControl(limits_s={"programming": 1, "decision": 1}, absent_after=1)


async def tables(
    stage: Stage, *, bots: bool, rounds: int, time_control: TimeControl, first: int = 0
) -> list[str]:
    """Tables whose players never answer; with bots at every second one."""
    games = []
    for number in range(first, first + GAMES):
        stage.clock.now = time.time_ns() // 1_000_000
        seats = 3 if bots and number % 2 else 2
        game = await stage.open(f"game {number}", seats=seats, rounds=rounds, time=time_control)
        await stage.seat_bots(game, seats - 2)
        await stage.sit(game, (ANN, BEN))
        games.append(game)
    return games


async def unfinished(stage: Stage, games: list[str]) -> list[str]:
    """The games that go on; all of them while the store is away, which is then about to be back."""
    try:
        return [g for g in games if (await stage.tables.load(g)).state.phase != "finished"]
    except LogUnavailable:
        return games


async def reached(stage: Stage, games: list[str]) -> int:
    """How many events all games have together."""
    return sum([(await stage.tables.load(game)).version for game in games])


def ended_by_bots(lines: list[Any]) -> list[str]:
    """The waits whose clock had started and that ended within a bot's command."""
    turn, waiting, by, ended = 1, "", "", []
    for line in lines:
        by = line["batch"]["by"] if "batch" in line else by
        event = line["event"]
        if event["type"] == "clock-started":
            waiting = event["key"]
        over = {"numbers-shown": "programming", "die-rolled": "decision"}.get(event["type"])
        if over and waiting == f"t{turn}-{over}" and by.startswith("bot:"):
            ended.append(waiting)
        turn += event["type"] == "die-rolled"
    return ended


async def require_each_wait_ended_once(stage: Stage, game: str) -> None:
    """Every clock that ran out was ended by exactly one time-out, and no command came twice."""
    lines = [
        msgspec.json.decode(line) for line in await stage.tables.events(game, PUBLIC, limit=999)
    ]
    batches = [line["batch"] for line in lines if "batch" in line]
    assert max(Counter(b["id"] for b in batches).values()) == 1
    outs = Counter(b["command"]["key"] for b in batches if b["command"]["type"] == "time-out")
    started = [e["event"] for e in lines if e["event"]["type"] == "clock-started"]
    assert max(outs.values()) == 1
    # These people never answer, so every wait ended by its time-out, or by what a bot chose.
    assert sorted([*outs, *ended_by_bots(lines)]) == sorted(event["key"] for event in started)
    due = {event["key"]: event["due"] for event in started}  # and none ran out sooner than due
    for line in lines:
        batch = line.get("batch")
        if batch and batch["command"]["type"] == "time-out":
            assert line["at"] >= due[batch["command"]["key"]]


async def kill_until(stage: Stage, games: list[str], crew: Crew, victims: dict[str, str]) -> int:
    """Kill and start a process whenever something has moved, until all have ended; how often."""
    choice, kills = random.Random(25), 0
    for name, what in victims.items():
        crew.start(name, what)
    before = await reached(stage, games)
    async with asyncio.timeout(6 * LONG):
        while await unfinished(stage, games):
            if (now := await reached(stage, games)) == before:
                await asyncio.sleep(0.01)
                continue
            before = now
            await asyncio.sleep(choice.random() * 0.1)
            name = choice.choice(sorted(victims))
            crew.kill(name)
            kills += 1
            crew.start(name, victims[name])
    return kills


@pytest.mark.slow
async def test_kill_9_of_clock_and_workers_loses_and_doubles_nothing(
    stage: Stage, store_url: str, sometimes: Sometimes
) -> None:
    games: list[str] = []
    victims = {"clock 1": "clock", "clock 2": "clock", "worker 1": "work", "worker 2": "work"}
    kills = 0
    while kills < FEWEST:  # where a process takes long to start, games end before it is killed
        more = await tables(stage, bots=True, rounds=2, time_control=FAST, first=len(games))
        with Crew(store_url) as crew:
            kills += await kill_until(stage, more, crew, victims)
        games += more
    sometimes("clock or worker killed", kills)
    for game in games:
        await require_each_wait_ended_once(stage, game)


@pytest.mark.slow
async def test_the_clock_alone_brings_every_game_to_its_end_and_into_the_lists(
    stage: Stage, store_url: str
) -> None:
    games = await tables(stage, bots=False, rounds=2, time_control=ONCE)
    listing = Listing(stage.client, stage.log.layout)
    wanted = Wanted(status="finished", limit=100)
    with Crew(store_url) as crew:
        crew.start("clock", "clock")
        async with asyncio.timeout(6 * LONG):
            while len((await listing.page(wanted)).rows) < GAMES:  # noqa: ASYNC110 (another process)
                await asyncio.sleep(0.05)
        assert crew.end("clock") == 0
    grown = await listing.page(wanted)
    for game in games:
        await require_each_wait_ended_once(stage, game)
    lobby = Lobby(stage.log, stage.client, game_registry=TOY_REGISTRY)
    await lobby.forget()
    await lobby.catch_up()
    assert await listing.page(wanted) == grown


async def keep_choosing(stage: Stage, game: str, turn: int) -> list[CommandReceipt]:
    """All choices of one round, each given again under its name until it is acknowledged."""
    receipts = []
    for seat, decision, option in (
        (1, f"number-t{turn}-s1", "1"),
        (2, f"number-t{turn}-s2", "2"),
        (turn % 2 or 2, f"pick-t{turn}", "double"),
    ):
        while True:
            stage.clock.now = time.time_ns() // 1_000_000
            try:
                receipts.append(await stage.choose(game, seat, decision, option, name=decision))
                break
            except LogUnavailable:
                await asyncio.sleep(0.02)
    return receipts


@pytest.mark.slow
async def test_kill_9_of_the_store_loses_nothing_that_was_acknowledged() -> None:
    """Neither moves of people nor, in the end, the games' time-outs; and the crew survives it."""
    home = Path(tempfile.mkdtemp(prefix="plr-"))
    store = Store(home / "store")
    store.start()
    client, listener = commands(store.url), listening(store.url)
    stage = Stage(client, StreamLog(client, listener, SHARDS))
    await name_store(client, stage.log.layout)
    stage.clock.now = time.time_ns() // 1_000_000
    slow = TimeControl(limits_s={"programming": 60, "decision": 60})
    played = await stage.open("played", rounds=12, time=slow)
    await stage.sit(played, (ANN, BEN))
    games = await tables(stage, bots=True, rounds=2, time_control=ONCE)
    with Crew(store.url) as crew:
        crew.start("clock", "clock")
        crew.start("worker", "work")
        await until(lambda: crew.logs().count("_started") == 2)
        kept: list[CommandReceipt] = []
        for turn in range(1, 13):
            round_ = asyncio.create_task(keep_choosing(stage, played, turn))
            if turn % 4 == 0:
                await asyncio.sleep(0.002 * turn)
                store.kill()
                store.start()
            kept += await round_
        async with asyncio.timeout(6 * LONG):
            while await unfinished(stage, games):  # noqa: ASYNC110 (other processes)
                await asyncio.sleep(0.05)
        assert crew.end("clock") == 0
        assert crew.end("worker") == 0
    twin = stage.twin()
    envelopes = await twin.tables.views.envelopes(played)
    for receipt in kept:
        found = [e.event for e in envelopes[receipt.first - 1 : receipt.version]]
        assert found == list(receipt.events)
    for game in games:
        await require_each_wait_ended_once(twin, game)
    await close_client(client)
    await listener.aclose()
    store.stop()
    shutil.rmtree(home)
