"""Faults 9 and 10: a primary cut off with its clients; moves and failovers under load."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from events import confirming
from events.layout import slot, tag
from runtime.embedded.cluster import EmbeddedCluster
from simulator.history import LOST, MOVED, History
from tests.conftest import Sometimes
from tests.events.pair import Pair, ask, pair_in
from tests.faults.load import RealLedger, checks, judged, playing
from tests.runtime.stage import until

pytestmark = pytest.mark.slow


@pytest.fixture
def pair(home: Path) -> Iterator[Pair]:
    with pair_in(home) as made:
        yield made


async def cut_off(pair: Pair) -> tuple[str, History]:
    """Promote the replica while the primary goes on with its clients; then move these over.

    The URL of the new primary, and what was told.
    """
    await pair.joined()
    services = [RealLedger(pair.url, "replicated"), RealLedger(pair.url, "replicated")]
    async with playing(services, level="replicated", fresh=False) as load:
        await load.more(30)
        # As long as it does not notice, which with a partition takes min-replicas-max-lag.
        ask(pair.primary, "CONFIG", "SET", "min-replicas-to-write", 0)
        ask(pair.replica, "REPLICAOF", "NO", "ONE")
        ask(pair.replica, "CONFIG", "SET", "min-replicas-to-write", 0)
        await load.settled(20)
        for service in load.services:
            service.is_up = False
        url = f"redis://127.0.0.1:{pair.replica_port}"
        load.services.append(RealLedger(url))
        await asyncio.to_thread(pair.primary.kill)
        await load.more(30)
    return url, load.history


async def test_a_primary_that_is_cut_off_takes_nothing_replicated_along(
    pair: Pair, sometimes: Sometimes
) -> None:
    url, history = await cut_off(pair)
    assert await judged(url, history, {"replicated"}) == []
    gone = [v for v in await judged(url, history) if v.check in {LOST, MOVED}]
    sometimes("acknowledged as local and gone", len(gone))
    replicated = sum(attempt.level == "replicated" for attempt in history.attempts)
    sometimes("acknowledged as replicated", replicated)


async def test_who_does_not_wait_for_the_replica_loses(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""

    async def lies(_: object) -> bool:
        return True

    monkeypatch.setattr(confirming, "_is_replicated", lies)
    url, history = await cut_off(pair)
    assert checks(await judged(url, history, {"replicated"})) >= {"lost", "invented"}


async def test_failovers_and_moves_on_demand_lose_nothing(home: Path, sometimes: Sometimes) -> None:
    lines = ("repl-diskless-sync-delay 0", "repl-diskless-sync yes")
    with EmbeddedCluster(home, 3, 3, *lines, node_timeout_ms=1000) as cluster:
        where = slot(tag(0))
        services = [RealLedger(cluster.url), RealLedger(cluster.url)]
        async with playing(services, fresh=False) as load:
            await load.more(20)
            primary = cluster.primary_of(where)
            replica = cluster.replicas[cluster.primaries.index(primary)]
            replica.call("CLUSTER", "FAILOVER")
            await until(lambda: _primary_of(cluster, where) == replica.port)
            await load.more(20)
            target = next(n for n in cluster.primaries if n is not primary)
            replica.call("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", where, where, "NODE", target.id)
            await until(lambda: _primary_of(cluster, where) == target.port)
            await load.more(20)
        assert await judged(cluster.url, load.history) == []
    sometimes("failovers and moves under load", 2)


def _primary_of(cluster: EmbeddedCluster, where: int) -> int:
    try:
        return cluster.primary_of(where).port
    except redis.RedisError:
        return 0
