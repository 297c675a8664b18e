"""A process of its own that plays on a store until a line comes, then tells what it was told.

``python -m tests.faults.stale_writer URL [GUARD]``: with the name of a guard, it appends without.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import msgspec
from msgspec import Struct

from events import log as events_log
from events.log import VersionConflict
from simulator.history import History
from tests.faults.load import RealLedger, playing
from tests.faults.unguarded import without


class Told(Struct):
    """What the process says in the end: its history, and how often it met a conflict."""

    history: History
    conflicts: int


async def main(url: str) -> None:
    """Play, say when it has begun, and tell."""
    service, conflicts = RealLedger(url), 0
    append = service.log.append

    async def counted(*args: Any) -> Any:
        nonlocal conflicts
        try:
            return await append(*args)
        except VersionConflict:
            conflicts += 1
            raise

    service.log.append = counted  # type: ignore[assignment,method-assign]  # counted
    async with playing([service], seed=26, names="stale", patient=len(sys.argv) == 2) as load:
        await load.more(10)
        sys.stdout.write("begun\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.readline)
    sys.stdout.buffer.write(msgspec.json.encode(Told(load.history, conflicts)) + b"\n")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        events_log.APPEND = without(sys.argv[2])  # type: ignore[misc]  # the control
    asyncio.run(main(sys.argv[1]))
