"""Advancing games: bots play to the end, time-outs run, and doing it twice changes nothing."""

from __future__ import annotations

import asyncio
from collections import Counter

import msgspec
import pytest
import structlog
from msgspec.structs import replace
from redis.asyncio import Redis

from events.kernel import PUBLIC, Decision, Option
from games.bots import Bot, HouseBot, bot_seed
from games.contract import TimeControl
from games.table.events import PauseTable, ResumeTable
from games.table.state import TableState
from runtime.table_service import TableService
from tests.games.toy import walking
from tests.runtime.stage import ANN, BEN, CIA, KEYS, Stage, registry_with
from workers.advance import advance, advance_game, install, play
from workers.house_bots import seed_of_choice


async def commands_of(stage: Stage, game: str) -> list[dict[str, str]]:
    """Who gave which command, in order."""
    lines = [
        msgspec.json.decode(line) for line in await stage.tables.events(game, PUBLIC, limit=999)
    ]
    return [
        {"by": line["batch"]["by"], "id": line["batch"]["id"], **line["batch"]["command"]}
        for line in lines
        if "batch" in line
    ]


async def test_a_game_of_bots_plays_to_its_end_in_one_go(stage: Stage) -> None:
    game = await stage.open(seats=4, rounds=3)
    await stage.seat_bots(game, 4)
    assert await advance_game(stage.tables, game) == 3 * (4 + 1)
    state = (await stage.tables.load(game)).state
    assert state.phase == "finished"
    assert state.result is not None
    assert state.result.reason == "finished"


async def test_bots_answer_what_blocks_and_do_nothing_of_their_own_accord(stage: Stage) -> None:
    game = await stage.open(seats=2, rounds=5)
    await stage.seat_bots(game, 2)
    await advance_game(stage.tables, game)
    given = [c for c in await commands_of(stage, game) if c["by"].startswith("bot:")]
    kinds = {c["decision"].split("-")[0] for c in given}
    assert kinds == {"number", "pick"}


async def test_the_same_game_is_played_in_the_same_way(stage: Stage, admin: Redis) -> None:
    played = []
    for _ in range(2):
        await admin.flushall()
        again = stage.twin()
        game = await again.open(seats=2, rounds=4)
        await again.seat_bots(game, 2)
        await advance_game(again.tables, game)
        played.append((await again.tables.load(game)).head)
    assert played[0] == played[1]


async def test_random_bots_walk_down_branches_from_their_views(stage: Stage) -> None:
    game = await stage.open(rounds=20)
    await stage.seat_bots(game, 2)
    await advance_game(stage.tables, game)
    assert (await stage.tables.load(game)).state.phase == "finished"
    commands = await commands_of(stage, game)
    picks = [c["option"] for c in commands if c.get("decision", "").startswith("pick")]
    assert len(picks) == 20
    assert {len(pick.split(".")) for pick in picks} >= {1, 3}


async def test_bots_wait_for_people(stage: Stage) -> None:
    game = await stage.open(seats=3)
    await stage.sit(game, (ANN,))
    await stage.seat_bots(game, 2)
    assert await advance_game(stage.tables, game) == 2
    assert await advance_game(stage.tables, game) == 0
    await stage.choose(game, 1, "number-t1-s1", "2")
    state = (await stage.tables.load(game)).state
    assert set(state.play.shown) == {1, 2, 3}


async def test_a_bot_takes_its_time(stage: Stage) -> None:
    time = TimeControl(limits_s={"programming": 10, "decision": 10}, bot_pace_ms=1500)
    game = await stage.open(time=time)
    await stage.seat_bots(game, 2)
    for _ in range(2):
        stage.clock.now += 1499
        assert await advance_game(stage.tables, game) == 0
        stage.clock.now += 1
        assert await advance_game(stage.tables, game) == 2
        stage.clock.now += 1500
        assert await advance_game(stage.tables, game) == 1
    assert (await stage.tables.load(game)).state.phase == "finished"


async def test_nobody_plays_while_the_table_is_paused(stage: Stage) -> None:
    game = await stage.open()
    await stage.seat_bots(game, 2)
    await stage.give(game, PauseTable(), CIA, "director")
    stage.clock.now += 10**6
    assert await advance_game(stage.tables, game) == 0
    await stage.give(game, ResumeTable(), CIA, "director")
    assert await advance_game(stage.tables, game) > 0


