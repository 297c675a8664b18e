"""Stores and shippers that are really killed: what was acknowledged is there afterwards."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from events.known import Mark
from events.layout import Layout
from events.restoring import Restoring
from runtime.embedded.children import Child
from runtime.journal.healing import Tail, heal
from runtime.journal.segments import tails
from runtime.settings import environment
from tests.events.pair import client_of, cut_off, pair_in
from tests.lossy import Lossy
from tests.naming import name_store
from tests.service.stage import settings_for
from tests.workers.shipping import ONE, SHARD, SHARDS, TWO, Heads, process, ship_all, shipper

pytestmark = pytest.mark.system


@pytest.mark.parametrize("who", ["the shipper", "the process"])
async def test_a_failover_that_lost_a_tail_ends_at_the_acknowledged_head(
    home: Path, tmp_path: Path, who: str
) -> None:
    with pair_in(home) as pair:
        await pair.joined()
        async with client_of(pair.url) as client:
            await name_store(client, Layout(SHARDS))
        heads = Heads()
        async with process(pair.url, tmp_path, heads) as before:
            await before.append(ONE, TWO)
            await pair.joined()
            cut_off(pair)
            await before.append(TWO, ONE, ONE)
            assert before.log.unshipped is not None
            kept = list(before.log.unshipped.of(SHARD))
            if who == "the shipper":
                async with shipper(pair.url, tmp_path) as ships:
                    await ship_all(ships)
            url = pair.promote()
        async with client_of(url) as client, process(url, tmp_path, heads) as after:
            restoring = Restoring(client, Layout(SHARDS))
            end, _ = await restoring.feed_end(SHARD)
            assert end == kept[1].mark, "the control: the failover has lost three batches"
            if who == "the shipper":
                async with shipper(url, tmp_path) as ships:
                    await ships.look()
            else:
                for entry in kept:
                    assert after.log.unshipped is not None
                    after.log.unshipped.keep(entry)
                await after.tail.look()
            end, _ = await restoring.feed_end(SHARD)
            assert end == kept[-1].mark
            head = await after.log.head(kept[-1].stream)
            assert head is not None
            assert (head.version, head.hash) == (kept[-1].version, kept[-1].head)
            await after.append(ONE, TWO)


async def test_a_shipper_that_is_killed_at_any_moment_leaves_no_gap_and_no_double(
    lossy: Lossy,
) -> None:
    async with client_of(lossy.store.url) as client:
        await name_store(client, Layout(SHARDS))
    folder = lossy.home / "journal"
    settings = settings_for(lossy.store.url, journal=str(folder), clock_tolerance_ms=2000)
    environ = {**os.environ, **environment(settings)}
    async with process(lossy.store.url, folder, Heads()) as writing:
        for goal in range(20, 101, 20):
            child = Child("shipper", ["-m", "workers", "ship"], environ)
            end = shipped = Mark(0)
            async with asyncio.timeout(60):
                while shipped.seq < goal:
                    if end.seq < shipped.seq + 40:
                        await writing.append(ONE, TWO)
                    await asyncio.sleep(0.002)
                    end, shipped = await writing.tail.restoring.feed_end(SHARD)
            os.kill(child.pid, signal.SIGKILL)
            child.stop()
        last = Child("shipper", ["-m", "workers", "ship"], environ)
        await writing.append(ONE)  # which it has to ship, so it is up
        async with asyncio.timeout(60):
            while writing.unshipped:
                await writing.tail.look()
                await asyncio.sleep(0.02)
        assert last.stop() == 0
        end, _ = await writing.tail.restoring.feed_end(SHARD)
    found = tails(folder, {SHARD: 0})[SHARD]
    assert [each.seq for each in found] == [*range(1, end.seq + 1)]
    lossy.empty()
    async with process(lossy.store.url, folder, Heads()) as late:
        assert await heal(late.tail.restoring, SHARD, found) == (Tail.WHOLE, len(found))
        assert (await late.tail.restoring.feed_end(SHARD))[0] == end
