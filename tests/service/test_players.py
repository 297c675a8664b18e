"""Players and tokens over HTTP."""

from __future__ import annotations

import httpx
import pytest

from tests.service.stage import Json, Player, Stage, fresh, ok, problem, stage


async def test_a_player_registers_and_gets_a_token_that_opens_doors(on: Stage) -> None:
    answer = await on.stranger.post("/v1/players", {"name": "Ada"})
    made = ok(answer, 201)
    assert answer.headers["location"] == f"/v1/players/{made['id']}"
    assert answer.headers["cache-control"] == "no-store"
    assert made["token"]["scopes"] == ["play"]
    ada = Player(on.http, made["token"]["token"])
    tokens = ok(await ada.get("/v1/tokens"))
    assert [token["id"] for token in tokens["tokens"]] == [made["token"]["id"]]
    assert made["token"]["token"] not in str(tokens)
    found = ok(await on.stranger.get(answer.headers["location"]))
    known = {"id": made["id"], "name": "Ada", "registered_at": on.clock.now}
    assert found == known | {"deleted": False}


async def test_the_token_holds_the_players_id(on: Stage) -> None:
    ada = await on.player()
    assert ada.token is not None
    assert ada.token.split(".")[1] == ada.id


async def test_a_repeated_registration_shows_the_same_token(on: Stage) -> None:
    key = fresh()
    first = await on.stranger.post("/v1/players", {"name": "Ada"}, key)
    again = await on.stranger.post("/v1/players", {"name": "Ada"}, key)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    other = await on.stranger.post("/v1/players", {"name": "Eve"}, key)
    problem(other, "idempotency-key-reused")


async def test_the_key_of_a_registration_is_good_at_one_address_only(on: Stage) -> None:
    key, body = fresh(), {"name": "Ada"}
    first = ok(await on.stranger.post("/v1/players", body, key), 201)
    elsewhere = httpx.ASGITransport(app=on.service.asgi, client=("192.0.2.7", 1))
    async with httpx.AsyncClient(transport=elsewhere, base_url="http://localhost") as http:
        other = ok(await Player(http, None).post("/v1/players", body, key), 201)
    assert first["id"] != other["id"]
    assert first["token"]["token"] != other["token"]["token"]


