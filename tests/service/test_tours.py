"""Tours over HTTP: one leads through a game, others follow, nothing of it is in the game."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.service.listening import PATIENCE_S, listen
from tests.service.stage import Json, Player, Stage, fresh, ok, problem
from tests.service.test_rematch import ended, opened

ARROW = {"shape": "arrow", "x": 10, "y": 20, "to_x": 300, "to_y": -40}
NOWHERE = "x" * 22


async def tour_of(leader: Player, game: str) -> str:
    """The path of a new tour."""
    answer = await leader.post(f"/v1/games/{game}/tours")
    path = answer.headers["location"]
    assert ok(answer, 201)["leading"] is True
    return str(path)


async def lead(leader: Player, path: str, **place: Any) -> Any:
    return await leader.http.put(path, json=place, headers=leader.headers())


async def test_whoever_follows_is_told_where_the_leader_goes(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await ended(on, ada, bots=3)
    newest = ok(await ada.get(f"/v1/games/{game}"))["version"]
    path = await tour_of(ada, game)
    async with listen(on, on.stranger, path) as stranger, listen(on, bob, path) as friend:
        first: Json = (await stranger.next()).json()
        assert (await friend.next()).json() == first
        assert first["place"] == {"at": newest, "eyes": "public", "marks": [], "offered": False}
        assert first["leading"] is False
        ok(await lead(ada, path, at=3, eyes="full", marks=[ARROW]))
        for follower in (stranger, friend):
            told = (await follower.next()).json()["place"]
            assert told == {"at": 3, "eyes": "full", "marks": [ARROW], "offered": False}
        assert ok(await on.stranger.get(path))["place"]["marks"] == [ARROW]
        assert (await ada.delete(path)).status_code == 204
        for follower in (stranger, friend):
            assert (await follower.next()).event == "end"
    problem(await on.stranger.get(path), "tour-not-found")
    problem(await lead(ada, path, at=3), "tour-not-found")
    assert ok(await ada.get(f"/v1/games/{game}"))["version"] == newest, "no trace in the game"


async def test_the_same_request_begins_the_same_tour(on: Stage) -> None:
    ada = await on.player()
    game, key = await ended(on, ada, bots=3), fresh()
    first = await ada.post(f"/v1/games/{game}/tours", key=key)
    assert (await ada.post(f"/v1/games/{game}/tours", key=key)).content == first.content
    assert ok(await ada.post(f"/v1/games/{game}/tours"), 201)["tour"] != ok(first, 201)["tour"]


async def test_the_lead_is_handed_over_when_it_is_offered(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await ended(on, ada, bots=3)
    path = await tour_of(ada, game)
    problem(await bob.post(f"{path}/leader"), "lead-not-offered")
    problem(await lead(bob, path, at=3), "not-the-leader")
    problem(await bob.delete(path), "not-the-leader")
    problem(await on.stranger.post(f"{path}/leader"), "token-needed")
    ok(await lead(ada, path, at=5, offered=True))
    taken = ok(await bob.post(f"{path}/leader"))
    assert (taken["leading"], taken["place"]["at"], taken["place"]["offered"]) == (True, 5, False)
    problem(await lead(ada, path, at=3), "not-the-leader")
    ok(await lead(bob, path, at=3))


async def test_a_running_game_is_led_by_nobody_who_plays_and_in_public(on: Stage) -> None:
    ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
    game = await opened(on, ada, ada, bob, bots=2)
    problem(await ada.post(f"/v1/games/{game}/tours"), "tour-by-player")
    path = await tour_of(eve, game)
    assert ok(await eve.get(path))["place"]["at"] is None
    problem(await lead(eve, path, at=None, eyes="seat:1"), "view-not-yours")
    problem(await lead(eve, path, at=10_000), "version-not-found")
    ok(await lead(eve, path, offered=True))
    problem(await ada.post(f"{path}/leader"), "tour-by-player")


async def test_what_is_no_place_and_what_is_no_tour_is_refused(on: Stage) -> None:
    ada, eve = await on.player("Ada"), await on.player("Eve")
    game = await ended(on, ada, bots=3, visibility="private")
    path = await tour_of(ada, game)
    for wrong in (
        {"at": 0},
        {"eyes": "nobody"},
        {"marks": [ARROW] * 25},
        {"marks": [ARROW | {"x": 10_001}]},
        {"marks": [ARROW | {"shape": "text"}]},
    ):
        problem(await lead(ada, path, **wrong), "invalid-body")
    problem(await eve.get(path), "game-not-found")
    problem(await ada.get(f"/v1/games/{game}/tours/{NOWHERE}"), "tour-not-found")
    other = await ended(on, ada, bots=3)
    elsewhere = path.replace(game, other)
    problem(await ada.get(elsewhere), "tour-not-found")


async def test_a_tour_ends_when_its_leader_has_gone(on: Stage) -> None:
    ada = await on.player()
    game = await ended(on, ada, bots=3)
    path = await tour_of(ada, game)
    tour = path.rpartition("/")[2]
    [key] = [name async for name in on.store.scan_iter(match=f"*{{api}}:tour:{tour}")]
    assert 0 < await on.store.pttl(key) <= 20_000
    async with listen(on, on.stranger, path) as stranger:
        await stranger.next()
        await on.store.delete(key)  # as the store does by itself when the time is over
        bell = on.service.app_context.tables.log.layout.tour_bell(game, tour)
        await on.store.execute_command("SPUBLISH", bell, "read")
        assert (await stranger.next()).event == "end"


async def test_who_is_invited_no_more_follows_no_tour_of_a_private_game(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.table(ada, visibility="private", invited=[bob.id])
    path = await tour_of(ada, game)
    async with listen(on, ada, path) as leader, listen(on, bob, path) as friend:
        for follower in (leader, friend):
            await follower.next()
        ok(await lead(ada, path, at=1))
        assert (await friend.next()).json()["place"]["at"] == 1
        ok(await ada.delete(f"/v1/games/{game}/invitations/{bob.id}"))
        ok(await lead(ada, path, at=2))
        await asyncio.wait_for(friend.ended.wait(), PATIENCE_S)
        assert '"at":2' not in friend.text
        assert [(await leader.next()).json()["place"]["at"] for _ in range(2)] == [1, 2]
