"""A store that has lost its tail: nothing that is no longer there is served, and it is told.

Nobody looks here whether the store is the one that is known (``marks="none"``), so that what lies
below that guard shows; the guard has tests of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import structlog

from tests.lossy import Lossy
from tests.service.listening import PATIENCE_S, listen
from tests.service.stage import Player, Stage, Still, ok, problem, stage

pytestmark = pytest.mark.system


async def follows(on: Stage) -> None:
    """Wait until the service follows the feeds again."""
    async with asyncio.timeout(PATIENCE_S):
        while not on.service.app_context.feed_subscriber.healthy:  # noqa: ASYNC110 (a feed subscriber tells no test)
            await asyncio.sleep(0.01)


class Play:
    """A game of two that goes on by pauses: each is an event or two, whatever the rules say."""

    def __init__(self, on: Stage, game: str, ada: Player, director: Player) -> None:
        self.on, self.ada, self.director = on, ada, director
        self.path = f"/v1/games/{game}"

    async def go_on(self, times: int = 1) -> int:
        """Pause and resume; the version that it leads to."""
        reached = 0
        for _ in range(times):
            ok(await self.director.post(f"{self.path}/pause", {}))
            reached = ok(await self.director.post(f"{self.path}/resume"))["version"]
        return reached


@pytest.fixture
async def play(lossy: Lossy) -> AsyncIterator[Play]:
    async with stage(lossy.store.url, Still()) as on:
        ada = await on.player("Ada")
        director = await on.with_scopes(ada, "organise")
        game = await on.game(ada, mode="solo")
        yield Play(on, game, ada, director)


async def reads(play: Play) -> list[Any]:
    """All that is read of the game, with every hint that a client may give."""
    here = play.path
    answers = [
        await play.ada.get(f"{here}{path}", headers)
        for path in ("", "/state", "/events", "/decisions")
        for headers in ({}, {"if-none-match": '"9-seat:1"'})
    ]
    return [(a.status_code, a.headers.get("etag"), a.content) for a in answers]


async def test_views_serve_only_what_is_there(play: Play, lossy: Lossy) -> None:
    lossy.mark()
    await follows(play.on)
    before = await reads(play)
    newest = await play.go_on(2)
    assert await reads(play) != before
    ok(await play.ada.get(f"{play.path}/state", at=newest))
    lossy.lose()
    await follows(play.on)
    assert await reads(play) == before
    problem(await play.ada.get(f"{play.path}/state", at=newest), "version-not-found")


async def test_streams_are_told_to_begin_anew_and_do(play: Play, lossy: Lossy) -> None:
    lossy.mark()
    await follows(play.on)
    left = ok(await play.ada.get(play.path))["version"]
    async with (
        listen(play.on, play.ada, f"{play.path}/events") as stream,
        listen(play.on, play.ada, "/v1/stream") as own,
    ):
        await stream.next()
        await own.next()
        newest = await play.go_on(2)
        await stream.events(newest)
        lossy.lose()
        async with asyncio.timeout(PATIENCE_S):
            await stream.left.wait()
            await own.left.wait()
        assert (await stream.next()).event == "reset"
        assert "event: reset" in own.text
    headers = {"last-event-id": str(newest)}
    async with listen(play.on, play.ada, f"{play.path}/events", headers) as again:
        first = await again.next()
        assert (first.event, first.json()["version"]) == ("snapshot", left)


async def test_what_was_rewritten_meanwhile_is_found_and_told(play: Play, lossy: Lossy) -> None:
    """Somebody else has gone on after the loss, so the feed is as long as it was, and longer."""
    lossy.mark()
    await follows(play.on)
    newest = await play.go_on(2)
    ok(await play.ada.get(f"{play.path}/state", at=newest))
    feed_subscriber = play.on.service.app_context.feed_subscriber
    await feed_subscriber.stop()  # so it hears nothing, as one that was cut off
    lossy.lose()
    async with stage(lossy.store.url, play.on.clock) as there:
        play.on.clock.now += 1000
        director = Player(there.http, play.director.token, play.ada.id)
        for _ in range(3):
            ok(await director.post(f"{play.path}/pause", {"reason": "other"}))
            ok(await director.post(f"{play.path}/resume"))
        right = ok(await there.stranger.get(f"{play.path}/state", at=newest, as_="public"))
        with structlog.testing.capture_logs() as lines:
            ok(await play.ada.get(play.path))
        assert [line["event"] for line in lines] == ["history_changed"]
        mine = ok(await play.on.stranger.get(f"{play.path}/state", at=newest, as_="public"))
        assert mine == right


@pytest.mark.parametrize("grown", [False, True])
async def test_no_second_history_is_signed(play: Play, lossy: Lossy, *, grown: bool) -> None:
    lossy.mark()
    await follows(play.on)
    ok(await play.ada.get(f"{play.path}/head"))
    newest = await play.go_on(2)
    assert ok(await play.ada.get(f"{play.path}/head"))["version"] == newest
    ok(await play.ada.get(f"{play.path}/head", at=2))
    lossy.lose()
    await follows(play.on)
    if grown:
        play.on.clock.now += 1000
        assert await play.go_on(3) > newest
    with structlog.testing.capture_logs() as lines:
        problem(await play.ada.get(f"{play.path}/head"), "history-contradicted")
    told = [line for line in lines if line["event"] == "head_contradicted"]
    assert [line["signed"] for line in told] == [newest]
    ok(await play.ada.get(play.path))


async def test_what_was_signed_is_signed_again(play: Play, lossy: Lossy) -> None:
    """The control: a restart that loses nothing contradicts nothing."""
    await play.go_on()
    first = ok(await play.ada.get(f"{play.path}/head"))
    lossy.store.stop()
    lossy.store.start()
    await follows(play.on)
    assert ok(await play.ada.get(f"{play.path}/head")) == first
    await play.go_on()
    assert ok(await play.ada.get(f"{play.path}/head"))["version"] > first["version"]
