"""Opening tables, sitting down, leaving, beginning, and the list of tables."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.stage import Stage, fresh, ok, problem, told

TABLE = {"rulebook": "first_edition", "mode": "cooperation", "seats": 2}


async def test_a_table_is_opened_and_seen(on: Stage) -> None:
    ada = await on.player()
    answer = await ada.post("/v1/games", TABLE)
    made = ok(answer, 201)
    game = made["game"]
    assert answer.headers["location"] == f"/v1/games/{game}"
    assert made["version"] == 1
    assert [line["v"] for line in made["events"]] == [1]
    event = made["events"][0]["event"]
    assert (event["type"], event["host"]) == ("table-opened", ada.id)
    assert "key" not in event
    view = ok(await on.stranger.get(f"/v1/games/{game}"))
    assert (view["id"], view["version"], view["viewer"]) == (game, 1, "public")
    assert view["state"]["phase"] == "open"
    assert view["state"]["key"] is None


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"rulebook": "third_edition"}, "unknown-rulebook"),
        ({"mode": "war"}, "unknown-mode"),
        ({"seats": 7}, "bad-seat-count"),
        ({"options": {"weather": "rain"}}, "unknown-option"),
        ({"options": {"reminders": "few"}}, "bad-option"),
        ({"options": {"composition": "suspicion"}}, "bad-composition"),
        ({"options": {"composition": "custom", "rooms": {"empty": 25}}}, "bad-composition"),
        ({"time": {"limits_s": {"decision": 0}}}, "bad-time-control"),
        ({"time": {"absent_after": 0}}, "bad-time-control"),
        ({"scenario": {"tiles": {}}}, "malformed-scenario"),
        (
            {"scenario": {"characters": {"max": {"seat": 1}}, "tiles": {"r0c0": "volcano"}}},
            "impossible-scenario",
        ),
    ],
)
async def test_a_wish_that_the_rules_do_not_grant(on: Stage, change: Any, code: str) -> None:
    ada = await on.player()
    problem(await ada.post("/v1/games", TABLE | change), code)
    await on.list_up()
    assert ok(await ada.get("/v1/games"))["games"] == []


async def test_a_scenario_is_marked_wherever_it_is_seen(on: Stage) -> None:
    ada = await on.player()
    scenario = {
        "characters": {
            name: {"seat": 1, "cell": cell}
            for name, cell in zip(
                ("max", "alice", "emmett", "kevin"), ("r1c1", "r1c2", "r2c2", "r3c3"), strict=True
            )
        },
        "turn": 2,
    }
    wish = TABLE | {"mode": "solo", "seats": 1, "scenario": scenario}
    game = ok(await ada.post("/v1/games", wish), 201)["game"]
    await on.sit(game, ada)
    view = ok(await ada.get(f"/v1/games/{game}"))
    assert view["scenario"] is True
    assert view["state"]["play"]["characters"]["max"]["cell"] == "r1c1"
    await on.list_up()
    assert [row["scenario"] for row in ok(await ada.get("/v1/games"))["games"]] == [True]


async def test_players_sit_down_and_the_game_begins(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.table(ada)
    first = ok(await ada.post(f"/v1/games/{game}/seats", {"characters": ["max"]}), 201)
    assert [line["event"]["type"] for line in first["events"]] == ["seat-taken"]
    seat = {"seat": 2, "name": "Bobby", "entropy": "dice"}
    begun = ok(await bob.post(f"/v1/games/{game}/seats", seat), 201)
    events = [line["event"] for line in begun["events"]]
    assert len(events[0]["name_seal"]) == 43
    assert events[1]["type"] == "table-started"
    assert begun["version"] == first["version"] + len(events)
    view = ok(await bob.get(f"/v1/games/{game}"))
    assert (view["viewer"], view["state"]["phase"]) == ("seat:2", "live")
    assert view["names"]["2"] == {"name": "Bobby"}


async def test_who_begins_a_game_by_sitting_down_reads_what_is_dealt_to_that_seat_alone(
    on: Stage,
) -> None:
    players = [await on.player(name) for name in ("Ada", "Bob", "Cy", "Di")]
    game = await on.table(players[0], "suspicion", 4)
    await on.sit(game, *players[:3])
    events = ok(await players[3].post(f"/v1/games/{game}/seats", {}), 201)["events"]
    dealt = [line["event"] for line in events if line["event"]["type"] == "role-dealt"]
    assert [("role" in event) for event in dealt] == [event["seat"] == 4 for event in dealt]
    assert len(dealt) == 4


async def test_seats_that_cannot_be_taken(on: Stage) -> None:
    ada, bob, cy = [await on.player(name) for name in ("Ada", "Bob", "Cy")]
    game = await on.table(ada, start="host")
    seats = f"/v1/games/{game}/seats"
    ok(await ada.post(seats, {"seat": 1, "characters": ["max", "alice"]}), 201)
    problem(await ada.post(seats, {}), "already-seated")
    problem(await bob.post(seats, {"seat": 1}), "seat-taken")
    problem(await bob.post(seats, {"seat": 3}), "unknown-seat")
    problem(await bob.post(seats, {"characters": ["nobody"]}), "unknown-character")
    problem(await bob.post(seats, {"characters": ["alice"]}), "character-taken")
    problem(await bob.post(seats, {"characters": ["kevin", "franck"]}), "character-not-allowed")
    problem(await bob.post(seats, {"entropy": "Bob was here"}), "bad-entropy")
    ok(await bob.post(seats, {}), 201)
    problem(await cy.post(seats, {}), "no-free-seat")


async def test_the_host_seats_house_bots_and_nobody_else_does(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.table(ada, start="host")
    seats = f"/v1/games/{game}/seats"
    problem(await bob.post(seats, {"bot": "random"}), "not-the-host")
    problem(await ada.post(seats, {"bot": "deep-thought"}), "unknown-bot")
    names = ok(await ada.get("/v1/rulebooks"))["bots"]
    taken = ok(await ada.post(seats, {"bot": names[0]}), 201)["events"][0]["event"]
    assert (taken["bot"], taken["player"]) == (names[0], f"bot:{names[0]}")


async def test_sitting_down_needs_a_token_that_plays(on: Stage) -> None:
    ada = await on.player()
    organiser = await on.with_scopes(ada, "organise")
    game = await on.table(organiser)
    problem(await organiser.post(f"/v1/games/{game}/seats", {}), "scope-missing")
    ok(await organiser.post(f"/v1/games/{game}/seats", {"bot": "random"}), 201)
    auditor = await on.with_scopes(ada, "audit")
    answer = await auditor.post("/v1/games", TABLE)
    problem(answer, "scope-missing")
    assert 'scope="play bot organise"' in answer.headers["www-authenticate"]


async def test_leaving_frees_the_seat(on: Stage) -> None:
    ada, bob, cy = [await on.player(name) for name in ("Ada", "Bob", "Cy")]
    game = await on.table(ada, "suspicion", 4)
    await on.sit(game, bob, cy)
    seats = f"/v1/games/{game}/seats"
    problem(await bob.delete(f"{seats}/2"), "not-your-seat")
    problem(await bob.delete(f"{seats}/3"), "unknown-seat")
    problem(await bob.delete(f"{seats}/many"), "not-found")
    left = ok(await bob.delete(f"{seats}/1"))
    assert [line["event"] for line in left["events"]] == [{"type": "seat-left", "seat": 1}]
    key = {"idempotency-key": fresh()}
    freed = await ada.delete(f"{seats}/2", headers=key)
    again = await ada.delete(f"{seats}/2", headers=key)
    assert ok(freed) == ok(again)
    problem(await ada.delete(f"{seats}/2"), "unknown-seat")
    problem(
        await ada.delete(f"{seats}/2", headers={"idempotency-key": " "}), "idempotency-key-invalid"
    )


async def test_a_host_begins_when_every_seat_is_taken(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.table(ada, start="host")
    start = f"/v1/games/{game}/start"
    problem(await ada.post(start), "table-not-full")
    await on.sit(game, ada, bob)
    problem(await bob.post(start), "not-the-host")
    assert ok(await ada.post(start))["events"][0]["event"]["type"] == "table-started"
    problem(await ada.post(start), "table-not-open")
    problem(await ada.delete(f"/v1/games/{game}/seats/1"), "table-not-open")
    problem(await ada.post(f"/v1/games/{game}/seats", {}), "table-not-open")


async def test_players_say_that_they_are_ready(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.table(ada, start="ready")
    start = f"/v1/games/{game}/start"
    problem(await ada.post(start), "not-seated")
    await on.sit(game, ada, bob)
    assert ok(await ada.post(start))["events"][0]["event"]["type"] == "seat-readied"
    problem(await ada.post(start), "already-ready")
    types = [line["event"]["type"] for line in ok(await bob.post(start))["events"]]
    assert types[:2] == ["seat-readied", "table-started"]


async def test_a_private_table_looks_to_others_as_if_it_were_not_there(on: Stage) -> None:
    ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
    game = await on.table(ada, visibility="private", invited=[bob.id])
    nowhere = game[:-1] + ("0" if game[-1] != "0" else "1")
    for path in ("", "/events", "/state", "/record", "/decisions"):
        there = await eve.get(f"/v1/games/{game}{path}")
        absent = await eve.get(f"/v1/games/{nowhere}{path}")
        problem(there, "game-not-found")
        assert (there.content, told(there)) == (absent.content, told(absent))
    problem(await on.stranger.get(f"/v1/games/{game}"), "game-not-found")
    problem(await eve.post(f"/v1/games/{game}/seats", {}), "game-not-found")
    problem(await eve.post(f"/v1/games/{game}/start"), "game-not-found")
    problem(
        await eve.post(f"/v1/games/{game}/decisions/clue-s1", {"option": "x"}), "game-not-found"
    )
    problem(await eve.delete(f"/v1/games/{game}/seats/1"), "game-not-found")
    ok(await bob.post(f"/v1/games/{game}/seats", {}), 201)
    ok(await bob.get(f"/v1/games/{game}"))
    ok(await (await on.with_scopes(eve, "audit")).get(f"/v1/games/{game}"))
    await on.list_up()
    for player, found in ((eve, []), (on.stranger, []), (bob, [game]), (ada, [game])):
        rows = ok(await player.get("/v1/games"))["games"]
        assert [row["id"] for row in rows] == found


@pytest.mark.parametrize("game", ["g00-" + "0" * 26, "gff-" + "0" * 26, "g00-0", "nonsense", "@"])
async def test_a_game_that_does_not_exist(on: Stage, game: str) -> None:
    ada = await on.player()
    problem(await ada.get(f"/v1/games/{game}"), "game-not-found")
    problem(await ada.post(f"/v1/games/{game}/seats", {}), "game-not-found")
    problem(await ada.get(f"/v1/games/{ada.id}"), "game-not-found")


async def test_the_list_is_filtered_and_turned_page_by_page(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    games = []
    for _ in range(5):
        on.clock.now += 1000
        games.append(await on.table(ada))
    on.clock.now += 1000
    solo = await on.table(bob, "solo", 1)
    await on.sit(solo, bob)
    await on.list_up()
    first = await ada.get("/v1/games", limit=2, status="open")
    page = ok(first)
    assert [row["id"] for row in page["games"]] == games[:2:-1]
    following = first.headers["link"]
    assert following.endswith('>; rel="next"')
    found = [row["id"] for row in page["games"]]
    while page["next"]:
        page = ok(await ada.get("/v1/games", limit=2, status="open", cursor=page["next"]))
        found += [row["id"] for row in page["games"]]
    assert found == games[::-1]
    rest = ok(await ada.http.get(following[1:].partition(">")[0]))
    assert [row["id"] for row in rest["games"]] == games[2:0:-1]
    queries: list[tuple[Any, list[str]]] = [
        ({"mode": "solo"}, [solo]),
        ({"player": bob.id}, [solo]),
        ({"status": "live"}, [solo]),
        ({"status": "finished"}, []),
        ({"rulebook": "none"}, []),
    ]
    for query, wanted in queries:
        rows = ok(await on.stranger.get("/v1/games", **query))["games"]
        assert [row["id"] for row in rows] == wanted


async def test_an_unchanged_list_is_not_sent_again(on: Stage) -> None:
    ada = await on.player()
    await on.table(ada)
    await on.list_up()
    first = await ada.get("/v1/games")
    again = await ada.get("/v1/games", {"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_rulebooks_say_what_can_be_played(on: Stage) -> None:
    listed = await on.stranger.get("/v1/rulebooks")
    books = ok(listed)["rulebooks"]
    names = [book["id"] for book in books if book["game"] == "room25"]
    assert names == ["prototype", "first_edition", "bga", "ultimate"]
    book = ok(await on.stranger.get("/v1/rulebooks/first_edition"))
    assert [mode["id"] for mode in book["modes"]] == [
        "suspicion",
        "cooperation",
        "competition",
        "team",
        "solo",
    ]
    assert sum(room["copies"] for room in book["rooms"]) == 32
    assert {room["color"] for room in book["rooms"]} == {"blue", "green", "yellow", "red"}
    assert all(room["effect"] for room in book["rooms"])
    assert {sum(each["rooms"].values()) for each in book["compositions"]} == {25}
    assert {option["id"] for option in book["options"]} >= {"composition", "reminders"}
    again = await on.stranger.get("/v1/rulebooks", {"if-none-match": listed.headers["etag"]})
    assert again.status_code == 304
    problem(await on.stranger.get("/v1/rulebooks/none"), "rulebook-not-found")


async def test_nobody_steers_the_deal_by_a_bot_or_by_coming_back(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.table(ada, seats=3)
    seats = f"/v1/games/{game}/seats"
    bot = {"bot": "steady", "entropy": "dice"}
    problem(await ada.post(seats, bot), "bot-with-entropy")
    for turn in range(16):
        taken = ok(await bob.post(seats, {"seat": 2, "entropy": f"try-{turn}"}), 201)
        assert taken["events"][0]["event"]["entropy"] == "try-0"
        ok(await bob.delete(f"{seats}/2"))
    ok(await bob.post(seats, {"seat": 2}), 201)
    problem(await bob.delete(f"{seats}/2"), "too-many-leavings")
    state = ok(await bob.get(f"/v1/games/{game}/state"))["state"]
    assert (state["leavings"], [given["text"] for given in state["entropy"]]) == (16, ["try-0"])
