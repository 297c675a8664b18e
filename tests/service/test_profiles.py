"""Profiles and leaderboards over HTTP: what they say, of whom, and of whom no longer."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from projections.leaderboards import Leaderboards
from projections.lobby import ListKeys
from projections.rows import Row, encode_row
from tests.projections.finished_rows import BEGAN, row, seat
from tests.service.stage import Player, Stage, ok, problem

GUARD_WINS: dict[str, Any] = {"game": "room25", "rulebook": "ultimate", "mode": "suspicion"}
BOARD = "/v1/leaderboards/all"
GUARDS: dict[str, Any] = {"game": "room25", "side": "guard"}


def suspicion(guard: Player, prisoner: Player, number: int, **more: Any) -> Row:
    """A game that the guard has won."""
    seats = (
        replace(seat(1, "guard", 1, "guard"), player=guard.id),
        replace(seat(2, "prisoner", 2, "prisoner"), player=prisoner.id),
    )
    return row(*seats, number=number, at=BEGAN + number, **GUARD_WINS | more)


async def lay(on: Stage, *rows: Row) -> None:
    """Let the lists have finished games, and fold them."""
    log = on.service.app_context.tables.log
    keys = ListKeys(log.layout)
    first = await on.store.zcard(keys.ended(0))
    for number, each in enumerate(rows, first + 1):
        await on.store.hset(keys.rows(0), each.id, encode_row(each))
        await on.store.zadd(keys.ended(0), {each.id: number})
    # While they are folded their feed has got so far too; later appends go on from its own end.
    meta = log.layout.meta(0)
    reached = await on.store.hget(meta, "seq")
    await on.store.hset(meta, "seq", "1000")
    await Leaderboards(log, on.store).catch_up()
    await on.store.hset(meta, "seq", reached or b"0")


async def test_a_profile_tells_what_was_played_and_won(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    await lay(on, suspicion(ada, bob, 1), suspicion(bob, ada, 2), suspicion(ada, bob, 3))
    answer = await on.stranger.get(f"/v1/players/{ada.id}/profile")
    found = ok(answer)
    alike = {"game": "room25", "rulebook": "ultimate", "mode": "suspicion"}
    assert (found["id"], found["name"]) == (ada.id, "Ada")
    assert (found["games"], found["won"], found["lost"]) == (3, 2, 1)
    assert found["last_played_at"] == BEGAN + 3
    assert found["played"] == [
        alike | {"side": "guard", "games": 2, "won": 2, "lost": 0},
        alike | {"side": "prisoner", "games": 1, "won": 0, "lost": 1},
    ]
    assert [(r["side"], r["games"], r["rating"]) for r in found["ratings"]] == [
        ("guard", 2, None),
        ("prisoner", 1, None),
    ]
    (season,) = found["seasons"]
    assert (season["season"], season["games"], season["won"]) == ("2023-4", 3, 2)
    again = await on.stranger.get(
        f"/v1/players/{ada.id}/profile", {"if-none-match": answer.headers["etag"]}
    )
    assert again.status_code == 304


async def test_who_has_not_played_has_an_empty_profile(on: Stage) -> None:
    ada = await on.player("Ada")
    found = ok(await on.stranger.get(f"/v1/players/{ada.id}/profile"))
    assert (found["games"], found["last_played_at"], found["played"]) == (0, None, [])
    assert found["ratings"] == found["seasons"] == []
    nobody = f"/v1/players/p00-{'z' * 26}/profile"
    problem(await on.stranger.get(nobody), "player-not-found")
    problem(await on.stranger.get("/v1/players/ada/profile"), "player-not-found")


async def test_a_leaderboard_shows_who_has_ten_games_page_by_page(on: Stage) -> None:
    players = [await on.player(f"Player {n}") for n in range(4)]
    loser = players[3]
    numbers = iter(range(100))
    for most in (12, 11, 10):
        winner = players[12 - most]
        await lay(on, *(suspicion(winner, loser, next(numbers)) for _ in range(most)))
    await lay(on, suspicion(loser, players[0], next(numbers)))  # a guard once only
    first = await on.stranger.get(BOARD, limit="2", **GUARDS)
    page = ok(first)
    assert [each["rank"] for each in page["rows"]] == [1, 2]
    rest = ok(await on.stranger.get(BOARD, limit="2", cursor=page["next"], **GUARDS))
    rows = [*page["rows"], *rest["rows"]]
    assert rest["next"] is None
    assert {each["player"] for each in rows} == {each.id for each in players[:3]}
    ratings = [each["rating"] for each in rows]
    assert ratings == sorted(ratings, reverse=True)
    assert f"cursor={page['next']}" in first.headers["link"]
    again = await on.stranger.get(
        BOARD, {"if-none-match": first.headers["etag"]}, limit="2", **GUARDS
    )
    assert again.status_code == 304
    found = ok(await on.stranger.get(f"/v1/players/{players[0].id}/profile"))
    (guard, prisoner) = found["ratings"]
    assert guard["rating"] == next(r["rating"] for r in rows if r["player"] == players[0].id)
    assert prisoner["rating"] is None
    listed = ok(await on.stranger.get("/v1/leaderboards"))["leaderboards"]
    assert {(each["season"], each["side"]) for each in listed} == {
        *(("all", side) for side in ("guard", "prisoner")),
        *(("2023-4", side) for side in ("guard", "prisoner")),
    }


async def test_a_deleted_player_is_gone_at_once_and_a_renamed_one_is_found_anew(on: Stage) -> None:
    ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
    await lay(on, *(suspicion(ada, eve, n) for n in range(10)))
    await lay(on, *(suspicion(bob, eve, n) for n in range(10, 20)))
    before = ok(await on.stranger.get(BOARD, **GUARDS))["rows"]
    first = next(each for each in (ada, bob) if each.id == before[0]["player"])
    second = bob if first is ada else ada
    ok(await second.post(f"/v1/players/{second.id}/name", {"name": "Zoe"}))
    assert ok(await on.stranger.get(BOARD, **GUARDS))["rows"][1]["name"] == "Zoe"
    assert ok(await on.stranger.get(f"/v1/players/{second.id}/profile"))["name"] == "Zoe"
    assert (await first.delete(f"/v1/players/{first.id}")).status_code == 204
    page = ok(await on.stranger.get(BOARD, limit="1", **GUARDS))
    assert [(each["rank"], each["name"]) for each in page["rows"]] == [(1, "Zoe")]
    assert page["next"] is None
    problem(await on.stranger.get(f"/v1/players/{first.id}/profile"), "account-deleted")


@pytest.mark.parametrize(
    ("season", "query"),
    [
        ("all", {"game": "chess"}),
        ("all", {"game": "room25", "side": "alien"}),
        ("2026-5", GUARDS),
        ("now", GUARDS),
    ],
)
async def test_there_is_no_such_leaderboard(on: Stage, season: str, query: dict[str, Any]) -> None:
    answer = await on.stranger.get(f"/v1/leaderboards/{season}", **query)
    problem(answer, "leaderboard-not-found")


async def test_a_leaderboard_may_be_empty_and_takes_its_own_cursors(on: Stage) -> None:
    page = ok(await on.stranger.get("/v1/leaderboards/2026-4", **GUARDS))
    assert (page["rows"], page["next"]) == ([], None)
    problem(await on.stranger.get(BOARD), "invalid-parameter")
    for cursor in ("x", "MS4y", "é"):
        problem(await on.stranger.get(BOARD, cursor=cursor, **GUARDS), "bad-cursor")
    assert ok(await on.stranger.get("/v1/leaderboards"))["leaderboards"] == []
