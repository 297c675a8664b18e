"""Cerveauuu! over HTTP: opened beside Room 25, in its own words."""

from __future__ import annotations

from tests.service.stage import Stage, ok, problem

WISH = {"game": "cerveauuu", "rulebook": "prototype", "mode": "standard", "seats": 2}


async def test_a_seat_plays_a_colour_that_nobody_else_has(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = ok(await ada.post("/v1/games", WISH), 201)["game"]
    seats = f"/v1/games/{game}/seats"
    problem(await ada.post(seats, {"characters": ["mauve"]}), "unknown-colour")
    ok(await ada.post(seats, {"characters": ["purple"]}), 201)
    problem(await bob.post(seats, {"characters": ["purple"]}), "colour-taken")
    assert ok(await bob.post(seats, {}), 201)["events"][0]["event"]["characters"] == ["green"]


async def test_it_refuses_an_opening_under_the_codes_that_every_game_may_have(on: Stage) -> None:
    ada = await on.player("Ada")
    for change, code in (
        ({"rulebook": "first_edition"}, "unknown-rulebook"),
        ({"mode": "competition"}, "unknown-mode"),
        ({"seats": 7}, "bad-seat-count"),
        ({"options": {"fog": 1}}, "unknown-option"),
        ({"options": {"wander_goes": 9}}, "bad-option"),
        ({"time": {"limits_s": {"programming": 9}}}, "bad-time-control"),
    ):
        problem(await ada.post("/v1/games", {**WISH, **change}), code)


async def test_each_game_has_its_own_prototype(on: Stage) -> None:
    path = "/v1/rulebooks/prototype"
    own, first = await on.stranger.get(path, game="cerveauuu"), await on.stranger.get(path)
    assert (ok(own)["game"], ok(first)["game"]) == ("cerveauuu", "room25")
    assert "cards" in ok(own)
    assert "rooms" in ok(first)
    problem(await on.stranger.get("/v1/rulebooks/ultimate", game="cerveauuu"), "rulebook-not-found")
