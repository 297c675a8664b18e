"""Looking for finished games over HTTP: by player and result, outcome and time, page by page."""

from __future__ import annotations

from typing import Any

from tests.service.stage import Stage, ok, problem


async def test_finished_games_are_found_by_result_outcome_and_time(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    began = on.clock.now
    games = []
    for _ in range(2):
        on.clock.now += 1_000
        game = await on.game(ada, bob, mode="cooperation")
        ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "mistake"}))
        games.append(game)
    await on.game(ada, bob, mode="cooperation")
    await on.list_up()
    path = "/v1/games"
    wanted: dict[str, Any] = {"player": ada.id, "result": "undecided", "limit": "1"}
    wanted |= {"opened_from": str(began)}
    first = await on.stranger.get(path, **wanted)
    assert [row["id"] for row in ok(first)["games"]] == [games[1]]
    assert "result=undecided" in first.headers["link"]
    assert f"opened_from={began}" in first.headers["link"]
    rest = ok(await on.stranger.get(path, cursor=ok(first)["next"], **wanted))
    assert [row["id"] for row in rest["games"]] == [games[0]]
    assert ok(await on.stranger.get(path, player=ada.id, result="won"))["games"] == []
    before = ok(await on.stranger.get(path, outcome="annulled", opened_before=str(began + 2_000)))
    assert [row["id"] for row in before["games"]] == [games[0]]


async def test_a_result_is_a_players(on: Stage) -> None:
    problem(await on.stranger.get("/v1/games", result="won"), "invalid-parameter")
    problem(await on.stranger.get("/v1/games", result="drawn"), "invalid-parameter")
    problem(await on.stranger.get("/v1/games", opened_from="-1"), "invalid-parameter")
