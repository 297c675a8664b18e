"""How soon a process on a cluster of three primaries learns of an append, with 64 shards.

Appends to streams of all shards at an even pace, by one client, to files that are synced before
each answer; another client follows all feeds. A wake-up takes from the moment at which the append
is sent to that at which its pointer is there, so the append itself is part of it.

Twice: at ``local``, for which the bar is, and told apart at ``replicated``, where each primary has
a replica that syncs too, an append waits for it, and no pointer is shown before it has confirmed.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Final

from bench.measure import Bar, BenchReport, Effort, Samples
from events import seal
from events.clients import Client, commands, listening
from events.durability import Durability
from events.journaling import promised
from events.layout import Layout
from events.log import Append, Appended, StreamLog
from events.scripts import LogUnavailable
from ops.cluster import REPLICATED
from runtime.embedded.cluster import EmbeddedCluster

NAME: Final = "wakeups"
BAR_MS: Final = 20.0
SHARDS: Final = 64
RATE: Final = 50
_SPAN_S: Final = 20
_QUICK_SPAN_S: Final = 4
_READY_S: Final = 120.0
_PAUSE_S: Final = 0.1


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


async def _measure(url: str, level: Durability, count: int) -> list[float]:
    """Milliseconds of each wake-up, in their order."""
    one, two, three = commands(url), commands(url), listening(url)
    layout = Layout(SHARDS, "", "spread")

    def log(client: Client) -> StreamLog:
        return StreamLog(client, three, layout, replication=promised(level, client, layout))

    writer, reader = log(one), log(two)
    sent: dict[str, float] = {}
    took: list[float] = []

    ends = await _ends(reader)

    async def follow() -> None:
        async for pointer in reader.follow(ends):
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
    made = await asyncio.gather(*appends)
    await following
    kept = sum(isinstance(each, Appended) and each.replicated for each in made)
    if level != "local" and kept < count:
        raise RuntimeError(f"of {count} appends {kept} were confirmed by a replica in time")
    for each in (writer, reader):
        await each.close()
    for client in (one, two, three):
        await client.aclose()
    return took


async def _ends(reader: StreamLog) -> dict[int, int]:
    """Where all feeds end, as soon as it is known that replicas have them.

    On a busy machine a replica of a new cluster may not have confirmed anything within its time.
    """
    async with asyncio.timeout(_READY_S):
        while True:
            try:
                return await reader.feed_ends()
            except LogUnavailable:
                await asyncio.sleep(_PAUSE_S)


def _spans(level: Durability, spans: int, each: int) -> list[list[float]]:
    """The wake-ups of each span, from the shortest on, on a cluster of their own."""
    nodes = () if level == "local" else (3, 3, *REPLICATED)
    with (
        tempfile.TemporaryDirectory(prefix="parlour-wake-") as folder,
        EmbeddedCluster(Path(folder), *nodes) as cluster,
    ):
        took = asyncio.run(_measure(cluster.url, level, each * spans))
    return [sorted(took[n * each : (n + 1) * each]) for n in range(spans)]


def run(effort: Effort) -> BenchReport:
    """Measure at either level, on a cluster of its own each."""
    spans = effort.repetitions
    each = RATE * (_QUICK_SPAN_S if effort.quick else _SPAN_S) // spans
    levels: tuple[Durability, ...] = ("local", "replicated")
    found = {level: _spans(level, spans, each) for level in levels}

    def samples(level: Durability, percent: int) -> Samples:
        values = tuple(span[min(each - 1, each * percent // 100)] for span in found[level])
        return Samples(f"wake-up on a cluster, {level}, {percent} %", "ms", "lower", values)

    bar = samples("local", 99)
    return BenchReport(
        NAME,
        gates=(Bar(bar.name, bar, None, BAR_MS, "lower"),),
        figures=(
            *(samples("local", percent) for percent in (50, 100)),
            *(samples("replicated", percent) for percent in (50, 99, 100)),
        ),
        notes=(f"3 primaries, {SHARDS} shards, {RATE} appends a second, appendfsync always",),
    )
