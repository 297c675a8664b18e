"""Batches: deadlines before bots, and no game that is slow or damaged holds up another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import structlog
from redis.asyncio import Redis

from events.kernel import Decision
from games.bots import HouseBot
from games.contract import TimeControl
from games.table.state import TableState
from runtime.table_service import TableService
from tests.games.toy import walking
from tests.runtime.stage import ANN, BEN, KEYS, Stage, registry_with
from workers import advance
from workers.advance import Done, play_all, time_out_all

LATE = 10_250


async def overdue(stage: Stage, *names: str) -> list[str]:
    """Games of two people of whom nobody has answered in time."""
    games = [await stage.open(name) for name in names]
    for game in games:
        await stage.sit(game, (ANN, BEN))
    stage.clock.now += LATE
    return games


async def strikes(stage: Stage, game: str) -> int:
    return (await stage.tables.load(game)).state.seats[1].strikes


def with_bot(stage: Stage, choose: Callable[[TableState, Decision, str], str]) -> TableService:
    """A table service whose random bot chooses as we say."""
    game_registry = registry_with(HouseBot(choose))
    return TableService(stage.log, KEYS, stage.clock, game_registry=game_registry)


async def test_all_time_outs_come_before_any_bot(stage: Stage) -> None:
    seen: list[str] = []

    def noting(view: TableState, decision: Decision, seed: str) -> str:
        seen.append("bot")
        return walking(view, decision, seed)

    pace = TimeControl(limits_s={"programming": 60, "decision": 60}, bot_pace_ms=1000)
    bots = [await stage.open(f"bots {n}", time=pace) for n in range(3)]
    for game in bots:
        await stage.seat_bots(game, 2)
    people = await overdue(stage, "a", "b", "c")
    tables = with_bot(stage, noting)
    done = await time_out_all(tables, [bots[0], people[0], bots[1], people[1], people[2], bots[2]])
    assert (done.commands, done.left, seen) == (3, tuple(bots), [])
    assert [await strikes(stage, game) for game in people] == [1, 1, 1]
    assert (await play_all(tables, done.left)).commands > 0
    assert set(seen) == {"bot"}


async def test_a_damaged_game_holds_up_no_other(stage: Stage, admin: Redis) -> None:
    bad, good = await overdue(stage, "bad", "good")
    await admin.xdel(stage.log.layout.stream(bad).entries, "2-0")
    tables = stage.twin().tables
    with structlog.testing.capture_logs() as lines:
        done = await time_out_all(tables, [bad, good])
        assert (done.commands, done.left) == (1, ())
        assert (await play_all(tables, [bad, good])).left == ()
    assert await strikes(stage.twin(), good) == 1
    told = [(line["event"], line["game"], line["error"]) for line in lines]
    assert told == [("game_not_attended", bad, "Damaged")] * 2


async def test_a_slow_game_holds_up_no_other(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """More games hang than are looked at at once, and all of them are given up."""
    games = await overdue(stage, *(f"slow {n}" for n in range(20)), "good")
    monkeypatch.setattr(advance, "GAME_MAX_S", 0.05)
    tables = stage.twin().tables
    time_out = tables.time_out

    async def hang(game: str) -> bool:
        if game == games[-2]:  # the good one is next, and may take as long as it does
            monkeypatch.setattr(advance, "GAME_MAX_S", None)
        if game != games[-1]:
            await asyncio.Event().wait()
        return await time_out(game)

    monkeypatch.setattr(tables, "time_out", hang)
    with structlog.testing.capture_logs() as lines:
        done = await time_out_all(tables, games)
    assert done.commands == 1
    assert await strikes(stage, games[-1]) == 1
    assert [line["error"] for line in lines] == ["TimeoutError"] * 20


async def test_without_a_limit_it_would(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: one game that hangs keeps its batch."""
    [slow] = await overdue(stage, "slow")
    monkeypatch.setattr(advance, "GAME_MAX_S", None)
    tables = stage.twin().tables

    async def hang(_: str) -> bool:
        await asyncio.Event().wait()
        return True

    monkeypatch.setattr(tables, "time_out", hang)
    batch = asyncio.create_task(time_out_all(tables, [slow]))
    done, _ = await asyncio.wait({batch}, timeout=0.2)
    assert not done
    batch.cancel()


async def test_bots_leave_what_they_have_no_time_for(stage: Stage) -> None:
    games = [await stage.open(f"bots {n}", rounds=9) for n in range(3)]
    for game in games:
        await stage.seat_bots(game, 2)
    now = [0.0]

    def slow(view: TableState, decision: Decision, seed: str) -> str:
        now[0] += 0.1
        return walking(view, decision, seed)

    tables = with_bot(stage, slow)
    first = await play_all(tables, games, lambda: now[0])
    assert 0 < first.commands < 9 * 3
    assert set(first.left) == set(games)
    assert first.left[0] == games[1], "whoever had its turn is last"
    left: Any = first.left
    while left:
        left = (await play_all(tables, left, lambda: now[0])).left
    for game in games:
        assert (await stage.tables.load(game)).state.phase == "finished"


async def test_a_bot_that_breaks_keeps_no_other_waiting(stage: Stage) -> None:
    def breaks(view: TableState, decision: Decision, seed: str) -> str:
        raise RuntimeError(f"{view.seats} {decision.id} {seed}")

    games = [await stage.open(f"bots {n}") for n in range(2)]
    for game in games:
        await stage.seat_bots(game, 2)
    tables = with_bot(stage, breaks)
    with structlog.testing.capture_logs() as lines:
        # By a time that stands still, or a busy machine would leave games for the next slice.
        assert await play_all(tables, games, lambda: 0.0) == Done(commands=0, left=())
    assert {line["game"] for line in lines} == set(games)
