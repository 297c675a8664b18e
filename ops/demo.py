"""``python -m ops.demo``: a whole game of each that there is, live, and an audit of their logs.

It starts everything (``ops.run``) on a free port in a folder of its own, lets ``ops.demo_client``
play them from outside, verifies each record by ``python -m replay`` and stops everything. The exit
code is 0 if all of it went well.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final, TypeAlias

from events.keys import KeyRing
from games.package import GamePackage
from games.registry import GAMES
from runtime.embedded.children import Child, ChildError
from runtime.embedded.secret_file import KEY_ID, kept_secrets
from runtime.settings import PREFIX

START_S: Final = 300.0
"""Within so many seconds the service listens, also on a machine that does ten other things."""

PLAY_S: Final = 600
"""The time limit of a game, in seconds."""

VERIFY_S: Final = 120
_LOG_LINES: Final = 20

Judge: TypeAlias = Callable[[Path, KeyRing], str]
"""Holds the record of a game against what its players were told (``demo_client``), by the keys of
the service; returns what does not hold, in a sentence without its full stop, or ""."""


def unjudged(record: Path, keys: KeyRing) -> str:  # noqa: ARG001 (a ``Judge``)
    """Hold nothing against anything, for those who have no judge."""
    return ""


def main(judge: Judge = unjudged) -> int:
    """Run the demo; its exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what follows is cleaned up
    environ = {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}
    with tempfile.TemporaryDirectory(prefix="parlour-") as folder:
        home = Path(folder)
        with (home / "log").open("w+b") as log:
            arguments = ["-m", "ops.run", "--port", "0", "--var", str(home / "var"), "--no-demo"]
            service = Child("service", arguments, environ, speaks=True, log=log)
            try:
                failed = _play_and_verify(service, home, judge)
            except (ChildError, subprocess.TimeoutExpired) as error:
                failed = str(error)
            finally:
                code = service.stop()
            if not failed and code:
                failed = f"the service ended with {code}"
            if failed:
                print_end(log)
    print(f"demo: {failed}" if failed else "stopped   cleanly", flush=True)
    return 1 if failed else 0


def print_end(log: IO[bytes]) -> None:
    """Print the last lines of a log to standard error."""
    log.seek(0)
    lines = log.read().decode(errors="replace").splitlines()
    print("\n".join(lines[-_LOG_LINES:]), file=sys.stderr)


def _play_and_verify(service: Child, home: Path, judge: Judge) -> str:
    """Play a game of each and verify the records; returns what went wrong, or ""."""
    url = service.first_line(START_S).split()[-1]
    print(f"service   {url}", flush=True)
    master = kept_secrets(home / "var" / "secrets.json").master_key()
    keys = KeyRing({KEY_ID: master.reveal()}, KEY_ID)
    for id_, game in GAMES.items():
        record = home / f"{id_}.jsonl"
        if wrong := demonstrate(url, game, record) or judge(record, keys):
            return wrong
    return ""


def demonstrate(url: str, game: GamePackage, record: Path) -> str:
    """Play one game as it is shown to spectators, and verify its record.

    What its players were told lies beside the record (``demo_client``).

    Returns:
        What went wrong, in a sentence without its full stop; empty: nothing.

    Raises:
        subprocess.TimeoutExpired: it took too long.
    """
    title, shown = game.published.title, game.published.showcase
    table = {
        "game": game.rules.id,
        "rulebook": shown.rulebook,
        "mode": shown.mode,
        "seats": shown.seats,
    }
    arguments = (url, str(record), json.dumps(table), shown.bot)
    if _python("ops.demo_client", *arguments, timeout_s=PLAY_S):
        return f"the game of {title} was not played to its end"
    if _python("replay", "verify", str(record), timeout_s=VERIFY_S):
        return f"the record of {title} does not verify"
    return ""


def _python(module: str, *arguments: str, timeout_s: float) -> int:
    """Run one of our modules as a process; returns its exit code."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], timeout=timeout_s, check=False
    )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
