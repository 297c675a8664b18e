"""``python -m ops.run``: the whole service on one machine, under one supervisor. Linux only.

It starts the store, the clock, the workers and the API, opens a table of each game where house bots
play, and prints where to look. A part that dies is restarted; one that keeps dying ends everything
with exit code 1. Ctrl-C or SIGTERM stops the API, then the workers, the clock and the store.
Everything that must last is under one folder, by default ``var/``: the games in ``store``, the
secrets in ``secrets.json``. PARLOUR_ variables (docs/operating.md) apply here too, except those
that name the store and the secrets.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from events.identity import ForeignStoreError, StoreMismatchError
from events.known import StoreBehind
from events.logger import get_logger
from events.scripts import LogError
from ops.demo_table import demo_tables
from ops.restarts import USUAL, Restarts
from ops.run_folder import SECRETS, STORE, settings_of
from ops.supervisor import SIGNALS, GivenUpError, Supervisor
from ops.witness import Witness
from runtime.embedded.children import Child, ChildError
from runtime.embedded.private import UMASK
from runtime.embedded.secret_file import SecretFileError, kept_secrets
from runtime.embedded.store import StartInterruptedError, Store, StoreError
from runtime.logs import set_up_logs
from runtime.mark_files import MarksError
from runtime.settings import PREFIX, Settings, SettingsError, environment
from runtime.store_watch import found_store

READY: Final = "ready; Ctrl-C stops everything"
"""The last line printed before the supervisor waits."""

_WORKERS: Final = 2
_log = get_logger(__name__)


class RunOptions(Struct, frozen=True):
    """The command line, read."""

    port: int | None
    var: Path
    demo: bool


def read_arguments(arguments: Sequence[str], environ: Mapping[str, str]) -> RunOptions:
    """Read the command line, which overrides the environment; a wrong one exits with 2."""
    parser = argparse.ArgumentParser(prog="parlour run", description=__doc__)
    parser.add_argument("--port", type=int, help="0: any free one; default: PARLOUR_PORT or 8025")
    parser.add_argument("--var", help="where all data is kept; default: PARLOUR_VAR or var")
    parser.add_argument("--no-demo", action="store_true", help="open no table of house bots")
    said = parser.parse_args(arguments)
    var = said.var or environ.get(f"{PREFIX}VAR") or "var"
    return RunOptions(said.port, Path(var), not said.no_demo)


class LocalService:
    """All parts of a service on one folder.

    Args:
        options: the command line.
        environ: the source of all other settings.
        restarts: how often a part may die.
    """

    def __init__(
        self, options: RunOptions, environ: Mapping[str, str], restarts: Restarts = USUAL
    ) -> None:
        self._options = options
        self._environ = environ
        self._supervisor = Supervisor(restarts)
        self._witness: Witness | None = None

    def run(self) -> int:
        """Run until a signal (0) or until a part cannot be kept running (1); 2: wrong settings."""
        # Signals stay pending until they are asked for, so that no part is left half started.
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            self._start()
            self._supervisor.watch()
        except StartInterruptedError:
            return 0
        except SettingsError as error:
            print(f"parlour: {error}", file=sys.stderr)
            return 2
        except (
            StoreError,
            ChildError,
            SecretFileError,
            LogError,
            MarksError,
            GivenUpError,
            ValueError,
        ) as error:
            print(f"parlour: {error}", file=sys.stderr)
            return 1
        except OSError as error:
            print(f"parlour: {error.filename}: {error.strerror}", file=sys.stderr)
            return 1
        finally:
            self._supervisor.stop()
            if self._witness is not None:
                self._witness.close()
        return 0

    def _start(self) -> None:
        var = self._options.var
        kept = kept_secrets(var / SECRETS)
        settings = settings_of(var, kept, self._environ, self._options.port)
        store = Store(var / STORE, memory=settings.store_memory)
        self._supervisor.add("store", lambda: _started(store), vital=True)
        _meet(settings)
        self._witness = Witness(settings)
        self._witness.look()
        self._supervisor.each_second = self._witness.look
        inherited = {k: v for k, v in self._environ.items() if not k.startswith(PREFIX)}
        environ = {**inherited, **environment(settings)}
        self._add("clock", ["-m", "workers", "clock"], environ)
        if settings.journal_folder is not None:
            self._add("shipper", ["-m", "workers", "ship"], environ)
        for number in range(1, _WORKERS + 1):
            self._add(f"worker {number}", ["-m", "workers", "work"], environ)
        url = self._add_api(environ)
        _log.info("started", pids=self._supervisor.pids())
        self._tell(url, settings)

    def _add(self, name: str, arguments: list[str], environ: Mapping[str, str]) -> None:
        self._supervisor.add(name, lambda: Child(name, arguments, environ))

    def _add_api(self, environ: Mapping[str, str]) -> str:
        """Start the API; returns its URL. After a restart it must have the same one."""
        urls: list[str] = []

        def start() -> Child:
            port = {f"{PREFIX}PORT": url.rpartition(":")[2] for url in urls}
            api = Child("API", ["-m", "service"], {**environ, **port}, speaks=True)
            if not urls:
                try:
                    urls.append(api.first_line().removeprefix("listening on "))
                except ChildError:
                    api.stop()
                    raise
            return api

        self._supervisor.add("API", start)
        return urls[0]

    def _tell(self, url: str, settings: Settings) -> None:
        """Print where to find everything."""
        print(f"API       {url}/v1")
        print(f"page      {url}/")
        print(f"health    {url}/health/ready")
        if self._options.demo:
            try:
                for game in asyncio.run(demo_tables(settings)):
                    print(f"demo      {url}/watch/{game}")
            except StoreBehind as error:
                print(f"demo      none, and nothing else is written: {error}")
        print(f"data      {self._options.var.absolute()} (the operator's token is in secrets.json)")
        print(READY, flush=True)


def _meet(settings: Settings) -> None:
    """Name a new store before the parts start, so that they need not wait for the clock.

    If something is wrong with it, the parts report that themselves and end.
    """
    with contextlib.suppress(ForeignStoreError, StoreMismatchError):
        asyncio.run(found_store(settings))


def _started(store: Store) -> Store:
    store.start()
    return store


def main(arguments: Sequence[str]) -> int:
    """Run the supervisor; its exit code."""
    set_up_logs("supervisor")
    os.umask(UMASK)
    return LocalService(read_arguments(arguments, os.environ), os.environ).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
