"""``python -m ops.cluster``: the service as on many machines, all on this one, to try it.

A cluster of three primaries and three replicas, a small store for the queue, two clocks, two
workers, a shipper with its journal, two API processes, and HAProxy before these where it is
installed. A game is played through all that as in the demo, its record is verified, the store is
audited, and everything is stopped. Nothing is kept. The exit code is 0 if all of it went well.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from ipaddress import ip_network
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import httpx

from events.clients import commanding
from events.known import Mark
from events.restoring import Restoring
from games.registry import GAMES
from ops.demo import Judge, demonstrate, print_end, unjudged
from ops.haproxy import Proxy
from runtime.embedded.children import Child, ChildError
from runtime.embedded.cluster import EmbeddedCluster
from runtime.embedded.secret_file import KEY_ID, kept_secrets
from runtime.embedded.store import Store, StoreError
from runtime.journal.segments import marked
from runtime.settings import PREFIX, SHARD_TAGS, SHARDS, Settings, environment
from runtime.store_watch import found_store

PRIMARIES: Final = 3
EACH: Final = 2
"""How many there are of each other part, the proxy apart."""

REPLICATED: Final = (
    "min-replicas-to-write 1",
    "min-replicas-max-lag 2",
    "repl-diskless-sync-delay 0",
)
"""What the nodes are told so that commands can be promised to be on two of them."""

AUDIT_S: Final = 60
_READY_S: Final = 30.0
_POLL_S: Final = 0.1
_FOLDERS: Final = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"


class ClusterError(RuntimeError):
    """Something did not go as it should. The message is a sentence."""


def haproxy() -> str | None:
    """Where HAProxy is; None: it is not installed."""
    return shutil.which("haproxy") or shutil.which("haproxy", path=_FOLDERS)


class LocalCluster:
    """All parts, started in the order of what they need.

    Args:
        home: the folder of everything.
        log: receives what the parts log.
        environ: what the parts inherit.
        proxy: the program of HAProxy; None: without one.

    Attributes:
        settings: those of all parts.
        url: where the service is: the proxy's, or without one that of the first API process.
    """

    def __init__(
        self, home: Path, log: IO[bytes], environ: Mapping[str, str], proxy: str | None
    ) -> None:
        self.url = ""
        self._home = home
        self._log = log
        self._proxy = proxy
        self._store = EmbeddedCluster(home / "cluster", PRIMARIES, PRIMARIES, *REPLICATED)
        self._queue = Store(home / "queue")
        self._parts: list[Child] = []
        kept = kept_secrets(home / "secrets.json")
        self.settings = Settings(
            store_url=self._store.url,
            rq_url=self._queue.url,
            keys={KEY_ID: kept.master_key()},
            current_key=KEY_ID,
            naming_key=KEY_ID,
            signing_key=kept.signing_key(),
            shards=SHARDS,
            shard_tags=SHARD_TAGS,
            durability="replicated",
            port=0,
            var=home / "var",
            journal="journal",
            trusted_proxies=(ip_network("127.0.0.1"),),
        )
        inherited = {name: text for name, text in environ.items() if not name.startswith(PREFIX)}
        self.environ = {**inherited, **environment(self.settings)}

    def __enter__(self) -> Self:
        try:
            self._start()
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
        unclean = self.stop()
        if unclean and error is None:
            raise ClusterError(f"not ended cleanly: {', '.join(unclean)}")

    def ends(self) -> dict[int, Mark]:
        """Where the feed of each shard ends."""
        return asyncio.run(_ends(self.settings))

    def stop(self) -> list[str]:
        """Stop everything, what was started last first; returns the parts that failed to."""
        codes = [(part.name, part.stop()) for part in reversed(self._parts)]
        self._parts.clear()
        self._queue.stop()
        self._store.stop()
        return [f"{name} with {code}" for name, code in codes if code not in {0, -signal.SIGTERM}]

    def _start(self) -> None:
        self._store.start()
        self._queue.start()
        asyncio.run(found_store(self.settings))
        for number in range(1, EACH + 1):
            self._add(f"clock {number}", ["-m", "workers", "clock"])
        for number in range(1, EACH + 1):
            self._add(f"worker {number}", ["-m", "workers", "work"])
        self._add("shipper", ["-m", "workers", "ship"])
        apis = [
            self._add(f"API {number}", ["-m", "service"], speaks=True)
            for number in range(1, EACH + 1)
        ]
        urls = [api.first_line().removeprefix("listening on ") for api in apis]
        for url in urls:
            _wait_for(f"{url}/health/writable")
        self.url = urls[0]
        if self._proxy is not None:
            self.url = self._start_proxy(self._proxy, urls)
            _wait_for(f"{self.url}/v1/rulebooks")

    def _start_proxy(self, program: str, urls: Sequence[str]) -> str:
        servers = [url.partition("//")[2] for url in urls]
        proxy = Proxy(program, self._home, servers, self.environ, self._log)
        self._parts.append(proxy)
        return f"http://{proxy.address}"

    def _add(self, name: str, arguments: list[str], *, speaks: bool = False) -> Child:
        part = Child(name, arguments, self.environ, speaks=speaks, log=self._log)
        self._parts.append(part)
        return part


async def _ends(settings: Settings) -> dict[int, Mark]:
    async with commanding(settings.store_url) as client:
        restoring = Restoring(client, settings.layout())
        found = await asyncio.gather(*map(restoring.feed_end, range(settings.shards)))
        return {shard: end for shard, (end, _) in enumerate(found)}


def _wait_for(url: str) -> None:
    """Wait until an address answers 200."""
    end, said = time.monotonic() + _READY_S, "nothing"
    while time.monotonic() < end:
        try:
            answer = httpx.get(url)
            if answer.status_code == httpx.codes.OK:
                return
            said = f"{answer.status_code} {answer.text}"
        except httpx.HTTPError as error:
            said = repr(error)
        time.sleep(_POLL_S)
    raise ClusterError(f"{url} is not ready: {said}")


def _try_it(cluster: LocalCluster, record: Path, judge: Judge) -> None:
    """Play a game, verify its record, and audit the store."""
    failed = demonstrate(f"{cluster.url}/v1", next(iter(GAMES.values())), record)
    failed = failed or judge(record, cluster.settings.key_ring())
    if failed:
        raise ClusterError(failed)
    done = subprocess.run(
        [sys.executable, "-m", "replay", "verify-store"],
        env=cluster.environ,
        timeout=AUDIT_S,
        check=False,
    )
    if done.returncode:
        raise ClusterError("the store does not verify")
    print(f"shipped   {_wait_until_shipped(cluster)} batches are in the journal", flush=True)


def _wait_until_shipped(cluster: LocalCluster) -> int:
    """Wait until the journal has all that the store has; how many batches that are."""
    folder = cluster.settings.journal_folder
    assert folder is not None, "it has been set"
    end = time.monotonic() + _READY_S
    while time.monotonic() < end:
        shards = marked(folder).shards
        if all(mark == shards.get(shard, Mark(0)) for shard, mark in cluster.ends().items()):
            return sum(mark.seq for mark in shards.values())
        time.sleep(_POLL_S)
    raise ClusterError("the journal lacks what the store has")


def main(judge: Judge = unjudged) -> int:
    """Start everything, play, stop; the exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what follows is cleaned up
    with (
        tempfile.TemporaryDirectory(prefix="plr-") as folder,
        (Path(folder) / "log").open("w+b") as log,
    ):
        failed = _run(Path(folder), log, judge)
        if failed:
            print_end(log)
    print(f"cluster: {failed}" if failed else "stopped   cleanly", flush=True)
    return 1 if failed else 0


def _run(home: Path, log: IO[bytes], judge: Judge) -> str:
    """Start everything, play, stop; returns what went wrong, or ""."""
    proxy = haproxy()
    where = "without a proxy: HAProxy is not installed" if proxy is None else proxy
    try:
        with LocalCluster(home, log, os.environ, proxy) as cluster:
            print(f"service   {cluster.url} ({where})", flush=True)
            _try_it(cluster, home / "record.jsonl", judge)
    except (
        KeyboardInterrupt,
        ChildError,
        ClusterError,
        OSError,
        StoreError,
        subprocess.TimeoutExpired,
    ) as error:
        return str(error) or "interrupted"
    return ""


if __name__ == "__main__":
    sys.exit(main())
