"""``python -m ops.demo``: one whole game against a live service, and an audit of its log.

It starts everything (``ops.run``) on a free port in a folder of its own, lets ``ops.demo_client``
play a game from outside, verifies the record by ``python -m replay`` and stops everything. The exit
code is 0 if all of it went well.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from runtime.embedded.children import Child, ChildError
from runtime.settings import PREFIX

PLAY_S: Final = 50
"""The time limit of the game, in seconds."""

VERIFY_S: Final = 30
_LOG_LINES: Final = 20


def main() -> int:
    """Run the demo; its exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what follows is cleaned up
    environ = {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}
    with tempfile.TemporaryDirectory(prefix="parlour-") as folder:
        home = Path(folder)
        with (home / "log").open("w+b") as log:
            arguments = ["-m", "ops.run", "--port", "0", "--var", str(home / "var"), "--no-demo"]
            service = Child("service", arguments, environ, speaks=True, log=log)
            try:
                failed = _play_and_verify(service, home)
            except (ChildError, subprocess.TimeoutExpired) as error:
                failed = str(error)
            finally:
                code = service.stop()
            if not failed and code:
                failed = f"the service ended with {code}"
            if failed:
                log.seek(0)
                lines = log.read().decode(errors="replace").splitlines()
                print("\n".join(lines[-_LOG_LINES:]), file=sys.stderr)
    print(f"demo: {failed}" if failed else "stopped   cleanly", flush=True)
    return 1 if failed else 0


def _play_and_verify(service: Child, home: Path) -> str:
    """Play one game and verify its record; returns what went wrong, or None."""
    url = service.first_line().split()[-1]
    print(f"service   {url}", flush=True)
    record = home / "game.jsonl"
    if _python("ops.demo_client", url, str(record), timeout_s=PLAY_S):
        return "the game was not played to its end"
    if _python("replay", "verify", str(record), timeout_s=VERIFY_S):
        return "the record does not verify"
    return ""


def _python(module: str, *arguments: str, timeout_s: float) -> int:
    """Run one of our modules as a process; returns its exit code."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], timeout=timeout_s, check=False
    )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
