"""People and programs at a table, over HTTP: what sits down is marked, and stays what it is."""

from __future__ import annotations

from msgspec import json

from tests.service.stage import Player, Stage, ok, problem


async def program_of(on: Stage, who: Player) -> Player:
    """The same player with a token for a program."""
    made = ok(await who.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    return Player(on.http, made["token"], who.id)


async def test_what_sat_down_stands_in_event_view_list_and_record(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    program = await program_of(on, bob)
    game = await on.table(ada, seats=3)
    seats = f"/v1/games/{game}/seats"
    ok(await ada.post(seats, {}), 201)
    taken = ok(await program.post(seats, {}), 201)["events"][0]["event"]
    assert taken["program"] is True
    ok(await ada.post(seats, {"bot": "random"}), 201)
    state = ok(await on.stranger.get(f"/v1/games/{game}"))["state"]
    assert [state["seats"][n].get("program") for n in "123"] == [None, True, True]
    await on.list_up()
    (row,) = ok(await on.stranger.get("/v1/games"))["games"]
    assert [seat.get("program") for seat in row["seats"]] == [None, True, True]
    assert row["programs"] is True
    ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    lines = (await on.stranger.get(f"/v1/games/{game}/record")).content.splitlines()
    events = [json.decode(line).get("event", {}) for line in lines]
    sat = [each for each in events if each.get("type") == "seat-taken"]
    assert [each.get("program") for each in sat] == [None, True, None]
    assert sat[2]["bot"] == "random"


async def test_a_table_may_be_for_people_alone(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    program = await program_of(on, bob)
    game = await on.table(ada, programs=False)
    seats = f"/v1/games/{game}/seats"
    problem(await program.post(seats, {}), "no-programs")
    problem(await ada.post(seats, {"bot": "random"}), "no-programs")
    ok(await bob.post(seats, {}), 201)
    await on.list_up()
    (row,) = ok(await on.stranger.get("/v1/games"))["games"]
    assert row["programs"] is False
    assert ok(await ada.get(f"/v1/games/{game}"))["state"]["programs"] is False


async def test_a_seat_is_played_on_by_what_sat_down(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    hers, his = await program_of(on, ada), await program_of(on, bob)
    game = await on.game(ada, his)
    path = f"/v1/games/{game}/decisions"
    clue = {"option": "r1c2"}
    problem(await hers.post(f"{path}/clue-s1", clue), "wrong-kind-of-token")
    problem(await bob.post(f"{path}/clue-s2", clue), "wrong-kind-of-token")
    assert ok(await bob.get(path))["seats"] == [2], "reading is for both"
    ok(await ada.post(f"{path}/clue-s1", clue))
    ok(await his.post(f"{path}/clue-s2", clue))


async def test_who_comes_back_as_the_other_plays_as_the_other(on: Stage) -> None:
    ada = await on.player("Ada")
    program = await program_of(on, ada)
    game = await on.table(ada, start="host")
    seats = f"/v1/games/{game}/seats"
    ok(await ada.post(seats, {}), 201)
    ok(await ada.delete(f"{seats}/1"))
    assert ok(await program.post(seats, {}), 201)["events"][0]["event"]["program"] is True
    ok(await ada.post(seats, {"bot": "random"}), 201)
    ok(await program.post(f"/v1/games/{game}/start"))
    path = f"/v1/games/{game}/decisions/clue-s1"
    problem(await ada.post(path, {"option": "r1c2"}), "wrong-kind-of-token")
    ok(await program.post(path, {"option": "r1c2"}))
