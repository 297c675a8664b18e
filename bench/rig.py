"""What the benches of the service stand on: a store, the service, its peer, and players at tables.

The two servers share the first core; the store, the load and whoever measures have the second one.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, Self

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
TABLE: Final[Mapping[str, Any]] = {
    "rulebook": "first_edition",
    "mode": "cooperation",
    "seats": 2,
    "time": {"limits_s": {"programming": _HOUR_S, "decision": _HOUR_S}},
}
"""What a table of two is opened with."""

_PATIENCE_S: Final = 120.0


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
    settings: Settings


class ServiceRig(Struct, frozen=True):
    """The store, the service on it, and its settings.

    ``start`` starts what is on the first core beside it; it takes a name, the arguments, the
    environment, and the program (Python by default).
    """

    store: Store
    api: RunningServer
    start: Callable[..., RunningServer]
    cores: tuple[int, int]
    settings: Settings


@contextmanager
def service_rig() -> Iterator[ServiceRig]:
    """Start both; the caller itself is moved to the second core for as long."""
    everywhere = os.sched_getaffinity(0)
    measured, rest = cores = two_cores()
    clean = environment_of_ours()
    os.sched_setaffinity(0, {rest})  # the store inherits it
    with ExitStack() as open_things:
        open_things.callback(os.sched_setaffinity, 0, everywhere)
        home = Path(open_things.enter_context(tempfile.TemporaryDirectory(prefix="parlour-bench-")))
        store = open_things.enter_context(Store(home / "store"))
        log = open_things.enter_context((home / "servers.log").open("wb"))

        def start(
            name: str,
            arguments: list[str],
            environ: dict[str, str],
            program: str = sys.executable,
        ) -> RunningServer:
            child = Child(name, arguments, environ, speaks=True, log=log, program=program)
            open_things.callback(child.stop)
            os.sched_setaffinity(child.pid, {measured})
            return RunningServer(child, int(child.first_line().rsplit(":", 1)[-1]))

        settings = settings_for(store)
        asyncio.run(found_store(settings))
        api = start("API", ["-m", "service"], {**clean, **environment(settings)})
        yield ServiceRig(store, api, start, cores, settings)


@contextmanager
def rig(peer: str, *, with_store: bool) -> Iterator[BenchRig]:
    """As ``service_rig``, and a peer beside it.

    Args:
        peer: the module that serves what the service is held against.
        with_store: the peer is told the store's address.
    """
    with service_rig() as found:
        words = ["-m", peer, *[found.store.admin_url] * with_store]
        beside = found.start("peer", words, environment_of_ours())
        yield BenchRig(found.store, found.api, beside, found.cores, found.settings)


def environment_of_ours() -> dict[str, str]:
    """Our own environment, without settings of the service."""
    return {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}


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
    """A player, its token, and the tables at which it has the first seat."""

    player: str
    token: str
    tables: list[BenchTable]


class BenchClient:
    """Registers players and opens tables, over HTTP.

    Args:
        port: that of the service.

    Attributes:
        ids: the players, by their tokens.
    """

    def __init__(self, port: int) -> None:
        self.ids: dict[str, str] = {}
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{port}/v1", timeout=_PATIENCE_S)
        self._keys = (f"bench-key-{number:08d}" for number in itertools.count())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def player(self, name: str) -> str:
        """A new player's token."""
        made = self._post("/players", {"name": name})
        token: str = made["token"]["token"]
        self.ids[token] = made["id"]
        return token

    def table(self, wish: Mapping[str, Any], tokens: Sequence[str]) -> list[BenchTable]:
        """A table at which all sit and have chosen their starting clues: each one's programme."""
        game = self._post("/games", wish, tokens[0])["game"]
        for token in tokens:
            self._post(f"/games/{game}/seats", {}, token)
        for token in tokens:
            clue = self._asked(game, token)
            path = f"/games/{game}/decisions/{clue['id']}"
            self._post(path, {"option": clue["options"][0]["id"]}, token)
        found = []
        for token in tokens:
            programme = self._asked(game, token)
            options = [option["id"] for option in programme["options"]]
            found.append(BenchTable(game, programme["id"], (options[0], options[-1])))
        return found

    def _post(self, path: str, body: Mapping[str, Any], token: str | None = None) -> Any:  # noqa: ANN401 (JSON)
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        headers["idempotency-key"] = next(self._keys)
        return self._http.post(path, json=body, headers=headers).raise_for_status().json()

    def _asked(self, game: str, token: str) -> Any:  # noqa: ANN401 (JSON)
        headers = {"authorization": f"Bearer {token}"}
        answer = self._http.get(f"/games/{game}/decisions", headers=headers)
        found = answer.raise_for_status().json()
        return next(each for each in found["decisions"] if not each["optional"])


def seat_players(port: int, count: int) -> list[Seated]:
    """Players with tables of two, at each of which nobody has programmed yet."""
    with BenchClient(port) as client:
        second = client.player("Second")
        seated = []
        for number in range(count):
            first = client.player(f"First {number}")
            tables = [client.table(TABLE, (first, second))[0] for _ in range(TABLES_EACH)]
            seated.append(Seated(client.ids[first], first, tables))
    return seated
