"""``GET /v1/games/{game}/connections``: which of the people at a table are there."""

from __future__ import annotations

from tests.service.listening import listen
from tests.service.stage import Player, Stage, ok, problem


async def told(on: Stage, who: Player, game: str) -> dict[int, str]:
    """How everybody is connected, seat by seat, as somebody at the table is told."""
    await on.service.app_context.connections.announce()
    seats = ok(await who.get(f"/v1/games/{game}/connections"))["seats"]
    return {each["seat"]: each["connection"] for each in seats}


async def test_players_are_told_who_is_at_the_table(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    assert await told(on, ada, game) == {1: "disconnected", 2: "disconnected"}
    async with listen(on, bob, "/v1/stream") as own:
        await own.next()
        assert await told(on, ada, game) == {1: "disconnected", 2: "away"}
        async with listen(on, bob, f"/v1/games/{game}/events") as stream:
            await stream.next()
            assert await told(on, ada, game) == {1: "disconnected", 2: "here"}


async def test_nobody_else_is_told(on: Stage) -> None:
    ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
    game = await on.game(ada, bob)
    path = f"/v1/games/{game}/connections"
    problem(await eve.get(path), "not-seated")
    problem(await ada.get("/v1/games/nothing/connections"), "game-not-found")
    problem(await on.stranger.get(path), "token-needed")
    async with listen(on, eve, f"/v1/games/{game}/events") as stream:
        await stream.next()
        assert set((await told(on, ada, game)).values()) == {"disconnected"}


async def test_programs_are_not_listed(on: Stage) -> None:
    ada = await on.player("Ada")
    game = await on.table(ada, seats=2)
    await on.sit(game, ada)
    ok(await ada.post(f"/v1/games/{game}/seats", {"bot": "random"}), 201)
    assert await told(on, ada, game) == {1: "disconnected"}
