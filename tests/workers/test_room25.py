"""The real game on the table service: house bots play it to its end, and all else follows."""

from __future__ import annotations

import pytest

from events import seal
from events.kernel import FULL, PUBLIC, Actor, fold, redact
from games.contract import TimeControl
from games.game_registry import installed_games
from games.room25 import RULEBOOKS, RULES
from games.table.events import OpenTable, TakeSeat
from projections.lobby import Lobby
from projections.record import read_record
from runtime.listing import Listing
from runtime.table_service import TableService
from tests.runtime.stage import KEYS, SHARDS, Stage, Still
from workers.advance import advance_game

HOST = Actor("player", f"p00-{'a' * 26}")
TABLES = [
    (mode.id, seats)
    for mode in RULEBOOKS["first_edition"].modes.values()
    for seats in (min(mode.seats), max(mode.seats))
]


async def opened(tables: TableService, mode: str, seats: int) -> str:
    """A table whose seats are all taken by house bots."""
    game = KEYS.derived_id("tests", f"{mode} {seats}", "g", SHARDS)
    table = OpenTable(
        game="room25",
        rulebook="first_edition",
        mode=mode,
        seats=seats,
        time=TimeControl(),
        key=tables.game_key(game),
    )
    for number in range(seats + 1):
        command = TakeSeat(bot="random") if number else table
        name = f"command-{number}"
        await tables.command(
            game, command, actor=HOST, command_id=name, digest="d", opens=not number
        )
    return game


@pytest.mark.parametrize(("mode", "seats"), sorted(set(TABLES)), ids=str)
async def test_bots_play_to_the_end_and_all_projections_agree(
    stage: Stage, mode: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.advance.COMMANDS_MAX", 7)  # so that there are moments to look at
    tables = TableService(stage.log, KEYS, Still())
    table = tables.table
    game = await opened(tables, mode, seats)
    state = (await tables.load(game)).state
    viewers = [PUBLIC, *(tables.viewer(state, seat) for seat in state.seats)]
    grown = {}
    for _ in range(500):
        for viewer in viewers:
            view = await tables.view(game, viewer)
            grown[view.version, viewer] = seal.canonical(view)
        if not await advance_game(tables, game):
            break
    loaded = await tables.load(game)
    assert loaded.state.phase == "finished"
    assert len(grown) > 3 * len(viewers)

    fresh = TableService(stage.log, KEYS, Still())
    for (version, viewer), seen in grown.items():
        assert seal.canonical(await fresh.view(game, viewer, at=version)) == seen
    assert (await fresh.view(game, FULL)).state == loaded.state

    record = read_record(await tables.record(game))
    events = [envelope.event for envelope in record.envelopes(installed_games().registry(RULES.id))]
    assert fold(table, events) == loaded.state
    for viewer in viewers:
        redacted = [redact(event, viewer) for event in events]
        assert fold(table, redacted) == (await fresh.view(game, viewer)).state

    await Lobby(stage.log, stage.client).catch_up()
    row = await Listing(stage.client, stage.log.layout).row(game)
    assert row is not None
    assert (row.version, row.status, row.result) == (
        loaded.version,
        "finished",
        loaded.state.result,
    )
    assert row.turn == loaded.state.play.turn
