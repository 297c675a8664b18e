"""The tables that run by themselves, so that there is always something to watch."""

from __future__ import annotations

import secrets
from typing import Final

from events.kernel import Actor, Command
from games.contract import TimeControl
from games.table.events import OpenTable, TakeSeat
from runtime.listing import Listing, Wanted
from runtime.settings import Settings
from workers.host import Host

HOST: Final = "house"
"""The host of demo tables: no player has this id."""

PACE_MS: Final = 2500


async def demo_tables(settings: Settings) -> list[str]:
    """The ids of the running demo tables, one of each game, new ones with unhurried house bots.

    Raises:
        StoreBehind: the store is not the one that is known.
        LogUnavailable: the store does not answer.
    """
    host = Host(settings)
    try:
        await host.watch.begin()
        await host.lobby.catch_up()
        listing = Listing(host.client, host.log.layout)
        return [
            await _running(listing, game) or await _open(host, game, settings.shards)
            for game in host.tables.game_registry.games
        ]
    finally:
        await host.close()


async def _running(listing: Listing, game: str) -> str | None:
    """The demo table of a game, if one is live."""
    found = await listing.page(Wanted(player=HOST, status="live", game=game, limit=1))
    return found.rows[0].id if found.rows else None


async def _open(host: Host, played: str, shards: int) -> str:
    tables, shown = host.tables, host.tables.game_registry.games[played].published.showcase
    game = tables.keys.derived_id(HOST, secrets.token_hex(16), "g", shards)
    table = OpenTable(
        game=played,
        rulebook=shown.rulebook,
        mode=shown.mode,
        seats=shown.seats,
        time=TimeControl(bot_pace_ms=PACE_MS),
        key=tables.game_key(game),
    )
    commands: list[Command] = [table, *(TakeSeat(bot=shown.bot) for _ in range(shown.seats))]
    for number, command in enumerate(commands):
        await tables.command(
            game,
            command,
            actor=Actor("player", HOST),
            command_id=f"demo-{number}",
            digest="demo",
            opens=not number,
        )
    return game
