"""Tokens are remembered only as long as the account does not change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, nullcontext

import pytest

from projections.names import Deaf
from service.access.auth import TokenCache
from service.http.principals import Principal, token_text
from tests.runtime.stage import ANN, BEN
from tests.service.stage import Player, Stage, ok, problem, stage


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what another task brings about."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 (nobody could set an event for us)
            await asyncio.sleep(0.005)


class SlowAccounts:
    """Stands in for the account service: counts look-ups, and can be slow."""

    def __init__(self) -> None:
        self.asked = 0
        self.answer: Principal | None = Principal(ANN, "Ada", "t1", frozenset({"play"}))
        self.gate = asyncio.Event()
        self.gate.set()

    def has_place(self, player: str) -> bool:
        """All have one."""
        return bool(player)

    async def bearer(self, token: str) -> Principal | None:
        """The answer, when the gate is open."""
        assert token
        self.asked += 1
        answer = self.answer
        await self.gate.wait()
        return answer


class News(Deaf):
    """Tells of every account, or of none."""

    def __init__(self, *, tells: bool) -> None:
        self.tells = tells

    def hears(self, stream: str) -> bool:
        """As was said at first."""
        assert stream == ANN
        return self.tells

    def claimed_of(self, stream: str) -> nullcontext[None]:
        """It does not matter."""
        assert stream == ANN
        return nullcontext()


def token(name: str) -> str:
    """A token of Ann's."""
    return token_text(ANN, name * 43)


def token_cache(accounts: SlowAccounts, *, hears: bool = True) -> TokenCache:
    return TokenCache(accounts, News(tells=hears))  # type: ignore[arg-type]  # no whole service


async def test_a_token_is_looked_up_once() -> None:
    accounts = SlowAccounts()
    made = token_cache(accounts)
    assert await made.find(token("x")) is await made.find(token("x"))
    assert accounts.asked == 1


async def test_an_invalid_token_is_looked_up_each_time() -> None:
    accounts = SlowAccounts()
    accounts.answer = None
    made = token_cache(accounts)
    assert [await made.find(token("x")), await made.find(token("x"))] == [None, None]
    assert accounts.asked == 2


async def test_a_change_of_the_account_is_looked_up() -> None:
    accounts = SlowAccounts()
    made = token_cache(accounts)
    await made.find(token("x"))
    made.forget(BEN)
    await made.find(token("x"))
    assert accounts.asked == 1
    made.forget(ANN)
    await made.find(token("x"))
    assert accounts.asked == 2


async def test_what_is_read_while_the_account_changes_is_not_remembered() -> None:
    accounts = SlowAccounts()
    made = token_cache(accounts)
    accounts.gate.clear()
    asking = asyncio.create_task(made.find(token("x")))
    await asyncio.sleep(0)
    made.forget(ANN)
    accounts.answer = None
    accounts.gate.set()
    assert await asking is not None
    assert await made.find(token("x")) is None


async def test_a_process_that_does_not_hear_remembers_nothing() -> None:
    accounts = SlowAccounts()
    made = token_cache(accounts, hears=False)
    await made.find(token("x"))
    await made.find(token("x"))
    assert accounts.asked == 2


async def test_the_tokens_used_longest_ago_are_forgotten_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.access.auth._KEPT", 3)
    accounts = SlowAccounts()
    made = token_cache(accounts)
    for name in "abcad":
        await made.find(token(name))
    assert accounts.asked == 4
    for name in "cad":
        await made.find(token(name))
    assert accounts.asked == 4
    await made.find(token("b"))
    assert accounts.asked == 5
    made.forget(ANN)
    for name in "cad":
        await made.find(token(name))
    assert accounts.asked == 8


async def test_a_token_revoked_elsewhere_soon_opens_nothing_here(store_url: str) -> None:
    async with AsyncExitStack() as stack:
        here: Stage = await stack.enter_async_context(stage(store_url))
        there: Stage = await stack.enter_async_context(stage(store_url))
        ada = await here.player()
        made = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
        bot = Player(there.http, made["token"])
        ok(await bot.get("/v1/tokens"))
        assert (await ada.delete(f"/v1/tokens/{made['id']}")).status_code == 204
        accounts = there.service.app_context.account_subscriber
        await until(lambda: accounts.last_version(ada.id) == 4)
        problem(await bot.get("/v1/tokens"), "token-invalid")


async def test_a_token_revoked_here_opens_nothing_at_once_while_nobody_hears(on: Stage) -> None:
    ada = await on.player()
    made = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    bot = Player(on.http, made["token"])
    ok(await bot.get("/v1/tokens"))
    await on.service.app_context.account_subscriber.stop()
    await ada.delete(f"/v1/tokens/{made['id']}")
    problem(await bot.get("/v1/tokens"), "token-invalid")
