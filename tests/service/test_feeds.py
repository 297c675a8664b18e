"""A process reads the feeds of what somebody in it wants, and no others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from tests.runtime.stage import until
from tests.service.listening import listen
from tests.service.stage import Player, Stage, ok, problem, stage


@pytest.fixture
async def there(store_url: str) -> AsyncIterator[Stage]:
    """A second process over the same store."""
    async with stage(store_url) as made:
        yield made


def followed(on: Stage) -> tuple[set[int], set[int]]:
    """The shards whose feeds a process reads: those of games, those of accounts."""
    context = on.service.app_context
    return set(context.feed_subscriber.shards), set(context.account_subscriber.shards)


def leave(on: Stage) -> None:
    """Let the time pass after which what nobody wants is left."""
    for _ in range(2):
        for each in on.service.app_context.subscribers:
            each.sweep()


def shard_of(on: Stage) -> Callable[[str], int]:
    return on.service.app_context.tables.log.layout.shard_of


async def test_a_process_follows_what_its_callers_follow(on: Stage, there: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    assert followed(there) == (set(), set()), "it has been asked nothing"
    assert followed(on)[0] == set(), "to be asked without waiting needs no feed"
    players = {shard_of(on)(ada.id), shard_of(on)(bob.id)}
    assert followed(on)[1] == players
    async with listen(there, there.stranger, f"/v1/games/{game}/events") as stream:
        await stream.next()
        await until(lambda: followed(there) == ({shard_of(on)(game)}, players))
        assert "parlour_feeds_followed" in (await there.stranger.get("/metrics")).text
        leave(there)
        assert followed(there)[0] == {shard_of(on)(game)}, "as long as it lasts"
    own = Player(there.http, ada.token, ada.id)
    leave(there)
    assert followed(there) == (set(), set())
    async with listen(there, own, "/v1/stream") as stream:
        await stream.next()
        leave(there)
        assert followed(there) == (set(), {shard_of(on)(ada.id)}), "notices have bells of their own"
    leave(there)
    assert followed(there) == (set(), set())
    leave(on)
    assert followed(on) == (set(), set())


@pytest.mark.parametrize("told", [True, False])
async def test_what_was_known_while_an_account_was_followed_is_forgotten_with_it(
    on: Stage, there: Stage, monkeypatch: pytest.MonkeyPatch, *, told: bool
) -> None:
    ada = await on.player("Ada")
    made = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    bot = Player(there.http, made["token"], ada.id)
    ok(await bot.get("/v1/tokens"))
    if not told:  # the planted fault
        monkeypatch.setattr(there.service.app_context.token_cache, "forget_some", lambda _: None)
    leave(there)
    assert (await ada.delete(f"/v1/tokens/{made['id']}")).status_code == 204
    assert await there.service.app_context.account_subscriber.follow(ada.id)
    answer = await bot.get("/v1/tokens")
    if told:
        problem(answer, "token-invalid")
    else:
        ok(answer)


async def test_a_stream_keeps_the_account_of_its_caller_followed(on: Stage, there: Stage) -> None:
    """Long after its token was last looked up, a revocation still ends it at once."""
    ada = await on.player("Ada")
    made = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    bot = Player(there.http, made["token"], ada.id)
    context = there.service.app_context
    context.notifications.beat_s = 1e9
    async with listen(there, bot, "/v1/stream") as stream:
        await stream.next()
        for _ in range(3):
            leave(there)
        assert (await ada.delete(f"/v1/tokens/{made['id']}")).status_code == 204
        async with asyncio.timeout(20):
            await stream.left.wait()
