"""A client that plays any game over HTTP and knows the rules of none."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.service.stage import Json, Player, ok


async def leaf(player: Player, path: str, options: Sequence[Json], chance: random.Random) -> str:
    """The id of a leaf below some options: any of them, and any below it, down to a leaf."""
    option = chance.choice(options)
    while option.get("branch"):
        below = ok(await player.get(f"{path}/options/{option['id']}"))
        option = chance.choice(below["options"])
    return str(option["id"])


async def answer(player: Player, game: str, chance: random.Random) -> bool:
    """Answer the first decision that the game waits for, if it waits for this player."""
    listed = ok(await player.get(f"/v1/games/{game}/decisions"))["decisions"]
    for decision in listed:
        if not decision["optional"] and not decision["answered"]:
            path = f"/v1/games/{game}/decisions/{decision['id']}"
            option = await leaf(player, path, decision["options"], chance)
            ok(await player.post(path, {"option": option}))
            return True
    return False
