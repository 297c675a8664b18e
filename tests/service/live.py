"""Runs ``python -m service`` as a process of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from runtime.settings import environment
from tests.prefork import Prefork
from tests.service.stage import settings_for

ROOT = Path(__file__).resolve().parents[2]
LONG = 30.0
"""Seconds after which a test gives up; none waits so long when all is well."""


class Live(Struct, frozen=True, eq=False):
    """A running service."""

    url: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        """Where it listens on 127.0.0.1."""
        return int(self.url.rpartition(":")[2])

    def stop(self, sig: signal.Signals = signal.SIGTERM) -> int:
        """Signal the process and wait for its end; its exit code."""
        self.process.send_signal(sig)
        return self.process.wait(LONG)


def start(
    store_url: str, *, log: int = subprocess.DEVNULL, files: int | None = None, **more: object
) -> Live:
    """Start a service, which may have so many descriptors, and wait until it listens."""
    settings = settings_for(store_url, **{"port": 0, "log_level": "warning"} | more)
    start_it, bound = (
        (Prefork, []) if files is None else (subprocess.Popen, ["prlimit", f"--nofile={files}"])
    )
    process = start_it(
        [*bound, sys.executable, "-m", "service"],
        env={**os.environ, **environment(settings)},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
    assert process.stdout is not None
    said = process.stdout.readline()
    if not said:
        process.wait(LONG)
    return Live(said.rpartition(" ")[2].strip(), process)


@contextlib.contextmanager
def live(store_url: str, **more: object) -> Iterator[Live]:
    """A running service, ended at the end."""
    running = start(store_url, **more)  # type: ignore[arg-type]  # log is given by name alone
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.stop()
        if running.process.stdout is not None:
            running.process.stdout.close()
