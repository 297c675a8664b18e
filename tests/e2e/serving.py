"""Runs the whole service, as ``make run`` does, and stops and starts it again in one place."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from ops.run import READY
from runtime.embedded.ports import held_ports
from runtime.settings import PREFIX
from tests.e2e.pins import keep_secrets
from tests.homes import home_for
from tests.prefork import Prefork

ROOT: Final = Path(__file__).resolve().parents[2]
_PATIENCE_S: Final = 120.0  # the supervisor itself is patient with each of its six parts
_PLENTY: Final = {
    f"{PREFIX}READS_PER_MINUTE": "1000000",
    f"{PREFIX}COMMANDS_PER_MINUTE": "1000000",
    f"{PREFIX}REGISTRATIONS_PER_MINUTE": "1000000",
    f"{PREFIX}REGISTRATIONS_PER_DAY": "1000000",
    f"{PREFIX}TABLES_PER_ACCOUNT": "1000000",
    f"{PREFIX}BOT_GAMES_PER_ACCOUNT": "1000000",
    f"{PREFIX}STREAMS_PER_ADDRESS": "1000",
    f"{PREFIX}CONNECTIONS_PER_ADDRESS": "0",
    f"{PREFIX}LOG_LEVEL": "warning",
}


class Service:
    """Store, API, clock and workers under the supervisor, on a folder and a port of their own.

    Between ``stop`` and ``start`` its games and its address stay. ``log`` is what it has complained
    of, from its first start on. ``settings`` are named as in docs/operating.md, without the prefix.
    """

    def __init__(self, **settings: str) -> None:
        self.settings = {f"{PREFIX}{name}": value for name, value in settings.items()}
        self.home = home_for()  # short: a unix socket lies in it
        (self.port,) = held_ports(self, 1)  # its address stays its own while it is stopped
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None
        keep_secrets(self.home / "var")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if self._process is not None:
                self.stop()
        finally:
            shutil.rmtree(self.home, ignore_errors=True)

    def start(self) -> None:
        """Start it, and wait until it serves."""
        others = {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}
        where = ["--port", str(self.port), "--var", str(self.home / "var"), "--no-demo"]
        with (self.home / "log").open("a") as log:
            process = Prefork(
                [sys.executable, "-m", "ops.run", *where],
                cwd=ROOT,
                env=others | _PLENTY | self.settings,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert process.stdout is not None
        if not any(line.strip() == READY for line in process.stdout):
            process.stdout.close()
            process.wait()
            raise AssertionError(f"the service did not start: {self.log}")
        self._process = process

    def stop(self) -> None:
        """Stop it as Ctrl-C does; it must end cleanly."""
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.send_signal(signal.SIGINT)
        code = self._process.wait(_PATIENCE_S)
        self._process.stdout.close()
        self._process = None
        assert code == 0, self.log

    @property
    def log(self) -> str:
        """What it has said on standard error."""
        return (self.home / "log").read_text()
