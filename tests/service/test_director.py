"""The director's commands over HTTP, and who may give them."""

from __future__ import annotations

from tests.service.stage import Stage, ok, problem


async def test_a_director_stops_the_clock_and_lets_it_run_on(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    director = await on.with_scopes(ada, "organise")
    at = f"/v1/games/{game}"
    due = ok(await ada.get(at))["state"]["clock"]["due"]
    paused = ok(await director.post(f"{at}/pause", {"reason": "technical"}))
    event = paused["events"][0]["event"]
    assert event == {"type": "table-paused", "at": on.clock.now, "reason": "technical"}
    problem(await director.post(f"{at}/pause", {}), "table-paused")
    problem(await director.post(f"{at}/extend", {"seconds": 5}), "table-paused")
    problem(await ada.post(f"{at}/decisions/clue-s1", {"option": "r1c2"}), "table-paused")
    on.clock.now += 60_000
    ok(await director.post(f"{at}/resume"))
    problem(await director.post(f"{at}/resume"), "table-not-paused")
    assert ok(await ada.get(at))["state"]["clock"]["due"] == due + 60_000


async def test_a_director_gives_more_time_while_there_is_some(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    at = f"/v1/games/{game}"
    due = ok(await ada.get(at))["state"]["clock"]["due"]
    ok(await on.operator.post(f"{at}/extend", {"seconds": 30, "reason": "other"}))
    assert ok(await ada.get(at))["state"]["clock"]["due"] == due + 30_000
    problem(await on.operator.post(f"{at}/extend", {"seconds": 0}), "invalid-body")
    rude = {"seconds": 5, "reason": "Ada was rude"}
    problem(await on.operator.post(f"{at}/extend", rude), "invalid-body")
    on.clock.now = due + 30_001
    problem(await on.operator.post(f"{at}/extend", {"seconds": 30}), "deadline-passed")


async def test_an_annulled_game_is_over_and_its_record_says_why(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    at = f"/v1/games/{game}"
    problem(await on.operator.post(f"{at}/annul", {}), "invalid-body")
    ok(await on.operator.post(f"{at}/annul", {"reason": "mistake"}))
    result = ok(await ada.get(at))["state"]["result"]
    assert (result["reason"], result["cause"], result["winners"]) == ("annulled", "mistake", [])
    for command, body in (
        ("pause", {}),
        ("resume", None),
        ("extend", {"seconds": 5}),
        ("annul", {"reason": "other"}),
    ):
        problem(await on.operator.post(f"{at}/{command}", body), "game-over")


async def test_before_the_game_there_is_nothing_to_pause(on: Stage) -> None:
    ada = await on.player()
    game = await on.table(ada)
    problem(await on.operator.post(f"/v1/games/{game}/pause", {}), "game-not-live")
    problem(await on.operator.post(f"/v1/games/{game}/extend", {"seconds": 5}), "game-not-live")


async def test_only_the_tables_director_directs(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    at = f"/v1/games/{game}/pause"
    problem(await ada.post(at, {}), "scope-missing")
    problem(await (await on.with_scopes(bob, "organise")).post(at, {}), "not-the-director")
    problem(await on.stranger.post(at, {}), "token-needed")
    ok(await (await on.with_scopes(bob, "admin")).post(at, {}))
    event = ok(await ada.get(f"/v1/games/{game}/events", limit=1000))["events"][-1]
    assert event["batch"]["by"] == f"director:{bob.id}"
