"""``HEAD`` wherever ``GET`` is, and ``304`` with the headers of its ``200``."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest

from tests.service.listening import listen
from tests.service.live import LONG, live
from tests.service.stage import PLACE, Json, Player, Stage, ok, problem, stage, told

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT: Json = msgspec.json.decode((ROOT / "openapi/openapi.json").read_bytes())
BASE = "https://games.example"
PAGES = ("/", "/watch/{game}", "/embed/{game}", f"{PLACE}/chunks/main.js")
STREAMS = (
    ("/v1/games/{game}/events", {"accept": "text/event-stream"}),
    ("/v1/games/{game}/events?follow=true", {"accept": "application/x-ndjson"}),
    ("/v1/stream", {"accept": "text/event-stream"}),
    ("/v1/stream", {"accept": "application/x-ndjson"}),
)


def reads() -> list[str]:
    """The path of everything in the document that can be read."""
    return [path for path, methods in DOCUMENT["paths"].items() if "get" in methods]


def answered() -> list[str]:
    """Those that are answered once a game is over; then no decision is open any more."""
    return [path for path in reads() if "/decisions/{decision}/" not in path]


QUERIES = {
    "/v1/oembed": "url={base}/watch/{game}",
    "/v1/leaderboards/{season}": "game=room25",
    "/v1/wall": "tables={game}",
}
"""What a path cannot do without."""


def filled(path: str, over: Over) -> str:
    """A path with its parameters given, and a query that it cannot do without."""
    query = QUERIES.get(path, "").format(base=BASE, game=over.game)
    values = {
        "game": over.game,
        "player": over.ada.id,
        "rulebook": "bga",
        "problem": "not-found",
        "season": "all",
        "tour": over.tour,
    }
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", value)
    return f"{path}?{query}" if query else path


class Over(NamedTuple):
    """A player, a game that is over, and a tour through it."""

    ada: Player
    game: str
    tour: str


async def over(on: Stage) -> Over:
    """Play one, and lead through it."""
    ada = await on.player()
    game = await on.game(ada, await on.player("Bob"))
    ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    await on.list_up()
    tour = ok(await ada.post(f"/v1/games/{game}/tours"), 201)["tour"]
    return Over(ada, game, tour)


async def head(who: Player, path: str, headers: Json | None = None) -> httpx.Response:
    return await who.http.head(path, headers=who.headers(headers))


CHANGING = {"/metrics"}
"""What says something else at each reading."""


async def test_head_is_answered_wherever_get_is(store_url: str) -> None:
    async with stage(store_url, public_url=BASE) as on:
        played = await over(on)
        ada = played.ada
        paths = [path for path in answered() if path != "/v1/stream"]
        assert len(paths) > 15
        for path in (*paths, *PAGES):
            there = filled(path, played)
            whole, bare = await ada.get(there), await head(ada, there)
            assert (whole.status_code, bare.status_code, bare.content) == (200, 200, b""), there
            assert bool(whole.content), there
            if path not in CHANGING:
                assert told(whole) == told(bare), there
            allowed = await on.http.options(there)
            assert "HEAD" in allowed.headers["allow"].split(", "), there
            wrong = await on.http.patch(there)
            problem(wrong, "method-not-allowed")
            assert {"GET", "HEAD"} <= set(wrong.headers["allow"].split(", ")), there


async def test_head_is_refused_where_get_is(on: Stage) -> None:
    ada = await on.player()
    for who, path in (
        (ada, "/v1/nothing"),
        (ada, "/v1/games/g00-nothing"),
        (ada, "/v1/games?limit=many"),
        (on.stranger, "/v1/tokens"),
        (on.stranger, "/v1/players"),
        (ada, f"{PLACE}/nothing.js"),
    ):
        whole, bare = await who.get(path), await head(who, path)
        assert (bare.status_code, bare.content) == (whole.status_code, b"")
        assert bare.status_code >= 400
        assert told(bare) == told(whole)
    posts_only = await head(ada, "/v1/players")
    assert posts_only.headers["allow"] == "OPTIONS, POST"


async def test_head_costs_what_get_costs(store_url: str) -> None:
    async with stage(store_url, reads_per_minute=40) as on:
        for _ in range(10):
            assert (await on.http.head("/v1/rulebooks")).status_code == 200
        assert (await on.http.head("/v1/rulebooks")).status_code == 429
        problem(await on.http.get("/v1/rulebooks"), "rate-limited")


async def test_head_opens_no_stream(store_url: str) -> None:
    async with stage(store_url, streams_per_caller=1) as on:
        ada = await on.player()
        game = await on.game(ada, await on.player("Bob"))
        app_context = on.service.app_context
        for path, accept in STREAMS:
            bare = await head(ada, path.format(game=game), accept)
            assert (bare.status_code, bare.content) == (200, b"")
            assert bare.headers["content-type"] == accept["accept"]
            assert (bare.headers["cache-control"], bare.headers["x-accel-buffering"]) == (
                "no-store",
                "no",
            )
            assert (
                app_context.connection_limits.callers,
                app_context.notifications.listening,
            ) == (0, 0)
        problem_ = await on.http.get(f"/v1/games/{game}/events", headers={"accept": "text/x"})
        refused = await on.http.head(f"/v1/games/{game}/events", headers={"accept": "text/x"})
        assert (problem_.status_code, refused.status_code) == (406, 406)
        async with listen(on, ada, "/v1/stream") as stream:
            await stream.next()
            for path, accept in STREAMS:
                bare = await head(ada, path.format(game=game), accept)
                assert (bare.status_code, bare.content) == (429, b"")


async def test_head_reads_no_log_for_nobody(on: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = await on.player()
    game = await on.game(ada, await on.player("Bob"))
    whole = await ada.get(f"/v1/games/{game}/log.jsonl")

    async def read(*_: Any, **__: Any) -> Any:
        raise AssertionError("read for nobody")

    monkeypatch.setattr(on.service.app_context.tables, "events", read)
    bare = await head(ada, f"/v1/games/{game}/log.jsonl")
    assert (bare.status_code, told(bare)) == (200, told(whole))


async def test_head_is_logged_and_counted_as_head(on: Stage) -> None:
    await on.http.head("/v1/rulebooks")
    assert [(line["method"], line["route"]) for line in on.lines] == [("HEAD", "/v1/rulebooks")]
    counted = 'parlour_requests_total{method="HEAD",route="/v1/rulebooks",status="200"} 1.0'
    assert counted in (await on.stranger.get("/metrics")).text


def read_head(connection: socket.socket) -> bytes:
    """The next header section, and whatever has come behind it."""
    read = b""
    while b"\r\n\r\n" not in read:
        more = connection.recv(65536)
        assert more, "the service hung up"
        read += more
    return read


@pytest.mark.slow
async def test_nothing_stands_behind_the_headers_on_the_wire(store_url: str) -> None:
    def speak() -> None:
        with live(store_url) as service, socket.create_connection(("127.0.0.1", service.port)) as c:
            c.settimeout(LONG)
            paths = ("/v1/openapi.json", "/v1/rulebooks/bga", "/", "/v1/nothing", "/v1/games")
            for path in paths:
                c.sendall(f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                said = read_head(c)
                first, behind = said.split(b"\r\n\r\n", 1)
                assert first.startswith(b"HTTP/1.1 404" if "nothing" in path else b"HTTP/1.1 200")
                assert b"\r\ncontent-length: " in first
                assert b"\r\ncontent-length: 0\r\n" not in first
                assert behind == b""

    await asyncio.to_thread(speak)


# --- 304 ---

KEPT = ("cache-control", "vary", "etag", "content-security-policy")


async def test_not_modified_says_what_the_whole_answer_says(store_url: str) -> None:
    async with stage(store_url, public_url=BASE) as on:
        played = await over(on)
        ada = played.ada
        said = {path: DOCUMENT["paths"][path]["get"]["responses"] for path in answered()}
        tagged = [path for path in said if "304" in said[path]]
        assert len(tagged) > 10
        pictures = [("/v1/games/{game}/state", {"accept": "image/svg+xml"})]
        lines = [("/v1/games/{game}/events", {"accept": "application/x-ndjson"})]
        for path, accept in (*((p, {}) for p in (*tagged, *PAGES)), *pictures, *lines):
            there = filled(path, played)
            for who in (ada, on.stranger):
                if who.token is None and path.endswith("/decisions"):
                    continue
                whole = await who.get(there, accept)
                known = {**accept, "if-none-match": whole.headers["etag"]}
                for again in (await who.get(there, known), await head(who, there, known)):
                    assert (again.status_code, again.content) == (304, b""), there
                    kept = [(whole.headers.get(name), again.headers.get(name)) for name in KEPT]
                    assert all(one == other for one, other in kept), (there, kept)
                    assert "content-length" not in again.headers
                    assert "content-type" not in again.headers


async def test_everything_with_a_tag_is_said_to_have_one(store_url: str) -> None:
    async with stage(store_url, public_url=BASE) as on:
        played = await over(on)
        ada = played.ada
        for path in answered():
            if path == "/v1/stream":
                continue
            answer = await ada.get(filled(path, played))
            said = DOCUMENT["paths"][path]["get"]["responses"]
            assert ("etag" in answer.headers) == ("304" in said), path
