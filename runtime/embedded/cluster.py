"""Starts a cluster of embedded stores on this machine, for trying out and for tests. Linux only.

Each primary has an equal range of the slots. Nodes speak TCP on 127.0.0.1, without a password: it
is no way to keep anything.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import redis

from events import rights
from events.clients import CLUSTER
from events.layout import SLOTS
from runtime.embedded.ports import held_ports
from runtime.embedded.store import Store, StoreError

_TIMEOUT_S: Final = 30.0
_POLL_S: Final = 0.05


class Node:
    """One store of a cluster, whose ports are its own for as long as it exists.

    Nobody finds them while it is away, and no two nodes have the same.

    Args:
        home: the directory of its data.
        extra: further configuration lines.
    """

    def __init__(self, home: Path, *extra: str) -> None:
        self.port, bus = held_ports(self, 2)
        lines = ("cluster-enabled yes", f"cluster-port {bus}", *extra)
        self.store = Store(home, *lines, port=self.port)

    def call(self, *words: str | int) -> Any:  # noqa: ANN401 (whatever the node says)
        """The raw answer to one command.

        Raises:
            redis.RedisError: the node does not answer, or refuses.
        """
        with redis.Redis.from_url(
            self.store.admin_url, protocol=2, decode_responses=True
        ) as client:
            client.response_callbacks.clear()
            return client.execute_command(*words)

    @property
    def id(self) -> str:
        """What the cluster calls it."""
        return str(self.call("CLUSTER", "MYID"))


class EmbeddedCluster:
    """Primaries with equal ranges of slots, and replicas of them in turn.

    Args:
        home: the directory of all nodes.
        primaries: how many there are.
        replicas: how many nodes replicate them: the first one the first primary, and so on.
        node_timeout_ms: after so long a silent node counts as failed.
        extra: further configuration lines of each node.
    """

    def __init__(
        self,
        home: Path,
        primaries: int = 3,
        replicas: int = 0,
        *extra: str,
        node_timeout_ms: int = 1500,
    ) -> None:
        lines = (f"cluster-node-timeout {node_timeout_ms}", *extra)
        self.nodes = [Node(home / f"node{n}", *lines) for n in range(primaries + replicas)]
        self.primaries, self.replicas = self.nodes[:primaries], self.nodes[primaries:]

    @property
    def url(self) -> str:
        """The URL of the cluster, by its first node."""
        return f"{CLUSTER}{rights.USER}@127.0.0.1:{self.nodes[0].port}"

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start all nodes and make one cluster of them. Like a store's, from the main thread.

        Raises:
            StoreError: a node does not start, or they do not come together in time.
        """
        for node in self.nodes:
            node.store.start()
        if int(_info(self.nodes[0])["cluster_known_nodes"]) == 1:
            self._form()
        self.settle()

    def settle(self) -> None:
        """Wait until each node sees a whole cluster, whose replicas have all that was written.

        Raises:
            StoreError: that does not come in time.
        """
        _wait("the cluster is up", lambda: all(map(_is_up, self.nodes)))

    def stop(self) -> None:
        """Stop all nodes, the replicas first."""
        for node in reversed(self.nodes):
            node.store.stop()

    def primary_of(self, slot: int) -> Node:
        """The node that has a slot now, as the first living node sees it."""
        seen = next(node for node in self.nodes if node.store.alive)
        for first, last, primary, *_ in seen.call("CLUSTER", "SLOTS"):
            if first <= slot <= last:
                return next(node for node in self.nodes if node.port == primary[1])
        raise StoreError(f"nobody has slot {slot}")

    def _form(self) -> None:
        edges = [SLOTS * n // len(self.primaries) for n in range(len(self.primaries) + 1)]
        for number, node in enumerate(self.primaries):
            node.call("CLUSTER", "ADDSLOTSRANGE", edges[number], edges[number + 1] - 1)
        for number, node in enumerate(self.nodes, 1):
            node.call("CLUSTER", "SET-CONFIG-EPOCH", number)
        for node in self.nodes[1:]:
            port, bus = node.port, node.call("CONFIG", "GET", "cluster-port")[1]
            self.nodes[0].call("CLUSTER", "MEET", "127.0.0.1", port, bus)
        _wait("all nodes know each other", lambda: _know_each_other(self.nodes))
        for number, node in enumerate(self.replicas):
            node.call("CLUSTER", "REPLICATE", self.primaries[number % len(self.primaries)].id)


def _know_each_other(nodes: Sequence[Node]) -> bool:
    return all(int(_info(node)["cluster_known_nodes"]) == len(nodes) for node in nodes) and all(
        "handshake" not in node.call("CLUSTER", "NODES") for node in nodes
    )


def _info(node: Node) -> dict[str, str]:
    pairs = (line.partition(":") for line in node.call("CLUSTER", "INFO").splitlines())
    return {name: value for name, _, value in pairs}


def _is_up(node: Node) -> bool:
    """Whether a node sees a whole cluster, a primary as many replicas as it wants to have.

    And a replica its primary; it confirms nothing before it has written all of that anew.
    """
    if _info(node)["cluster_state"] != "ok":
        return False
    role = node.call("ROLE")
    if role[0] == "master":
        return "min_slaves_good_slaves:0" not in node.call("INFO", "replication")
    said = node.call("INFO", "persistence")
    writes = "aof_rewrite_in_progress:0" not in said or "aof_rewrite_scheduled:0" not in said
    return bool(role[3] == "connected" and not writes)


def _wait(what: str, condition: Callable[[], bool]) -> None:
    end = time.monotonic() + _TIMEOUT_S
    while time.monotonic() < end:
        with contextlib.suppress(redis.RedisError):
            if condition():
                return
        time.sleep(_POLL_S)
    raise StoreError(f"not in time: {what}")
