"""Fault 9, by a network: a primary is cut off with its clients, its replica is promoted."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import redis

from events.durability import Durability
from runtime.embedded.ports import free_ports
from runtime.embedded.store import Store
from simulator.history import LOST, MOVED, History
from tests.conftest import Sometimes
from tests.events.pair import ask
from tests.faults.load import checks, judged
from tests.faults.namespaces import Host, two_hosts
from tests.faults.stale_writer import LIES, Told
from tests.runtime.stage import until

ROOT = Path(__file__).parents[2]
LINES = (
    "protected-mode no",
    "min-replicas-to-write 1",
    "min-replicas-max-lag 60",
    "repl-diskless-sync-delay 0",
)
BEGUN = 10


class Side:
    """A host with a store, and players on it who know this store alone."""

    def __init__(self, host: Host, home: Path, *lines: str) -> None:
        (port,) = free_ports(1)
        self.host = host
        self.url = f"redis://{host.address}:{port}"
        self.place = f"{host.address} {port}"
        self.store = Store(home, f"bind {host.address}", *LINES, *lines, port=port)
        self._players: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.host.inside():
            self.store.start()

    def play(self, name: str, level: Durability, *guard: str) -> None:
        """Let players begin, on this host."""
        words = ["-m", "tests.faults.stale_writer", self.url, name, level, *guard]
        with self.host.inside():
            self._players = subprocess.Popen(
                [sys.executable, *words], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        assert self._players.stdout is not None
        assert self._players.stdout.readline() == b"begun\n"

    def told(self) -> History:
        """Let players end; what they were told."""
        assert self._players is not None
        out, _ = self._players.communicate(b"stop\n")
        return msgspec.json.decode(out, type=Told).history

    def appended(self) -> int:
        """How many batches the store has."""
        feeds = ask(self.store, "KEYS", "*:log")
        return sum(ask(self.store, "XLEN", each) for each in feeds)

    def stop(self) -> None:
        if self._players is not None and self._players.poll() is None:
            self._players.kill()
            self._players.wait()
        self.store.stop()


@contextmanager
def sides(home: Path) -> Iterator[tuple[Side, Side]]:
    """A primary on one host, its replica on another."""
    with two_hosts() as (one, two):
        primary = Side(one, home / "primary")
        replica = Side(two, home / "replica", f"replicaof {primary.place}")
        try:
            for side in (primary, replica):
                side.start()
            yield primary, replica
        finally:
            for side in (replica, primary):
                side.stop()


async def split(home: Path, *guard: str) -> tuple[set[str], int, History]:
    """Cut the primary off with its players, promote the replica with others; heal.

    What is amiss of what was replicated, how much is gone that was local, and all that was told.
    """
    with sides(home) as (minority, majority):
        await until(lambda: "state=online" in _replication(minority.store))
        minority.play("cut off", "replicated", *guard)
        minority.host.cut()
        more = minority.appended() + BEGUN
        await until(lambda: minority.appended() > more)
        ask(majority.store, "REPLICAOF", "NO", "ONE")
        ask(majority.store, "CONFIG", "SET", "min-replicas-to-write", 0)
        majority.play("majority", "local")
        here, there = minority.told(), majority.told()
        minority.host.mend()
        ask(minority.store, "REPLICAOF", *majority.place.split())
        await until(lambda: "master_link_status:up" in _replication(minority.store))
        history = History([*here.attempts, *there.attempts], [*here.reads, *there.reads])
        url = majority.store.url
        found = checks(await judged(url, history, {"replicated"}))
        assert found == checks(await judged(minority.store.url, history, {"replicated"}))
        gone = [v for v in await judged(url, history) if v.check in {LOST, MOVED}]
        return found, len(gone), history


def _replication(store: Store) -> str:
    with redis.Redis.from_url(store.admin_url) as client:
        client.response_callbacks.clear()
        return str(client.execute_command("INFO", "replication"))


async def test_a_network_that_is_cut_takes_nothing_replicated_along(
    home: Path, sometimes: Sometimes
) -> None:
    found, gone, history = await split(home)
    assert found == set()
    sometimes("acknowledged as local and gone", gone)
    replicated = sum(attempt.level == "replicated" for attempt in history.attempts)
    sometimes("acknowledged as replicated", replicated)


async def test_who_does_not_wait_loses_with_the_network(home: Path) -> None:
    """The control."""
    found, _, _ = await split(home, LIES)
    assert "lost" in found
