"""A log on three primaries: bells of every node, slots that move, nodes that come and go."""

from __future__ import annotations

import asyncio
import gc
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any, Self

import pytest
from msgspec.structs import replace
from redis.asyncio import RedisCluster
from redis.exceptions import ClusterDownError

from events.clients import NO_ANSWER, calls_of, close_client, commands, listening
from events.feed import Pointer
from events.layout import SLOTS, Layout, slot, tag
from events.log import StreamLog
from events.reach import UnfitStoreError, require_store, unanswered
from events.replication import Replication
from events.rights import USER
from events.scripts import Caller, LogUnavailable
from events.tasks import end_tasks
from runtime.embedded.cluster import EmbeddedCluster, Node
from runtime.embedded.ports import free_ports
from runtime.feed_subscriber import FeedSubscriber
from runtime.player_bells import PlayerBells
from tests.events.lab import batch
from tests.runtime.stage import TOY_REGISTRY, until
from tests.workers.crew import settings_for
from workers.clock import GameClock
from workers.host import Host
from workers.jobs import queue_client, queue_of
from workers.sweep import end_unbegun

pytestmark = pytest.mark.system

SHARDS = 64


@pytest.fixture(autouse=True)
def bells_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks without having been rung, so what arrives has been rung."""
    monkeypatch.setattr("events.feed._QUIET_S", 3600)


@asynccontextmanager
async def log_on(cluster: EmbeddedCluster) -> AsyncIterator[StreamLog]:
    """A log beside those of other tests."""
    client, listener = commands(cluster.url), listening(cluster.url)
    yield StreamLog(client, listener, Layout(SHARDS, f"{secrets.token_hex(4)}:", "spread"))
    await close_client(client)
    await listener.aclose()


async def append(log: StreamLog, shard: int, after: int = 0) -> None:
    """One event more in the one stream of a shard; sent again until it is known to be there."""
    async with asyncio.timeout(30):
        while True:
            try:
                await log.append(batch(stream=f"g{shard:02x}-a", after=after))
            except LogUnavailable:
                await asyncio.sleep(0.05)
            else:
                return


async def take(pointers: AsyncGenerator[Pointer, None], count: int) -> list[tuple[int, int]]:
    """Shard and number of the next pointers."""
    async with asyncio.timeout(30):
        found = [await anext(pointers) for _ in range(count)]
    return [(pointer.shard, pointer.seq) for pointer in found]


def home_of(cluster: EmbeddedCluster, shard: int) -> Node:
    return cluster.primary_of(slot(tag(shard, "spread")))


async def test_every_shard_is_heard_of_over_one_connection_to_its_node(
    cluster: EmbeddedCluster,
) -> None:
    async with log_on(cluster) as log:
        pointers = log.follow(dict.fromkeys(range(SHARDS), 0))
        await asyncio.gather(*(append(log, shard) for shard in range(SHARDS)))
        assert sorted(await take(pointers, SHARDS)) == [(shard, 1) for shard in range(SHARDS)]
        for shard in (0, 1, 3, 63):
            await append(log, shard, 1)
            assert await take(pointers, 1) == [(shard, 2)]
        on = {home_of(cluster, shard).port for shard in (0, 1, 3)}
        assert on == {node.port for node in cluster.nodes}, "these three lie apart"
        held = []
        for node in cluster.nodes:
            [line] = node.call("CLIENT", "LIST", "TYPE", "pubsub").splitlines()
            held.append(int(line.partition(" ssub=")[2].split()[0]))
        assert sum(held) == SHARDS
        assert min(held) > 0
        await pointers.aclose()


def moved(cluster: EmbeddedCluster, shard: int) -> tuple[Node, Node]:
    """Have a shard move to another node, which takes a moment; from where, and where to."""
    before = home_of(cluster, shard)
    after = next(node for node in cluster.nodes if node is not before)
    where = slot(tag(shard, "spread"))
    before.call("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", where, where, "NODE", after.id)
    return before, after


async def test_a_shard_that_moves_is_heard_of_from_its_new_node(cluster: EmbeddedCluster) -> None:
    shard = 5
    async with log_on(cluster) as log:
        pointers = log.follow(dict.fromkeys(range(SHARDS), 0))
        await append(log, shard)
        assert await take(pointers, 1) == [(shard, 1)]
        before, after = moved(cluster, shard)
        number = 1
        while home_of(cluster, shard) is before:
            await append(log, shard, number)  # in the old place, in the new one, and between
            number += 1
        await append(log, shard, number)
        expected = [(shard, seq) for seq in range(2, number + 2)]
        assert await take(pointers, len(expected)) == expected
        assert home_of(cluster, shard) is after
        await pointers.aclose()


async def test_who_asks_for_replicas_follows_a_shard_that_moves(cluster: EmbeddedCluster) -> None:
    shard = 6
    async with log_on(cluster) as plain:
        client, listener, layout = commands(cluster.url), listening(cluster.url), plain.layout
        log = StreamLog(client, listener, layout, replication=Replication(client, layout))
        await append(log, shard)
        before, _ = moved(cluster, shard)
        number = 1
        while home_of(cluster, shard) is before:
            await append(log, shard, number)
            number += 1
        await append(log, shard, number)
        stream = f"g{shard:02x}-a"
        assert len(await plain.read(stream)) == number + 1, "each is there once"
        with pytest.raises(LogUnavailable, match="is not known"):
            await log.shown(stream, number + 1, bytes(32))  # these nodes have no replicas
        await log.close()
        await close_client(client)
        await listener.aclose()


async def test_a_connection_that_one_node_ends_loses_no_pointer(cluster: EmbeddedCluster) -> None:
    async with log_on(cluster) as log:
        pointers = log.follow(dict.fromkeys(range(SHARDS), 0))
        await append(log, 0)
        assert await take(pointers, 1) == [(0, 1)]
        home_of(cluster, 0).call("CLIENT", "KILL", "TYPE", "pubsub")
        await asyncio.gather(append(log, 0, 1), append(log, 1), append(log, 2))
        assert sorted(await take(pointers, 3)) == [(0, 2), (1, 1), (2, 1)]
        await pointers.aclose()


async def test_a_connection_that_one_node_ends_costs_no_read(
    cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with log_on(cluster) as log:
        await append(log, 0)
        for guarded in (True, False):
            if not guarded:  # the control: nothing goes again
                monkeypatch.setattr("events.scripts._READS", frozenset())
            assert await log.pointers.written([0]) == {0: 1}
            home_of(cluster, 0).call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
            if guarded:
                assert await log.pointers.written([0]) == {0: 1}
            else:
                with pytest.raises(LogUnavailable):
                    await log.pointers.written([0])


async def test_accounts_and_players_are_heard_of_on_every_node(cluster: EmbeddedCluster) -> None:
    ann, shards = "p02-a", (0, 1, 3)
    async with log_on(cluster) as log:
        bells, rung = PlayerBells(log.bells, log.layout), asyncio.Queue[str | None]()
        bells.on_ring(lambda player, game: rung.put_nowait(game if player == ann else "another's"))
        await bells.add(ann)
        pointers = log.accounts.follow(dict.fromkeys(range(SHARDS), 0))
        async with asyncio.timeout(30):
            for shard in shards:
                game = f"g{shard:02x}-b"
                await log.append(batch(stream=game, concerns=("p01-a", ann)))
                assert await rung.get() == game
                await log.append(batch(stream=f"p{shard:02x}-b"))
        assert sorted(await take(pointers, len(shards))) == [(shard, 1) for shard in shards]
        await pointers.aclose()
        bells.drop(ann)
        await bells.close()


async def test_what_the_clock_does_it_does_on_a_cluster_too(cluster: EmbeddedCluster) -> None:
    """Commands that a cluster's client refuses would end the clock there, and nowhere else."""
    settings = replace(
        settings_for(cluster.url), shards=SHARDS, shard_tags="spread", prefix=secrets.token_hex(4)
    )
    host = Host(settings, TOY_REGISTRY, "clock")
    client = queue_client("redis://127.0.0.1:1")
    clock = GameClock(host, queue_of(client))
    await host.watch.begin()
    await host.room.look()
    assert host.room.shares["memory"] > 0
    assert host.watch.may_write
    assert await clock.tick() > 0
    assert None not in await host.log.heartbeats.read(range(SHARDS))
    assert await host.lobby.catch_up() == 0
    assert await end_unbegun(host.tables, host.client, host.lobby.keys, 1) == 0
    assert not (await host.presence.accepting()).ever
    await host.presence.announce()
    said = await host.presence.accepting()
    assert said.ever
    assert said.since
    await clock.close()
    client.close()
    await host.close()