async def test_what_is_overdue_is_timed_out_again_and_again_to_the_end(stage: Stage) -> None:
    game = await stage.open(rounds=3)
    await stage.sit(game, (ANN, BEN))
    executed = 0
    for _ in range(20):
        stage.clock.now += 10_250
        executed += await advance_game(stage.tables, game)
    state = (await stage.tables.load(game)).state
    assert state.phase == "finished"
    outs = [c["key"] for c in await commands_of(stage, game) if c["type"] == "time-out"]
    assert len(outs) == executed
    assert max(Counter(outs).values()) == 1


async def test_before_the_grace_is_over_nothing_is_timed_out(stage: Stage) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    stage.clock.now += 10_249
    assert await advance_game(stage.tables, game) == 0
    stage.clock.now += 1
    assert await advance_game(stage.tables, game) == 1


async def test_several_at_once_do_what_one_would_do(stage: Stage) -> None:
    game = await stage.open(seats=4, rounds=4)
    await stage.seat_bots(game, 4)
    stages = [stage.twin() for _ in range(5)]
    done = await asyncio.gather(*(advance_game(each.tables, game) for each in stages))
    assert sum(done) == 4 * (4 + 1)
    assert (await stage.tables.load(game)).state.phase == "finished"
    names = Counter(c["id"] for c in await commands_of(stage, game))
    assert max(names.values()) == 1


def failing(view: TableState, decision: Decision, seed: str) -> str:
    raise KeyError(f"{view.seats} {decision.id} {seed}")


def blind(view: TableState, decision: Decision, seed: str) -> str:
    return f"{view.rulebook}{decision.id}{seed}"


@pytest.mark.parametrize("bot", [failing, blind])
async def test_a_bot_that_fails_loses_its_time_and_tells_no_secret(stage: Stage, bot: Bot) -> None:
    game_registry = registry_with(HouseBot(bot))
    tables = TableService(stage.log, KEYS, stage.clock, game_registry=game_registry)
    game = await stage.open()
    await stage.seat_bots(game, 2)
    with structlog.testing.capture_logs() as logs:
        assert await advance_game(tables, game) == 0
    assert {line["event"] for line in logs} <= {"bot_failed", "bot_refused"}
    assert len(logs) == 2
    allowed = {"event", "log_level", "game", "seat", "bot", "error", "code"}
    assert all(set(line) <= allowed for line in logs)
    stage.clock.now += 10_250
    assert await advance_game(tables, game) == 1
    state = (await stage.tables.load(game)).state
    assert state.seats[1].strikes == 1


async def test_a_bot_sees_only_its_seat(stage: Stage) -> None:
    seen: list[TableState] = []

    def curious(view: TableState, decision: Decision, seed: str) -> str:
        seen.append(view)
        return walking(view, decision, seed)

    game_registry = registry_with(HouseBot(curious))
    tables = TableService(stage.log, KEYS, stage.clock, game_registry=game_registry)
    game = await stage.open()
    await stage.seat_bots(game, 2)
    await advance_game(tables, game)
    assert len(seen) == 6
    for view in seen:
        assert view.key is None
        assert view.play.omen is None
    assert [view.play.chosen for view in seen[:2]] == [{}, {1: None}]


async def test_attending_elsewhere_meanwhile_is_harmless(stage: Stage) -> None:
    """A bot's choice that another worker has made already is not made twice."""
    game = await stage.open()
    await stage.seat_bots(game, 2)
    other = stage.twin()

    def slow(view: TableState, decision: Decision, seed: str) -> str:
        return walking(view, decision, seed)

    tables = TableService(stage.log, KEYS, stage.clock, game_registry=registry_with(HouseBot(slow)))
    await tables.load(game)
    await advance_game(other.tables, game)
    assert await advance_game(tables, game) == 0
    assert (await stage.tables.load(game)).state.phase == "finished"


def test_a_job_outside_of_our_workers_fails_loudly() -> None:
    install(None)
    for job in (advance, play):
        with pytest.raises(RuntimeError, match="python -m workers"):
            job(["g00-x"])


def test_what_a_bot_keeps_is_drawn_from_no_published_key() -> None:
    option = Option("pass")
    told = Decision(id="w1-s2", kind="window", seat=2, options=(option,), secret=True)
    kept = replace(told, kept=True)
    published = KEYS.game_key("g00-x").hex()
    assert seed_of_choice(KEYS, "g00-x", published, told) == bot_seed(published, 2, "w1-s2")
    drawn = {seed_of_choice(KEYS, game, published, kept) for game in ("g00-x", "g00-y")}
    assert len(drawn) == 2
    assert bot_seed(published, 2, "w1-s2") not in drawn
