"""A primary and its replica, for tests of what is promised to be on both."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import redis

from events.clients import Client, close_client, commands, listening
from events.layout import Layout
from events.log import StreamLog
from events.replication import Replication
from runtime.embedded.ports import held_ports
from runtime.embedded.store import Store
from tests.runtime.stage import until

SHARDS = 4


class Pair:
    """Two stores on ports of their own, both durable unless ``extra`` says otherwise.

    Args:
        home: the folder of both.
        extra: further configuration lines of both.
    """

    def __init__(self, home: Path, *extra: str) -> None:
        lines = ("min-replicas-to-write 1", "min-replicas-max-lag 60", *extra)
        lines = (*lines, "repl-diskless-sync-delay 0", "repl-diskless-sync yes")
        self.port, self.replica_port = held_ports(self, 2)
        self.primary = Store(home / "primary", *lines, port=self.port)
        follows = f"replicaof 127.0.0.1 {self.port}"
        self.replica = Store(home / "replica", follows, *lines, port=self.replica_port)

    @property
    def url(self) -> str:
        """The primary over TCP, as it is known to its replica."""
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start both, and wait until they are one."""
        self.primary.start()
        self.replica.start()
        self._note_replica()

    async def joined(self) -> None:
        """Wait until the replica has all on its disk: when it first follows, it writes it anew."""

        def confirms() -> bool:
            with redis.Redis.from_url(
                self.primary.admin_url, single_connection_client=True
            ) as client:
                try:
                    client.set("joined", 1)
                except redis.ResponseError:  # NOREPLICAS
                    return False
                return bool(client.execute_command("WAITAOF", 1, 1, 50) == [1, 1])

        await until(confirms)

    def stop(self) -> None:
        """Stop both."""
        self.let_go()
        self.replica.stop()
        self.primary.stop()

    def hold(self) -> None:
        """Stop the replica where it is."""
        self._signal(signal.SIGSTOP)

    def let_go(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def promote(self) -> str:
        """Kill both, and let the replica take over with what is on its disk; its URL."""
        self.replica.kill()
        self.primary.kill()
        self.replica.start()
        self._note_replica()
        ask(self.replica, "REPLICAOF", "NO", "ONE")
        ask(self.replica, "CONFIG", "SET", "min-replicas-to-write", 0)
        return f"redis://127.0.0.1:{self.replica_port}"

    def _note_replica(self) -> None:
        self._replica_pid: int = ask(self.replica, "INFO", "server")["process_id"]

    def _signal(self, number: int) -> None:
        if self.replica.alive:
            os.kill(self._replica_pid, number)


def ask(store: Store, *words: str | int) -> Any:
    """One answer of a store."""
    with redis.Redis.from_url(store.admin_url) as client:
        return client.execute_command(*words)


@contextmanager
def pair_in(home: Path, *extra: str) -> Iterator[Pair]:
    """Two stores that run."""
    made = Pair(home, *extra)
    try:
        made.start()
        yield made
    finally:
        made.stop()


@asynccontextmanager
async def log_at(url: str, *, replicated: bool = True) -> AsyncIterator[StreamLog]:
    """A log that promises replication, or only shows what there is."""
    client, listener = commands(url), listening(url)
    layout = Layout(SHARDS)
    log = StreamLog(
        client,
        listener,
        layout,
        replication=Replication(client, layout) if replicated else None,
    )
    yield log
    await log.close()
    await close_client(client)
    await listener.aclose()


@asynccontextmanager
async def client_of(url: str) -> AsyncIterator[Client]:
    """A client for short calls."""
    made = commands(url)
    yield made
    await close_client(made)


def cut_off(pair: Pair) -> None:
    """Stop the replica and its connection, so that nothing more reaches it."""
    pair.hold()
    ask(pair.primary, "CONFIG", "SET", "min-replicas-to-write", 0)
    ask(pair.primary, "CLIENT", "KILL", "TYPE", "replica")
