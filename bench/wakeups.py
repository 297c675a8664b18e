"""How soon a process on a cluster of three primaries learns of an append, with 64 shards.

Appends to streams of all shards at an even pace, by one client, to files that are synced before
each answer; another client follows all feeds. A wake-up takes from the moment at which the append
is sent to that at which its pointer is there, so the append itself is part of it.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Final

from bench.measure import Bar, BenchReport, Effort, Samples
from events import seal
from events.clients import commands, listening
from events.layout import Layout
from events.log import Append, StreamLog
from runtime.embedded.cluster import EmbeddedCluster

NAME: Final = "wakeups"
BAR_MS: Final = 20.0
SHARDS: Final = 64
RATE: Final = 50
_SPAN_S: Final = 20
_QUICK_SPAN_S: Final = 4


def _batch(number: int) -> Append:
    stream = f"g{number % SHARDS:02x}-{number:08d}"
    head = seal.chain(seal.genesis(stream), 0, [b"event"])
    return Append(
        stream=stream,
        after=0,
        previous=b"",
        entries=[(b"event", None)],
        head=head,
        command_id="bench",
        digest="bench",
        status="live",
        due=None,
        at=0,
    )


async def _measure(url: str, count: int) -> list[float]:
    """Milliseconds of each wake-up, in their order."""
    one, two, three = commands(url), commands(url), listening(url)
    layout = Layout(SHARDS, "", "spread")
    writer, reader = StreamLog(one, three, layout), StreamLog(two, three, layout)
    sent: dict[str, float] = {}
    took: list[float] = []

    async def follow() -> None:
        async for pointer in reader.follow(await reader.feed_ends()):
            took.append((time.monotonic() - sent[pointer.stream]) * 1000)
            if len(took) == count:
                return

    following = asyncio.create_task(follow())
    begun = time.monotonic() + 1.0  # the subscriptions stand by then
    appends = []
    for number in range(count):
        await asyncio.sleep(begun + number / RATE - time.monotonic())
        batch = _batch(number)
        sent[batch.stream] = time.monotonic()
        appends.append(asyncio.create_task(writer.append(batch)))
    await asyncio.gather(*appends)
    await following
    for client in (one, two, three):
        await client.aclose()
    return took


def run(effort: Effort) -> BenchReport:
    """Measure on a cluster of its own."""
    spans = effort.repetitions
    each = RATE * (_QUICK_SPAN_S if effort.quick else _SPAN_S) // spans
    with (
        tempfile.TemporaryDirectory(prefix="parlour-wake-") as folder,
        EmbeddedCluster(Path(folder)) as cluster,
    ):
        took = asyncio.run(_measure(cluster.url, each * spans))
    found = [sorted(took[n * each : (n + 1) * each]) for n in range(spans)]

    def samples(percent: int) -> Samples:
        values = tuple(span[min(each - 1, each * percent // 100)] for span in found)
        return Samples(f"wake-up on a cluster, {percent} %", "ms", "lower", values)

    return BenchReport(
        NAME,
        gates=(Bar("wake-up on a cluster, 99 %", samples(99), None, BAR_MS, "lower"),),
        figures=(samples(50), samples(100)),
        notes=(f"3 primaries, {SHARDS} shards, {RATE} appends a second, appendfsync always",),
    )
