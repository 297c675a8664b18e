"""``python -m ops.run``: the whole service on one machine, under one supervisor. Linux only.

It starts the store, the clock, the workers and the API, opens a table where house bots play, and
prints where to look. A part that dies is started again; one that dies again and again ends the
whole with exit code 1. Ctrl-C or SIGTERM stops the API, then the workers, the clock and the store.
Everything that must last lies under one folder, ``var/`` if nothing else is said: the games in
``store``, the secrets in ``secrets.json``. PARLOUR_ variables (docs/operating.md) hold here too,
but for those that name the store and the secrets.
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

import structlog
from msgspec import Struct

from events.identity import ForeignStoreError, StoreMismatchError
from events.known import StoreBehind
from events.scripts import LogError
from ops.children import Child, ChildError
from ops.demo_table import demo_table
from ops.private import UMASK
from ops.restarts import USUAL, Restarts
from ops.secret_file import KEY_ID, Kept, SecretFileError, kept_secrets
from ops.store import StartInterruptedError, Store, StoreError, url_of
from ops.supervisor import SIGNALS, GivenUpError, Supervisor
from ops.witness import Witness
from projections.logs import set_up_logs
from projections.mark_files import MarksError
from projections.settings import PREFIX, Settings, SettingsError, environment, load_settings
from projections.store_watch import found_store

READY: Final = "ready; Ctrl-C stops everything"
"""The last line that is printed before the supervisor waits."""

OWN: Final = (
    "store_url",
    "rq_url",
    "shards",
    "prefix",
    "keys",
    "current_key",
    "naming_key",
    "signing_key",
    "admin_token_hash",
)
"""What the supervisor sets itself: where the games lie, and the secrets that they need."""

_WORKERS: Final = 2
_log = structlog.get_logger(__name__)


class Wish(Struct, frozen=True):
    """The command line, read."""

    port: int | None
    var: Path
    demo: bool


def read_arguments(arguments: Sequence[str], environ: Mapping[str, str]) -> Wish:
    """Read the command line, which wins over the environment; a wrong one exits with 2."""
    parser = argparse.ArgumentParser(prog="parlour run", description=__doc__)
    parser.add_argument("--port", type=int, help="0: any free one; default: PARLOUR_PORT or 8025")
    parser.add_argument("--var", help="where all data is kept; default: PARLOUR_VAR or var")
    parser.add_argument("--no-demo", action="store_true", help="open no table of house bots")
    said = parser.parse_args(arguments)
    var = said.var or environ.get(f"{PREFIX}VAR") or "var"
    return Wish(said.port, Path(var), not said.no_demo)


def settings_of(wish: Wish, kept: Kept, environ: Mapping[str, str]) -> Settings:
    """The settings of all parts: our own, and what the environment says of the rest.

    Raises:
        SettingsError: the environment has an unknown setting, a malformed one, or one of ours.
    """
    said = {name: text for name, text in environ.items() if name.startswith(PREFIX)}
    for field in OWN:
        if (name := PREFIX + field.upper()) in said:
            raise SettingsError(f"{name} is not for make run, which brings a store and secrets")
    store_url = url_of(wish.var / "store")
    own = Settings(
        store_url=store_url,
        rq_url=store_url,
        keys={KEY_ID: kept.master_key()},
        current_key=KEY_ID,
        naming_key=KEY_ID,
        signing_key=kept.signing_key(),
        admin_token_hash=kept.token_hash(),
        var=wish.var,
    )
    told = {f"{PREFIX}VAR": str(wish.var)}
    if wish.port is not None:
        told[f"{PREFIX}PORT"] = str(wish.port)
    return load_settings({**environment(own), **said, **told})


class House:
    """All parts of a service on one folder.

    Args:
        wish: the command line.
        environ: where the other settings are.
        restarts: how often a part may die.
    """

    def __init__(self, wish: Wish, environ: Mapping[str, str], restarts: Restarts = USUAL) -> None:
        self._wish = wish
        self._environ = environ
        self._supervisor = Supervisor(restarts)
        self._witness: Witness | None = None

    def run(self) -> int:
        """Run until a signal comes (0) or a part cannot be kept running (1); 2: wrong settings."""
        # Signals wait until somebody asks for them; so no part is left half started.
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
        var = self._wish.var
        kept = kept_secrets(var / "secrets.json")
        settings = settings_of(self._wish, kept, self._environ)
        store = Store(var / "store", memory=settings.store_memory)
        self._supervisor.add("store", lambda: _started(store), vital=True)
        _meet(settings)
        self._witness = Witness(settings)
        self._witness.look()
        self._supervisor.each_second = self._witness.look
        inherited = {k: v for k, v in self._environ.items() if not k.startswith(PREFIX)}
        environ = {**inherited, **environment(settings)}
        self._add("clock", ["-m", "workers", "clock"], environ)
        for number in range(1, _WORKERS + 1):
            self._add(f"worker {number}", ["-m", "workers", "work"], environ)
        url = self._add_api(environ)
        _log.info("started", pids=self._supervisor.pids())
        self._tell(url, settings)

    def _add(self, name: str, arguments: list[str], environ: Mapping[str, str]) -> None:
        self._supervisor.add(name, lambda: Child(name, arguments, environ))

    def _add_api(self, environ: Mapping[str, str]) -> str:
        """Start the API; its URL. When it is started again it must be found at the same one."""
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
        """Print where to look."""
        print(f"API       {url}/v1")
        print(f"page      {url}/")
        print(f"health    {url}/health/ready")
        if self._wish.demo:
            try:
                print(f"demo      {url}/watch/{asyncio.run(demo_table(settings))}")
            except StoreBehind as error:
                print(f"demo      none, and nothing else is written: {error}")
        print(f"data      {self._wish.var.absolute()} (the operator's token is in secrets.json)")
        print(READY, flush=True)


def _meet(settings: Settings) -> None:
    """Name a store that is new before the parts ask one another which it is.

    What is wrong with it the parts say themselves, and end.
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
    return House(read_arguments(arguments, os.environ), os.environ).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
