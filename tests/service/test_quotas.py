"""Quotas: what one may have at a time, who is outside of them, and how a place comes free."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from ipaddress import ip_network
from typing import Any

import httpx
import pytest

from service.access.quotas import UNBORN_MS
from service.http.address_names import DAY_MS
from tests.service.stage import Json, Player, Stage, fresh, ok, problem, stage

TABLE: Json = {"rulebook": "first_edition", "mode": "cooperation", "seats": 4}
BOTS: Json = {"rulebook": "first_edition", "mode": "cooperation", "seats": 2}


@pytest.fixture
async def small(store_url: str) -> AsyncIterator[Stage]:
    """A service in which little is allowed."""
    limits: Json = {
        "tables_per_account": 2,
        "bot_games_per_account": 1,
        "invitations_per_table": 3,
        "tokens_per_account": 3,
        "registrations_per_day": 4,
    }
    async with stage(store_url, **limits) as made:
        yield made


async def bots_alone(host: Player, **more: Any) -> httpx.Response:
    """Open a table and fill it with house bots; the last answer."""
    game = ok(await host.post("/v1/games", BOTS | more), 201)["game"]
    ok(await host.post(f"/v1/games/{game}/seats", {"bot": "random"}), 201)
    answer = await host.post(f"/v1/games/{game}/seats", {"bot": "random"})
    if more.get("start") != "host":
        return answer
    ok(answer, 201)
    return await host.post(f"/v1/games/{game}/start")


# --- tables that have not begun ---


async def test_so_many_tables_may_wait_for_players(small: Stage) -> None:
    ada, bob = await small.player("Ada"), await small.player("Bob")
    games = [ok(await ada.post("/v1/games", TABLE), 201)["game"] for _ in range(2)]
    problem(await ada.post("/v1/games", TABLE), "too-many-tables")
    ok(await bob.post("/v1/games", TABLE), 201)
    ok(await small.operator.post(f"/v1/games/{games[0]}/annul", {"reason": "other"}))
    ok(await ada.post("/v1/games", TABLE), 201)
    problem(await ada.post("/v1/games", TABLE), "too-many-tables")


async def test_a_game_that_has_begun_counts_no_more(small: Stage) -> None:
    ada = await small.player()
    for _ in range(4):
        await small.game(ada, mode="solo")


async def test_many_requests_at_once_get_no_more(small: Stage) -> None:
    ada = await small.player()
    answers = await asyncio.gather(*(ada.post("/v1/games", TABLE) for _ in range(12)))
    assert sorted(answer.status_code for answer in answers) == [201] * 2 + [409] * 10


async def test_a_repeated_request_has_its_first_answer_though_all_places_are_taken(
    small: Stage,
) -> None:
    ada, key = await small.player(), fresh()
    solo = TABLE | {"mode": "solo", "seats": 1}
    first = await ada.post("/v1/games", solo, key)
    await small.sit(ok(first, 201)["game"], ada)
    for _ in range(2):
        ok(await ada.post("/v1/games", TABLE), 201)
    problem(await ada.post("/v1/games", TABLE), "too-many-tables")
    again = await ada.post("/v1/games", solo, key)
    assert (again.status_code, again.content) == (201, first.content)


async def test_a_refused_wish_takes_no_place(small: Stage) -> None:
    ada = await small.player()
    for _ in range(4):
        problem(await ada.post("/v1/games", TABLE | {"mode": "chess"}), "unknown-mode")
    ok(await ada.post("/v1/games", TABLE), 201)


async def test_a_place_whose_table_never_came_is_free_after_a_minute(small: Stage) -> None:
    ada = await small.player()
    quotas, client = small.service.app_context.quotas, small.store
    nobodys = [f"g00-{n}" + "0" * 25 for n in range(2)]
    for game in nobodys:
        await client.zadd(f"quota:tables:{ada.id}", {game: 10**15})
    problem(await ada.post("/v1/games", TABLE), "too-many-tables")
    for game in nobodys:
        await client.zadd(f"quota:tables:{ada.id}", {game: 1})
    assert quotas is not None
    assert UNBORN_MS > 1
    ok(await ada.post("/v1/games", TABLE), 201)


async def test_the_operator_and_its_delegates_open_any_number(small: Stage) -> None:
    delegate = await small.with_scopes(await small.player(), "organise", "admin")
    for host in (small.operator, delegate):
        for _ in range(4):
            ok(await host.post("/v1/games", TABLE), 201)


# --- games of bots alone ---


@pytest.mark.parametrize("start", ["auto", "ready", "host"])
async def test_so_many_games_of_bots_alone_may_run(small: Stage, start: str) -> None:
    ada, bob = await small.player("Ada"), await small.player("Bob")
    first = await bots_alone(ada, start=start)
    assert first.status_code in {200, 201}
    problem(await bots_alone(ada, start=start), "too-many-bot-games")
    assert (await bots_alone(bob, start=start)).status_code in {200, 201}


async def test_bots_among_people_are_not_counted(small: Stage) -> None:
    ada = await small.player()
    assert (await bots_alone(ada)).status_code == 201
    game = await small.table(ada, seats=2)
    await small.sit(game, ada)
    ok(await ada.post(f"/v1/games/{game}/seats", {"bot": "random"}), 201)


async def test_when_a_game_of_bots_has_ended_another_may_begin(small: Stage) -> None:
    ada = await small.player()
    game = ok(await bots_alone(ada), 201)["game"]
    director = await small.with_scopes(ada, "organise")
    ok(await director.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    assert (await bots_alone(ada)).status_code == 201


async def test_a_game_that_nobody_foresaw_is_counted_once_it_has_begun(small: Stage) -> None:
    """Both bots sit down at once, so neither request saw a table that it would fill."""
    ada = await small.player()
    quotas = small.service.app_context.quotas
    foreseen = quotas.bots

    async def unforeseen(*_: Any) -> None:
        """As if the request had seen two free seats."""

    quotas.bots = unforeseen  # type: ignore[method-assign,assignment]
    assert (await bots_alone(ada)).status_code == 201
    quotas.bots = foreseen  # type: ignore[method-assign]
    problem(await bots_alone(ada), "too-many-bot-games")


# --- invitations, tokens ---


async def test_a_table_invites_so_many(small: Stage) -> None:
    ada = await small.player()
    people = [(await small.player(name)).id for name in ("Bob", "Cy", "Di")]
    ok(await ada.post("/v1/games", TABLE | {"invited": people}), 201)
    people.append(ada.id)
    problem(await ada.post("/v1/games", TABLE | {"invited": people}), "too-many-invitations")
    ok(await small.operator.post("/v1/games", TABLE | {"invited": people}), 201)


async def test_later_invitations_count_with_those_of_the_opening(small: Stage) -> None:
    ada, bob = await small.player("Ada"), await small.player("Bob")
    others = [(await small.player(name)).id for name in ("Cy", "Di")]
    game = ok(await ada.post("/v1/games", TABLE | {"invited": [bob.id]}), 201)["game"]
    path, key = f"/v1/games/{game}/invitations", fresh()
    problem(await ada.post(path, {"players": [*others, *others]}), "too-many-invitations")
    first = await ada.post(path, {"players": others}, key)
    ok(first, 201)
    ok(await bob.delete(f"{path}/{bob.id}"))
    problem(await ada.post(path, {"players": [bob.id]}), "too-many-invitations")
    assert (await ada.post(path, {"players": others}, key)).content == first.content


async def test_a_table_that_was_called_off_gives_its_place_back(small: Stage) -> None:
    ada = await small.player("Ada")
    games = [ok(await ada.post("/v1/games", TABLE), 201)["game"] for _ in range(2)]
    problem(await ada.post("/v1/games", TABLE), "too-many-tables")
    ok(await ada.post(f"/v1/games/{games[0]}/close"))
    ok(await ada.post("/v1/games", TABLE), 201)


async def test_an_account_has_so_many_tokens_and_an_admin_may_add_to_them(small: Stage) -> None:
    ada = await small.player()
    made = [ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)["id"] for _ in range(2)]
    problem(await ada.post("/v1/tokens", {"scopes": ["bot"]}), "too-many-tokens")
    await small.with_scopes(ada, "organise")
    for _ in range(2):
        problem(await ada.post("/v1/tokens", {"scopes": ["bot"]}), "too-many-tokens")
        assert (await ada.delete(f"/v1/tokens/{made.pop()}")).status_code == 204
    ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)


# --- registrations by address ---

PROXY: Json = {"trusted_proxies": (ip_network("127.0.0.0/8"),)}


async def register(on: Stage, address: str, key: str | None = None) -> httpx.Response:
    """Ask for an account, from an address behind the proxy."""
    headers = {"x-forwarded-for": address}
    name = "Ada" if key is not None else f"Ada {fresh()}"
    return await on.stranger.post("/v1/players", {"name": name}, key, headers)


async def test_so_many_register_from_an_address_a_day(store_url: str) -> None:
    async with stage(store_url, registrations_per_day=3, **PROXY) as on:
        key = fresh()
        first = await register(on, "198.51.100.1", key)
        for _ in range(2):
            ok(await register(on, "198.51.100.1"), 201)
        answer = await register(on, "198.51.100.1")
        problem(answer, "too-many-registrations")
        left = DAY_MS - on.clock.now % DAY_MS
        assert int(answer.headers["retry-after"]) == left // 1000 + 1
        ok(await register(on, "198.51.100.2"), 201)
        assert (await register(on, "198.51.100.1", key)).content == first.content
        on.clock.now += left
        ok(await register(on, "198.51.100.1"), 201)


async def test_an_ipv6_network_counts_as_one_address(store_url: str) -> None:
    async with stage(store_url, registrations_per_day=1, reads_per_minute=4, **PROXY) as on:
        ok(await register(on, "2001:db8:0:1::1"), 201)
        problem(await register(on, "2001:db8:0:1:ffff::2"), "too-many-registrations")
        ok(await register(on, "2001:db8:0:2::1"), 201)
        path = "/v1/rulebooks"
        ok(await on.stranger.get(path, {"x-forwarded-for": "2001:db8::1"}))
        problem(await on.stranger.get(path, {"x-forwarded-for": "2001:db8::2"}), "rate-limited")
        ok(await on.stranger.get(path, {"x-forwarded-for": "2001:db8:0:9::2"}))


async def test_a_refused_name_takes_no_place(store_url: str) -> None:
    async with stage(store_url, registrations_per_day=1) as on:
        for _ in range(3):
            problem(await on.stranger.post("/v1/players", {"name": " Ada"}), "bad-name")
        ok(await on.stranger.post("/v1/players", {"name": "Ada"}), 201)


async def test_the_store_and_the_logs_know_no_address(store_url: str) -> None:
    async with stage(store_url, reads_per_minute=4, **PROXY) as on:
        address = "198.51.100.77"
        ok(await register(on, address), 201)
        ok(await on.stranger.get("/v1/rulebooks", {"x-forwarded-for": address}))
        await on.service.app_context.limits.settle()
        client = on.store
        keys = [key async for key in client.scan_iter()]
        named = on.service.app_context.address_names.name(address).encode()
        assert any(key.startswith(b"rate:") and named in key for key in keys)
        assert any(key.startswith(b"quota:") and named in key for key in keys)
        for key in keys:
            assert address.encode() not in key + (await client.dump(key) or b"")
        assert address not in str(on.lines)
        on.clock.now += DAY_MS
        assert on.service.app_context.address_names.name(address).encode() != named


# --- what the operator lifts ---


async def test_the_operator_lifts_an_address_for_a_day(store_url: str) -> None:
    async with AsyncExitStack() as stack:
        limits: Json = {
            "registrations_per_day": 2,
            "registrations_per_minute": 40,
            "reads_per_minute": 8,
            "streams_per_address": 1,
        }
        on, other = [
            await stack.enter_async_context(stage(store_url, **limits, **PROXY)) for _ in range(2)
        ]
        here = {"x-forwarded-for": "203.0.113.7"}
        problem(await on.stranger.put("/v1/exemptions/203.0.113.7"), "token-needed")
        ada = await on.player()
        problem(await ada.put("/v1/exemptions/203.0.113.7"), "scope-missing")
        problem(await on.operator.put("/v1/exemptions/nowhere"), "invalid-parameter")
        made = ok(await on.operator.put("/v1/exemptions/203.0.113.7"))
        assert made == {"address": "203.0.113.7", "until": on.clock.now + DAY_MS}
        await other.service.app_context.presence.announce()
        for there in (on, other):
            for _ in range(6):
                ok(await register(there, "203.0.113.7"), 201)
                ok(await there.stranger.get("/v1/rulebooks", here))
        on.clock.now += DAY_MS // 2
        ok(await register(on, "203.0.113.7"), 201)
        gone = await on.operator.delete("/v1/exemptions/203.0.113.7")
        assert gone.status_code == 204
        for _ in range(2):
            ok(await register(on, "203.0.113.7"), 201)
        problem(await register(on, "203.0.113.7"), "too-many-registrations")


async def test_an_exemption_ends_by_itself(store_url: str) -> None:
    async with stage(store_url) as on:
        presence = on.service.app_context.presence
        await presence.lift("somebody", until=1)
        assert "somebody" in presence.around.lifted
        await presence.announce()
        assert not presence.around.lifted


async def test_two_hundred_people_behind_one_address_register_and_play(store_url: str) -> None:
    """With the limits as they are by default, and an exemption for where they are."""
    defaults: Json = {"registrations_per_minute": 60, "reads_per_minute": 1200}
    async with stage(store_url, commands_per_minute=600, **defaults, **PROXY) as on:
        ok(await on.operator.put("/v1/exemptions/203.0.113.7"))
        people = []
        for number in range(200):
            made = ok(await register(on, "203.0.113.7"), 201)
            people.append(Player(on.http, made["token"]["token"], made["id"]))
            if number % 50 == 0:
                ok(await on.stranger.get("/v1/games", {"x-forwarded-for": "203.0.113.7"}))
        for host, guest in zip(people[::2], people[1::2], strict=True):
            game = await on.game(host, guest)
            for seat, who in ((1, host), (2, guest)):
                path = f"/v1/games/{game}/decisions/clue-s{seat}"
                ok(await who.post(path, {"option": "r1c2"}))


async def test_two_hundred_people_behind_a_trusted_proxy_need_no_exemption(store_url: str) -> None:
    async with stage(store_url, registrations_per_minute=60, **PROXY) as on:
        for number in range(200):
            ok(await register(on, f"198.51.100.{number}"), 201)


async def test_without_either_they_are_too_many(store_url: str) -> None:
    """The control: the limits are there."""
    async with stage(store_url, registrations_per_minute=60, **PROXY) as on:
        codes = {(await register(on, "203.0.113.7")).status_code for _ in range(40)}
        assert codes == {201, 429}
