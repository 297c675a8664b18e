"""A whole service, each part a process of its own that can be killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import redis

from runtime.embedded.children import Child
from runtime.embedded.store import Store
from runtime.store_watch import found_store
from simulator.faults.parts import ServiceParts, hurried_settings

PARTS: Final = {
    "API": ["-m", "service"],
    "clock": ["-m", "workers", "clock"],
    "worker 1": ["-m", "workers", "work"],
    "worker 2": ["-m", "workers", "work"],
}
STORE: Final = "store"
"""What the store is called among the parts."""

DISK_BYTES: Final = 96 << 20
"""The size of the disk of its own that the store gets where one may mount."""

_CHUNK: Final = 1 << 16


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


class BreakableService(ServiceParts):
    """All parts of a service, on one store. Must be used from the main thread.

    Args:
        home: a folder of its own with a short path; what the parts log goes there.
        mounts: whether the store may get a disk of its own.
        programs: what each part runs, by its name; by default ``PARTS``.
        child: starts a process.
    """

    def __init__(
        self,
        home: Path,
        *,
        mounts: bool = True,
        programs: Mapping[str, list[str]] | None = None,
        child: type[Child] = Child,
    ) -> None:
        self.disk = Disk(home / "disk", mounts=mounts)
        self.store = Store(self.disk.folder / "store")
        settings = hurried_settings(self.store.url, self.store.url, home)
        super().__init__(home, settings, PARTS if programs is None else programs, child)

    def begin(self) -> None:
        """Start the store, and name it."""
        self.store.start()
        asyncio.run(found_store(self.settings))

    def end(self) -> None:
        """End the store and take its disk away."""
        if self.store.alive:
            self.go_on(STORE)
        self.store.stop()
        self.disk.close()

    @property
    def store_runs(self) -> bool:
        """Whether the store is there."""
        return self.store.alive

    def start(self, name: str) -> None:
        """Start a part again. The store answers when this returns, the API listens."""
        if name == STORE:
            self.store.start()
        else:
            super().start(name)

    def kill(self, name: str) -> None:
        """SIGKILL a part, and see it dead."""
        if name == STORE:
            self.store.kill()
        else:
            super().kill(name)

    def pid(self, name: str) -> int:
        """The process of a part."""
        return self.store.pid if name == STORE else super().pid(name)

    def client(self) -> redis.Redis:
        """A client of the store."""
        return redis.Redis.from_url(self.store.admin_url)

    def newest_file(self) -> Path:
        """The append-only file that the store writes to."""
        files = (self.store.home / "appendonlydir").glob("*.incr.aof")
        return max(files, key=lambda path: int(path.name.split(".")[-3]))
