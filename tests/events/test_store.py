"""The launcher: one server on a directory, and none that outlives its parent."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import redis

from runtime.embedded.store import (
    DirectoryTakenError,
    StartInterruptedError,
    Store,
    StoreError,
)
from tests.conftest import Sometimes
from tests.unlimited import unlimited

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]


def gone(pid: int, seconds: float = 10) -> bool:
    """Wait until a process has ended."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)


def server_pid(url: str) -> int:
    with redis.Redis.from_url(unlimited(url)) as client:
        return int(client.info("server")["process_id"])


def test_start_stop_start(home: Path) -> None:
    store = Store(home / "with a space")
    store.start()
    pid = store.pid
    with pytest.raises(StoreError, match="running already"):
        store.start()
    with redis.Redis.from_url(store.admin_url) as client:
        client.set("a", "b")
    store.stop()
    store.stop()
    assert gone(pid)
    with pytest.raises(StoreError, match="not been started"):
        _ = store.pid
    with store, redis.Redis.from_url(store.admin_url) as client:
        assert client.get("a") == b"b"


def test_two_servers_on_one_directory_are_refused(home: Path) -> None:
    with Store(home):
        with pytest.raises(DirectoryTakenError, match=str(home)):
            Store(home).start()
        assert server_pid(Store(home).url), "the first one is unharmed"
    with Store(home):
        pass


def test_a_store_that_cannot_start_says_where_to_look(home: Path) -> None:
    with pytest.raises(StoreError, match=r"store\.log"):
        Store(home, "no-such-setting 1").start()
    with Store(home):
        pass


def test_what_the_server_says_of_its_end_is_told(home: Path) -> None:
    with Store(home):
        pass
    (home / "appendonlydir" / "appendonly.aof.1.base.rdb").write_bytes(b"VALKEY080nonsense")
    with pytest.raises(StoreError, match=r"did not start: .*RDB") as caught:
        Store(home).start()
    assert "ready to exit" not in str(caught.value), "that was the run before"


def rewrite(client: redis.Redis) -> None:
    client.execute_command("BGREWRITEAOF")
    while client.info("persistence")["aof_rewrite_in_progress"]:
        pass


def test_a_store_that_loads_for_long_is_waited_for(home: Path) -> None:
    with Store(home) as store, redis.Redis.from_url(store.admin_url) as client:
        client.mset({f"key {number}": "x" * 100 for number in range(200)})
        rewrite(client)
    store = Store(home, "key-load-delay 20000", "loading-process-events-interval-bytes 1024")
    store.start(timeout_s=3.0)  # of the four seconds that it loads
    with redis.Redis.from_url(store.admin_url) as client:
        assert client.dbsize() == 200
    store.stop()


def test_a_signal_ends_the_loading(home: Path) -> None:
    with Store(home) as store, redis.Redis.from_url(store.admin_url) as client:
        client.mset({f"key {number}": "x" * 100 for number in range(2000)})
        rewrite(client)
    slow = Store(home, "key-load-delay 50000", "loading-process-events-interval-bytes 1024")
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        with pytest.raises(StartInterruptedError):
            slow.start()
        assert signal.sigwait({signal.SIGTERM}) is signal.SIGTERM
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    assert not slow.alive
    with Store(home) as store, redis.Redis.from_url(store.admin_url) as client:
        assert client.dbsize() == 2000


def test_a_path_that_is_too_long_is_refused(home: Path) -> None:
    with pytest.raises(ValueError, match="short path"):
        Store(home / ("x" * 100)).start()


def serve(home: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "runtime.embedded.store", str(home)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_no_server_outlives_its_parent(home: Path, name: str, sometimes: Sometimes) -> None:
    with serve(home) as parent:
        assert parent.stdout is not None
        url = parent.stdout.readline().strip()
        pid = server_pid(url)
        with redis.Redis.from_url(unlimited(url)) as client:
            client.set("a", "b")
        parent.send_signal(signal.Signals[name])
        assert parent.wait(10) == (-9 if name == "SIGKILL" else 0)
        assert gone(pid)
    sometimes("parents killed", 1)
    assert "ready to exit" in (home / "store.log").read_text()
    with Store(home) as store, redis.Redis.from_url(store.admin_url) as client:
        assert client.get("a") == b"b"


def test_the_program_ends_when_its_server_does(home: Path) -> None:
    with serve(home) as parent:
        assert parent.stdout is not None
        os.kill(server_pid(parent.stdout.readline().strip()), signal.SIGKILL)
        assert parent.wait(10) == 1
