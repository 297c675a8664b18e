"""A service whose time a test moves on, so that time limits run out and nobody waits for them.

``python -m tests.replay.ahead FILE MODULE …`` is ``python -m MODULE …`` in a process whose clock is
ahead of the system's by the nanoseconds in ``FILE``, which all processes of a service have in
common. Everything else is as it is: deadlines are set, found due and carried out by the programs.
"""

from __future__ import annotations

import mmap
import runpy
import struct
import sys
import time
from pathlib import Path
from typing import Final

import redis

from runtime.settings import Settings
from tests.unlimited import unlimited

_AHEAD: Final = struct.Struct("=q")
_NS_PER_S: Final = 1_000_000_000


class Ahead:
    """How far the clock of a service is ahead, in a file that its processes share.

    Args:
        path: the file; it is made if there is none.
    """

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(_AHEAD.pack(0))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _AHEAD.size)
        self._real_ns = time.time_ns

    def now_ns(self) -> int:
        """The time by that clock, in nanoseconds since 1970 UTC."""
        ahead: int = _AHEAD.unpack_from(self._memory)[0]
        return self._real_ns() + ahead

    def go_on(self, seconds: int) -> None:
        """Move the clock on."""
        ahead: int = _AHEAD.unpack_from(self._memory)[0]
        _AHEAD.pack_into(self._memory, 0, ahead + seconds * _NS_PER_S)


def ring(settings: Settings) -> None:
    """Let the clock of a service look at once, as for an append that asks to be woken long ago."""
    layout = settings.layout()
    with redis.Redis.from_url(unlimited(settings.store_url)) as store:
        for shard in range(layout.shards):
            store.publish(layout.feed(shard), "0 1")


if __name__ == "__main__":
    time.time_ns = Ahead(Path(sys.argv[1])).now_ns
    sys.argv = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
