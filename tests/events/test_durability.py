"""What was acknowledged is there: after kill -9, and only on a store that can promise it."""

from __future__ import annotations

import asyncio
import shutil
import socket
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import redis
from redis.asyncio import RedisCluster
from structlog.testing import capture_logs

from events.clients import (
    CLUSTER,
    Client,
    LossyStoreError,
    close_client,
    commands,
    listening,
    require_durable,
)
from events.layout import SLOTS
from events.log import Appended, StreamLog
from events.scripts import LogUnavailable
from runtime.embedded.store import Store, StoreError
from tests.conftest import Sometimes
from tests.events.bank import OTHER, STREAM
from tests.events.lab import batch, entries, grow, head_at

pytestmark = pytest.mark.system

TASKS = 8


@pytest.fixture
def home() -> Iterator[Path]:
    """A short path for a store of our own."""
    path = Path(tempfile.mkdtemp(prefix="plr-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@asynccontextmanager
async def clients(url: str) -> AsyncIterator[tuple[Client, StreamLog]]:
    client, listener = commands(url), listening(url)
    try:
        yield client, StreamLog(client, listener, 4)
    finally:
        await close_client(client)
        await listener.aclose()


async def write(
    log: StreamLog, stream: str, acknowledged: dict[str, int], enough: asyncio.Event
) -> None:
    """Append until the store is gone."""
    after = 0
    try:
        while True:
            answer = await log.append(batch(stream=stream, after=after))
            assert isinstance(answer, Appended)
            after = acknowledged[stream] = answer.version
            if sum(acknowledged.values()) > 400:
                enough.set()
    except LogUnavailable:
        return


async def test_kill_9_under_load_loses_nothing_acknowledged(
    home: Path, sometimes: Sometimes
) -> None:
    store = Store(home)
    store.start()
    acknowledged: dict[str, int] = {}
    enough = asyncio.Event()
    try:
        async with clients(store.url) as (_, log):
            writers = [
                asyncio.create_task(write(log, f"g{i % 4:02x}-{i}", acknowledged, enough))
                for i in range(TASKS)
            ]
            async with asyncio.timeout(20):
                await enough.wait()
                store.kill()
                await asyncio.gather(*writers)
        sometimes("acknowledged before the kill", sum(acknowledged.values()))
        store.start()
        async with clients(store.url) as (_, log):
            pointers = 0
            for stream, version in acknowledged.items():
                found = await log.read(stream)
                head = await log.head(stream)
                assert head is not None
                assert version <= head.version <= version + 1, "one may have been on its way"
                assert found == entries(1, head.version)
                assert head.hash == head_at(stream, head.version)
                pointers += head.version
                after = head.version
                assert await log.append(batch(stream=stream, after=after - 1)) is not None
                assert isinstance(await log.append(batch(stream=stream, after=after)), Appended)
            assert sum((await log.feed_ends()).values()) == pointers + TASKS
            for shard, end in (await log.feed_ends()).items():
                assert len(await log.feed(shard, 0, 10_000)) == end
    finally:
        store.stop()


async def test_the_same_kill_shows_a_loss_where_nothing_is_kept(home: Path) -> None:
    # The control of the test above: without the append-only file what was acknowledged is gone.
    store = Store(home, "appendonly no")
    store.start()
    try:
        async with clients(store.url) as (_, log):
            await grow(log, 5)
            store.kill()
        store.start()
        async with clients(store.url) as (_, log):
            assert await log.head(STREAM) is None
            assert await log.read(STREAM) == []
    finally:
        store.stop()


async def test_a_clean_stop_keeps_everything(home: Path) -> None:
    store = Store(home)
    with store:
        async with clients(store.url) as (_, log):
            await grow(log, 5)
    with store:
        async with clients(store.url) as (_, log):
            assert await log.read(STREAM) == entries(1, 5)
            await log.append(batch(after=5))


async def test_the_log_goes_on_when_the_store_comes_back(home: Path) -> None:
    store = Store(home)
    with store:
        async with clients(store.url) as (_, log):
            await grow(log, 2)
            store.kill()
            with pytest.raises(LogUnavailable):
                await log.append(batch(after=2))
            store.start()
            assert await log.append(batch(after=2)) == Appended(3, 3)


async def test_our_own_store_is_durable(home: Path) -> None:
    with Store(home) as store:
        async with clients(store.url) as (client, _):
            assert await require_durable(client) == []


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("appendonly", "no", "appendonly is 'no', set it to 'yes'"),
        ("appendfsync", "everysec", "appendfsync is 'everysec', set it to 'always'"),
        ("maxmemory-policy", "allkeys-lru", "maxmemory-policy is 'allkeys-lru'"),
        ("no-appendfsync-on-rewrite", "yes", "no-appendfsync-on-rewrite is 'yes'"),
    ],
)
async def test_a_store_that_may_lose_games_is_refused(
    home: Path, name: str, value: str, told: str
) -> None:
    with Store(home, f"{name} {value}") as store:
        async with clients(store.url) as (client, _):
            with pytest.raises(LossyStoreError, match=told):
                await require_durable(client)
            with capture_logs() as lines:
                (fault,) = await require_durable(client, allow_lossy=True)
            assert told in fault
            assert lines == [
                {"event": "lossy_store_allowed", "fault": fault, "log_level": "warning"}
            ]


async def test_a_store_that_does_not_tell_is_refused(home: Path) -> None:
    with Store(home, 'rename-command CONFIG ""') as store:
        async with clients(store.url) as (client, _):
            with pytest.raises(LossyStoreError, match="does not tell"):
                await require_durable(client)


def start_node(home: Path) -> tuple[Store, int]:
    """A node of a cluster on a free port; its bus is 10,000 above."""
    for port in range(21_000, 31_000, 7):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                continue
        store = Store(home, "cluster-enabled yes", port=port)
        try:
            store.start()
        except StoreError:
            continue
        join(store)
        return store, port
    raise AssertionError("no free port")


def join(store: Store) -> None:
    """Make a node a cluster of its own."""
    pause = threading.Event()
    with redis.Redis.from_url(store.admin_url) as node:
        node.execute_command("CLUSTER ADDSLOTSRANGE", 0, SLOTS - 1)
        for _ in range(1000):
            if cast("Any", node).cluster("INFO")["cluster_state"] == "ok":
                return
            pause.wait(0.01)
    store.stop()
    raise AssertionError("the cluster does not come up")


async def test_the_same_code_runs_on_a_cluster(home: Path) -> None:
    store, port = start_node(home)
    try:
        async with clients(f"{CLUSTER}127.0.0.1:{port}") as (client, log):
            assert isinstance(client, RedisCluster)
            assert await require_durable(client) == []
            pointers = log.follow({1: 0, 2: 0})
            waiting = asyncio.create_task(anext(pointers))
            await asyncio.gather(*(log.append(batch(2, stream=s, due=5)) for s in (STREAM, OTHER)))
            async with asyncio.timeout(10):
                found = {(await waiting).stream, (await anext(pointers)).stream}
            assert found == {STREAM, OTHER}
            await pointers.aclose()
            assert await log.read(STREAM) == entries(1, 2)
            assert await log.next_due() == 5
            assert await log.feed_ends() == {0: 0, 1: 1, 2: 1, 3: 0}
            assert (await log.tail(OTHER, 1)).entries == entries(2, 2)
            await client.script_flush()
            assert await log.append(batch(after=2)) == Appended(3, 2)
    finally:
        store.stop()
