"""What a house costs in which nobody does anything, with the shards of a large one.

A store, the API, a clock and two workers as they are deployed, on 64 shards; one table has a
deadline an hour away. Once they have started, each one's CPU time is taken over a span. The bar is
for all of them together, in per cent of a core.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from bench.measure import Bar, BenchReport, Effort, Samples, cpu_seconds
from bench.rig import seat_players, settings_for
from runtime.embedded.children import Child
from runtime.embedded.store import Store
from runtime.settings import PREFIX, environment
from runtime.store_watch import found_store

NAME: Final = "idle"
BAR: Final = 3.0
"""Per cent of a core."""

SHARDS: Final = 64
_SPAN_S: Final = 60.0
_QUICK_SPAN_S: Final = 15.0
_SETTLING_S: Final = 5.0
_SPANS: Final = 3
_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "clock": ("workers", "clock"),
    "worker 1": ("workers", "work"),
    "worker 2": ("workers", "work"),
}


def measure(span_s: float, spans: int) -> dict[str, tuple[float, ...]]:
    """The share of a core that each part took in each span, in per cent."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}
    with ExitStack() as open_things:
        home = Path(open_things.enter_context(tempfile.TemporaryDirectory(prefix="parlour-idle-")))
        store = open_things.enter_context(Store(home / "store"))
        log = open_things.enter_context((home / "log").open("wb"))
        settings = replace(settings_for(store), shards=SHARDS)
        asyncio.run(found_store(settings))
        environ = {**clean, **environment(settings)}
        api = Child("API", ["-m", "service"], environ, speaks=True, log=log)
        open_things.callback(api.stop)
        pids = {"store": store.pid, "API": api.pid}
        for name, part in _PARTS.items():
            child = Child(name, ["-m", *part], environ, log=log)
            open_things.callback(child.stop)
            pids[name] = child.pid
        seat_players(int(api.first_line().rsplit(":", 1)[1]), 1)
        time.sleep(_SETTLING_S)
        shares: dict[str, list[float]] = {name: [] for name in pids}
        for _ in range(spans):
            before, begun = {n: cpu_seconds(pid) for n, pid in pids.items()}, time.monotonic()
            time.sleep(span_s)
            took = time.monotonic() - begun
            for name, pid in pids.items():
                shares[name].append((cpu_seconds(pid) - before[name]) / took * 100)
    return {name: tuple(each) for name, each in shares.items()}


def run(effort: Effort) -> BenchReport:
    """Measure every part; the bar is for their sum."""
    shares = measure(_QUICK_SPAN_S if effort.quick else _SPAN_S, 1 if effort.quick else _SPANS)
    together = tuple(sum(each) for each in zip(*shares.values(), strict=True))
    house = Samples(f"the idle house with {SHARDS} shards", "% of a core", "lower", together)
    return BenchReport(
        NAME,
        gates=(Bar(house.name, house, None, BAR, "lower"),),
        figures=tuple(Samples(n, "% of a core", "lower", each) for n, each in shares.items()),
        notes=("a store, the API, a clock, two workers; tables that wait for an hour",),
    )
