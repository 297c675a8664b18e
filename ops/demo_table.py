"""The table that runs by itself, so that there is always something to watch."""

from __future__ import annotations

import secrets
from typing import Final

from events.kernel import Actor, Command
from games.bots import BOTS
from games.contract import TimeControl
from games.table_events import OpenTable, TakeSeat
from projections.listing import Listing, Wanted
from projections.settings import Settings
from workers.host import Host

HOST: Final = "house"
"""The host of demo tables: no player has this id."""

PACE_MS: Final = 2500
SEATS: Final = 4


async def demo_table(settings: Settings) -> str:
    """The id of the demo table that runs, or of a new one: four house bots in no hurry.

    Raises:
        StoreBehind: the store is not the one that is known.
        LogUnavailable: the store does not answer.
    """
    host = Host(settings)
    try:
        await host.watch.begin()
        await host.lobby.catch_up()
        listing = Listing(host.client, host.log.layout, settings.prefix)
        found = await listing.page(Wanted(player=HOST, status="live", limit=1))
        return found.rows[0].id if found.rows else await _open(host, settings.shards)
    finally:
        await host.close()


async def _open(host: Host, shards: int) -> str:
    desk = host.desk
    game = desk.keys.derived_id(HOST, secrets.token_hex(16), "g", shards)
    table = OpenTable(
        game="room25",
        rulebook="first_edition",
        mode="cooperation",
        seats=SEATS,
        time=TimeControl(bot_pace_ms=PACE_MS),
        key=desk.game_key(game),
    )
    bot = "steady" if "steady" in BOTS else "random"
    commands: list[Command] = [table, *(TakeSeat(bot=bot) for _ in range(SEATS))]
    for number, command in enumerate(commands):
        await desk.command(
            game,
            command,
            actor=Actor("player", HOST),
            command_id=f"demo-{number}",
            digest="demo",
            opens=not number,
        )
    return game
