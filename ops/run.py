"""``python -m ops.run``: the whole service on one machine, under one supervisor. Linux only.

It starts the store, the clock, the workers and the API, opens a table where house bots play, and
prints where to look. Ctrl-C or SIGTERM stops the API, then the workers, the clock and the store. If
a part ends by itself, the rest is stopped and the exit code is 1. Everything that must last lies
under ``var/``: the games in ``var/store``, the secrets in ``var/secrets.json``. ROOM25_ variables
(docs/operating.md) hold here too, but for those that name the store and the secrets.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import structlog
from msgspec import Struct

from events.scripts import LogError
from ops.children import Child, ChildError
from ops.demo_table import demo_table
from ops.secret_file import KEY_ID, Kept, SecretFileError, kept_secrets
from ops.store import Store, StoreError
from projections.logs import set_up_logs
from projections.settings import PREFIX, Settings, SettingsError, environment, load_settings

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
    "var",
)
"""What the supervisor sets itself: where the games lie, and the secrets that they need."""

_WORKERS: Final = 2
_SIGNALS: Final = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGCHLD})
_log = structlog.get_logger(__name__)


class Wish(Struct, frozen=True):
    """The command line, read."""

    port: int | None
    var: Path
    demo: bool


def read_arguments(arguments: Sequence[str]) -> Wish:
    """Read the command line; a wrong one exits with 2."""
    parser = argparse.ArgumentParser(prog="python -m ops.run", description=__doc__)
    parser.add_argument("--port", type=int, help="0: any free one; default: ROOM25_PORT or 8025")
    parser.add_argument("--var", type=Path, default=Path("var"), help="where all data is kept")
    parser.add_argument("--no-demo", action="store_true", help="open no table of house bots")
    said = parser.parse_args(arguments)
    return Wish(said.port, said.var, not said.no_demo)


def settings_of(wish: Wish, store: Store, kept: Kept, environ: Mapping[str, str]) -> Settings:
    """The settings of all parts: our own, and what the environment says of the rest.

    Raises:
        SettingsError: the environment has an unknown setting, a malformed one, or one of ours.
    """
    said = {name: text for name, text in environ.items() if name.startswith(PREFIX)}
    for field in OWN:
        if (name := PREFIX + field.upper()) in said:
            raise SettingsError(f"{name} is not for make run, which brings a store and secrets")
    own = Settings(
        store_url=store.url,
        rq_url=store.url,
        keys={KEY_ID: kept.master_key()},
        current_key=KEY_ID,
        naming_key=KEY_ID,
        signing_key=kept.signing_key(),
        admin_token_hash=kept.token_hash(),
        var=wish.var,
    )
    port = {} if wish.port is None else {f"{PREFIX}PORT": str(wish.port)}
    return load_settings({**environment(own), **said, **port})


class Supervisor:
    """Starts the parts in order and stops them in the opposite one."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._store = Store(wish.var / "store")
        self._children: list[Child] = []

    def run(self) -> int:
        """Run until a signal comes (0) or a part ends by itself (1)."""
        # Signals wait until somebody asks for them; so no part is left half started.
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            self._start()
            return self._wait()
        except (StoreError, ChildError, SecretFileError, LogError, ValueError) as error:
            print(f"room25: {error}", file=sys.stderr)
            return 1
        finally:
            self._stop()

    def _start(self) -> None:
        kept = kept_secrets(self._wish.var / "secrets.json")
        self._store.start()
        settings = settings_of(self._wish, self._store, kept, os.environ)
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}
        environ = {**inherited, **environment(settings)}
        self._children.append(Child("clock", ["-m", "workers", "clock"], environ))
        for number in range(1, _WORKERS + 1):
            self._children.append(Child(f"worker {number}", ["-m", "workers", "work"], environ))
        api = Child("API", ["-m", "service"], environ, speaks=True)
        self._children.append(api)
        url = api.first_line().removeprefix("listening on ")
        _log.info("started", pids={child.name: child.pid for child in self._children})
        self._tell(url, settings)

    def _tell(self, url: str, settings: Settings) -> None:
        """Print where to look."""
        print(f"API       {url}/v1")
        print(f"page      {url}/")
        print(f"health    {url}/health/ready")
        if self._wish.demo:
            game = asyncio.run(demo_table(settings))
            print(f"demo      {url}/watch/{game}")
        print(f"data      {self._wish.var.absolute()} (the operator's token is in secrets.json)")
        print(READY, flush=True)

    def _wait(self) -> int:
        while True:
            if signal.sigwait(_SIGNALS) is not signal.SIGCHLD:
                return 0
            ended = [c.name for c in self._children if c.exit_code() is not None]
            if not self._store.alive:
                ended.append("store")
            if ended:
                _log.error("part_ended", parts=ended)
                print(f"room25: ended by itself: {', '.join(ended)}", file=sys.stderr)
                return 1

    def _stop(self) -> None:
        """API, workers, clock, store: whoever gives work stops before whoever does it."""
        for child in reversed(self._children):
            code = child.stop()
            _log.info("stopped", part=child.name, code=code)
        self._store.stop()
        _log.info("stopped", part="store")


def main(arguments: Sequence[str]) -> int:
    """Run the supervisor; its exit code."""
    set_up_logs("supervisor")
    return Supervisor(read_arguments(arguments)).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
