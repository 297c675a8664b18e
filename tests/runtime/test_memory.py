"""How much memory the embedded store takes."""

from __future__ import annotations

from pathlib import Path

import pytest
import redis

from runtime.embedded.memory import half_of_memory
from runtime.embedded.store import Store

GIB = 1 << 30


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """A machine of 8 GiB, whose processes are in no control group."""
    proc = tmp_path / "proc"
    (proc / "self").mkdir(parents=True)
    (proc / "meminfo").write_text(f"MemTotal:       {8 * GIB // 1024} kB\nMemFree: 1 kB\n")
    return proc


def limit(folder: Path, name: str, value: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"{value}\n")


def test_without_control_groups_it_is_half_of_the_machine(proc: Path, tmp_path: Path) -> None:
    assert half_of_memory(proc, tmp_path / "none") == 4 * GIB


@pytest.mark.parametrize(
    ("inner", "outer", "half"),
    [
        ("max", "max", 4 * GIB),
        (str(2 * GIB), "max", GIB),
        ("max", str(2 * GIB), GIB),
        (str(2 * GIB), str(GIB), GIB // 2),
        (str(64 * GIB), "max", 4 * GIB),
    ],
)
def test_version_2_the_least_limit_above_us_counts(
    proc: Path, tmp_path: Path, inner: str, outer: str, half: int
) -> None:
    (proc / "self" / "cgroup").write_text("0::/games/room\n")
    groups = tmp_path / "cgroup"
    limit(groups / "games" / "room", "memory.max", inner)
    limit(groups / "games", "memory.max", outer)
    assert half_of_memory(proc, groups) == half


@pytest.mark.parametrize(("value", "half"), [(str(2 * GIB), GIB), ("9223372036854771712", 4 * GIB)])
def test_version_1_has_its_own_file(proc: Path, tmp_path: Path, value: str, half: int) -> None:
    (proc / "self" / "cgroup").write_text("5:cpu,cpuacct:/x\n4:memory:/games\n0::/\n")
    groups = tmp_path / "cgroup"
    limit(groups / "memory" / "games", "memory.limit_in_bytes", value)
    assert half_of_memory(proc, groups) == half


def test_a_container_sees_its_own_limit_at_the_root(proc: Path, tmp_path: Path) -> None:
    (proc / "self" / "cgroup").write_text("4:memory:/docker/0123\n0::/../..\n")
    groups = tmp_path / "cgroup"
    limit(groups / "memory", "memory.limit_in_bytes", str(GIB))
    assert half_of_memory(proc, groups) == GIB // 2


@pytest.mark.parametrize(
    ("memory", "expected"), [(0, half_of_memory()), (123_456_789, 123_456_789)]
)
def test_the_store_takes_that_much_and_evicts_nothing(
    home: Path, memory: int, expected: int
) -> None:
    with Store(home, memory=memory) as store, redis.Redis.from_url(store.admin_url) as client:
        assert int(client.config_get("maxmemory")["maxmemory"]) == expected
        assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
