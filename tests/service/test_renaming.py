"""Renaming a player: shown everywhere and at once, provable nowhere, and the old name is gone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from events.name_store import NameStore
from events.names import opens
from games.game_registry import installed_games
from projections.record import read_record
from replay.people import without_player
from replay.source import examine
from replay.verify import audit
from replay.viewing import Show
from tests.service.listening import listen
from tests.service.stage import Json, Player, Stage, fresh, ok, problem, stage

OLD, NEW = "Ada Lovelace-Canary", "Augusta Byron-Canary"


async def renamed(player: Player, name: str = NEW) -> Json:
    return ok(await player.post(f"/v1/players/{player.id}/name", {"name": name}))


async def over(on: Stage, *players: Player) -> str:
    """A game that has been annulled."""
    game = await on.game(*players)
    ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    return game


async def test_a_new_name_is_shown_everywhere_and_the_old_one_nowhere(on: Stage) -> None:
    ada, bob = await on.player(OLD), await on.player("Bob")
    live, ended = await on.game(ada, bob), await over(on, ada, bob)
    before = {game: await on.stranger.get(f"/v1/games/{game}") for game in (live, ended)}
    assert (await renamed(ada))["name"] == NEW
    await on.list_up()
    answers = [
        await on.stranger.get(f"/v1/players/{ada.id}"),
        await on.stranger.get("/v1/games"),
        await on.stranger.get(f"/v1/games/{ended}/record"),
        await on.stranger.get(f"/v1/games/{ended}/replay.html"),
    ]
    for game, old in before.items():
        path, known = f"/v1/games/{game}", {"if-none-match": old.headers["etag"]}
        answers += [
            await on.stranger.get(path, known),
            await on.stranger.get(f"{path}/names"),
            await on.stranger.get(f"{path}/state", {"accept": "image/svg+xml"}),
        ]
    assert [answer.status_code for answer in answers] == [200] * len(answers)
    assert [answer.text.count("Augusta") > 0 for answer in answers] == [True] * len(answers)
    assert [answer.text.count("Lovelace") for answer in answers] == [0] * len(answers)


async def test_the_names_of_a_table_tell_apart_what_is_proven(on: Stage) -> None:
    ada, bob = await on.player(OLD), await on.player("Bob")
    game = await on.game(ada, bob)
    path = f"/v1/games/{game}/names"
    first = await on.stranger.get(path)
    seal = next(seal for seal, o in ok(first)["names"].items() if o["name"] == OLD)
    await renamed(ada)
    names = ok(await on.stranger.get(path, {"if-none-match": first.headers["etag"]}))
    assert [opening["name"] for opening in names["names"].values()] == ["Bob"]
    assert names["renamed"] == {seal: NEW}
    await renamed(ada, "Ada")
    await renamed(ada, OLD)
    assert ok(await on.stranger.get(path))["renamed"] == {seal: OLD}


async def test_a_record_says_the_new_name_and_every_check_holds(on: Stage) -> None:
    ada, bob = await on.player(OLD), await on.player("Bob")
    game = await over(on, ada, bob)
    await renamed(ada)
    content = (await on.stranger.get(f"/v1/games/{game}/record")).content
    source = examine(content)
    findings = audit(source, installed_games()).findings
    assert [found.status for found in findings] == ["ok"] * 8
    assert any("1 unproven because renamed since" in str(found) for found in findings)
    names = {o.name for o in Show(source, installed_games(), "public").names.values()}
    assert names == {NEW, "Bob"}
    assert read_record(content).names == source.names
    erased = without_player(content, source, ada.id)
    assert NEW.encode() not in erased
    assert {o.name for o in examine(erased).names.values()} == {"Bob"}


async def test_a_seat_under_another_name_keeps_it(on: Stage) -> None:
    ada = await on.player(OLD)
    game = await on.table(ada)
    ok(await ada.post(f"/v1/games/{game}/seats", {"name": "Countess"}), 201)
    await renamed(ada)
    assert ok(await on.stranger.get(f"/v1/games/{game}"))["names"]["1"] == {"name": "Countess"}


async def test_nobody_is_shown_under_anothers_name_at_a_table(on: Stage) -> None:
    """They may be called the same elsewhere: nobody can compare all tables at once."""
    ada, bob = await on.player(OLD), await on.player("Bob")
    game = await on.game(ada, bob)
    await renamed(ada, "bob")
    names = ok(await on.stranger.get(f"/v1/games/{game}"))["names"]
    assert names == {"1": {"name": "bob (1)", "renamed": True}, "2": {"name": "Bob"}}
    told = ok(await on.stranger.get(f"/v1/games/{game}/names"))
    assert list(told["renamed"].values()) == ["bob (1)"]
    await on.list_up()
    (row,) = ok(await on.stranger.get("/v1/games"))["games"]
    assert [seat["name"] for seat in row["seats"]] == ["bob (1)", "Bob"]


async def test_names_that_will_not_do_change_nothing(on: Stage) -> None:
    ada, eve = await on.player(OLD), await on.player("Eve")
    path, key = f"/v1/players/{ada.id}/name", fresh()
    problem(await ada.post(path, {"name": OLD}), "name-unchanged")
    problem(await ada.post(path, {"name": " Ada"}), "bad-name")
    problem(await ada.post(path, {"name": ""}), "invalid-body")
    problem(await eve.post(path, {"name": "Eve 2"}), "not-your-account")
    bot = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    problem(await Player(on.http, bot["token"]).post(path, {"name": "Bot"}), "scope-missing")
    assert ok(await on.stranger.get(f"/v1/players/{ada.id}"))["name"] == OLD
    first = await ada.post(path, {"name": NEW}, key)
    again = await ada.post(path, {"name": NEW}, key)
    assert (first.status_code, again.content) == (200, first.content)
    assert ok(await on.operator.post(path, {"name": "By the office"}))["name"] == "By the office"


async def test_a_rename_that_is_refused_late_leaves_the_name(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process revokes the token after the name was put in its place."""
    ada, bob = await on.player(OLD), await on.player("Bob")
    game = await on.game(ada, bob)
    account_service = on.service.app_context.account_service
    execute = account_service.execute

    async def too_late(*args: Any) -> Any:
        monkeypatch.undo()
        async with stage(on.service.app_context.settings.store_url) as other:
            elsewhere = Player(other.http, ada.token, ada.id)
            (token,) = ok(await elsewhere.get("/v1/tokens"))["tokens"]
            assert (await elsewhere.delete(f"/v1/tokens/{token['id']}")).status_code == 204
        return await execute(*args)

    monkeypatch.setattr(account_service, "execute", too_late)
    problem(await ada.post(f"/v1/players/{ada.id}/name", {"name": NEW}), "token-revoked")
    assert ok(await on.stranger.get(f"/v1/games/{game}"))["names"]["1"] == {"name": OLD}


