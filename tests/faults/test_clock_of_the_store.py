"""Fault 17: the clock of the store itself is an hour off, from its start or all at once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from events.clients import commands, listening
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


class FalseClock:
    """The time by which a store runs: the true one, and so much.

    Args:
        file: says how much; may change while the store runs.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def set(self, offset: str) -> None:
        self._file.write_text(f"{offset}\n")


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
    await client.aclose()
    await listener.aclose()


async def goes_on(log: StreamLog) -> None:
    """Append one more batch, once the store has its true time again."""
    async with asyncio.timeout(LONG):
        while True:
            with contextlib.suppress(ClockSkew):
                answer = await log.append(batch(after=1, at=now_ms()))
                assert isinstance(answer, Appended)
                assert answer.version == 2
                return
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("off", ["+1h", "-1h"])
async def test_nothing_is_written_to_a_store_whose_clock_is_wrong(
    home: Path, false_clock: FalseClock, off: str, sometimes: Sometimes
) -> None:
    false_clock.set("+0")
    told = 0
    with Store(home / "s", "appendfsync no") as store:
        async with log_on(store) as log:
            await log.append(batch(at=now_ms()))
            false_clock.set(off)
            for _ in range(3):
                with pytest.raises(ClockSkew):
                    await log.append(batch(after=1, at=now_ms()))
                told += 1
            head = await log.head(batch().stream)
            assert head is not None
            assert head.version == 1
            false_clock.set("+0")
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
