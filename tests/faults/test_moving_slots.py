"""Fault 10: a slot is moved under load key by key, as before Valkey 9."""

from __future__ import annotations

import asyncio
from pathlib import Path

from events.layout import slot, tag
from runtime.embedded.cluster import EmbeddedCluster, Node
from tests.conftest import Sometimes
from tests.faults.load import RealLedger, checks, judged, playing

FEW = 20
WHERE = slot(tag(0))
AT_ONCE = 2
"""Keys that go together: few, so that players meet a game of which a part is gone."""


async def move(source: Node, target: Node, *, keys: bool) -> int:
    """Give a slot to another node, with its keys or without; how many went."""
    source_id, target_id, gone = source.id, target.id, 0
    target.call("CLUSTER", "SETSLOT", WHERE, "IMPORTING", source_id)
    source.call("CLUSTER", "SETSLOT", WHERE, "MIGRATING", target_id)
    while keys and (found := source.call("CLUSTER", "GETKEYSINSLOT", WHERE, AT_ONCE)):
        source.call("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *found)
        gone += len(found)
        await asyncio.sleep(0.02)  # players go on meanwhile
    for node in (target, source) if keys else (target,):
        node.call("CLUSTER", "SETSLOT", WHERE, "NODE", target_id)
    return gone


async def moved(home: Path, *, keys: bool) -> tuple[set[str], int]:
    """What is amiss after a slot has moved under load, and how many keys went with it."""
    with EmbeddedCluster(home, 3, node_timeout_ms=1000) as cluster:
        source = cluster.primary_of(WHERE)
        target = next(node for node in cluster.primaries if node is not source)
        services = [RealLedger(cluster.url), RealLedger(cluster.url)]
        async with playing(services, fresh=False, patient=keys) as load:
            await load.more(FEW)
            gone = await move(source, target, keys=keys)
            await load.more(FEW)
        return checks(await judged(cluster.url, load.history)), gone


async def test_a_slot_that_moves_key_by_key_loses_and_doubles_nothing(
    home: Path, sometimes: Sometimes
) -> None:
    found, gone = await moved(home, keys=True)
    assert found == set()
    sometimes("keys moved one by one", gone)


async def test_a_slot_that_leaves_its_keys_behind_is_found(home: Path) -> None:
    """The control."""
    found, _ = await moved(home, keys=False)
    assert "lost" in found