class Parts:
    """What runs for ever in a clock, and a follower as the API has one."""

    def __init__(self, cluster: EmbeddedCluster) -> None:
        settings = replace(
            settings_for(cluster.url),
            shards=SHARDS,
            shard_tags="spread",
            prefix=secrets.token_hex(4),
        )
        self.host = Host(settings, TOY_REGISTRY, "clock")
        self._client = queue_client("redis://127.0.0.1:1")
        self._clock = GameClock(self.host, queue_of(self._client))
        self.subscriber = FeedSubscriber(self.host.log)
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        host = self.host
        await host.watch.begin()
        await self.subscriber.start()
        runs = (self._clock.run, host.lobby.run, host.room.run, host.watch.run)
        self._tasks = [asyncio.create_task(run()) for run in runs]
        await until(self.work)
        return self

    async def __aexit__(self, *_: object) -> None:
        await end_tasks(*self._tasks)
        await self.subscriber.stop()
        await self._clock.close()
        self._client.close()
        await self.host.close()

    def work(self) -> bool:
        """Whether all is well again; none may ever have ended."""
        assert not [task for task in self._tasks if task.done()]
        return self.subscriber.healthy and self._clock.due.rests(self.host.tables.clock()) > 0


async def test_a_cluster_that_dies_and_comes_back_is_followed_again(
    cluster: EmbeddedCluster,
) -> None:
    async with Parts(cluster) as parts:
        waiting = asyncio.create_task(parts.subscriber.wait("g01-a", 0, 60))
        for node in cluster.nodes:
            node.store.kill()
        await until(lambda: not parts.subscriber.healthy)
        with pytest.raises(LogUnavailable):
            await parts.host.log.heartbeats.read(range(SHARDS))
        with pytest.raises(LogUnavailable):
            await parts.host.room.look()
        cluster.start()  # not from another thread, with whose end the nodes would end
        await until(parts.work)
        await append(parts.host.log, 1)
        assert await waiting


