"""What if: a finished game played on from one of its versions, over HTTP."""

from __future__ import annotations

from typing import Any

from games.game_registry import installed_games
from replay.source import read_file
from replay.verify import audit
from tests.replay.forging import failures
from tests.service.stage import Json, Player, Stage, fresh, ok, problem
from tests.service.test_invitations import NOBODY
from tests.service.test_rematch import annulled, ended, opened, state_of


async def newest(who: Player, game: str) -> int:
    return int(ok(await who.get(f"/v1/games/{game}"))["version"])


async def begun_at(who: Player, game: str) -> int:
    """A version at which a game had begun and something was to be decided."""
    page = ok(await who.get(f"/v1/games/{game}/events", limit=500))
    types = [line["event"]["type"] for line in page["events"]]
    return types.index("clock-started") + 1


async def branch(who: Player, game: str, version: int, **more: Any) -> Json:
    wish = {"version": version, "seats": [1]} | more
    return ok(await who.post(f"/v1/games/{game}/branches", wish), 201)


async def test_a_branch_is_a_scenario_table_that_tells_its_origin(on: Stage) -> None:
    ada, eve = await on.player("Ada"), await on.player("Eve")
    game = await ended(on, ada, bots=3)
    before = await newest(ada, game)
    version = await begun_at(ada, game)
    key, wish = fresh(), {"version": version, "seats": [2, 3]}
    answer = await eve.post(f"/v1/games/{game}/branches", wish, key)
    receipt = ok(answer, 201)
    new = receipt["game"]
    assert answer.headers["location"] == f"/v1/games/{new}"
    [opening] = [line["event"] for line in receipt["events"]]
    assert opening["scenario"] is True
    cast = [place["characters"] for place in (await state_of(eve, game))["seats"].values()]
    assert opening["origin"] == {"game": game, "version": version, "characters": cast}
    state = await state_of(eve, new)
    assert (state["phase"], state["scenario"], state["visibility"]) == ("live", True, "unlisted")
    assert state["origin"]["version"] == version
    assert [p["player"] == eve.id for p in state["seats"].values()] == [False, True, True, False]
    again = await eve.post(f"/v1/games/{game}/branches", wish, key)
    assert again.content == answer.content
    problem(
        await eve.post(f"/v1/games/{game}/branches", wish | {"seats": [1]}, key),
        "idempotency-key-reused",
    )
    assert await newest(ada, game) == before, "nothing of it is in the finished game"


async def test_its_maker_plays_several_seats_and_sees_all_but_the_key(on: Stage) -> None:
    ada, eve = await on.player("Ada"), await on.player("Eve")
    game = await ended(on, ada, bots=3)
    version = await begun_at(ada, game)
    new = (await branch(ada, game, version, seats=[1, 2]))["game"]
    full = ok(await ada.get(f"/v1/games/{new}", as_="full"))
    was = ok(await ada.get(f"/v1/games/{game}/state", as_="full", at=version))
    assert full["state"]["play"] == was["state"]["play"]
    assert full["state"]["key"] is None, "what is to be drawn is nobody's"
    lines = ok(await ada.get(f"/v1/games/{new}/events", as_="full", limit=500))["events"]
    assert "opened" not in lines[0]
    assert any("opened" in line for line in lines[1:])
    ok(await ada.get(f"/v1/games/{new}", as_="seat:4"))
    asked = ok(await ada.get(f"/v1/games/{new}/decisions"))
    assert asked["seats"] == [1, 2]
    for seat in (1, 2):
        [decision] = [d for d in asked["decisions"] if d["seat"] == seat and not d.get("optional")]
        option = next(o for o in decision["options"] if not o.get("branch"))
        path = f"/v1/games/{new}/decisions/{decision['id']}"
        ok(await ada.post(path, {"option": option["id"]}))
    for other in (eve, on.stranger):
        problem(await other.get(f"/v1/games/{new}", as_="full"), "view-not-yours")
        problem(await other.get(f"/v1/games/{new}", as_="seat:1"), "view-not-yours")