async def test_the_store_keeps_nothing_of_the_old_name(on: Stage) -> None:
    ada = await on.player(OLD)
    store: NameStore = on.service.app_context.tables.names.store
    (seal,) = (await store.read(ada.id)).openings
    await renamed(ada)
    openings = (await store.read(ada.id)).openings
    assert {opening.name for opening in openings.values()} == {NEW}
    assert [key for key, opening in openings.items() if not opens(opening, key)] == [seal]
    assert (await ada.delete(f"/v1/players/{ada.id}")).status_code == 204
    assert (await store.read(ada.id)).openings == {}


async def test_a_name_that_was_exchanged_in_the_store_is_no_rename(on: Stage) -> None:
    ada, bob = await on.player(OLD), await on.player("Bob")
    game = await over(on, ada, bob)
    store: NameStore = on.service.app_context.tables.names.store
    ((seal, opening),) = (await store.read(ada.id)).openings.items()
    await store.put(ada.id, seal, replace(opening, name="Eve"))
    on.service.app_context.tables.names.forget(ada.id)
    names = ok(await on.stranger.get(f"/v1/games/{game}/names"))
    assert names["renamed"] == {}
    content = (await on.stranger.get(f"/v1/games/{game}/record")).content
    findings = audit(examine(content), installed_games()).findings
    assert [found.status for found in findings].count("FAILED") == 1


async def test_open_streams_are_told_of_new_names_and_of_erased_ones(on: Stage) -> None:
    ada, bob = await on.player(OLD), await on.player("Bob")
    game = await on.game(ada, bob)
    async with stage(on.service.app_context.settings.store_url) as other:
        path = f"/v1/games/{game}/events"
        async with listen(on, on.stranger, path) as near, listen(other, bob, path) as far:
            for stream in (near, far):
                await stream.until("snapshot")
            await renamed(ada)
            for stream in (near, far):
                await stream.until("Augusta")
            ok(await bob.post("/v1/tokens", {"scopes": ["bot"]}), 201)
            assert (await bob.delete(f"/v1/players/{bob.id}")).status_code == 204
            await near.until('"deleted":true')
            told = [
                json.loads(message.partition("data: ")[2])
                for message in near.text.split("\n\n")
                if message.startswith("event: names")
            ]
    assert told == [
        {"1": {"name": NEW, "renamed": True}, "2": {"name": "Bob"}},
        {"1": {"name": NEW, "renamed": True}, "2": {"deleted": True}},
    ]
