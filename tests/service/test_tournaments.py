"""Tables of a tournament, over HTTP: they say so, and are found by its code."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.service.stage import Player, Stage, ok, problem

CUP: Final = "spring-cup"


async def test_a_tournaments_code_stands_in_event_view_list_and_record(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob, tournament=CUP)
    state = ok(await on.stranger.get(f"/v1/games/{game}"))["state"]
    assert state["tournament"] == CUP
    await on.list_up()
    (row,) = ok(await on.stranger.get("/v1/games"))["games"]
    assert row["tournament"] == CUP
    first = ok(await on.stranger.get(f"/v1/games/{game}/events", limit=1))["events"][0]["event"]
    assert (first["type"], first["tournament"]) == ("table-opened", CUP)


async def test_a_table_of_no_tournament_says_nothing_of_one(on: Stage) -> None:
    game = await on.table(await on.player("Ada"))
    assert "tournament" not in ok(await on.stranger.get(f"/v1/games/{game}"))["state"]
    await on.list_up()
    (row,) = ok(await on.stranger.get("/v1/games"))["games"]
    assert row["tournament"] is None


async def test_tables_are_found_by_their_tournament(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    live = await on.game(ada, bob, tournament=CUP)
    waiting = await on.table(bob, tournament=CUP)
    await on.table(ada)
    await on.table(ada, tournament="spring")
    hidden = await on.table(ada, tournament=CUP, visibility="private")
    secret = await on.table(ada, tournament=CUP, visibility="unlisted")
    await on.list_up()

    async def found(reader: Player = on.stranger, **queries: Any) -> list[str]:
        page = ok(await reader.get("/v1/games", **{"tournament": CUP} | queries))
        return [row["id"] for row in page["games"]]

    assert set(await found()) == {live, waiting}
    assert set(await found(ada)) == {live, waiting, hidden, secret}
    assert await found(status="live") == [live]
    assert await found(tournament="autumn-cup") == []
    assert set(await found(player=bob.id)) == {live, waiting}
    assert await found(player=ada.id) == [live]
    assert await found(player=ada.id, status="open") == []
    one = await on.stranger.get("/v1/games", tournament=CUP, limit=1)
    assert f"tournament={CUP}" in one.headers["link"]
    assert {ok(one)["games"][0]["id"], *await found(cursor=ok(one)["next"])} == {live, waiting}


@pytest.mark.parametrize("code", ["Spring", "a b", "-a", "a" * 41, ""])
async def test_a_code_that_cannot_be_one_opens_no_table_and_finds_none(
    on: Stage, code: str
) -> None:
    ada = await on.player("Ada")
    wish = {"rulebook": "first_edition", "mode": "cooperation", "seats": 2, "tournament": code}
    problem(await ada.post("/v1/games", wish), "bad-tournament" if code else "invalid-body")
    problem(await on.stranger.get("/v1/games", tournament=code), "invalid-parameter")
    await on.list_up()
    assert ok(await on.stranger.get("/v1/games"))["games"] == []


async def test_a_rematch_is_no_game_of_the_tournament(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob, tournament=CUP)
    ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    made = ok(await ada.post(f"/v1/games/{game}/rematch", {}), 201)
    again = made["game"]
    assert "tournament" not in ok(await ada.get(f"/v1/games/{again}"))["state"]
