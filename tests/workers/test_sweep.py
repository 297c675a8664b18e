"""Tables that never begin end after a while; whatever begins in time goes on."""

from __future__ import annotations

import pytest

from events.clients import Client
from events.kernel import Actor
from events.transact import CommandReceipt
from games.table.events import AnnulTable, TakeSeat, Visibility
from projections.lobby import Lobby
from tests.runtime.stage import ANN, BEN, TOY_REGISTRY, Stage
from workers.sweep import REASON, end_unbegun

HOUR = 3_600_000


async def swept(stage: Stage, client: Client) -> int:
    """How many tables a sweep ends that grants them a day."""
    lobby = Lobby(stage.log, client, game_registry=TOY_REGISTRY)
    await lobby.catch_up()
    return await end_unbegun(stage.tables, client, lobby.keys, 24)


async def phase(stage: Stage, game: str) -> str:
    return (await stage.tables.load(game)).state.phase


@pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
async def test_a_table_that_waits_for_a_day_ends(
    stage: Stage, client: Client, visibility: Visibility
) -> None:
    game = await stage.open(seats=2, visibility=visibility)
    stage.clock.now += 24 * HOUR - 1
    assert await swept(stage, client) == 0
    stage.clock.now += 1
    assert await swept(stage, client) == 1
    result = (await stage.tables.load(game)).state.result
    assert result is not None
    assert (result.reason, result.cause) == ("annulled", REASON)
    assert await swept(stage, client) == 0
    assert await phase(stage, game) == "finished"


async def test_a_game_that_has_begun_goes_on_and_a_younger_table_waits(
    stage: Stage, client: Client
) -> None:
    begun = await stage.open("begun", seats=2)
    await stage.sit(begun, (ANN, BEN))
    stage.clock.now += 12 * HOUR
    young = await stage.open("young", seats=2)
    stage.clock.now += 12 * HOUR
    assert await swept(stage, client) == 0
    assert (await phase(stage, begun), await phase(stage, young)) == ("live", "open")


async def test_a_table_that_begins_in_that_moment_goes_on(
    stage: Stage, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lists still have it among those that wait, and so had the sweep when it looked."""
    game = await stage.open(seats=2)
    await stage.sit(game, (ANN,))
    stage.clock.now += 24 * HOUR
    lobby = Lobby(stage.log, client, game_registry=TOY_REGISTRY)
    await lobby.catch_up()
    give, races = stage.tables.command, 0

    async def begin_first(name: str, command: object, **more: object) -> CommandReceipt:
        nonlocal races
        if "after" in more:
            races += 1
            ben = Actor("player", BEN)
            await give(name, TakeSeat(), actor=ben, command_id="by-hand", digest="d")
        return await give(name, command, **more)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(stage.tables, "command", begin_first)
    assert await end_unbegun(stage.tables, client, lobby.keys, 24) == 0
    assert (races, await phase(stage, game)) == (1, "live")
    assert await end_unbegun(stage.tables, client, lobby.keys, 24) == 0


async def test_without_the_version_that_was_seen_the_game_would_end(stage: Stage) -> None:
    """The control: the director's command itself asks for no more than that the game runs."""
    game = await stage.open(seats=2)
    await stage.sit(game, (ANN, BEN))
    await stage.give(game, AnnulTable(reason=REASON), "clock", "director")
    assert await phase(stage, game) == "finished"


async def test_a_damaged_table_keeps_no_other_one_waiting(stage: Stage, client: Client) -> None:
    games = [await stage.open(f"t{n}", seats=2) for n in range(3)]
    stage.clock.now += 24 * HOUR
    lobby = Lobby(stage.log, client, game_registry=TOY_REGISTRY)
    await lobby.catch_up()
    await client.delete(stage.log.layout.stream(games[1]).entries)
    stage.tables = stage.twin().tables
    assert await end_unbegun(stage.tables, client, lobby.keys, 24) == 2
