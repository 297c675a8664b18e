"""House bots that act of their own accord: when they are heard, and that they stop."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import structlog

from events.kernel import PUBLIC, Actor, Decision
from games.bots import HouseBot, Volunteer
from games.table.events import OpenTable, TakeSeat
from games.table.state import TableState
from runtime.table_service import TableService
from tests.games.toy import walking
from tests.runtime.stage import KEYS, SHARDS, Stage, Still, registry_with
from workers.advance import advance_game


def waving(view: TableState, decisions: Sequence[Decision], seed: str) -> tuple[str, str] | None:
    """Wave whenever one may."""
    assert view.key is None
    assert len(seed) == 64
    return next(((d.id, "wave") for d in decisions if d.kind == "wave"), None)


def failing(view: TableState, decisions: Sequence[Decision], seed: str) -> None:
    raise KeyError(f"{view.seats} {decisions} {seed}")


def desk_of(stage: Stage, volunteer: Volunteer) -> TableService:
    """A table service whose random bots do this unasked."""
    return TableService(
        stage.log, KEYS, stage.clock, game_registry=registry_with(HouseBot(walking, volunteer))
    )


async def decided(tables: TableService, game: str) -> list[str]:
    """The decisions of all choices, in order."""
    lines = [msgspec.json.decode(line) for line in await tables.events(game, PUBLIC, limit=999)]
    commands = [line["batch"]["command"] for line in lines if "batch" in line]
    return [command["decision"] for command in commands if "decision" in command]


async def test_all_bots_have_spoken_before_one_of_them_answers(stage: Stage) -> None:
    tables = desk_of(stage, waving)
    game = await stage.open(seats=2, rounds=1)
    await stage.seat_bots(game, 2)
    assert await advance_game(tables, game) == 5
    first, second, *rest = await decided(tables, game)
    assert [first, second] == ["wave-t1-s1", "wave-t1-s2"]
    assert not any(name.startswith("wave") for name in rest)
    assert (await tables.load(game)).state.phase == "finished"


async def test_what_is_refused_is_not_tried_again(stage: Stage) -> None:
    def dreaming(_: TableState, __: Sequence[Decision], ___: str) -> tuple[str, str] | None:
        return ("wave-t9-s1", "wave")

    tables = desk_of(stage, dreaming)
    game = await stage.open(seats=2, rounds=1)
    await stage.seat_bots(game, 2)
    with structlog.testing.capture_logs() as logs:
        assert await advance_game(tables, game) == 3
    assert {line["event"] for line in logs} == {"bot_refused"}


async def test_one_that_fails_is_not_heard_and_tells_no_secret(stage: Stage) -> None:
    tables = desk_of(stage, failing)
    game = await stage.open(seats=2, rounds=1)
    await stage.seat_bots(game, 2)
    with structlog.testing.capture_logs() as logs:
        assert await advance_game(tables, game) == 3
    assert [line["event"] for line in logs] == ["bot_failed"] * 2
    allowed = {"event", "log_level", "game", "seat", "bot", "error"}
    assert all(set(line) <= allowed for line in logs)


async def test_steady_bots_tell_colours_on_the_real_table(stage: Stage) -> None:
    tables = TableService(stage.log, KEYS, Still())
    game = KEYS.derived_id("tests", "steady", "g", SHARDS)
    table = OpenTable(
        game="room25",
        rulebook="first_edition",
        mode="cooperation",
        seats=4,
        key=tables.game_key(game),
    )
    host = Actor("player", f"p00-{'a' * 26}")
    for number in range(5):
        command = TakeSeat(bot="steady") if number else table
        name = f"command-{number}"
        await tables.command(
            game, command, actor=host, command_id=name, digest="d", opens=not number
        )
    while await advance_game(tables, game):
        pass
    assert (await tables.load(game)).state.phase == "finished"
    assert any(name.startswith("claim-") for name in await decided(tables, game))
