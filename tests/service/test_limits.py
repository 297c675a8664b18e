"""Rate limits: budgets by caller and kind of request, shared by all processes."""

from __future__ import annotations

import asyncio

import pytest

from events.clients import Client
from service.limits import Limits, Rate, rate
from service.problems import Refused
from tests.service.stage import Player, Stage, ok, problem, stage


def limits(client: Client, burst: int = 4, per_minute: int = 60) -> Limits:
    """Limits whose monotonic clock never moves: a handful never goes stale."""
    return Limits(client, {"reads": Rate(per_minute, burst)}, clock=lambda: 0.0)


async def spent(made: Limits, who: str = "ada") -> int:
    """How many tokens there were."""
    count = 0
    while await given(made, who):
        count += 1
    return count


async def given(made: Limits, who: str) -> bool:
    """Whether there was a token."""
    try:
        await made.spend("reads", who)
    except Refused as no:
        return (no.code, 1 <= int(no.headers["Retry-After"]) <= 60) != ("rate-limited", True)
    return True


async def test_a_bucket_holds_its_burst(client: Client, store_url: str) -> None:
    assert store_url
    assert await spent(limits(client, 4)) == 4
    assert await spent(limits(client, 4)) == 0


async def test_handfuls_add_up_to_the_burst(client: Client) -> None:
    assert await spent(limits(client, 50)) == 50


async def test_each_caller_has_a_bucket(client: Client) -> None:
    made = limits(client)
    assert await spent(made, "ada") == 4
    assert await spent(made, "bob") == 4


async def test_many_at_once_spend_one_handful_after_the_other(client: Client) -> None:
    made = limits(client, 16)
    assert (
        await asyncio.gather(*(given(made, "ada") for _ in range(20))) == [True] * 16 + [False] * 4
    )


async def test_two_processes_share_a_bucket(client: Client) -> None:
    first, second = limits(client), limits(client)
    await first.spend("reads", "ada")
    assert await spent(second) + await spent(first) == 3


async def test_what_a_process_does_not_spend_in_time_is_lost(client: Client) -> None:
    now = [0.0]
    made = Limits(client, {"reads": Rate(60, 16)}, clock=lambda: now[0])
    await made.spend("reads", "ada")
    now[0] = 1.5
    await made.spend("reads", "ada")
    assert made._held[("reads", "ada")].left == 1
    assert await spent(made) == 13


async def test_a_bucket_leaks_at_its_pace(client: Client) -> None:
    made = limits(client, 1, 60_000)
    for _ in range(20):
        try:
            await made.spend("reads", "ada")
        except Refused:
            continue
        break
    else:
        pytest.fail("a millisecond gives a token")


def test_a_quarter_of_a_minute_may_come_at_once() -> None:
    assert (rate(60).burst, rate(60).pace_us, rate(60).handful) == (15, 1_000_000, 1)
    assert (rate(1).burst, rate(1).handful) == (1, 1)


async def test_commands_and_reads_have_budgets_of_their_own(store_url: str) -> None:
    async with stage(store_url, commands_per_minute=4, reads_per_minute=4) as on:
        ada = await on.player()
        wish = {"rulebook": "first_edition", "mode": "solo", "seats": 1}
        ok(await ada.post("/v1/games", wish), 201)
        answer = await ada.post("/v1/games", wish)
        problem(answer, "rate-limited")
        assert int(answer.headers["retry-after"]) in range(1, 16)
        ok(await ada.get("/v1/games"))
        problem(await ada.get("/v1/games"), "rate-limited")
        ok(await on.stranger.get("/v1/games"))
        problem(await on.stranger.get("/v1/games"), "rate-limited")
        ok(await on.stranger.get("/health/live"))


async def test_registrations_are_limited_by_address(store_url: str) -> None:
    async with stage(store_url, registrations_per_minute=4) as on:
        await on.player()
        problem(await on.stranger.post("/v1/players", {"name": "Bob"}), "rate-limited")


async def test_guessing_tokens_costs_the_budget_of_strangers(store_url: str) -> None:
    async with stage(store_url, reads_per_minute=8) as on:
        guesser = Player(on.http, "r25.nonsense")
        for _ in range(2):
            problem(await guesser.get("/v1/tokens"), "token-invalid")
        problem(await guesser.get("/v1/tokens"), "rate-limited")


async def test_a_store_that_forgot_the_script_is_told_it_again(on: Stage) -> None:
    ok(await on.stranger.get("/v1/rulebooks"))
    await on.service.house.desk.log.timers._client.script_flush()
    ok(await (await on.player()).get("/v1/rulebooks"))
