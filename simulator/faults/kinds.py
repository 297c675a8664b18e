"""The faults: each is planted while the service is in use, and over when its function returns."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import httpx

from simulator.faults.checks import FaultDamage, status, wait_for
from simulator.faults.rig import PARTS, BreakableService

Plant = Callable[[BreakableService, random.Random], str]
"""Plants a fault and mends it; what was done, in words."""

HANG_S: Final = 7.0
"""The longest that something hangs: longer than the service waits for its store."""

_SOME_BYTES: Final = 16 << 10
_FULL_S: Final = 3.0
_PAUSE_S: Final = 0.05
_MULTI: Final = b"*1\r\n$5\r\nMULTI\r\n"
_RECORD: Final = b"*3\r\n$3\r\nSET\r\n$4\r\ntorn\r\n$4\r\nhalf\r\n"
_TAIL: Final = 1 << 16


def kill(name: str, rig: BreakableService, chance: random.Random) -> str:
    """SIGKILL a part at a random moment, and start it again after another."""
    time.sleep(chance.random() * 0.3)
    rig.kill(name)
    gone = chance.random() * 0.5
    time.sleep(gone)
    rig.start(name)
    return f"killed, away for {gone:.2f} s"


def start_alone(name: str, rig: BreakableService, _: random.Random) -> str:
    """Start a part while there is no store, which it says; whoever watches it starts it again."""
    rig.kill(name)
    rig.kill("store")
    rig.start(name)
    wait_for("it says that there is no store", lambda: name in rig.found_no_store())
    rig.start("store")
    return "ended, for want of a store"


def kill_all(rig: BreakableService, chance: random.Random) -> str:
    """SIGKILL everything, as a loss of power would; the disk keeps what it was given."""
    names = [*PARTS, "store"]
    chance.shuffle(names)
    for name in names:
        rig.kill(name)
    rig.start("store")
    for name in PARTS:
        rig.start(name)
    return ", ".join(names)


def hang(name: str, rig: BreakableService, chance: random.Random) -> str:
    """Stop a part where it stands, and let it go on."""
    for_s = chance.choice((0.3, 1.5, HANG_S))
    rig.hang(name)
    try:
        if name == "store":
            _tells_of_the_hang(rig)
        time.sleep(for_s)
    finally:
        rig.go_on(name)
    return f"hung for {for_s:g} s"


def _tells_of_the_hang(rig: BreakableService) -> None:
    """The service answers, and does not say that all is well."""
    wait_for("it lives", lambda: status(rig, "/health/live") == httpx.codes.OK, 1)
    told = httpx.codes.SERVICE_UNAVAILABLE
    wait_for("it tells of the hang", lambda: status(rig, "/health/ready") == told, 10)


def fill_disk(rig: BreakableService, chance: random.Random) -> str:
    """Let the disk run full under the store, which ends rather than lose anything; make room."""
    left = chance.randrange(_SOME_BYTES)
    if rig.disk.is_mounted:
        rig.disk.fill(left)
        how = f"a disk with {left} bytes left"
    else:
        size = rig.newest_file().stat().st_size
        resource.prlimit(rig.store.pid, resource.RLIMIT_FSIZE, (size + left, size + left))
        how = f"a limit of {left} bytes more (RLIMIT_FSIZE)"
    wait_for("the store ends on a full disk", lambda: not rig.store.alive)
    rig.disk.empty()
    rig.start("store")
    return how


def fill_memory(rig: BreakableService, chance: random.Random) -> str:
    """Leave the store no memory: nothing is accepted, everything can be read."""
    with rig.client() as client:
        used = int(cast("dict[str, Any]", client.info("memory"))["used_memory"])
        left = chance.randrange(_SOME_BYTES)
        client.config_set("maxmemory", used + left)
        try:
            wait_for("commands are refused for room", lambda: _refuses_for_room(rig))
            end = time.monotonic() + _FULL_S
            while time.monotonic() < end:
                for path in ("/v1/games", "/health/ready"):
                    if (code := status(rig, path)) != httpx.codes.OK:
                        raise FaultDamage(f"{path} is {code} on a full store")
                time.sleep(_PAUSE_S)
        finally:
            client.config_set("maxmemory", 0)
    return f"full but for {left} bytes"


def _refuses_for_room(rig: BreakableService) -> bool:
    return 'code="store-full"' in rig.http.get("/metrics").text


def tear(rig: BreakableService, chance: random.Random) -> str:
    """Kill the store, and leave a part of one more record at the end of its file."""
    rig.kill("store")
    path = rig.newest_file()
    record = _last_record(path)
    torn = record[: chance.randrange(1, len(record))]
    with path.open("ab") as file:
        file.write(torn)
    rig.start("store")
    return f"{len(torn)} of {len(record)} bytes of a record"


def _last_record(path: Path) -> bytes:
    """What the last append wrote, or any record where there was none lately."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        tail = file.read()
    start = tail.rfind(_MULTI)
    return tail[start:] if start >= 0 else _RECORD


def lose(rig: BreakableService, command_id: str) -> str:
    """No fault that is ever mended, but the control: a command and all after it are cut off."""
    rig.kill("store")
    path = rig.newest_file()
    whole = path.read_bytes()
    cut = whole.rindex(_MULTI, 0, whole.index(command_id.encode()))
    with path.open("r+b") as file:
        file.truncate(cut)
    rig.start("store")
    return f"{len(whole) - cut} bytes"


KINDS: Final[dict[str, Plant]] = {
    **{f"kill {name}": partial(kill, name) for name in (*PARTS, "store")},
    "kill everything": kill_all,
    "start worker 2 alone": partial(start_alone, "worker 2"),
    **{f"hang {name}": partial(hang, name) for name in ("API", "clock", "worker 1", "store")},
    "full disk": fill_disk,
    "full memory": fill_memory,
    "torn tail": tear,
}
"""All faults by name."""