async def test_a_friend_sees_what_the_seat_may_see_and_so_does_the_maker(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await ended(on, ada, bots=3)
    version = await begun_at(ada, game)
    new = (await branch(ada, game, version, guests=[3], invited=[bob.id]))["game"]
    assert (await state_of(ada, new))["phase"] == "open"
    problem(await ada.get(f"/v1/games/{new}", as_="full"), "view-not-yours")
    ok(await bob.post(f"/v1/games/{new}/seats", {"seat": 3}), 201)
    assert (await state_of(ada, new))["phase"] == "live"
    problem(await ada.get(f"/v1/games/{new}", as_="full"), "view-not-yours")
    for who, seat in ((ada, 1), (bob, 3)):
        now = ok(await who.get(f"/v1/games/{new}"))
        was = ok(await ada.get(f"/v1/games/{game}/state", as_=f"seat:{seat}", at=version))
        assert now["viewer"] == f"seat:{seat}"
        assert now["state"]["play"] == was["state"]["play"]


async def test_a_branch_that_is_over_has_a_record_that_verifies(on: Stage) -> None:
    ada = await on.player()
    game = await ended(on, ada, bots=3)
    new = (await branch(ada, game, await begun_at(ada, game)))["game"]
    await annulled(on, new)
    record = (await on.stranger.get(f"/v1/games/{new}/record")).content
    found = audit(read_file(record), installed_games())
    assert failures(found) == {}, "\n".join(found.lines())
    problem(await ada.post(f"/v1/games/{new}/rematch", {}), "branch-not-repeated")


async def test_what_cannot_be_branched_is_refused_and_changes_nothing(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    running = await opened(on, ada, ada, bob, bots=2)
    at = await newest(ada, running)
    path = f"/v1/games/{running}/branches"
    problem(await ada.post(path, {"version": 3, "seats": [1]}), "game-not-finished")
    problem(await on.stranger.post(path, {"version": 3, "seats": [1]}), "token-needed")
    assert await newest(ada, running) == at
    game = await annulled(on, running)
    path = f"/v1/games/{game}/branches"
    last = await newest(ada, game)
    begun = await begun_at(ada, game)
    for wish, code in (
        ({"version": last + 1, "seats": [1]}, "version-not-found"),
        ({"version": last, "seats": [1]}, "nothing-to-branch"),
        ({"version": 2, "seats": [1]}, "nothing-to-branch"),
        ({"version": begun, "seats": [9]}, "unknown-seat"),
        ({"version": begun, "seats": [1, 1]}, "seat-taken"),
        ({"version": begun, "seats": [1], "guests": [1]}, "seat-taken"),
        ({"version": begun, "seats": [1], "bot": "clever"}, "unknown-bot"),
        ({"version": begun, "seats": [1], "invited": [NOBODY]}, "player-not-found"),
        ({"version": begun, "seats": [1], "invited": [ada.id]}, "already-invited"),
        ({"version": begun, "seats": []}, "invalid-body"),
        ({"version": 0, "seats": [1]}, "invalid-body"),
    ):
        problem(await ada.post(path, wish), code)
    assert await newest(ada, game) == last


async def test_nobody_plays_on_in_a_seat_that_had_resigned(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await opened(on, ada, ada, bob, bots=2)
    ok(await bob.post(f"/v1/games/{game}/decisions/resign-s2", {"option": "resign"}))
    version = await newest(ada, game)
    await annulled(on, game)
    path = f"/v1/games/{game}/branches"
    problem(await ada.post(path, {"version": version, "seats": [2]}), "seat-resigned")
    new = (await branch(ada, game, version))["game"]
    assert (await state_of(ada, new))["seats"]["2"]["resigned"] is True


async def test_a_branch_of_a_private_game_is_private(on: Stage) -> None:
    ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
    game = await ended(on, ada, bob, bots=2, visibility="private", invited=[bob.id])
    version = await begun_at(ada, game)
    wish = {"version": version, "seats": [1]}
    problem(await eve.post(f"/v1/games/{game}/branches", wish), "game-not-found")
    new = (await branch(bob, game, version))["game"]
    problem(await eve.get(f"/v1/games/{new}"), "game-not-found")
    assert (await state_of(bob, new))["visibility"] == "private"
