"""Spectators of a game with a delay: a real service and its stream, judged by the log."""

from __future__ import annotations

import pytest

from games.game_registry import installed_games
from projections.visible_version import DelayCourse
from runtime import long_poll
from simulator.delivery_history import (
    PUBLIC,
    TOO_SOON,
    Listening,
    ReadAfterwards,
    judge_deliveries,
    kept_back,
)
from simulator.faults.received import take_message
from simulator.turns_begun import turns_begun
from tests.conftest import Sometimes
from tests.service.conftest import on
from tests.service.listening import Listener, listen
from tests.service.stage import Stage, ok
from tests.service.test_delay import NDJSON, SECONDS, Delayed, delayed

__all__ = ["on"]

DELAY_MS = 1000 * SECONDS["seconds"]
TURN = {"turns": 1}


@pytest.fixture(autouse=True)
def restless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for a time looks at the clock again and again, as it stands still."""
    monkeypatch.setattr(long_poll, "LOOK_S", 0.005)


async def noted(on: Stage, stream: Listener, to: Listening, last: int) -> None:
    """Note what comes up to a version, at the time at which it comes."""
    for message in await stream.events(last):
        fields = [("event", message.event)] if message.event != "message" else []
        fields += [("id", message.id), *(("data", line) for line in message.data)]
        take_message(to, fields, on.clock.now)


async def read(on: Stage, game: Delayed) -> list[ReadAfterwards]:
    """What a spectator reads in the end, when the game is over, and what the log has."""
    pages = await game.stranger.get(f"{game.path}/events", NDJSON, limit=1000)
    log = await on.service.app_context.tables.log.read(game.id)
    return [
        ReadAfterwards(
            viewer=PUBLIC,
            game=game.id,
            lines=pages.content.splitlines(),
            public=[entry.public for entry in log],
            reveals=True,
            turns=turns_begun(installed_games(), game.id, log),
        )
    ]


async def test_a_spectator_is_told_when_the_delay_is_over(on: Stage, sometimes: Sometimes) -> None:
    game = await delayed(on, SECONDS)
    told = Listening(viewer=PUBLIC, game=game.id, after=0)
    headers = {"last-event-id": "0"}
    async with listen(on, game.stranger, f"{game.path}/events", headers) as stream:
        on.clock.now += 1000
        newest = await game.clues()
        on.clock.now += DELAY_MS
        await noted(on, stream, told, newest)
        await noted(on, stream, told, await game.end())
    afterwards = await read(on, game)
    assert judge_deliveries([told], afterwards) == []
    sometimes("events kept back from spectators", kept_back([told], afterwards))


async def test_a_spectator_is_told_when_a_turn_has_begun(on: Stage, sometimes: Sometimes) -> None:
    game = await delayed(on, TURN)
    told = Listening(viewer=PUBLIC, game=game.id, after=0)
    headers = {"last-event-id": "0"}
    async with listen(on, game.stranger, f"{game.path}/events", headers) as stream:
        on.clock.now += 1000
        await game.clues()
        first = ok(await game.ada.get(f"{game.path}/state", at="turn:1"))["version"]
        await noted(on, stream, told, first - 1)
        on.clock.now += 1000
        await noted(on, stream, told, await game.end())
    afterwards = await read(on, game)
    assert judge_deliveries([told], afterwards) == []
    sometimes("events kept back from spectators", kept_back([told], afterwards))


@pytest.mark.parametrize("delay", [SECONDS, TURN], ids=str)
async def test_a_service_that_keeps_nothing_back_is_found(
    on: Stage, monkeypatch: pytest.MonkeyPatch, delay: dict[str, int]
) -> None:
    """The control."""
    monkeypatch.setattr(DelayCourse, "hides_from", lambda *_: None)
    game = await delayed(on, delay)
    told = Listening(viewer=PUBLIC, game=game.id, after=0)
    headers = {"last-event-id": "0"}
    async with listen(on, game.stranger, f"{game.path}/events", headers) as stream:
        on.clock.now += 1000
        await noted(on, stream, told, await game.clues())
        on.clock.now += DELAY_MS
        await noted(on, stream, told, await game.end())
    found = judge_deliveries([told], await read(on, game))
    assert {each.check for each in found} == {TOO_SOON}