async def test_a_failover_ends_neither_a_clock_nor_a_follower(home: Path) -> None:
    with EmbeddedCluster(home, 3, 1, "appendfsync no", node_timeout_ms=500) as cluster:
        async with Parts(cluster) as parts:
            log, dead, heir = parts.host.log, cluster.primaries[0], cluster.replicas[0]
            assert home_of(cluster, 0) is dead
            await append(log, 0)
            dead.store.kill()
            waiting = asyncio.create_task(parts.subscriber.wait("g00-a", 1, 60))
            await append(log, 0, 1)
            assert cluster.primary_of(slot(tag(0, "spread"))) is heir
            assert await waiting
            await until(parts.work)


async def test_a_client_that_has_failed_is_closed_all_the_same(home: Path) -> None:
    """Else the collector would complain of its connections, in a test after this one."""
    keys = [Layout(SHARDS).meta(shard) for shard in range(SHARDS)]
    with EmbeddedCluster(home, 3) as cluster:
        client = commands(cluster.url)
        for key in keys:
            await client.hset(key, "name", "1")
        dead = cluster.primaries[0]
        at = next(key for shard, key in enumerate(keys) if home_of(cluster, shard) is dead)
        dead.store.kill()
        with pytest.raises(NO_ANSWER):
            await client.hset(at, "name", "2")
        await close_client(client)
        del client
        gc.collect()


@pytest.mark.parametrize("close", [close_client, methodcaller("aclose")])
async def test_a_call_that_nobody_waits_for_ends_with_its_client(
    cluster: EmbeddedCluster, close: Callable[[Any], Awaitable[None]]
) -> None:
    client, key = commands(cluster.url), Layout(SHARDS).meta(0)
    assert isinstance(client, RedisCluster)
    answer = asyncio.ensure_future(Caller(client).command("HGET", key, "name"))
    await asyncio.sleep(0)  # in which it is asked
    await close(client)
    if close is close_client:
        with pytest.raises(LogUnavailable):
            await answer
        assert not calls_of(client)
    else:  # the control: the call has opened the client again
        await answer
        assert client.get_nodes()
        await close_client(client)


def tells_of(node: Node, other: Node) -> bool:
    """Whether a node tells clients of another."""
    return str(other.port) in str(node.call("CLUSTER", "SLOTS"))


async def ask_without(cluster: EmbeddedCluster, key: str, *slots: int) -> None:
    """Ask a cluster in which no node serves some slots, until it is refused."""
    served = f"cluster_slots_assigned:{SLOTS}\r"
    async with asyncio.timeout(60):
        while True:  # what their owner had said before may come late, and give them back
            for node in reversed(cluster.primaries):  # their owner first
                if served in node.call("CLUSTER", "INFO"):
                    node.call("CLUSTER", "DELSLOTS", *slots)
            await require_store(cluster.url, key)


