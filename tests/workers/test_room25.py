"""The real game on the desk: house bots play it to its end, and everything else follows."""

from __future__ import annotations

import pytest

from events import seal
from events.kernel import FULL, PUBLIC, Actor, fold, redact
from games.contract import TimeControl
from games.room25 import ROOM25, RULEBOOKS
from games.table_events import OpenTable, TakeSeat
from projections.desk import Desk
from projections.listing import Listing
from projections.lobby import Lobby
from projections.record import read_record
from projections.shelf import house_shelf
from tests.projections.stage import KEYS, SHARDS, Stage, Still
from workers.attend import attend_game

HOST = Actor("player", f"p00-{'a' * 26}")
TABLES = [
    (mode.id, seats)
    for mode in RULEBOOKS["first_edition"].modes.values()
    for seats in (min(mode.seats), max(mode.seats))
]


async def opened(desk: Desk, mode: str, seats: int) -> str:
    """A table whose seats are all taken by house bots."""
    game = KEYS.derived_id("tests", f"{mode} {seats}", "g", SHARDS)
    table = OpenTable(
        game="room25",
        rulebook="first_edition",
        mode=mode,
        seats=seats,
        time=TimeControl(),
        key=desk.game_key(game),
    )
    for number in range(seats + 1):
        command = TakeSeat(bot="random") if number else table
        name = f"command-{number}"
        await desk.command(game, command, actor=HOST, command_id=name, digest="d", opens=not number)
    return game


@pytest.mark.parametrize(("mode", "seats"), sorted(set(TABLES)), ids=str)
async def test_bots_play_to_the_end_and_all_projections_agree(
    stage: Stage, mode: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.attend.COMMANDS_MAX", 7)  # so that there are moments to look at
    desk = Desk(stage.log, KEYS, Still())
    table = desk.table
    game = await opened(desk, mode, seats)
    state = (await desk.load(game)).state
    viewers = [PUBLIC, *(desk.viewer(state, seat) for seat in state.seats)]
    grown = {}
    for _ in range(500):
        for viewer in viewers:
            view = await desk.view(game, viewer)
            grown[view.version, viewer] = seal.canonical(view)
        if not await attend_game(desk, game):
            break
    loaded = await desk.load(game)
    assert loaded.state.phase == "finished"
    assert len(grown) > 3 * len(viewers)

    fresh = Desk(stage.log, KEYS, Still())
    for (version, viewer), seen in grown.items():
        assert seal.canonical(await fresh.view(game, viewer, at=version)) == seen
    assert (await fresh.view(game, FULL)).state == loaded.state

    record = read_record(await desk.record(game))
    events = [envelope.event for envelope in record.envelopes(house_shelf().registry(ROOM25.id))]
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
