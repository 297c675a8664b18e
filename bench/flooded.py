"""How long a client that behaves waits while a flood stands, and how long without one.

The service is as it is deployed, but for the rates, and has the first core; store, client and
floods share the second one, so that the service is measured and not who gets the processor. The
floods (``simulator.flood``) come from three addresses, the client from a fourth one. It asks for
health, lists and documents, registers, and connects anew for each fifth request.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import msgspec

from bench.measure import BenchReport, Effort, Samples, two_cores
from bench.rig import settings_for
from runtime.embedded.children import Child
from runtime.embedded.store import Store
from runtime.settings import PREFIX, Settings, environment
from runtime.store_watch import found_store
from simulator.fuzz_edge import FLOODS, flooded
from simulator.steady import SteadyClient, percentile

NAME: Final = "flood"
_SECONDS: Final = 10.0
_QUICK_SECONDS: Final = 2.0
_SHARES: Final = (("median", 50), ("99 %", 99), ("longest", 100))
_MS: Final = 1000


def _waits(url: str, seconds: float) -> list[float]:
    """What a client that behaves waits, request by request."""
    with SteadyClient(url) as steady:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            steady.round()
        return steady.waits


def _figures(name: str, waits: list[float]) -> list[Samples]:
    return [
        Samples(f"{name}, {share}", "ms", "lower", (_MS * percentile(waits, percent),))
        for share, percent in _SHARES
    ]


def run(effort: Effort) -> BenchReport:
    """Measure without a flood, and then with one.

    Raises:
        SteadyError: a request was not answered.
    """
    seconds = _QUICK_SECONDS if effort.quick else _SECONDS
    clean = {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}
    everywhere, (measured, rest) = os.sched_getaffinity(0), two_cores()
    with ExitStack() as open_things:
        open_things.callback(os.sched_setaffinity, 0, everywhere)
        os.sched_setaffinity(0, {rest})  # store and floods inherit it
        home = Path(open_things.enter_context(tempfile.TemporaryDirectory(prefix="parlour-bench-")))
        store = open_things.enter_context(Store(home / "store"))
        log = open_things.enter_context((home / "service.log").open("wb"))
        each = Settings(  # the rig's are for benches that open all connections from one address
            **{
                **msgspec.structs.asdict(settings_for(store)),
                "connections_per_address": 256,
                "registrations_per_day": 10**6,
            }
        )
        environ = {**clean, **environment(each)}
        asyncio.run(found_store(each))
        api = Child("API", ["-m", "service"], environ, speaks=True, log=log)
        open_things.callback(api.stop)
        os.sched_setaffinity(api.pid, {measured})
        url = api.first_line().split()[-1]
        alone = _waits(url, seconds)
        with flooded(int(url.rpartition(":")[2]), 2 * seconds + 10):
            beside = _waits(url, seconds)
    figures = (*_figures("wait", alone), *_figures("wait in a flood", beside))
    requests = f"{len(alone)} requests without a flood, {len(beside)} in one, all answered"
    return BenchReport(NAME, figures=figures, notes=(requests, f"floods from {FLOODS} addresses"))
