"""How much memory is available: the machine's, or a container's share of it. Linux only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

PROC: Final = Path("/proc")
CGROUPS: Final = Path("/sys/fs/cgroup")

_TOTAL: Final = re.compile(r"^MemTotal:\s+([0-9]+) kB$", re.MULTILINE)


def half_of_memory(proc: Path = PROC, cgroups: Path = CGROUPS) -> int:
    """Half of the memory that this process may have, in bytes.

    The other half is for the processes of the service, and for the pages that are copied while the
    store rewrites its append-only file.
    """
    return min(_machine(proc), *_limits(proc, cgroups)) // 2


def _machine(proc: Path) -> int:
    found = _TOTAL.search((proc / "meminfo").read_text())
    assert found is not None, "Linux says how much memory there is"
    return int(found[1]) * 1024


def _limits(proc: Path, cgroups: Path) -> Iterator[int]:
    """The memory limits of our control groups and their ancestors, in bytes (cgroups(7)).

    Version 2 has one line ``0::/path``, version 1 one for each controller, ``4:memory:/path``. In a
    container the path may be one outside of it, of which only the last parts, or none, are mounted.
    """
    yield _machine(proc)
    for line in _lines(proc / "self" / "cgroup"):
        _, controllers, path = line.split(":", 2)
        if not controllers:
            root, file = cgroups, "memory.max"
        elif "memory" in controllers.split(","):
            root, file = cgroups / "memory", "memory.limit_in_bytes"
        else:
            continue
        inner = PurePosixPath(path.lstrip("/"))
        for folder in (inner, *inner.parents):
            said = "".join(_lines(root / folder / file))
            if said.isdigit():  # "max": no limit; version 1 has a number beyond all memory for that
                yield int(said)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
