"""Real clock and worker processes on a store, to be killed at will."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from runtime.settings import NO_MARKS, Secret, Settings, environment
from tests.prefork import Prefork
from tests.runtime.stage import SHARDS


def settings_for(store_url: str) -> Settings:
    """Settings under which processes agree with the stage."""
    return Settings(
        store_url=store_url,
        rq_url=store_url,
        keys={"k1": Secret(b"1" * 32)},
        current_key="k1",
        naming_key="k1",
        shards=SHARDS,
        clock_tolerance_ms=0,
        marks=NO_MARKS,
    )


class Crew:
    """Processes by name. Those that still run at the end are killed."""

    def __init__(self, store_url: str, module: str = "tests.workers.toy_process") -> None:
        self._environ = {**os.environ, **environment(settings_for(store_url))}
        self._module = module
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._logs: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed in __exit__)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for name in list(self._running):
            self.kill(name)
        self._logs.close()

    def start(self, name: str, what: str) -> None:
        """Start a process: ``what`` is ``clock`` or ``work``."""
        self._running[name] = Prefork(
            [sys.executable, "-m", self._module, what],
            cwd=Path(__file__).parents[2],
            env=self._environ,
            stderr=self._logs,
        )

    def kill(self, name: str) -> None:
        """SIGKILL, and see it dead."""
        process = self._running.pop(name)
        process.kill()
        process.wait()

    def end(self, name: str) -> int:
        """SIGTERM; the exit code."""
        process = self._running.pop(name)
        process.send_signal(signal.SIGTERM)
        return process.wait(20)

    def running(self, name: str) -> bool:
        """Whether a process is alive."""
        return self._running[name].poll() is None

    def logs(self) -> str:
        """What all of them have logged so far."""
        # Not by the place in the file, which the processes share and move while we read.
        number = self._logs.fileno()
        return os.pread(number, os.fstat(number).st_size, 0).decode()
