"""Faults 4, 11 and 13: a store that is killed, whose disk is slow, whose memory is full."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
import structlog

from events import log as events_log
from events.append_pace import LAST, SLOW_S, AppendPace
from events.clients import close_client, commands, listening
from events.log import StreamLog
from runtime.embedded.store import Store
from simulator.appends.process import LAYOUT
from tests.conftest import Sometimes
from tests.events.lab import grow
from tests.faults.load import RealLedger, checks, judged, playing
from tests.faults.unguarded import without
from tests.unlimited import unlimited

SLOW_US = 120_000
SLOW_NS = 100_000_000


@pytest.fixture
def home() -> Iterator[Path]:
    """A short path on a disk: what is kept must be kept there."""
    path = Path(tempfile.mkdtemp(prefix="plr-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


async def killed_while_slow(store: Store, sometimes: Sometimes | None) -> set[str]:
    """Kill a store, whose disk is slow, under load, start it again, and judge."""
    store.start()
    try:
        with redis.Redis.from_url(store.admin_url) as client:
            async with playing([RealLedger(store.url), RealLedger(store.url)], fresh=False) as load:
                await load.more(30)
                client.execute_command("DEBUG", "AOF-FLUSH-SLEEP", SLOW_US)
                await load.more(20)
                await asyncio.to_thread(store.kill)
                await asyncio.to_thread(store.start)
                await load.more(20)
        waited = sum(
            1
            for attempt in load.history.attempts
            if attempt.answered is not None and attempt.answered - attempt.sent > SLOW_NS
        )
        if sometimes is not None:
            sometimes("answers that waited for the disk", waited)
            sometimes("attempts without an answer", load.counts["attempt unknown"])
        return checks(await judged(store.url, load.history))
    finally:
        store.stop()


async def test_a_slow_disk_makes_answers_late_and_loses_none(
    home: Path, sometimes: Sometimes
) -> None:
    store = Store(home, "enable-debug-command yes")
    assert await killed_while_slow(store, sometimes) == set()


async def test_a_store_that_does_not_wait_for_its_disk_loses(home: Path) -> None:
    """The control."""
    store = Store(home, "enable-debug-command yes", "appendonly no")
    assert "lost" in await killed_while_slow(store, None)


async def alarms_on_a_slow_disk(home: Path, sleep_us: int) -> list[str]:
    """What a log tells of appends to a store that sleeps so long before each write to its disk."""
    with Store(home, "enable-debug-command yes") as store:
        with redis.Redis.from_url(store.admin_url) as client:
            client.execute_command("DEBUG", "AOF-FLUSH-SLEEP", sleep_us)
        client, listener = commands(store.url), listening(store.url)
        log = StreamLog(client, listener, LAYOUT)
        log.pace = AppendPace()
        with structlog.testing.capture_logs() as lines:
            await grow(log, LAST)
        await close_client(client)
        await listener.aclose()
    return [line["event"] for line in lines]


async def test_a_slow_disk_is_told_of(home: Path, sometimes: Sometimes) -> None:
    alarms = await alarms_on_a_slow_disk(home, int(SLOW_S * 1_000_000))
    assert alarms == ["append_slow"]
    sometimes("alarms for a slow disk", len(alarms))


async def test_a_disk_that_is_well_is_not(home: Path) -> None:
    """The control: without the delay there is no alarm."""
    assert await alarms_on_a_slow_disk(home, 0) == []


async def filled(url: str) -> int:
    """Fill the memory of a store under load, and make room again; how much was then written."""
    with redis.Redis.from_url(unlimited(url)) as client:
        async with playing([RealLedger(url), RealLedger(url)]) as load:
            await load.more(30)
            client.config_set("maxmemory", 1)
            await load.settled(20)
            before = _pointers(client)
            await load.settled(40)
            written = _pointers(client) - before
            client.config_set("maxmemory", 0)
            await load.more(30)
    assert await judged(url, load.history) == []
    return written


def _pointers(client: redis.Redis) -> int:
    keys = list(client.scan_iter("*:log"))
    return sum(int(str(client.xlen(key))) for key in keys)


async def test_a_store_without_memory_takes_nothing_and_loses_nothing(
    store_url: str, sometimes: Sometimes
) -> None:
    try:
        assert await filled(store_url) == 0
    finally:
        with redis.Redis.from_url(unlimited(store_url)) as client:
            refused = client.info("errorstats").get("errorstat_OOM", {}).get("count", 0)
            client.config_set("maxmemory", 0)
    sometimes("refused for want of memory", int(refused))


async def test_a_script_that_may_write_without_memory_does(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    monkeypatch.setattr(events_log, "APPEND", without("memory"))
    try:
        assert await filled(store_url) > 0
    finally:
        with redis.Redis.from_url(unlimited(store_url)) as client:
            client.config_set("maxmemory", 0)
