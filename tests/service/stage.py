"""Builds services over a real store and speaks to them over HTTP, in the test's own loop."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final, cast

import httpx
import msgspec
from prometheus_client import Gauge
from redis.asyncio import Redis

from events.clients import commands
from events.kernel import TimestampMs
from games.game_registry import GameRegistry
from projections.leaderboards import Leaderboards
from projections.lobby import Lobby
from runtime.settings import NO_MARKS, Secret, Settings
from runtime.table_service import now_ms
from service.app import Service, create_service
from service.page.static_files import ASSETS, WEB
from simulator.app_parts import SITE
from tests.unlimited import unlimited

SHARDS = 4
OPERATOR_TOKEN = "the operator's own token"
_NAMES = count(1)

PLAIN = {"accept-encoding": "identity"}
"""What our client says by default: the tests of compression say otherwise."""

Json = dict[str, Any]


PLACE: Final = f"{ASSETS}{SITE.digest}"
"""The path under which the page's files are served."""


class Still:
    """A clock that stands still until somebody moves it."""

    def __init__(self) -> None:
        self.now: TimestampMs = now_ms()

    def __call__(self) -> TimestampMs:
        return self.now


def settings_for(store_url: str, **more: Any) -> Settings:
    """The settings of a test."""
    values: Json = {
        "store_url": store_url,
        "rq_url": store_url,
        "keys": {"k1": Secret(b"1" * 32)},
        "current_key": "k1",
        "naming_key": "k1",
        "shards": SHARDS,
        "signing_key": Secret(b"s" * 32),
        "head_origin": "test.example",
        "admin_token_hash": Secret(hashlib.sha256(OPERATOR_TOKEN.encode()).digest()),
        "allow_lossy_store": True,
        "clock_tolerance_ms": 0,
        "marks": NO_MARKS,
        "reads_per_minute": 1_000_000,
        "commands_per_minute": 1_000_000,
        "registrations_per_minute": 1_000_000,
    }
    return Settings(**values | more)


