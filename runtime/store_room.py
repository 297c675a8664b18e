"""How much room the store has, as one process sees it: polled every second, never by a request.

Memory is that of the primary with the least room. The disk counts only if the store is reached by a
unix socket, so is on this machine, and its folder is readable.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from events.clients import NO_ANSWER, Client, config_of, primaries_of
from events.connections import as_text
from events.kernel import Command
from events.logger import get_logger
from events.lookout import Lookout
from events.scripts import LogUnavailable, StoreFull
from runtime.fullness import (
    PERCENTS,
    REFUSED_FROM,
    Gauge,
    Level,
    Percents,
    Resource,
    disk_share,
    memory_share,
)

LOOK_S: Final = 1.0
"""Seconds between two looks."""

_SECTIONS: Final = ("memory", "persistence")
"""All that is asked of ``INFO``, which has ten times as much to say."""

LOCAL: Final = "unix://"
_log = get_logger(__name__)


class StoreRoom(Lookout):
    """Knows the level of a store. Belongs to the client's event loop.

    Args:
        client: the store.
        url: where it is.
        percents: where the levels begin.
        seconds: a clock that never jumps.

    Attributes:
        shares: how much of its room each resource had taken at the last look.
    """

    def __init__(
        self,
        client: Client,
        url: str = "",
        percents: Percents = PERCENTS,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(LOOK_S, "store_room_unknown", seconds)
        self.shares: Mapping[Resource, float] = {}
        self._client = client
        self._is_local = url.startswith(LOCAL)
        self._folder: Path | None = None
        self._gauge = Gauge(percents)

    @property
    def level(self) -> Level:
        """The level at the last poll; before the first one, there is ample room."""
        return self._gauge.level

    @property
    def takes_choices(self) -> bool:
        """Whether players and bots may choose."""
        return self.level < Level.NO_CHOICES

    def refusal(self, command: Command) -> StoreFull | None:
        """Why a command is refused now, if it is."""
        least = REFUSED_FROM.get(type(command))
        return None if least is None or self.level < least else self.full()

    def full(self) -> StoreFull:
        """The refusal while there is too little room."""
        return StoreFull(f"the store is {self._percent()} % full")

    async def _look(self) -> None:
        try:
            found = [await self._shares_of(node) for node in await primaries_of(self._client)]
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        names = {name for shares in found for name in shares}
        self.shares = {name: max(s[name] for s in found if name in s) for name in names}
        before = self.level
        now = self._gauge.read(max(self.shares.values(), default=0.0), self._seconds())
        if now is not before:
            self._tell(before, now)

    def _tell(self, before: Level, now: Level) -> None:
        worst = max(self.shares, key=self.shares.__getitem__, default="")
        what = {"level": now.name.lower(), "percent": self._percent(), "resource": worst}
        if now < before:
            _log.info("store_level_fell", **what)
        elif now >= Level.NO_NEWCOMERS:
            _log.error("store_filling", **what)
        else:
            _log.warning("store_filling", **what)

    def _percent(self) -> int:
        share = max(self.shares.values(), default=0.0)
        return int(min(share, 9.99) * 100)

    async def _shares_of(self, node: Any) -> dict[Resource, float]:  # noqa: ANN401 (a client, or a cluster's node)
        info = _fields(await node.execute_command("INFO", *_SECTIONS))
        limit = int(info["maxmemory"]) or int(info["total_system_memory"])
        used = int(info["used_memory"]) - int(info.get("mem_not_counted_for_evict", 0))
        shares: dict[Resource, float] = {"memory": memory_share(used, limit)}
        if self._is_local:
            disk = await self._disk_of(node, info)
            if disk is not None:
                shares["disk"] = disk
        return shares

    async def _disk_of(self, node: Any, info: Mapping[str, str]) -> float | None:  # noqa: ANN401 (as above)
        """How much of the disk's room is taken; None if nothing is kept there or it is remote."""
        if int(info["aof_enabled"]) == 0:
            return None
        if self._folder is None:
            self._folder = Path((await config_of(node, "dir"))["dir"])
        if int(info["aof_rewrite_in_progress"]):  # the copy is half written: the last answer stands
            return self.shares.get("disk")
        try:
            disk = os.statvfs(self._folder)
        except OSError:
            return None
        files = int(info["aof_current_size"])
        rewritten = min(files, int(info["used_memory_dataset"]))
        free, total = disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize
        return disk_share(files, rewritten, free, total)


def _fields(info: Any) -> dict[str, str]:  # noqa: ANN401 (as redis-py types answers)
    """The fields of INFO; redis-py parses them for one client and not for the other."""
    if isinstance(info, dict):
        return {as_text(name): str(value) for name, value in info.items()}
    lines = (line.partition(":") for line in as_text(info).splitlines())
    return {name: value for name, colon, value in lines if colon}
