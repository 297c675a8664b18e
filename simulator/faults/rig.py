"""A whole service, each part a process of its own that can be killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import secrets
import signal
import subprocess
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import httpx
import redis

from runtime.embedded.children import Child
from runtime.embedded.ports import free_ports
from runtime.embedded.store import Store
from runtime.settings import Secret, Settings, environment
from runtime.store_watch import found_store

PARTS: Final = {
    "API": ["-m", "service"],
    "clock": ["-m", "workers", "clock"],
    "worker 1": ["-m", "workers", "work"],
    "worker 2": ["-m", "workers", "work"],
}
DISK_BYTES: Final = 96 << 20
"""The size of the disk of its own that the store gets where one may mount."""

UNFIT_STORE: Final = 3
"""The exit code of a part that starts and cannot use the store."""

_CHUNK: Final = 1 << 16
_STARTS_S: Final = 300.0
"""Within so many seconds the API listens, also on a machine that does ten other things."""

_ANSWERS_S: Final = 10.0
"""The longest that somebody waits for an answer."""

_PLENTY: Final = 10**9


class Disk:
    """A small disk in memory, where one may mount; else the folder as it is.

    Args:
        folder: where it is mounted.
        mounts: False: do not even try.
    """

    def __init__(self, folder: Path, *, mounts: bool = True) -> None:
        self.folder = folder
        self._padding = folder / "padding"
        folder.mkdir()
        words = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=0700", "tmpfs"]
        self.is_mounted = mounts and not _quietly([*words, str(folder)])

    def fill(self, left: int) -> None:
        """Leave so many bytes free."""
        with self._padding.open("wb", buffering=0) as padding:
            with contextlib.suppress(OSError):  # that there is no more room is the aim
                while padding.write(bytes(_CHUNK)) == _CHUNK:
                    pass
            padding.truncate(max(0, padding.tell() - left))

    def empty(self) -> None:
        """Give the room back."""
        self._padding.unlink(missing_ok=True)

    def close(self) -> None:
        """Take it away."""
        if self.is_mounted:
            _quietly(["umount", "--lazy", str(self.folder)])


def _quietly(words: list[str]) -> int:
    """Run a program; its exit code, 127 where there is none."""
    try:
        return subprocess.run(words, capture_output=True, check=False).returncode
    except OSError:
        return 127


class BreakableService:
    """A store and all parts of the service on it. Must be used from the main thread.

    Args:
        home: a folder of its own with a short path; what the parts log goes there.
        mounts: whether the store may get a disk of its own.

    Attributes:
        http: asks the API.
    """

    def __init__(self, home: Path, *, mounts: bool = True) -> None:
        self.home = home
        self.disk = Disk(home / "disk", mounts=mounts)
        self.store = Store(self.disk.folder / "store")
        self.settings = _settings(self.store.url, home)
        self.url = f"http://127.0.0.1:{self.settings.port}"
        # A part that was killed leaves dead connections behind: none is kept for a second request.
        alone = httpx.Limits(max_keepalive_connections=0)
        self.http = httpx.Client(base_url=self.url, timeout=_ANSWERS_S, limits=alone)
        self._children: dict[str, Child] = {}
        self._log: IO[bytes] = (home / "parts.log").open("ab")

    def __enter__(self) -> Self:
        try:
            self.store.start()
            asyncio.run(found_store(self.settings))
            for name in PARTS:
                self.start(name)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End everything."""
        if self.store.alive:
            self.go_on("store")
        for name, child in reversed(self._children.items()):
            if child.exit_code() is None:
                self.go_on(name)
            child.stop()
        self._children.clear()
        self.http.close()
        self.store.stop()
        self.disk.close()
        self._log.close()

    def start(self, name: str) -> None:
        """Start a part again. The store answers when this returns, the API listens."""
        if name == "store":
            self.store.start()
            return
        environ = {**os.environ, **environment(self.settings)}
        child = Child(name, PARTS[name], environ, speaks=name == "API", log=self._log)
        self._children[name] = child
        if name == "API":
            child.first_line(_STARTS_S)

    def kill(self, name: str) -> None:
        """SIGKILL a part, and see it dead."""
        if name == "store":
            self.store.kill()
            return
        child = self._children.pop(name)
        os.kill(child.pid, signal.SIGKILL)
        child.stop()

    def hang(self, name: str) -> None:
        """Stop a part where it stands."""
        os.kill(self._pid(name), signal.SIGSTOP)

    def go_on(self, name: str) -> None:
        """Let a part go on."""
        os.kill(self._pid(name), signal.SIGCONT)

    def ended(self) -> list[str]:
        """The parts that have ended by themselves, and not for want of a store at their start."""
        found = [(name, child.exit_code()) for name, child in self._children.items()]
        return [name for name, code in found if code not in {None, UNFIT_STORE}]

    def found_no_store(self) -> list[str]:
        """The parts that could not use the store when they started, and ended with a sentence."""
        return [name for name, child in self._children.items() if child.exit_code() == UNFIT_STORE]

    def has_ended(self, name: str) -> bool:
        """Whether a part has ended, however."""
        return self._children[name].exit_code() is not None

    def bury(self, name: str) -> None:
        """Expect nothing more of a part that has ended."""
        self._children.pop(name).stop()

    def revive(self) -> None:
        """Start again what found no store, as the supervisor does."""
        for name in self.found_no_store():
            self._children.pop(name).stop()
            self.start(name)

    def client(self) -> redis.Redis:
        """A client of the store."""
        return redis.Redis.from_url(self.store.admin_url)

    def newest_file(self) -> Path:
        """The append-only file that the store writes to."""
        files = (self.store.home / "appendonlydir").glob("*.incr.aof")
        return max(files, key=lambda path: int(path.name.split(".")[-3]))

    def logs(self) -> str:
        """What the parts have logged, at its end."""
        return (self.home / "parts.log").read_text(encoding="utf-8")[-4000:]

    def _pid(self, name: str) -> int:
        return self.store.pid if name == "store" else self._children[name].pid


def _settings(store_url: str, var: Path) -> Settings:
    """A service that does not mind being hurried."""
    return Settings(
        store_url=store_url,
        rq_url=store_url,
        keys={"faults": Secret(secrets.token_bytes(32))},
        current_key="faults",
        naming_key="faults",
        admin_token_hash=Secret(hashlib.sha256(secrets.token_bytes(32)).digest()),
        port=free_ports(1)[0],  # the same for each start of the API
        var=var,
        wait_limit_s=1,
        commands_per_minute=_PLENTY,
        reads_per_minute=_PLENTY,
        registrations_per_minute=_PLENTY,
        registrations_per_day=10**6,
        tables_per_account=10**6,
        bot_games_per_account=10**6,
        log_level="warning",
    )
