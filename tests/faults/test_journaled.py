"""Fault 9 at D3: a primary that is cut off and dies takes nothing along that the journal has."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import redis

from events.clients import close_client, commands
from events.tasks import end_tasks
from runtime.embedded.store import Store
from simulator.appends.process import LAYOUT
from simulator.history import History
from tests.conftest import Sometimes
from tests.events.pair import Pair, ask, pair_in
from tests.faults.load import RealLedger, checks, judged, playing
from tests.faults.proxy import StoreProxy
from tests.naming import name_store
from tests.runtime.stage import until
from tests.service.stage import settings_for
from workers.shipper import Shipper

FEW = 20


@pytest.fixture
def pair(home: Path) -> Iterator[Pair]:
    with pair_in(home, "min-replicas-to-write 0") as made:
        yield made


@asynccontextmanager
async def shipping(url: str, folder: Path) -> AsyncIterator[Shipper]:
    """A shipper at work on a store."""
    made = Shipper(settings_for(url, journal=str(folder), shards=LAYOUT.shards))
    task = asyncio.create_task(made.run())
    try:
        yield made
    finally:
        await end_tasks(task)
        await made.close()


async def named(url: str) -> None:
    client = commands(url)
    await name_store(client, LAYOUT)
    await close_client(client)


def is_level(store: Store) -> bool:
    """Whether the replica of a store has all of it."""
    with redis.Redis.from_url(store.admin_url) as client:
        said = client.info("replication")
    slave = said.get("slave0")
    return slave is not None and slave["offset"] == said["master_repl_offset"]


def ends(store: Store) -> list[int]:
    """How far each feed has come."""
    with redis.Redis.from_url(store.admin_url) as client:
        return [int(client.hget(LAYOUT.meta(n), "seq") or 0) for n in range(LAYOUT.shards)]


async def put_back(url: str, folder: Path, store: Store) -> int:
    """Let a store have what the journal has; how many batches it had lost."""
    before = ends(store)
    async with shipping(url, folder) as shipper:
        shards = range(LAYOUT.shards)
        await until(lambda: ends(store) >= [shipper.writer.end(n).seq for n in shards])
    return sum(ends(store)) - sum(before)


async def cut_off(pair: Pair, folder: Path, *, heals: bool) -> tuple[History, str, int]:
    """What was told at D3 by a primary whose replica hears nothing more, and then takes over.

    Also the replica's URL, and how many batches it got from the journal.
    """
    await named(pair.url)
    with StoreProxy(pair.port) as way:
        ask(pair.replica, "REPLICAOF", "127.0.0.1", way.port)
        await until(lambda: is_level(pair.primary))
        services = [RealLedger(pair.url, "journaled"), RealLedger(pair.url, "journaled")]
        async with playing(services, level="journaled", fresh=False) as load:
            async with shipping(pair.url, folder):
                await load.more(FEW)
                way.mood = "swallow"
                await load.more(FEW)
                for service in load.services:
                    service.is_up = False
                await load.settled(FEW)  # nobody is asked any more
            await asyncio.to_thread(pair.primary.kill)
            ask(pair.replica, "REPLICAOF", "NO", "ONE")
            url = f"redis://127.0.0.1:{pair.replica_port}"
            back = await put_back(url, folder, pair.replica) if heals else 0
            load.services.append(RealLedger(url))
            await load.more(FEW)
    return load.history, url, back


async def test_what_is_journaled_outlives_a_primary_that_is_cut_off(
    pair: Pair, home: Path, sometimes: Sometimes
) -> None:
    history, url, back = await cut_off(pair, home / "journal", heals=True)
    assert await judged(url, history, {"journaled"}) == []
    sometimes("batches put back from the journal", back)
    journaled = sum(attempt.level == "journaled" for attempt in history.attempts)
    sometimes("acknowledged as journaled", journaled)


async def test_without_the_journal_it_is_gone(pair: Pair, home: Path) -> None:
    """The control."""
    history, url, _ = await cut_off(pair, home / "journal", heals=False)
    assert checks(await judged(url, history, {"journaled"})) & {"lost", "moved"}
