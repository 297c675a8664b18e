"""Fault 23, the controls: an embedded server whose parent is killed, without what ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from runtime.embedded.store import DirectoryTakenError, Store
from tests.events.test_store import gone, server_pid

ROOT = Path(__file__).parents[2]
WITHOUT_DEATH_SIGNAL = """
import sys, types
from runtime.embedded import store
store._LIBC = types.SimpleNamespace(prctl=lambda *_: 0)
sys.exit(store.main(sys.argv[1:]))
"""


@contextmanager
def orphan(home: Path) -> Iterator[int]:
    """A server that has outlived its parent, which was killed."""
    words = [sys.executable, "-c", WITHOUT_DEATH_SIGNAL, str(home)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        url = parent.stdout.readline().strip()
        pid = server_pid(url)
        try:
            parent.kill()
            parent.wait()
            assert server_pid(url) == pid, "it goes on without its parent"
            yield pid
        finally:
            os.kill(pid, signal.SIGKILL)
            assert gone(pid)


def test_without_its_signal_a_server_outlives_its_parent_and_keeps_its_directory(
    home: Path,
) -> None:
    """The control of the signal; what is left then is the lock, which the server has inherited."""
    with orphan(home), pytest.raises(DirectoryTakenError):
        Store(home).start()
    with Store(home) as store:
        assert store.alive, "once it is dead the directory is free"


def test_without_the_lock_two_servers_serve_one_directory(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the lock."""
    with orphan(home) as pid:
        monkeypatch.setattr("runtime.embedded.store.fcntl.flock", lambda *_: None)
        with Store(home) as second:
            assert second.alive
            os.kill(pid, 0)
            assert second.pid != pid, "two servers write to the same files"
