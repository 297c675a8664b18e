"""Pages of other sites: what their browsers are told, and what is refused in any case."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from runtime.settings import SettingsError, environment, load_settings
from service.http.origins import ALLOWED_HEADERS, EXPOSED_HEADERS, Origins, name_of
from tests.service.listening import listen
from tests.service.stage import PLACE, Player, Stage, ok, problem, settings_for, stage

SITE = "https://board.example"
LISTED = "https://club.example"
BASE = "https://games.example"
NEAR = ("http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443", "http://app.localhost")
FAR = (SITE, LISTED, "null", "https://localhost.example", "http://127.0.0.1.example", "file://")

ALLOW = "access-control-allow-origin"
EXPOSE = "access-control-expose-headers"


@asynccontextmanager
async def public(store_url: str, **more: Any) -> AsyncIterator[Stage]:
    """A service for everybody."""
    async with stage(store_url, host="192.0.2.1", cors_origins=(LISTED,), **more) as on:
        yield on


async def preflight(
    on: Stage, path: str, method: str, *headers: str, origin: str
) -> httpx.Response:
    """What a browser asks before it sends a request that no form could send."""
    asked = {"origin": origin, "access-control-request-method": method}
    if headers:
        asked["access-control-request-headers"] = ",".join(headers)
    return await on.http.options(path, headers=asked)


def may(answer: httpx.Response, origin: str, method: str) -> bool:
    """Whether a browser goes on to send the request (Fetch §4.8)."""
    said = answer.headers
    assert "access-control-allow-credentials" not in said
    if not 200 <= answer.status_code < 300 or said.get(ALLOW) not in {"*", origin}:
        return False
    assert answer.content == b""
    return method in said["access-control-allow-methods"].split(", ")


def told(answer: httpx.Response, origin: str) -> bool:
    """Whether a browser shows the answer to the page."""
    assert "access-control-allow-credentials" not in answer.headers
    shown = answer.headers.get(ALLOW) in {"*", origin}
    assert shown == (EXPOSE in answer.headers)
    return shown


SENT = ("authorization", "content-type", "idempotency-key")
READS = (
    "/v1/games",
    "/v1/rulebooks",
    "/v1",
    "/v1/openapi.json",
    "/problems",
    "/problems/not-found",
)


@pytest.mark.parametrize("origin", [SITE, LISTED, "null"])
async def test_a_page_with_a_token_may_act_by_it(store_url: str, origin: str) -> None:
    async with public(store_url) as on:
        ada = await on.player()
        page = Player(on.http, ada.token, ada.id)
        sent = {"origin": origin}
        game = await on.table(ada)
        for path, method in (
            ("/v1/games", "POST"),
            (f"/v1/games/{game}/seats", "POST"),
            (f"/v1/games/{game}/seats/1", "DELETE"),
            ("/v1/tokens", "POST"),
            ("/v1/nothing", "PUT"),
        ):
            asked = await preflight(on, path, method, *SENT, origin=origin)
            assert may(asked, origin, method)
            assert asked.headers["access-control-allow-methods"] == method
            assert asked.headers["access-control-max-age"] == "7200"
            assert asked.headers["access-control-allow-headers"].encode() == ALLOWED_HEADERS
            assert "origin" in asked.headers["vary"].split(", ")
        body = {"rulebook": "first_edition", "mode": "solo", "seats": 1}
        opened = await page.post("/v1/games", body, headers=sent)
        assert (opened.status_code, told(opened, origin)) == (201, True)
        assert opened.headers[EXPOSE].encode() == EXPOSED_HEADERS
        there = opened.headers["location"]
        assert told(await page.post(f"{there}/seats", {}, headers=sent), origin)
        decisions = await page.get(f"{there}/decisions", sent)
        choice = ok(decisions)["decisions"][0]
        chosen = {"option": choice["options"][0]["id"]}
        on_the_lane = await page.post(f"{there}/decisions/{choice['id']}", chosen, headers=sent)
        assert (on_the_lane.status_code, told(on_the_lane, origin)) == (200, True)


async def test_a_page_reads_what_is_public_without_asking_first(store_url: str) -> None:
    async with public(store_url) as on:
        ada, bob = await on.player("Ada"), await on.player("Bob")
        game = await on.game(ada, bob)
        for path in (*READS, f"/v1/games/{game}", f"/v1/games/{game}/log.jsonl"):
            for method in ("GET", "HEAD"):
                answer = await on.http.request(method, path, headers={"origin": SITE})
                assert (answer.status_code, answer.headers[ALLOW]) == (200, "*"), path
                bare = await on.http.request(method, path)
                assert ALLOW not in bare.headers
                for each in (answer, bare):  # a cache tells them apart
                    assert "origin" in each.headers["vary"].split(", ")
                    assert len(each.headers.get_list("vary")) == 1
        asked = await preflight(on, "/v1/games", "GET", "if-none-match", origin=SITE)
        assert may(asked, SITE, "GET")
        sse = {"origin": SITE, "last-event-id": "1"}
        async with listen(on, on.stranger, f"/v1/games/{game}/events", sse) as stream:
            await stream.next()
            assert stream.headers[ALLOW] == "*"


async def test_a_page_reads_what_is_wrong(store_url: str) -> None:
    async with public(store_url, reads_per_minute=20) as on:
        ada = await on.player()
        for path in ("/v1/games/none", "/v1/nothing", "/v1/games?limit=x", "/problems/nothing"):
            answer = await on.stranger.get(path, {"origin": SITE})
            assert answer.status_code in {400, 404}
            assert told(answer, SITE), path
        wrong = Player(on.http, "plr.wrong")
        refused = await wrong.post("/v1/games", {}, headers={"origin": SITE})
        assert (refused.status_code, told(refused, SITE)) == (401, True)
        assert told(await ada.post("/v1/games", {}, headers={"origin": SITE}), SITE)
        while (answer := await ada.get("/v1/games", {"origin": SITE})).status_code == 200:
            pass
        problem(answer, "rate-limited")
        assert told(answer, SITE)
        exposed = answer.headers[EXPOSE].split(", ")
        assert {"retry-after", "ratelimit", "ratelimit-policy", "x-request-id"} <= set(exposed)


REGISTRATION = (
    "/v1/players",
    "/v1/players/",
    "http://localhost//v1/players",
    "/v1//players",
    "/v1/players//",
)


async def test_registering_and_the_operators_things_are_for_listed_origins(
    store_url: str,
) -> None:
    async with public(store_url) as on:
        for path in REGISTRATION:
            for headers in (SENT, SENT[1:]):
                asked = await preflight(on, path, "POST", *headers, origin=SITE)
                problem(asked, "origin-not-allowed")
                assert not may(asked, SITE, "POST")
                assert may(
                    await preflight(on, path, "POST", *headers, origin=LISTED), LISTED, "POST"
                )
            # A browser remembers all methods that it is told of an address.
            reading = await preflight(on, path, "GET", "if-none-match", origin=SITE)
            assert not may(reading, SITE, "POST")
            for origin, shown in ((SITE, False), (LISTED, True)):
                sent = {"origin": origin, "authorization": ""}
                made = await on.http.post(path, json={}, headers=sent)
                assert told(made, origin) is shown, path
        for path in ("/metrics", "/health/live", "/health/ready"):
            assert not told(await on.stranger.get(path, {"origin": SITE}), SITE)
            assert (await on.stranger.get(path, {"origin": LISTED})).headers[ALLOW] == LISTED
            assert "origin" in (await on.stranger.get(path)).headers["vary"]
        ada = await on.player()
        for scope in ("admin", "audit"):
            mighty = await on.with_scopes(ada, "play", scope)
            refused = await mighty.get("/v1/tokens", {"origin": SITE})
            problem(refused, "origin-not-allowed")
            assert (refused.status_code, told(refused, SITE)) == (403, True)
            for origin in (LISTED, "http://localhost"):  # the latter is our own here
                ok(await mighty.get("/v1/tokens", {"origin": origin}))
            ok(await mighty.get("/v1/tokens"))
        lift = "/v1/exemptions/203.0.113.7"
        refused = await on.http.put(lift, headers=on.operator.headers({"origin": SITE}))
        problem(refused, "origin-not-allowed")
        assert not on.service.app_context.presence.around.lifted
        weak = await on.with_scopes(ada, "play", "organise")
        ok(await weak.get("/v1/tokens", {"origin": SITE}))


async def test_our_own_page_needs_no_listing(store_url: str) -> None:
    async with public(store_url, public_url=BASE) as on:
        auditor = await on.with_scopes(await on.player(), "play", "audit")
        for sent in (
            {"origin": BASE, "host": "behind.internal:8025"},
            {"origin": "https://games.example", "host": "games.example:443"},
            {"origin": "http://games.example:8080", "host": "Games.example:8080"},
            {"origin": "https://other.example", "sec-fetch-site": "same-origin"},
        ):
            ok(await auditor.get("/v1/tokens", sent))
        for sent in (
            {"origin": SITE, "host": "games.example"},
            {"origin": "https://games.example:444", "host": "games.example"},
            {"origin": SITE, "sec-fetch-site": "same-site"},
            {"origin": "null", "host": ""},
        ):
            problem(await auditor.get("/v1/tokens", sent), "origin-not-allowed")


async def test_pages_and_modules_are_told_to_nobody_else(store_url: str) -> None:
    async with public(store_url) as on:
        for path in ("/", f"{PLACE}/chunks/main.js", "/nothing"):
            for origin in (SITE, LISTED):
                assert not told(await on.stranger.get(path, {"origin": origin}), origin)
                assert not may(await preflight(on, path, "GET", origin=origin), origin, "GET")


# --- on one machine ---


async def everything(on: Stage, origin: str) -> list[httpx.Response]:
    """What a page of an origin tries, and what it is told."""
    ada = await on.player()
    game = await on.game(ada, await on.player("Bob"))
    sent, new = {"origin": origin}, {"rulebook": "first_edition", "mode": "solo", "seats": 1}
    found = [await ada.get(path, sent) for path in (*READS, "/metrics", f"/v1/games/{game}", "/")]
    found.append(await ada.post("/v1/games", new, headers=sent))
    found.append(await on.stranger.post("/v1/players", {"name": "Eve"}, headers=sent))
    found.append(await on.operator.get("/v1/games", sent))
    found.append(await on.http.head("/v1/games", headers=sent))
    return found


async def test_on_one_machine_other_pages_may_do_nothing(on: Stage) -> None:
    for origin in FAR:
        for answer in await everything(on, origin):
            assert answer.status_code == 403
            assert not told(answer, origin)
        for path, method in (("/v1/games", "GET"), ("/v1/games", "POST"), ("/v1/players", "POST")):
            for headers in ((), SENT):
                asked = await preflight(on, path, method, *headers, origin=origin)
                problem(asked, "origin-not-allowed")
                assert not may(asked, origin, method)
    await on.list_up()
    games = ok(await on.operator.get("/v1/games", limit=100))["games"]
    assert len(games) == len(FAR), "those that the tests began, and no other"


async def test_on_one_machine_its_own_pages_may_do_everything(on: Stage) -> None:
    for origin in NEAR:
        for answer in await everything(on, origin):
            assert answer.status_code in {200, 201}
            assert answer.request.url.path == "/" or answer.headers[ALLOW] == origin
        for path, method in (("/v1/games", "POST"), ("/v1/players", "POST"), ("/metrics", "GET")):
            assert may(await preflight(on, path, method, *SENT, origin=origin), origin, method)


async def test_on_one_machine_listed_pages_count_as_its_own(store_url: str) -> None:
    async with stage(store_url, cors_origins=(LISTED,)) as on:
        for answer in await everything(on, LISTED):
            assert answer.status_code in {200, 201}
        assert {a.status_code for a in await everything(on, SITE)} == {403}


async def test_a_service_with_a_public_address_is_open_wherever_it_listens(store_url: str) -> None:
    async with stage(store_url, public_url=BASE) as on:
        assert (await on.stranger.get("/v1/games", {"origin": SITE})).headers[ALLOW] == "*"


OURS = ("localhost", "localhost:8025", "127.0.0.1", "127.9.9.9:1", "[::1]:8025", "a.localhost")
THEIRS = (
    *("evil.example", "evil.example:8025", "localhost.evil.example", "127.0.0.1.evil.example"),
    *("192.0.2.1", "0.0.0.1", "", ":8025", "localhost:x", "[::2]", "evil.example#localhost"),
    *("localhost@evil.example", "games.example", "localhost localhost", "[localhost", "2130706433"),
)


async def test_on_one_machine_names_are_checked(store_url: str) -> None:
    async with stage(store_url) as on:
        for path in ("/v1/games", "/", "/v1/nothing", "/health/live"):
            for host in OURS:
                answer = await on.stranger.get(path, {"host": host})
                assert answer.status_code == (404 if "nothing" in path else 200)
            for host in THEIRS:
                answer = await on.stranger.get(path, {"host": host})
                problem(answer, "misdirected-request")
                assert answer.status_code == 421
        twice = [("host", "localhost"), ("host", "evil.example")]
        for given in (twice, twice[::-1]):
            problem(await on.http.get("/v1/games", headers=given), "misdirected-request")
        assert len(on.service.asgi._origins._known) < 20
    async with stage(store_url, public_url=BASE) as on:
        assert (await on.stranger.get("/v1/games", {"host": "games.example"})).status_code == 200
        problem(await on.stranger.get("/v1/games", {"host": "x.example"}), "misdirected-request")
    async with public(store_url) as on:  # the guard is for loopback alone
        for host in THEIRS:
            assert (await on.stranger.get("/v1/games", {"host": host})).status_code != 421


async def test_a_refused_name_reaches_no_handler(on: Stage) -> None:
    answer = await on.stranger.post(
        "/v1/players", {"name": "Eve"}, headers={"host": "evil.example"}
    )
    problem(answer, "misdirected-request")
    assert [(line["route"], line["problem"]) for line in on.lines] == [
        ("unmatched", "misdirected-request")
    ]


def test_remembered_names_are_bounded() -> None:
    origins = Origins("127.0.0.1")
    for number in range(1000):
        host = f"h{number}.localhost".encode()
        assert origins.begin({"method": "GET", "headers": [(b"host", host)]}) is None
    assert len(origins._known) <= 100


@pytest.mark.parametrize(
    ("authority", "name"),
    [("a.example", "a.example"), ("a:1", "a"), ("[::1]:1", "::1"), ("a:1:2", ""), ("[::1", "")],
)
def test_a_name_is_what_stands_before_the_port(authority: str, name: str) -> None:
    assert name_of(authority) == name


# --- the setting ---


def read(text: str) -> tuple[str, ...]:
    given = environment(settings_for("redis://localhost:1")) | {"PARLOUR_CORS_ORIGINS": text}
    return load_settings(given).cors_origins


def test_the_setting_is_a_list_of_origins() -> None:
    assert read("") == ()
    assert read("https://a.example, http://b.example:3000") == (
        "https://a.example",
        "http://b.example:3000",
    )
    assert read("https://a.example:443/,http://b.example:80") == (
        "https://a.example",
        "http://b.example",
    )
    settings = settings_for("redis://localhost:1", cors_origins=(SITE, LISTED))
    assert load_settings(environment(settings)).cors_origins == (SITE, LISTED)


@pytest.mark.parametrize(
    "text", ["*", "null", "a.example", "https://a.example/x", "https://a.example,,", "https://A.x"]
)
def test_anything_else_is_no_origin(text: str) -> None:
    with pytest.raises(SettingsError, match="PARLOUR_CORS_ORIGINS"):
        read(text)
