"""House bots that act of their own accord: when they are heard, and that they stop."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import structlog

from events.kernel import PUBLIC, Actor, Decision
from games.bots import random_bot
from games.table_events import OpenTable, TakeSeat
from games.table_state import TableState
from projections.desk import Desk
from projections.shelf import Shelf
from tests.projections.stage import KEYS, SHARDS, Stage, Still
from tests.projections.toy import TOY
from workers.attend import attend_game

BOTS = {"random": random_bot}


def waving(view: TableState, decisions: Sequence[Decision], seed: str) -> tuple[str, str] | None:
    """Wave whenever one may."""
    assert view.key is None
    assert len(seed) == 64
    return next(((d.id, "wave") for d in decisions if d.kind == "wave"), None)


def failing(view: TableState, decisions: Sequence[Decision], seed: str) -> None:
    raise KeyError(f"{view.seats} {decisions} {seed}")


def desk_of(stage: Stage, volunteer: object) -> Desk:
    """A desk whose random bots do this unasked."""
    volunteers = {"random": volunteer}
    shelf = Shelf({TOY.id: TOY}, BOTS, volunteers=volunteers)  # type: ignore[arg-type]  # one of three
    return Desk(stage.log, KEYS, stage.clock, shelf=shelf)


async def decided(desk: Desk, game: str) -> list[str]:
    """The decisions of all choices, in order."""
    lines = [msgspec.json.decode(line) for line in await desk.events(game, PUBLIC, limit=999)]
    commands = [line["batch"]["command"] for line in lines if "batch" in line]
    return [command["decision"] for command in commands if "decision" in command]


async def test_all_bots_have_spoken_before_one_of_them_answers(stage: Stage) -> None:
    desk = desk_of(stage, waving)
    game = await stage.open(seats=2, rounds=1)
    await stage.seat_bots(game, 2)
    assert await attend_game(desk, game) == 5
    first, second, *rest = await decided(desk, game)
    assert [first, second] == ["wave-t1-s1", "wave-t1-s2"]
    assert not any(name.startswith("wave") for name in rest)
    assert (await desk.load(game)).state.phase == "finished"


async def test_what_is_refused_is_not_tried_again(stage: Stage) -> None:
    def dreaming(_: TableState, __: Sequence[Decision], ___: str) -> tuple[str, str] | None:
        return ("wave-t9-s1", "wave")

    desk = desk_of(stage, dreaming)
    game = await stage.open(seats=2, rounds=1)
    await stage.seat_bots(game, 2)
    with structlog.testing.capture_logs() as logs:
        assert await attend_game(desk, game) == 3
    assert {line["event"] for line in logs} == {"bot_refused"}


async def test_one_that_fails_is_not_heard_and_tells_no_secret(stage: Stage) -> None:
    desk = desk_of(stage, failing)
    game = await stage.open(seats=2, rounds=1)
    await stage.seat_bots(game, 2)
    with structlog.testing.capture_logs() as logs:
        assert await attend_game(desk, game) == 3
    assert [line["event"] for line in logs] == ["bot_failed"] * 2
    allowed = {"event", "log_level", "game", "seat", "bot", "error"}
    assert all(set(line) <= allowed for line in logs)


async def test_steady_bots_tell_colours_on_the_real_table(stage: Stage) -> None:
    desk = Desk(stage.log, KEYS, Still())
    game = KEYS.derived_id("tests", "steady", "g", SHARDS)
    table = OpenTable(
        game="room25",
        rulebook="first_edition",
        mode="cooperation",
        seats=4,
        key=desk.game_key(game),
    )
    host = Actor("player", f"p00-{'a' * 26}")
    for number in range(5):
        command = TakeSeat(bot="steady") if number else table
        name = f"command-{number}"
        await desk.command(game, command, actor=host, command_id=name, digest="d", opens=not number)
    while await attend_game(desk, game):
        pass
    assert (await desk.load(game)).state.phase == "finished"
    assert any(name.startswith("claim-") for name in await decided(desk, game))