@pytest.mark.slow
async def test_a_node_that_is_not_as_it_should_be_is_told_by_name(home: Path) -> None:
    key = Layout(SHARDS).meta(0)
    with EmbeddedCluster(home, 3, 1) as cluster:
        await require_store(cluster.url, key)
        replica = cluster.replicas[0]
        replica.call("ACL", "SETUSER", USER, "-zscore")
        for node in cluster.primaries:  # it is told of once it has followed for a while
            await until(partial(tells_of, node, replica))
        told_so = f"the user of the node 127.0.0.1:{replica.port} of .* has no right to zscore"
        with pytest.raises(UnfitStoreError, match=told_so):
            await require_store(cluster.url, key)
        replica.store.kill()
        await require_store(cluster.url, key)  # a replica may be away
        with pytest.raises(UnfitStoreError, match="has 2 slots that no node serves"):
            await ask_without(cluster, key, SLOTS - 1, SLOTS - 2)


@pytest.mark.slow
async def test_a_primary_that_is_gone_is_told_by_its_slots(home: Path) -> None:
    with EmbeddedCluster(home, 3) as cluster:
        gone = cluster.primaries[1]
        gone.store.kill()
        told_so = rf"the node 127\.0\.0\.1:{gone.port} of .*, which has 5461 slots, does not answer"
        with pytest.raises(UnfitStoreError, match=told_so):
            await require_store(cluster.url)


@pytest.mark.slow
async def test_a_cluster_is_found_by_any_node_that_its_url_names(home: Path) -> None:
    """The first of them is down, and stays so."""
    with EmbeddedCluster(home, 3, 1) as cluster:
        first, second = cluster.primaries[:2]
        url = f"{cluster.url},127.0.0.1:{second.port}"
        first.store.kill()
        await until(partial(takes_over, second, cluster.replicas[0]))
        await require_store(url, Layout(SHARDS).meta(0))
        client, listener = commands(url), listening(url)
        log = StreamLog(client, listener, Layout(SHARDS, "", "spread"))
        pointers = log.follow(dict.fromkeys(range(SHARDS), 0))
        await asyncio.gather(*(append(log, shard) for shard in range(SHARDS)))
        assert len(await take(pointers, SHARDS)) == SHARDS
        await pointers.aclose()
        await close_client(client)
        await listener.aclose()
        with pytest.raises(UnfitStoreError, match=f"127.0.0.1:{first.port} does not answer"):
            await require_store(cluster.url)  # the control


def takes_over(asked: Node, replica: Node) -> bool:
    """Whether a node knows by now that a replica is a primary, and that nothing is missing."""
    is_up = "cluster_state:ok" in asked.call("CLUSTER", "INFO")
    slots = asked.call("CLUSTER", "SLOTS")
    return is_up and replica.port in {primary[1] for _, _, primary, *_ in slots}


async def test_a_cluster_of_which_nobody_answers_is_told_by_all_that_its_url_names() -> None:
    one, other = free_ports(2)
    url = f"redis+cluster://eve:planted@127.0.0.1:{one},127.0.0.1:{other}"
    with pytest.raises(UnfitStoreError) as refused:
        await require_store(url)
    for port in (one, other):
        assert f"127.0.0.1:{port} does not answer (" in str(refused.value)
    assert "planted" not in str(refused.value)


async def test_a_node_of_a_cluster_is_no_store_by_itself(home: Path) -> None:
    with EmbeddedCluster(home, 1) as cluster:
        alone = cluster.url.replace("+cluster", "")
        with pytest.raises(UnfitStoreError, match=r"is a node of a cluster: .* redis\+cluster://"):
            await require_store(alone)
        await require_store(cluster.url)


def test_a_cluster_that_is_down_is_told_as_such() -> None:
    error = LogUnavailable("The cluster is down")
    error.__cause__ = ClusterDownError("CLUSTERDOWN The cluster is down")
    said = str(unanswered("redis+cluster://eve:planted@h1", error))
    assert said.startswith(
        "the store at redis+cluster://h1 does not answer: the cluster is down: some of its slots"
    )
    other = unanswered("redis+cluster://h1", LogUnavailable("no more"))
    assert str(other) == "the store at redis+cluster://h1 does not answer: no more"
