"""Fault 6: a primary stands still past the node timeout, is replaced, and resumes."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from events import confirming
from events.layout import slot, tag
from runtime.embedded.cluster import EmbeddedCluster, Node
from simulator.history import LOST, MOVED, History
from tests.conftest import Sometimes
from tests.faults.load import RealLedger, checks, judged, playing
from tests.faults.stale_writer import lies
from tests.runtime.stage import until

LINES = ("repl-diskless-sync-delay 0", "min-replicas-to-write 0")
FEW = 20


def role(node: Node) -> str:
    return str(node.call("ROLE")[0])


async def stood_still(cluster: EmbeddedCluster) -> History:
    """What players were told while a primary goes on alone, stands still, and resumes."""
    where = slot(tag(0))
    primary = cluster.primary_of(where)
    replica = cluster.replicas[cluster.primaries.index(primary)]
    services = [RealLedger(cluster.url, "replicated"), RealLedger(cluster.url, "replicated")]
    async with playing(services, level="replicated", fresh=False) as load:
        await load.more(FEW)
        # What is written now is on the primary alone; nothing else would be lost with it.
        os.kill(replica.store.pid, signal.SIGSTOP)
        primary.call("CLIENT", "KILL", "TYPE", "replica")
        await load.settled(FEW)
        os.kill(primary.store.pid, signal.SIGSTOP)
        os.kill(replica.store.pid, signal.SIGCONT)
        try:
            await until(lambda: role(replica) == "master")
        finally:
            os.kill(primary.store.pid, signal.SIGCONT)
        await until(lambda: role(primary) == "slave")
        await asyncio.to_thread(cluster.settle)
        await load.more(FEW)
    return load.history


async def resumed(home: Path) -> tuple[History, set[str], int]:
    """What was told, what is amiss of what was replicated, and how much that was local is gone."""
    with EmbeddedCluster(home, 3, 3, *LINES, node_timeout_ms=500) as cluster:
        history = await stood_still(cluster)
        found = checks(await judged(cluster.url, history, {"replicated"}))
        gone = [v for v in await judged(cluster.url, history) if v.check in {LOST, MOVED}]
    return history, found, len(gone)


@pytest.mark.nightly  # a cluster: make faults runs it
async def test_a_primary_that_resumes_shows_nobody_another_history(
    home: Path, sometimes: Sometimes
) -> None:
    history, found, gone = await resumed(home)
    assert found == set()
    sometimes("acknowledged as local and gone", gone)
    sometimes("acknowledged as replicated", sum(a.level == "replicated" for a in history.attempts))


@pytest.mark.nightly  # same
async def test_who_takes_its_word_for_a_replicas_sees_another_history(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    monkeypatch.setattr(confirming, "_is_replicated", lies)
    _, found, _ = await resumed(home)
    assert found & {"lost", "moved"}
