"""A whole service on a cluster of three primaries and three replicas, with a journal."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Final

import redis

from ops.cluster import REPLICATED
from runtime.embedded.cluster import EmbeddedCluster, Node
from runtime.embedded.store import Store
from runtime.store_watch import found_store
from simulator.faults.checks import wait_for
from simulator.faults.parts import DYING, ONE_WORKER, ForkedPart, ServiceParts, hurried_settings

NODES: Final = 3
"""How many primaries there are, and how many replicas."""

SHARDS: Final = 16
_TIMEOUT_MS: Final = 500


class BreakableCluster(ServiceParts):
    """All parts of a service that promises ``replicated``, on a cluster, each able to die.

    Args:
        home: a folder of its own with a short path.
    """

    def __init__(self, home: Path) -> None:
        self.cluster = EmbeddedCluster(
            home / "c", NODES, NODES, *REPLICATED, node_timeout_ms=_TIMEOUT_MS
        )
        self._queue = Store(home / "queue")
        settings = hurried_settings(
            self.cluster.url,
            self._queue.url,
            home,
            shards=SHARDS,
            shard_tags="spread",
            durability="replicated",
            journal="journal",
        )
        programs = {**ONE_WORKER, "shipper": ["-m", DYING, "ship"]}
        super().__init__(home, settings, programs, ForkedPart)

    def begin(self) -> None:
        """Start all nodes and the queue's store, and name the store."""
        self.cluster.start()
        self._queue.start()
        asyncio.run(found_store(self.settings))

    def end(self) -> None:
        """End all nodes."""
        self._queue.stop()
        self.cluster.stop()

    @property
    def store_runs(self) -> bool:
        """Whether all nodes are there."""
        return all(node.store.alive for node in self.cluster.nodes)

    def of_role(self, role: str) -> list[Node]:
        """The living nodes that are ``master`` or ``slave`` now, by their own account."""
        return [node for node in self.cluster.nodes if self._role(node) == role]

    @staticmethod
    def _role(node: Node) -> str:
        with contextlib.suppress(redis.RedisError):
            return str(node.call("ROLE")[0])
        return ""

    def kill_node(self, node: Node) -> None:
        """SIGKILL a node; if it was a primary, wait until another one is in its place."""
        was = self._role(node)
        node.store.kill()
        if was == "master":
            wait_for("another node is in its place", lambda: len(self.of_role("master")) == NODES)

    def bring_back(self, node: Node) -> None:
        """Start a node that was killed, and wait until the cluster is whole.

        Raises:
            StoreError: it does not come up.
        """
        node.store.start()
        self.cluster.settle()
