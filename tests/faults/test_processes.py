"""Fault 5: a process stands still while others go on, and resumes with what it knew."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec

from tests.conftest import Sometimes
from tests.faults.load import RealLedger, checks, judged, playing
from tests.faults.stale_writer import Told

ROOT = Path(__file__).parents[2]


async def resumed(url: str, *guard: str) -> tuple[set[str], int]:
    """What is amiss after a process stood still under load; and how many conflicts it met."""
    with subprocess.Popen(  # noqa: ASYNC220 (it is only started here; what waits has a thread)
        [sys.executable, "-m", "tests.faults.stale_writer", url, "stale", "local", *guard],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as child:
        assert child.stdout is not None
        assert await asyncio.to_thread(child.stdout.readline) == b"begun\n"
        async with playing([RealLedger(url)], patient=not guard) as load:
            for _ in range(3):
                await load.settled(20)
                child.send_signal(signal.SIGSTOP)
                await load.settled(40)
                child.send_signal(signal.SIGCONT)
            await load.settled(20)
        out, _ = await asyncio.to_thread(child.communicate, b"stop\n")
    told = msgspec.json.decode(out, type=Told)
    load.history.attempts += told.history.attempts
    load.history.reads += told.history.reads
    load.history.feeds += told.history.feeds
    return checks(await judged(url, load.history)), told.conflicts


async def test_a_process_that_stood_still_meets_conflicts_and_forks_nothing(
    store_url: str, sometimes: Sometimes
) -> None:
    found, conflicts = await resumed(store_url)
    assert found == set()
    sometimes("conflicts after standing still", conflicts)


async def test_one_that_compares_no_versions_forks(store_url: str) -> None:
    """The control."""
    found, _ = await resumed(store_url, "version")
    assert "chain" in found
