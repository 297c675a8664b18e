"""What the benches of the service stand on: a store, the service, its peer, and players at tables.

The two servers share the first core; the store, the load and whoever measures have the second one.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
from msgspec import Struct

from bench.measure import two_cores
from runtime.embedded.children import Child
from runtime.embedded.secret_file import KEY_ID
from runtime.embedded.store import Store
from runtime.settings import PREFIX, Secret, Settings, environment
from runtime.store_watch import found_store

TABLES_EACH: Final = 4
"""Tables at which each player has the first seat."""

_PER_MINUTE: Final = 10**9
_HOUR_S: Final = 3600
_WISH: Final = {
    "rulebook": "first_edition",
    "mode": "cooperation",
    "seats": 2,
    "time": {"limits_s": {"programming": _HOUR_S, "decision": _HOUR_S}},
}


class RunningServer(Struct, frozen=True):
    """A running server and where it listens."""

    child: Child
    port: int


class BenchRig(Struct, frozen=True):
    """What runs: the store, the service on it, and the peer; ``cores`` as ``two_cores`` says."""

    store: Store
    api: RunningServer
    peer: RunningServer
    cores: tuple[int, int]


@contextmanager
def rig(peer: str, *, with_store: bool) -> Iterator[BenchRig]:
    """Start everything; the caller itself is moved to the second core for as long.

    Args:
        peer: the module that serves what the service is held against.
        with_store: the peer is told the store's address.
    """
    everywhere = os.sched_getaffinity(0)
    measured, rest = cores = two_cores()
    clean = {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}
    os.sched_setaffinity(0, {rest})  # the store inherits it
    with ExitStack() as open_things:
        open_things.callback(os.sched_setaffinity, 0, everywhere)
        home = Path(open_things.enter_context(tempfile.TemporaryDirectory(prefix="parlour-bench-")))
        store = open_things.enter_context(Store(home / "store"))
        log = open_things.enter_context((home / "servers.log").open("wb"))

        def start(name: str, arguments: Sequence[str], environ: dict[str, str]) -> RunningServer:
            child = Child(name, ["-m", *arguments], environ, speaks=True, log=log)
            open_things.callback(child.stop)
            os.sched_setaffinity(child.pid, {measured})
            return RunningServer(child, int(child.first_line().rsplit(":", 1)[1]))

        settings = settings_for(store)
        asyncio.run(found_store(settings))
        api = start("API", ["service"], {**clean, **environment(settings)})
        yield BenchRig(
            store, api, start("peer", [peer, *[store.admin_url] * with_store], clean), cores
        )


def settings_for(store: Store) -> Settings:
    """The service as it is deployed, but for the rates, which must not be what is measured."""
    return Settings(
        store_url=store.url,
        rq_url=store.url,
        keys={KEY_ID: Secret(bytes(range(32)))},
        current_key=KEY_ID,
        naming_key=KEY_ID,
        port=0,
        var=store.home.parent,
        reads_per_minute=_PER_MINUTE,
        commands_per_minute=_PER_MINUTE,
        registrations_per_minute=_PER_MINUTE,
        streams_per_address=10_000,
        connections_per_address=0,
    )


class BenchTable(Struct, frozen=True):
    """A live game in its programming phase; two options of the first seat's decision."""

    game: str
    decision: str
    options: tuple[str, str]


class Seated(Struct, frozen=True):
    """A player's token, and the tables at which it has the first seat."""

    token: str
    tables: list[BenchTable]


def seat_players(port: int, count: int) -> list[Seated]:
    """Players with tables of two, at each of which nobody has programmed yet."""
    url = f"http://127.0.0.1:{port}/v1"
    seated: list[Seated] = []
    keys = (f"bench-key-{number:08d}" for number in itertools.count())
    with httpx.Client(base_url=url, timeout=30) as http:

        def post(path: str, body: dict[str, Any], token: str | None = None) -> Any:  # noqa: ANN401 (JSON)
            headers = {} if token is None else {"authorization": f"Bearer {token}"}
            headers["idempotency-key"] = next(keys)
            return http.post(path, json=body, headers=headers).raise_for_status().json()

        def asked(game: str, token: str) -> Any:  # noqa: ANN401 (JSON)
            headers = {"authorization": f"Bearer {token}"}
            found = http.get(f"/games/{game}/decisions", headers=headers).raise_for_status().json()
            return next(each for each in found["decisions"] if not each["optional"])

        def open_table(first: str, second: str) -> BenchTable:
            """A table whose players have chosen their starting clues."""
            game = post("/games", _WISH, first)["game"]
            for token in (first, second):
                post(f"/games/{game}/seats", {}, token)
            for token in (first, second):
                clue = asked(game, token)
                path = f"/games/{game}/decisions/{clue['id']}"
                post(path, {"option": clue["options"][0]["id"]}, token)
            programme = asked(game, first)
            options = [option["id"] for option in programme["options"]]
            return BenchTable(game, programme["id"], (options[0], options[-1]))

        second = post("/players", {"name": "Second"})["token"]["token"]
        for number in range(count):
            first = post("/players", {"name": f"First {number}"})["token"]["token"]
            tables = [open_table(first, second) for _ in range(TABLES_EACH)]
            seated.append(Seated(first, tables))
    return seated