async def test_a_person_makes_a_token_for_a_program_and_none_for_both(on: Stage) -> None:
    ada = await on.player()
    problem(await ada.post("/v1/tokens", {"scopes": ["play", "bot"]}), "person-or-program")
    both = {"scopes": ["play", "bot"], "player": ada.id}
    problem(await on.operator.post("/v1/tokens", both), "person-or-program")
    key = fresh()
    made = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}, key), 201)
    assert made["scopes"] == ["bot"]
    program = Player(on.http, made["token"], ada.id)
    problem(await program.post("/v1/tokens", {"scopes": ["play"]}), "scope-not-granted")
    other = ok(await program.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    gone = await ada.delete(f"/v1/tokens/{other['id']}")
    assert gone.status_code == 204


async def test_names_will_not_all_do(on: Stage) -> None:
    problem(await on.stranger.post("/v1/players", {"name": " Ada"}), "bad-name")
    problem(await on.stranger.post("/v1/players", {"name": "A\tda"}), "bad-name")
    problem(await on.stranger.post("/v1/players", {"name": ""}), "invalid-body")


@pytest.mark.parametrize("player", ["nobody", "p00-" + "0" * 26, "pff-" + "0" * 26, "g00-0"])
async def test_an_unknown_player_is_not_found(on: Stage, player: str) -> None:
    problem(await on.stranger.get(f"/v1/players/{player}"), "player-not-found")


async def test_tokens_are_issued_listed_and_revoked(on: Stage) -> None:
    ada = await on.player()
    wish = {"scopes": ["bot"], "label": "kitchen"}
    made = ok(await ada.post("/v1/tokens", wish), 201)
    bot = Player(on.http, made["token"])
    assert made["player"] == ada.id
    listed = ok(await bot.get("/v1/tokens"))["tokens"]
    assert [(t["label"], t["scopes"], t["revoked_at"]) for t in listed] == [
        ("", ["play"], None),
        ("kitchen", ["bot"], None),
    ]
    for _ in range(2):
        assert (await ada.delete(f"/v1/tokens/{made['id']}")).status_code == 204
    problem(await bot.get("/v1/tokens"), "token-invalid")
    assert ok(await ada.get("/v1/tokens"))["tokens"][1]["revoked_at"] == on.clock.now


async def test_a_revoked_token_is_worthless_here_before_the_feed_tells(on: Stage) -> None:
    on.service.app_context.account_subscriber._subscribers.clear()
    ada = await on.player()
    made = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    bot = Player(on.http, made["token"])
    ok(await bot.get("/v1/tokens"))
    assert (await ada.delete(f"/v1/tokens/{made['id']}")).status_code == 204
    problem(await bot.get("/v1/tokens"), "token-invalid")


async def test_a_repeated_issue_shows_the_same_token(on: Stage) -> None:
    ada, key = await on.player(), fresh()
    first = await ada.post("/v1/tokens", {"scopes": ["bot"]}, key)
    ok(await ada.post("/v1/tokens", {"scopes": ["play"]}), 201)
    again = await ada.post("/v1/tokens", {"scopes": ["bot"]}, key)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    problem(await ada.post("/v1/tokens", {"scopes": ["play"]}, key), "idempotency-key-reused")


async def test_a_token_gives_no_more_than_it_has(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    problem(await ada.post("/v1/tokens", {"scopes": ["audit"]}), "scope-not-granted")
    problem(await ada.post("/v1/tokens", {"scopes": ["play", "play"]}), "bad-scopes")
    problem(await ada.post("/v1/tokens", {"scopes": ["cheat"]}), "invalid-body")
    problem(await ada.post("/v1/tokens", {"scopes": ["bot"], "label": "\x07"}), "bad-label")
    wish = {"scopes": ["bot"], "player": bob.id}
    problem(await ada.post("/v1/tokens", wish), "not-your-account")
    problem(await ada.get("/v1/tokens", player=bob.id), "not-your-account")
    problem(await ada.delete("/v1/tokens/t0", player=bob.id), "not-your-account")
    problem(await ada.delete("/v1/tokens/t0"), "unknown-token")


async def test_the_operator_hands_out_powers_and_takes_them_back(on: Stage) -> None:
    ada = await on.player()
    wish = {"scopes": ["organise", "audit"], "player": ada.id}
    made = ok(await on.operator.post("/v1/tokens", wish), 201)
    assert made["scopes"] == ["organise", "audit"]
    problem(await ada.delete(f"/v1/tokens/{made['id']}"), "scope-not-granted")
    gone = await on.operator.delete(f"/v1/tokens/{made['id']}", player=ada.id)
    assert gone.status_code == 204
    again = await on.operator.delete(f"/v1/tokens/{made['id']}", player=ada.id)
    assert again.status_code == 204
    problem(await ada.delete(f"/v1/tokens/{made['id']}"), "token-revoked")


async def test_one_key_for_two_players_gives_two_secrets(on: Stage) -> None:
    """Else each of the two could write down the other's token."""
    ada, bob, key = await on.player("Ada"), await on.player("Bob"), fresh()
    secrets = set()
    for player in (ada, bob):
        wish = {"scopes": ["organise"], "player": player.id}
        made = ok(await on.operator.post("/v1/tokens", wish, key), 201)
        secrets.add(made["token"].rpartition(".")[2])
    assert len(secrets) == 2


async def test_a_weak_token_is_not_shown_what_a_strong_one_was_given(on: Stage) -> None:
    ada, bob, key, other = await on.player("Ada"), await on.player("Bob"), fresh(), fresh()
    admin = await on.with_scopes(ada, "admin")
    mighty: Json = {"scopes": ["play", "audit"]}
    foreign: Json = {"scopes": ["audit"], "player": bob.id}
    first = await admin.post("/v1/tokens", mighty, key)
    ok(first, 201)
    ok(await admin.post("/v1/tokens", foreign, other), 201)
    problem(await ada.post("/v1/tokens", mighty, key), "scope-not-granted")
    problem(await ada.post("/v1/tokens", foreign, other), "not-your-account")
    assert (await admin.post("/v1/tokens", mighty, key)).content == first.content


async def test_who_lost_a_scope_repeats_no_command_that_needed_it(on: Stage) -> None:
    """The door asks before anything is looked up, so a key alone brings nobody further."""
    ada, key = await on.player(), fresh()
    director = await on.with_scopes(ada, "organise")
    game = await on.game(ada, mode="solo")
    ok(await director.post(f"/v1/games/{game}/pause", {}, key))
    problem(await ada.post(f"/v1/games/{game}/pause", {}, key), "scope-missing")


async def test_an_admin_among_the_players_does_too(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    admin = await on.with_scopes(ada, "admin")
    made = ok(await admin.post("/v1/tokens", {"scopes": ["audit"], "player": bob.id}), 201)
    assert (made["player"], made["scopes"]) == (bob.id, ["audit"])
    assert len(ok(await admin.get("/v1/tokens", player=bob.id))["tokens"]) == 2


async def test_the_operator_has_no_account(on: Stage) -> None:
    problem(await on.operator.post("/v1/tokens", {"scopes": ["audit"]}), "player-not-found")
    problem(await on.operator.get("/v1/tokens"), "player-not-found")
    nobody = "p00-" + "0" * 26
    wish = {"scopes": ["audit"], "player": nobody}
    problem(await on.operator.post("/v1/tokens", wish), "player-not-found")
    problem(await on.operator.delete("/v1/tokens/t0", player=nobody), "player-not-found")


async def test_without_the_setting_there_is_no_operator(store_url: str) -> None:
    async with stage(store_url, admin_token_hash=None) as on:
        problem(await on.operator.get("/v1/tokens"), "token-invalid")


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer ",
        "Basic YTpi",
        "Bearer nonsense",
        "Bearer plr.p00-" + "0" * 26 + "." + "a" * 43,
    ],
)
async def test_a_token_that_opens_nothing_says_so(on: Stage, header: str) -> None:
    for path in ("/v1/tokens", "/v1/rulebooks"):
        answer = await on.http.get(path, headers={"authorization": header})
        problem(answer, "token-invalid")
        assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_a_token_is_not_another_players(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    assert ada.token is not None
    mixed = ada.token.replace(ada.id, bob.id)
    problem(await Player(on.http, mixed).get("/v1/tokens"), "token-invalid")


async def test_two_authorizations_are_one_too_many(on: Stage) -> None:
    ada = await on.player()
    twice = [("authorization", f"Bearer {ada.token}")] * 2
    problem(await on.http.get("/v1/tokens", headers=twice), "token-invalid")


async def test_strangers_need_a_token_for_what_is_for_players(on: Stage) -> None:
    answer = await on.stranger.get("/v1/tokens")
    problem(answer, "token-needed")
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_there_is_an_end_to_tokens(on: Stage) -> None:
    ada = await on.player()
    for _ in range(19):
        ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    problem(await ada.post("/v1/tokens", {"scopes": ["bot"]}), "too-many-tokens")
