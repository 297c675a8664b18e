"""Decisions over HTTP: what is offered, choosing, and every way to be refused."""

from __future__ import annotations

from tests.service.stage import Json, Player, Stage, fresh, ok, problem


async def one(player: Player, game: str, kind: str) -> Json:
    """The player's open decision of a kind."""
    found = ok(await player.get(f"/v1/games/{game}/decisions"))["decisions"]
    (decision,) = [each for each in found if each["kind"] == kind]
    return Json(decision)


async def test_decisions_name_options_deadline_and_default(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    answer = await ada.get(f"/v1/games/{game}/decisions")
    body = ok(answer)
    assert body["seats"] == [1]
    clue, resign = body["decisions"]
    assert clue["deadline"] == on.clock.now + 120_000
    assert clue["default"] in {option["id"] for option in clue["options"]}
    assert all(option["meaning"] for option in clue["options"])
    assert (resign["kind"], resign["optional"]) == ("resign", True)
    again = await ada.get(f"/v1/games/{game}/decisions", {"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
    stranger = await on.player("Eve")
    assert ok(await stranger.get(f"/v1/games/{game}/decisions"))["decisions"] == []
    problem(await on.stranger.get(f"/v1/games/{game}/decisions"), "token-needed")


async def test_a_secret_choice_is_told_to_its_seat_and_may_be_replaced(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    path = f"/v1/games/{game}/decisions/clue-s1"
    for option in ("r1c2", "r2c3"):
        events = ok(await ada.post(path, {"option": option}))["events"]
        assert [line["event"]["cell"] for line in events] == [option]
    seen = ok(await bob.get(f"/v1/games/{game}/events", after=8))["events"]
    assert [line["event"] for line in seen] == [{"type": "clue-chosen", "seat": 1}] * 2
    assert all("opened" not in line for line in seen)
    mine = ok(await ada.get(f"/v1/games/{game}/events", after=8))["events"]
    assert [line["opened"]["event.cell"]["value"] for line in mine] == ["r1c2", "r2c3"]
    assert [line["opened"]["command.option"]["value"] for line in mine] == ["r1c2", "r2c3"]


async def test_choices_that_are_refused(on: Stage) -> None:
    ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
    game = await on.game(ada, bob)
    path = f"/v1/games/{game}/decisions"
    problem(await ada.post(f"{path}/clue-s1", {"option": "r0c0"}), "option-not-offered")
    problem(await ada.post(f"{path}/clue-s1", {"option": ""}), "invalid-body")
    problem(await ada.post(f"{path}/clue-s1", {"choice": "r1c2"}), "invalid-body")
    problem(await eve.post(f"{path}/clue-s1", {"option": "r1c2"}), "not-seated")
    problem(await on.stranger.post(f"{path}/clue-s1", {"option": "r1c2"}), "token-needed")


async def test_decisions_say_whether_there_is_anything_to_wait_for(on: Stage) -> None:
    ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
    path = "/v1/games/{}/decisions"

    async def told(game: str) -> list[tuple[str, int, int]]:
        bodies = [ok(await who.get(path.format(game))) for who in (ada, eve)]
        return [(body["status"], body["now"], len(body["decisions"])) for body in bodies]

    open_table = await on.table(ada)
    assert await told(open_table) == [("open", on.clock.now, 0)] * 2
    game = await on.game(ada, bob)
    on.clock.now += 1_000
    assert await told(game) == [("live", on.clock.now, 2), ("live", on.clock.now, 0)]
    ok(await on.operator.post(f"/v1/games/{game}/pause", {}))
    assert await told(game) == [("paused", on.clock.now, 0)] * 2
    ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    assert await told(game) == [("finished", on.clock.now, 0)] * 2


async def test_others_decisions_and_none_look_the_same(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    answers = [
        await ada.post(f"/v1/games/{game}/decisions/{name}", {"option": "r1c2"})
        for name in ("clue-s2", "clue-s9", "reveal-max", "t1-program-max", "%F0%9F%8E%B2")
    ]
    for answer in answers:
        problem(answer, "decision-not-open")
    assert len({answer.content for answer in answers}) == 1


async def test_a_decision_that_was_answered_is_not_open(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    for player, seat in ((ada, 1), (bob, 2)):
        ok(await player.post(f"/v1/games/{game}/decisions/clue-s{seat}", {"option": "r1c2"}))
    late = await ada.post(f"/v1/games/{game}/decisions/clue-s1", {"option": "r2c3"})
    problem(late, "decision-not-open")


async def test_a_choice_after_the_deadline_is_refused_and_the_default_stands(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    on.clock.now += 120_000
    path = f"/v1/games/{game}/decisions/clue-s1"
    assert ok(await ada.post(path, {"option": "r2c3"}))["version"] == 9
    on.clock.now += 1
    problem(await ada.post(path, {"option": "r2c1"}), "deadline-passed")
    assert ok(await ada.get(f"/v1/games/{game}"))["version"] == 9
    on.clock.now += 250
    problem(await ada.post(path, {"option": "r2c1"}), "deadline-passed")
    types = [
        line["event"]["type"]
        for line in ok(await bob.get(f"/v1/games/{game}/events", after=9))["events"]
    ]
    assert types[0] == "seat-timed-out"
    problem(await ada.post(path, {"option": "r2c1"}), "decision-not-open")


async def test_nobody_chooses_before_the_beginning_nor_after_the_end(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.table(ada)
    await on.sit(game, ada)
    path = f"/v1/games/{game}/decisions"
    problem(await ada.post(f"{path}/clue-s1", {"option": "r1c2"}), "game-not-live")
    await on.sit(game, bob)
    for player, seat in ((ada, 1), (bob, 2)):
        ok(await player.post(f"{path}/resign-s{seat}", {"option": "resign"}))
    problem(await ada.post(f"{path}/resign-s1", {"option": "resign"}), "game-over")
    view = ok(await on.stranger.get(f"/v1/games/{game}"))
    assert view["state"]["result"]["reason"] == "abandoned"
    assert view["links"]["record"] == f"/v1/games/{game}/record"


async def test_an_absent_player_returns_by_a_decision(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob, time={"absent_after": 1, "limits_s": {"programming": 10}})
    on.clock.now += 10_250
    assert await on.service.app_context.tables.time_out(game)
    back = await one(ada, game, "return")
    choice = {"option": back["options"][0]["id"]}
    events = ok(await ada.post(f"/v1/games/{game}/decisions/{back['id']}", choice))["events"]
    assert events[0]["event"] == {"type": "seat-returned", "seat": 1}


async def test_a_whole_turn_is_played_over_http(on: Stage) -> None:
    """Every blocking decision of a solo game is answered by its default until it is over."""
    ada = await on.player()
    game = await on.game(ada, mode="solo")
    for _ in range(400):
        body = ok(await ada.get(f"/v1/games/{game}/decisions"))
        asked = [each for each in body["decisions"] if each["default"] is not None]
        if not asked:
            break
        path = f"/v1/games/{game}/decisions/{asked[0]['id']}"
        ok(await ada.post(path, {"option": asked[0]["default"]}))
    view = ok(await ada.get(f"/v1/games/{game}"))
    assert view["state"]["phase"] == "finished"
    problem(await ada.post(f"/v1/games/{game}/decisions/x", {"option": "x"}, fresh()), "game-over")


async def _strikes(player: Player, game: str) -> list[Json]:
    seats = ok(await player.get(f"/v1/games/{game}"))["state"]["seats"]
    return [seats[number] for number in sorted(seats)]


async def test_a_strike_is_shown_and_reading_leaves_it_and_saying_so_wipes_it(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob, time={"absent_after": 2, "limits_s": {"programming": 10}})
    assert [d["kind"] for d in ok(await ada.get(f"/v1/games/{game}/decisions"))["decisions"]] == [
        "starting_clue",
        "resign",
    ]
    for _ in range(2):
        on.clock.now += 10_250
        assert await on.service.app_context.tables.time_out(game)
    both = await _strikes(ada, game)
    assert [(s["strikes"], s["absent"], s["missed_turn"]) for s in both] == [(1, False, 1)] * 2
    path = f"/v1/games/{game}"
    for reading in ("", "/state?at=turn:1", "/events", "/decisions", "/log.jsonl", "/head"):
        answer = await ada.get(path + reading)
        assert answer.status_code == 200, reading
    assert await _strikes(ada, game) == both, "reading is no act"
    here = await one(ada, game, "return")
    choice = {"option": here["options"][0]["id"]}
    events = ok(await ada.post(f"{path}/decisions/{here['id']}", choice))["events"]
    assert [line["event"] for line in events] == [{"type": "seat-returned", "seat": 1}]
    first, second = await _strikes(ada, game)
    assert (first["strikes"], second["strikes"]) == (0, 1)
    problem(await ada.post(f"{path}/decisions/{here['id']}", choice), "decision-not-open")