async def hung_up(app: Any, path: str, headers: Mapping[str, str]) -> list[Any]:
    """What an ASGI app sends to a POST whose client is gone before its body has come."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def remember(message: Any) -> None:
        sent.append(message)

    scope: Json = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": None,
        "server": None,
        "scheme": "http",
        "http_version": "1.1",
        "root_path": "",
        "extensions": {},
    }
    await app(scope, receive, remember)
    return sent


def fresh() -> str:
    """An ``Idempotency-Key`` that nobody has used."""
    return f"test-key-{next(_NAMES):010}"


class Player:
    """A client with a token."""

    def __init__(self, http: httpx.AsyncClient, token: str | None, player: str = "") -> None:
        self.http = http
        self.token = token
        self.id = player

    def headers(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The headers of a request."""
        own = {} if self.token is None else {"authorization": f"Bearer {self.token}"}
        return own | dict(extra or {})

    async def get(
        self, path: str, headers: Mapping[str, str] | None = None, **queries: Any
    ) -> httpx.Response:
        """Read; a trailing underscore in a query's name is dropped (``as_``)."""
        given = {name.rstrip("_"): value for name, value in queries.items()}
        return await self.http.get(path, params=given or None, headers=self.headers(headers))

    async def post(
        self,
        path: str,
        body: Any = None,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Command, under a fresh key unless one is given."""
        sent = self.headers({"idempotency-key": key or fresh()} | dict(headers or {}))
        if body is None:
            return await self.http.post(path, headers=sent)
        return await self.http.post(path, json=body, headers=sent)

    async def put(self, path: str) -> httpx.Response:
        """Put, without a body."""
        return await self.http.put(path, headers=self.headers())

    async def delete(
        self, path: str, headers: Mapping[str, str] | None = None, **queries: Any
    ) -> httpx.Response:
        """Delete."""
        return await self.http.delete(path, params=queries or None, headers=self.headers(headers))


class Stage:
    """A service, a client of it and one of its store, players, and the lines of the access log."""

    def __init__(
        self,
        service: Service,
        http: httpx.AsyncClient,
        store: Redis,
        clock: Still,
        lines: list[Json],
    ) -> None:
        self.service = service
        self.store = store
        self.lines = lines
        self.http = http
        self.clock = clock
        self.stranger = Player(http, None)
        self._unnamed = 0
        self.operator = Player(http, OPERATOR_TOKEN, "operator")

    async def player(self, name: str | None = None) -> Player:
        """A new player, by default of a name that nobody else here has."""
        if name is None:
            name = "Ada" if not self._unnamed else f"Ada {self._unnamed + 1}"
            self._unnamed += 1
        answer = await self.stranger.post("/v1/players", {"name": name})
        made = ok(answer, 201)
        return Player(self.http, made["token"]["token"], made["id"])

    async def with_scopes(self, player: Player, *scopes: str) -> Player:
        """The same player with a token of these scopes, from the operator."""
        wish = {"scopes": scopes, "player": player.id}
        made = ok(await self.operator.post("/v1/tokens", wish), 201)
        return Player(self.http, made["token"], player.id)

    async def table(
        self, host: Player, mode: str = "cooperation", seats: int = 2, **more: Any
    ) -> str:
        """An open table."""
        wish = {"rulebook": "first_edition", "mode": mode, "seats": seats} | more
        game: str = ok(await host.post("/v1/games", wish), 201)["game"]
        return game

    async def sit(self, game: str, *players: Player) -> None:
        """Seat players in order."""
        for player in players:
            ok(await player.post(f"/v1/games/{game}/seats", {}), 201)

    async def game(self, *players: Player, **more: Any) -> str:
        """A game that has begun, hosted by the first player."""
        game = await self.table(players[0], seats=len(players), **more)
        await self.sit(game, *players)
        return game

    async def inspect(self, auditor: Player, game: str, eyes: str = "full") -> int:
        """Let an auditor look at a running game; the version that this leads to."""
        wish = {"eyes": eyes, "reason": "spot_check"}
        made = ok(await auditor.post(f"/v1/games/{game}/inspections", wish), 201)
        return int(made["version"])

    async def list_up(self) -> None:
        """Bring the lists up to date, as the workers do all the time."""
        app_context = self.service.app_context
        await Lobby(
            app_context.tables.log, self.store, game_registry=app_context.tables.game_registry
        ).catch_up()
        await Leaderboards(app_context.tables.log, self.store).catch_up()


@asynccontextmanager
async def stage(
    store_url: str,
    clock: Still | None = None,
    web: Path = WEB,
    game_registry: GameRegistry | None = None,
    **more: Any,
) -> AsyncIterator[Stage]:
    """A running service in this loop."""
    clock = clock or Still()
    lines: list[Json] = []
    settings = settings_for(store_url, **more)
    service = create_service(
        settings, clock, take_line=lines.append, web=web, game_registry=game_registry
    )
    transport = httpx.ASGITransport(app=service.asgi, raise_app_exceptions=False)
    async with (
        _alive(service),
        httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=PLAIN) as http,
        commands(unlimited(store_url)) as store,
    ):
        # A cluster's client has the same commands, but is no `Redis` for a type checker.
        yield Stage(service, http, cast("Redis", store), clock, lines)


@asynccontextmanager
async def _alive(service: Service) -> AsyncIterator[None]:
    """The lifespan in a task of its own: a fixture is left by another task than enters it."""
    up, down = asyncio.Event(), asyncio.Event()

    async def live() -> None:
        async with service.app.lifespan():
            up.set()
            await down.wait()

    task = asyncio.create_task(live())
    waiting = asyncio.create_task(up.wait())
    await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    try:
        if up.is_set():
            yield
    finally:
        down.set()
        await task


def shown(gauge: Gauge) -> float:
    """What a gauge without labels shows."""
    [metric] = gauge.collect()
    return metric.samples[0].value


def told(answer: httpx.Response) -> dict[str, str]:
    """The headers of an answer, but for those that differ each time one asks the same."""
    return {k: v for k, v in answer.headers.items() if k not in {"x-request-id", "ratelimit"}}


def ok(answer: httpx.Response, status: int = 200) -> Json:
    """The body of a good answer."""
    assert answer.status_code == status, answer.text
    body: Json = msgspec.json.decode(answer.content)
    return body


def problem(answer: httpx.Response, code: str) -> Json:
    """The body of a problem document of the kind ``code``."""
    body: Json = msgspec.json.decode(answer.content)
    assert body.get("type") == f"/problems/{code}", answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert body["status"] == answer.status_code
    assert body["title"]
    assert body["detail"]
    return body
