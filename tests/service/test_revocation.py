"""A token that was revoked: its streams end at once, its long polls with nothing, everywhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from tests.service.listening import PATIENCE_S, Listener, listen
from tests.service.stage import Player, Stage, ok, problem, shown, stage


class Pair:
    """Two processes over one store: Ada revokes her bot's token here, the bot is there."""

    def __init__(self, here: Stage, there: Stage) -> None:
        self.here = here
        self.there = there

    async def begin(self) -> None:
        """A game in which the bot plays for Ada."""
        self.ada = await self.here.player("Ada")
        made = ok(await self.ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
        self.token = made["id"]
        self.bot = Player(self.there.http, made["token"], self.ada.id)
        self.game = await self.here.game(self.ada, mode="solo")

    async def revoke(self) -> None:
        """Take the bot's token away."""
        assert (await self.ada.delete(f"/v1/tokens/{self.token}")).status_code == 204


@pytest.fixture
async def pair(store_url: str) -> AsyncIterator[Pair]:
    async with AsyncExitStack() as stack:
        made = Pair(
            await stack.enter_async_context(stage(store_url)),
            await stack.enter_async_context(stage(store_url)),
        )
        await made.begin()
        yield made


async def left(stream: Listener) -> None:
    """Wait until the service has ended a stream; no heartbeat comes so soon."""
    async with asyncio.timeout(PATIENCE_S):
        await stream.left.wait()


@pytest.mark.parametrize("path", ["/v1/stream", "/v1/games/{game}/events"])
async def test_its_streams_end_without_a_heartbeat(pair: Pair, path: str) -> None:
    pair.there.service.app_context.broadcaster.beat_s = (
        pair.there.service.app_context.notifications.beat_s
    ) = 1e9
    async with listen(pair.there, pair.bot, path.format(game=pair.game)) as stream:
        await stream.next()
        await pair.revoke()
        await left(stream)
    assert stream.ended.is_set(), "properly, so that the client comes back and is told"
    assert "still here" not in stream.text


async def test_nothing_is_sent_between_the_revocation_and_the_end(pair: Pair) -> None:
    """The connection is full while the game moves on and the token goes."""
    path = f"/v1/games/{pair.game}/events"
    async with listen(pair.there, pair.bot, path) as stream:
        shown = (await stream.next()).json()["version"]
        stream.taking.clear()
        director = await pair.here.with_scopes(pair.ada, "organise")
        await pair.revoke()
        ok(await director.post(f"/v1/games/{pair.game}/pause", {}))
        feed_subscriber = pair.there.service.app_context.feed_subscriber
        async with asyncio.timeout(PATIENCE_S):
            while feed_subscriber.last_version(pair.game) <= shown:  # noqa: ASYNC110 (the feed tells no test)
                await asyncio.sleep(0.005)
        stream.taking.set()
        await left(stream)
    assert "table-paused" not in stream.text


async def test_a_change_that_takes_nothing_away_ends_nothing(pair: Pair) -> None:
    async with listen(pair.there, pair.bot, f"/v1/games/{pair.game}/events") as stream:
        await stream.next()
        ok(await pair.ada.post("/v1/tokens", {"scopes": ["play"]}), 201)
        director = await pair.here.with_scopes(pair.ada, "organise")
        ok(await director.post(f"/v1/games/{pair.game}/pause", {}))
        await stream.until("table-paused")
        assert not stream.left.is_set()


@pytest.mark.parametrize("path", ["/state", "/events?after=1000", "/decisions", "/state?at=1000"])
async def test_its_long_polls_are_told_so(pair: Pair, path: str) -> None:
    there, game = pair.there, f"/v1/games/{pair.game}"
    seen = await pair.bot.get(f"{game}/{path.partition('?')[0].strip('/')}")
    given = {name: int(value) for name, value in [p.split("=") for p in path.split("?")[1:]]}
    version = int(ok(await pair.bot.get(game))["version"])
    given = {name: version + (name == "at") for name in given}
    poll = asyncio.create_task(
        pair.bot.get(
            f"{game}{path.partition('?')[0]}",
            {"if-none-match": seen.headers["etag"]},
            wait=20,
            **given,
        )
    )
    waiting = there.service.app_context.metrics.waiting
    async with asyncio.timeout(PATIENCE_S):
        while not shown(waiting):  # noqa: ASYNC110 (a gauge tells nobody)
            await asyncio.sleep(0.005)
    director = await pair.here.with_scopes(pair.ada, "organise")
    await pair.revoke()
    ok(await director.post(f"{game}/pause", {}))
    problem(await poll, "token-invalid")


async def test_a_stream_that_is_refused_or_left_is_not_remembered(pair: Pair) -> None:
    async with listen(pair.there, pair.bot, "/v1/stream") as stream:
        await stream.next()
        assert pair.there.service.app_context.token_cache._watching
    await left(stream)
    assert not pair.there.service.app_context.token_cache._watching
