"""Fault 17: the clock of the store itself is an hour off, from its start or all at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis

from events.clients import close_client, commands, listening
from events.log import Appended, StreamLog
from events.skew import ClockGuard, ClockSkew
from runtime.embedded.store import Store
from runtime.table_service import now_ms
from tests.conftest import Sometimes
from tests.events.lab import batch
from tests.runtime.stage import LONG

TOLERANCE = 2000
HOUR = 3_600_000
LIBRARY = "faketime/libfaketime.so.1"


NEAR_S = 60
"""How far from where it was put a clock may be that was put there."""


class FalseClock:
    """The time by which a store runs: the true one, and so much.

    Args:
        file: says how much; may change while the store runs.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def set(self, offset: str) -> None:
        """Put the clock there: at once for a store that starts, soon for one that runs.

        The file is replaced as a whole, so that nobody reads it while it is empty.
        """
        written = self._file.with_suffix(".new")
        written.write_text(f"{offset}\n")
        written.replace(self._file)

    async def move(self, offset: str, store: Store) -> None:
        """Put the clock of a running store there, and wait until it goes by it.

        A store asks for the time now and then and answers by what it was told last, so that the
        first calls after a jump may still be judged by the old time.
        """
        self.set(offset)
        hours = int(offset.removesuffix("h"))
        async with Redis.from_url(store.admin_url) as client, asyncio.timeout(LONG):
            while True:
                seconds, _ = await client.time()
                if abs(seconds - now_ms() // 1000 - hours * 3600) < NEAR_S:
                    return
                await asyncio.sleep(0)


@pytest.fixture
def false_clock(home: Path, monkeypatch: pytest.MonkeyPatch) -> FalseClock:
    """For all stores that are started afterwards, by libfaketime."""
    found = sorted(Path("/usr/lib").glob(f"*/{LIBRARY}"))
    assert found, "libfaketime is not there: apt-get install -y faketime"
    monkeypatch.setenv("LD_PRELOAD", str(found[0]))
    monkeypatch.setenv("FAKETIME_TIMESTAMP_FILE", str(home / "time"))
    monkeypatch.setenv("FAKETIME_NO_CACHE", "1")
    monkeypatch.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
    return FalseClock(home / "time")


@asynccontextmanager
async def log_on(store: Store, *, guarded: bool = True) -> AsyncIterator[StreamLog]:
    """A log of a process whose own clock is right."""
    client, listener = commands(store.url), listening(store.url)
    guard = ClockGuard(client, now_ms, TOLERANCE) if guarded else None
    yield StreamLog(client, listener, 4, guard=guard)
    await close_client(client)
    await listener.aclose()


async def goes_on(log: StreamLog) -> None:
    """Append one more batch, once the store has its true time again."""
    answer = await log.append(batch(after=1, at=now_ms()))
    assert isinstance(answer, Appended)
    assert answer.version == 2


@pytest.mark.parametrize("off", ["+1h", "-1h"])
async def test_nothing_is_written_to_a_store_whose_clock_is_wrong(
    home: Path, false_clock: FalseClock, off: str, sometimes: Sometimes
) -> None:
    false_clock.set("+0")
    told = 0
    with Store(home / "s", "appendfsync no") as store:
        async with log_on(store) as log:
            await log.append(batch(at=now_ms()))
            await false_clock.move(off, store)
            for _ in range(3):
                with pytest.raises(ClockSkew):
                    await log.append(batch(after=1, at=now_ms()))
                told += 1
            head = await log.head(batch().stream)
            assert head is not None
            assert head.version == 1
            await false_clock.move("+0", store)
            await goes_on(log)
    sometimes("the store's clock jumped", told)


async def test_one_that_asks_no_clock_writes_all_the_same(
    home: Path, false_clock: FalseClock
) -> None:
    """The control."""
    false_clock.set("+1h")
    with Store(home / "s", "appendfsync no") as store:
        async with log_on(store, guarded=False) as log:
            await log.append(batch(at=now_ms()))
            head = await log.head(batch().stream)
    assert head is not None
    assert head.version == 1
