"""Plays two games with the same event tags and other fields in one store, over HTTP."""

from __future__ import annotations

from games.game_registry import GameRegistry
from replay.source import Source, read_file
from runtime.table_service import TableService
from tests.games.auction import AUCTION, AUCTION_GAME
from tests.games.toy import TOY
from tests.games.toy_package import TOY_GAME
from tests.service.stage import Player, Stage, ok
from workers.advance import play_all

GAMES = {TOY.id: TOY_GAME, AUCTION.id: AUCTION_GAME}
BOTH = GameRegistry(GAMES)
RULEBOOK = "toybook"
"""The id of both games' rulebooks."""


async def begun(game: str, player: Player) -> str:
    """A game of a person and a house bot."""
    wish = {"game": game, "rulebook": RULEBOOK, "mode": "plain", "seats": 2}
    name: str = ok(await player.post("/v1/games", wish), 201)["game"]
    ok(await player.post(f"/v1/games/{name}/seats", {}), 201)
    ok(await player.post(f"/v1/games/{name}/seats", {"bot": "random"}), 201)
    return name


async def played(on: Stage, game: str, player: Player) -> str:
    """A game played to its end, over HTTP and by a worker with a table service of its own."""
    app_context = on.service.app_context
    worker = TableService(
        app_context.tables.log, app_context.tables.keys, on.clock, game_registry=BOTH
    )
    name = await begun(game, player)
    while ok(await player.get(f"/v1/games/{name}"))["state"]["phase"] == "live":
        on.clock.now += 1000
        asked = ok(await player.get(f"/v1/games/{name}/decisions"))["decisions"]
        for decision in asked:
            if not decision["optional"] and not decision["answered"]:
                path = f"/v1/games/{name}/decisions/{decision['id']}"
                ok(await player.post(path, {"option": decision["options"][-1]["id"]}))
                break
        else:
            await play_all(worker, [name])
    return name


async def recorded(on: Stage, name: str) -> Source:
    answer = await on.stranger.get(f"/v1/games/{name}/record")
    assert answer.status_code == 200, answer.text
    return read_file(answer.content)
