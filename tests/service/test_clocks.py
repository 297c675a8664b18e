"""Clocks that disagree, games ahead of time, deadlines that are about to move: over HTTP."""

from __future__ import annotations

import contextlib
import re

import pytest

from events.skew import ClockSkew
from runtime.table_service import now_ms
from tests.service.stage import Player, Stage, Still, ok, problem, stage

HOUR = 3_600_000


class Going(Still):
    """A clock that goes as the real one does, but for so many ms."""

    def __init__(self, off: int = 0) -> None:
        super().__init__()
        self.off = off

    def __call__(self) -> int:
        return now_ms() + self.off


@pytest.mark.parametrize("off", [-HOUR, HOUR])
async def test_an_api_whose_clock_is_wrong_judges_nothing(store_url: str, off: int) -> None:
    right, wrong = Going(), Going(off)
    async with (
        stage(store_url, right, clock_tolerance_ms=2000) as here,
        stage(store_url, wrong, clock_tolerance_ms=2000) as there,
    ):
        ada = await here.player()
        game = await here.game(ada, mode="solo")
        before = ok(await ada.get(f"/v1/games/{game}"))
        lost = Player(there.http, ada.token, ada.id)
        answer = await lost.post(f"/v1/games/{game}/decisions/clue-s1", {"option": "r1c2"})
        problem(answer, "clock-skew")
        assert answer.headers["retry-after"] == "5"
        problem(await there.stranger.post("/v1/players", {"name": "Bob"}), "clock-skew")
        assert ok(await lost.get(f"/v1/games/{game}"))["version"] == before["version"]
        with contextlib.suppress(ClockSkew):
            assert not await there.service.app_context.tables.time_out(game)
        metrics = (await there.stranger.get("/metrics")).text
        [told] = re.findall(r"^parlour_clock_offset_seconds (.*)$", metrics, re.MULTILINE)
        assert round(float(told)) == off // 1000
        ok(await ada.post(f"/v1/games/{game}/decisions/clue-s1", {"option": "r1c2"}))


async def test_unguarded_it_does(store_url: str) -> None:
    """The control: an hour ahead, a timely move is refused and its player timed out."""
    async with stage(store_url) as here, stage(store_url, Still()) as there:
        ada = await here.player()
        game = await here.game(ada, mode="solo")
        there.clock.now += HOUR
        lost = Player(there.http, ada.token, ada.id)
        answer = await lost.post(f"/v1/games/{game}/decisions/clue-s1", {"option": "r1c2"})
        problem(answer, "deadline-passed")
        state = ok(await ada.get(f"/v1/games/{game}"))["state"]
        assert state["seats"]["1"]["strikes"] == 1


async def test_a_game_that_is_ahead_is_told_so_and_resumed_by_its_director(store_url: str) -> None:
    async with stage(store_url) as unguarded:
        unguarded.clock.now += HOUR
        ada = await unguarded.player()
        game = await unguarded.game(ada, mode="solo")
        director = await unguarded.with_scopes(ada, "organise")
        async with stage(store_url, Going(), clock_tolerance_ms=2000) as on:
            here, judge = (Player(on.http, who.token, who.id) for who in (ada, director))
            path = f"/v1/games/{game}"
            answer = await here.post(f"{path}/decisions/clue-s1", {"option": "r1c2"})
            body = problem(answer, "ahead-of-time")
            assert 3500 < int(answer.headers["retry-after"]) <= 3600
            assert answer.headers["retry-after"] in body["detail"]
            ok(await judge.post(f"{path}/pause", {}))
            ok(await judge.post(f"{path}/resume"))
            ok(await here.post(f"{path}/decisions/clue-s1", {"option": "r1c2"}))


async def test_a_late_move_waits_while_deadlines_are_about_to_move(on: Stage) -> None:
    ada = await on.player()
    game = await on.game(ada, mode="solo")
    app_context = on.service.app_context
    await app_context.tables.log.heartbeats.beat(range(4), on.clock.now)
    app_context.presence._accepts = lambda: (
        False
    )  # as if it had come up after the game began to wait
    await app_context.presence.announce()
    on.clock.now += HOUR
    path = f"/v1/games/{game}/decisions/clue-s1"
    answer = await ada.post(path, {"option": "r1c2"})
    problem(answer, "deadlines-moving")
    assert answer.headers["retry-after"] == "1"
    assert ok(await ada.get(f"/v1/games/{game}"))["state"]["seats"]["1"]["strikes"] == 0
    await app_context.tables.log.heartbeats.beat(range(4), on.clock.now)
    problem(await ada.post(path, {"option": "r1c2"}), "deadline-passed")
