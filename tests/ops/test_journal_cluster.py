"""A failover of a cluster that loses acknowledged commands, under a service with a journal."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from events.layout import slot, tag
from events.tasks import end_tasks
from runtime.embedded.cluster import EmbeddedCluster
from runtime.journal.segments import tails
from tests.ops.test_journal import forget_all
from tests.runtime.stage import until
from tests.service.listening import PATIENCE_S
from tests.service.stage import Player, Stage, Still, fresh, ok, settings_for, stage
from workers.host import Host
from workers.shipper import Shipper

pytestmark = [pytest.mark.slow, pytest.mark.system]


class Service:
    """A service on a cluster, with a clock's watch and perhaps a shipper that can be stopped."""

    def __init__(self, on: Stage, ships: asyncio.Task[None] | None) -> None:
        self.on = on
        self.ships = ships

    async def stop_shipping(self) -> None:
        """Let nothing more be shipped, as if the shipper were gone."""
        if self.ships is not None:
            await end_tasks(self.ships)

    async def game_on(self, cluster: EmbeddedCluster, ada: Player) -> str:
        """A game whose shard is the first primary's."""
        while True:
            game = await self.on.game(ada, mode="solo")
            at = slot(tag(int(game[1:3], 16), "banded"))
            if cluster.primary_of(at) is cluster.primaries[0]:
                return game


@asynccontextmanager
async def service(cluster: EmbeddedCluster, home: Path, **more: Any) -> AsyncIterator[Service]:
    folders = {"marks": str(home / "marks"), "journal": str(home / "journal")} | more
    settings = settings_for(cluster.url, rq_url="redis://127.0.0.1:1", **folders)
    host = Host(settings, kind="clock")
    await host.watch.begin()
    tasks = [asyncio.create_task(host.watch.run())]
    shipper = Shipper(settings) if settings.journal else None
    ships = None if shipper is None else asyncio.create_task(shipper.run())
    try:
        async with stage(cluster.url, Still(), **folders) as on:
            yield Service(on, ships)
    finally:
        await end_tasks(*tasks, *([] if ships is None else [ships]))
        if shipper is not None:
            await shipper.close()
        await host.close()


async def play(on: Service, cluster: EmbeddedCluster) -> tuple[Player, str, dict[str, Any], str]:
    """Play what no replica hears of; a director, a game, the last receipt, and its key."""
    ada = await on.on.player("Ada")
    director = await on.on.with_scopes(ada, "organise")
    game = await on.game_on(cluster, ada)
    (replica,) = cluster.replicas
    reached = cluster.primaries[0].call("INFO", "replication")
    assert "state=online" in reached
    await until(lambda: is_level(cluster))
    os.kill(replica.store.pid, signal.SIGSTOP)
    cluster.primaries[0].call("CLIENT", "KILL", "TYPE", "replica")
    path = f"/v1/games/{game}"
    for _ in range(3):
        ok(await director.post(f"{path}/pause", {}))
        ok(await director.post(f"{path}/resume"))
    key = fresh()
    return director, game, ok(await director.post(f"{path}/pause", {}, key=key)), key


def is_level(cluster: EmbeddedCluster) -> bool:
    """Whether the replica has all that its primary has."""
    said = str(cluster.primaries[0].call("INFO", "replication"))
    pairs = dict(line.partition(":")[::2] for line in said.splitlines())
    slave = dict(part.partition("=")[::2] for part in pairs["slave0"].split(","))
    return slave["offset"] == pairs["master_repl_offset"]


def fail_over(cluster: EmbeddedCluster) -> None:
    """The primary dies, and its replica goes on with what it has."""
    cluster.primaries[0].store.kill()
    os.kill(cluster.replicas[0].store.pid, signal.SIGCONT)


async def version_of(game: str, on: Stage) -> int:
    """How far a game has come as it is shown now; 0 while its node does not answer."""
    answer = await on.stranger.get(f"/v1/games/{game}")
    return 0 if answer.is_server_error else int(ok(answer)["version"])


@pytest.mark.parametrize("who", ["the shipper", "the service"])
async def test_a_failover_that_lost_a_tail_is_healed_to_the_acknowledged_head(
    home: Path, who: str
) -> None:
    lines = ("repl-diskless-sync-delay 0", "appendfsync no")
    with EmbeddedCluster(home / "c", 3, 1, *lines, node_timeout_ms=500) as cluster:
        async with service(cluster, home) as here:
            if who == "the service":
                await here.stop_shipping()
            director, game, receipt, key = await play(here, cluster)
            known = receipt["version"]
            head = ok(await director.get(f"/v1/games/{game}/head"))["head"]
            shard = int(game[1:3], 16)
            log = here.on.service.app_context.tables.log
            if who == "the shipper":
                await until(lambda: known in shipped(home, shard, game))
                forget_all(log)
            fail_over(cluster)
            async with asyncio.timeout(PATIENCE_S):
                while await version_of(game, here.on) < known:  # noqa: ASYNC110 (nobody is told)
                    await asyncio.sleep(0.02)
                while not here.on.service.app_context.watch.may_write:  # noqa: ASYNC110 (as above)
                    await asyncio.sleep(0.02)
            assert ok(await director.get(f"/v1/games/{game}/head"))["head"] == head
            assert ok(await director.post(f"/v1/games/{game}/pause", {}, key=key)) == receipt
            ok(await director.post(f"/v1/games/{game}/resume"))


def shipped(home: Path, shard: int, game: str) -> set[int]:
    """The versions of a game to which batches in the journal lead."""
    found = tails(home / "journal", {shard: 0})[shard]
    return {each.version for each in found if each.stream == game}


async def test_without_a_journal_the_failover_has_lost_it(home: Path) -> None:
    """The control of the test above."""
    lines = ("repl-diskless-sync-delay 0", "appendfsync no")
    with EmbeddedCluster(home / "c", 3, 1, *lines, node_timeout_ms=500) as cluster:
        async with service(cluster, home, journal="") as here:
            _, game, receipt, _ = await play(here, cluster)
            fail_over(cluster)
            version = 0
            async with asyncio.timeout(PATIENCE_S):
                while not version:
                    version = await version_of(game, here.on)
                while here.on.service.app_context.watch.may_write:  # noqa: ASYNC110 (nobody is told)
                    await asyncio.sleep(0.02)
            assert version < receipt["version"]
