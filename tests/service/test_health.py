"""What the service says of itself: alive, able to read, able to append; soon, whatever happens."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import redis

from events.scripts import LogUnavailable
from runtime.embedded.store import Store
from runtime.fullness import Gauge
from service.http import health
from service.http.health import FRESH_S, TIMEOUT_S, HealthProbe
from tests.runtime.stage import until
from tests.service.stage import SHARDS, Stage, ok, stage
from tests.unlimited import unlimited

LONG_S = 20.0
"""Seconds after which a test gives up; the store's own patience is a minute in tests."""

PATHS = ("/health/live", "/health/ready", "/health/writable")


@pytest.fixture
def own_store(home: Path) -> Iterator[Store]:
    """A store that a test may stop."""
    with Store(home / "store", "appendfsync no") as store:
        yield store
        os.kill(store.pid, signal.SIGCONT)


@pytest.fixture
async def there(own_store: Store) -> AsyncIterator[Stage]:
    async with stage(own_store.url) as on:
        yield on
        os.kill(own_store.pid, signal.SIGCONT)


def hang(store: Store) -> None:
    """Let the store take connections and answer nothing."""
    os.kill(store.pid, signal.SIGSTOP)


async def codes(on: Stage) -> list[int]:
    """The answers of all three, asked at once."""
    async with asyncio.timeout(LONG_S):
        answers = await asyncio.gather(*(on.stranger.get(path) for path in PATHS))
    return [answer.status_code for answer in answers]


def let_it_ask_anew(on: Stage) -> None:
    """Forget what was found out in the last second."""
    found = on.service.app_context.health
    for probe in (found.reads, found.writes, found.keeps):
        probe._answered_at = -FRESH_S


async def test_a_service_that_can_write_says_so(
    on: Stage, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A machine on which others work may stand still for longer than a store may.
    monkeypatch.setattr(health, "TIMEOUT_S", LONG_S)
    checks = dict.fromkeys(("store", "durable", "known", "clock", "room", "open"), True)
    answer = ok(await on.stranger.get("/health/writable"))
    assert answer == {"writable": True, "checks": checks}
    with redis.Redis.from_url(unlimited(store_url)) as client:
        keys = cast("list[bytes]", client.keys("*:probe"))
        assert len(keys) == SHARDS
        assert all(0 < cast("int", client.pttl(key)) <= 60_000 for key in keys)
    on.service.app_context.closing.set()
    assert (await on.stranger.get("/health/writable")).status_code == 503


async def test_a_service_starts_while_its_store_is_away(own_store: Store) -> None:
    """A failover may begin between the look at the store and the start."""
    own_store.kill()
    async with stage(own_store.url) as on:
        assert await codes(on) == [200, 503, 503]
        own_store.start()

        async def serves() -> bool:
            let_it_ask_anew(on)
            return await codes(on) == [200, 200, 200]

        async with asyncio.timeout(LONG_S):
            while not await serves():
                pass


async def test_a_store_that_takes_no_writes_can_be_read(on: Stage, store_url: str) -> None:
    with redis.Redis.from_url(unlimited(store_url)) as client:
        client.config_set("min-replicas-to-write", 1)
        try:
            assert await codes(on) == [200, 200, 503]
            answer = await on.stranger.get("/health/writable")
            assert ok(answer, 503)["checks"]["store"] is False
        finally:
            client.config_set("min-replicas-to-write", 0)


async def test_every_shard_has_to_answer(on: Stage, store_url: str) -> None:
    last = on.service.app_context.tables.log.layout.meta(SHARDS - 1)
    with redis.Redis.from_url(unlimited(store_url)) as client:
        client.delete(last)
        client.set(last, "no hash")
        assert await codes(on) == [200, 503, 200]
        client.delete(last)
    await until(lambda: on.service.app_context.feed_subscriber.healthy)  # it may have looked too
    let_it_ask_anew(on)
    assert await codes(on) == [200, 200, 200]


async def test_without_room_for_choices_it_is_not_writable(on: Stage) -> None:
    room = on.service.app_context.room
    room._gauge = Gauge((0, 0, 0, 0))  # the room looks by itself too, and is to see the same
    await room.look()
    answer = await on.stranger.get("/health/writable")
    assert ok(answer, 503)["checks"]["room"] is False
    assert (await on.stranger.get("/health/ready")).status_code == 200


async def test_a_hung_store_is_told_of_and_so_is_its_recovery(
    there: Stage, own_store: Store
) -> None:
    assert await codes(there) == [200, 200, 200]
    hang(own_store)
    let_it_ask_anew(there)
    assert await codes(there) == [200, 503, 503]
    os.kill(own_store.pid, signal.SIGCONT)
    let_it_ask_anew(there)
    assert await codes(there) == [200, 200, 200]


async def test_unbounded_it_would_hang_as_the_store_does(
    there: Stage, own_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    monkeypatch.setattr(health, "TIMEOUT_S", 1000)
    hang(own_store)
    asked = asyncio.create_task(there.stranger.get("/health/ready"))
    done, waiting = await asyncio.wait({asked}, timeout=2 * TIMEOUT_S)
    assert (done, waiting) == (set(), {asked})
    os.kill(own_store.pid, signal.SIGCONT)
    assert (await asked).status_code == 200


def test_the_patience_leaves_time_for_the_answer() -> None:
    assert TIMEOUT_S <= 1.5
    assert FRESH_S == 1


async def test_a_crowd_asks_the_store_once_a_second() -> None:
    asked, now = 0, 0.0
    answers: list[Any] = [True, LogUnavailable("down"), True]

    async def ask() -> bool:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        found = answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return bool(found)

    probe = HealthProbe(ask, lambda: now)
    for expected in (True, False, True):
        assert await asyncio.gather(*(probe.holds() for _ in range(50))) == [expected] * 50
        now += 0.99
        assert await probe.holds() is expected
        now += 0.02
    assert asked == 3
