"""A process of its own that plays on a store until a line comes, then tells what it was told.

``python -m tests.faults.stale_writer URL NAME LEVEL [GUARD]``: with the name of a guard, it appends
without; NAME begins the names of its players.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any, cast

import msgspec
from msgspec import Struct

from events import confirming
from events import log as events_log
from events.durability import Durability
from events.log import VersionConflict
from runtime.logs import set_up_logs
from simulator.history import History
from tests.faults.load import RealLedger, playing
from tests.faults.unguarded import without


class Told(Struct):
    """What the process says in the end: its history, and how often it met a conflict."""

    history: History
    conflicts: int


LIES = "replication"
"""The guard without which it takes for replicated what is local."""


async def lies(connection: object) -> bool:
    """Say that all is replicated."""
    del connection
    return True


async def main(url: str, name: str, level: Durability, *guard: str) -> None:
    """Play, say when it has begun, and tell."""
    service, conflicts = RealLedger(url, level), 0
    append = service.log.append

    async def counted(*args: Any) -> Any:
        nonlocal conflicts
        try:
            return await append(*args)
        except VersionConflict:
            conflicts += 1
            raise

    service.log.append = counted  # type: ignore[assignment,method-assign]  # counted
    alone = level == "local"  # who is cut off from its replica might wait for ever
    patient = alone and not guard
    async with playing(
        [service], seed=26, level=level, names=name, patient=patient, fresh=alone
    ) as load:
        await load.more(10)
        sys.stdout.write("begun\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.readline)
    sys.stdout.buffer.write(msgspec.json.encode(Told(load.history, conflicts)) + b"\n")


if __name__ == "__main__":
    set_up_logs("service", "error")  # on standard error: what is told goes out by the other
    _, store_url, names, promise, *guards = sys.argv
    if guards == [LIES]:
        confirming._is_replicated = lies  # noqa: SLF001 (the control)
    elif guards:
        events_log.APPEND = without(guards[0])  # type: ignore[misc]  # the control
    asyncio.run(main(store_url, names, cast("Durability", promise), *guards))
