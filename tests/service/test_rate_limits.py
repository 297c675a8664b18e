"""Rate limits: budgets by caller and kind of request, shared by all processes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import AsyncExitStack
from random import Random

import pytest

from events.clients import Client, commands
from events.scripts import LogUnavailable
from events.tasks import end_tasks
from service.http.rate_limits import Rate, RateLimits, rate
from tests.service.stage import Player, Stage, ok, problem, stage


class Hand:
    """A clock in our hand, in seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def limits(
    client: Client,
    burst: int = 4,
    per_minute: int = 60,
    processes: int = 1,
    clock: Callable[[], float] | None = None,
) -> RateLimits:
    """Limits whose clock never moves by itself: here a bucket never fills."""
    return RateLimits(
        client,
        {"reads": Rate(per_minute, burst)},
        processes=lambda: processes,
        clock=clock or Hand(),
    )


def spent(made: RateLimits, who: str = "ada") -> int:
    """How many tokens there were."""
    count = 0
    while not made.spend("reads", who).wait_s:
        count += 1
    return count


async def test_a_bucket_holds_its_burst_and_nobody_waits_for_the_store(client: Client) -> None:
    made = limits(client, 50)
    assert spent(made) == 50
    assert spent(made) == 0


async def test_each_caller_has_a_bucket(client: Client) -> None:
    made = limits(client)
    assert spent(made, "ada") == 4
    assert spent(made, "bob") == 4


async def test_a_bucket_fills_at_its_pace(client: Client) -> None:
    clock = Hand()
    made = limits(client, 4, 60, clock=clock)
    assert spent(made) == 4
    assert made.spend("reads", "ada").wait_s == 1
    clock.now += 2.0
    assert spent(made) == 2
    clock.now += 100.0
    assert spent(made) == 4


async def test_a_request_may_weigh_as_much_as_several(client: Client) -> None:
    clock = Hand()
    made = limits(client, 8, 60, clock=clock)
    assert [made.spend("reads", "ada", 5).wait_s for _ in range(2)] == [0, 2]
    assert spent(made) == 3, "what was refused has cost nothing"
    clock.now += 5.0
    assert [made.spend("reads", "ada", 5).wait_s for _ in range(2)] == [0, 5]


async def test_no_request_weighs_more_than_a_full_share(client: Client) -> None:
    """Otherwise it would be refused for ever."""
    made = limits(client, 4, processes=2)
    assert made.spend("reads", "ada", 5).wait_s == 0
    assert spent(made) == 0


async def test_live_processes_share_the_budget(client: Client) -> None:
    first, second = limits(client, 40, processes=2), limits(client, 40, processes=2)
    assert (spent(first), spent(second)) == (20, 20)


async def test_a_share_is_never_less_than_one_request(client: Client) -> None:
    made = limits(client, 1, 60, processes=8)
    assert spent(made) == 1
    assert made.spend("reads", "ada").wait_s == 8


async def test_who_asks_one_process_alone_gets_nearly_all(client: Client) -> None:
    made = limits(client, 64, processes=2)
    total = 0
    for _ in range(10):
        total += spent(made)
        await made.settle()
    assert 60 <= total <= 64


@pytest.mark.parametrize("processes", [2, 3, 8])
async def test_who_plays_processes_off_gets_a_bucket_more_and_owes_it(
    client: Client, processes: int
) -> None:
    """In the worst order: one is emptied again and again, while the others keep what they hold.

    The store's clock goes on, so a token takes a minute: none comes while this runs.
    """
    all_of = [limits(client, 64, 1, processes) for _ in range(processes)]
    total = 0
    for made in all_of:
        made.spend("reads", "ada")
        await made.settle()
        total += 1
    for _ in range(processes):
        for made in all_of:
            for _ in range(40):
                total += spent(made)
                await made.settle()
    assert 60 <= total < 128
    owing = limits(client, 64, 1)
    owing.spend("reads", "ada")
    await owing.settle()
    minutes = owing.spend("reads", "ada").wait_s / 60
    assert total - 64 <= minutes <= total - 64 + 2


async def test_a_new_process_knows_after_one_settlement_what_the_others_let_in(
    client: Client,
) -> None:
    first = limits(client, 16)
    assert spent(first) == 16
    await first.settle()
    second = limits(client, 16)
    second.spend("reads", "ada")
    await second.settle()
    assert spent(second) == 0


async def test_a_caller_owes_no_more_than_another_bucket(client: Client) -> None:
    made = limits(client, 16, 1)
    for _ in range(8):
        made = limits(client, 16, 1)
        spent(made)
        await made.settle()
    assert 16 <= made.spend("reads", "ada").wait_s / 60 <= 17


async def test_what_cannot_be_settled_is_settled_later(client: Client) -> None:
    made, other = limits(client, 16), limits(client, 16)
    assert spent(made) == 16
    dead = RateLimits(commands("unix:///nowhere"), {"reads": Rate(60, 16)}, clock=Hand())
    assert spent(dead) == 16, "no store, no waiting"
    with pytest.raises(LogUnavailable):
        await dead.settle()
    dead._caller = made._caller
    await dead.settle()
    other.spend("reads", "ada")
    await other.settle()
    assert spent(other) == 0


async def test_a_run_settles_by_itself_when_a_bucket_runs_low(client: Client) -> None:
    made, other = limits(client, 16), limits(client, 16)
    running = asyncio.create_task(made.run())
    assert spent(made) == 16
    async with asyncio.timeout(20):
        while not other.spend("reads", "ada").wait_s:
            await other.settle()
            await asyncio.sleep(0.01)
    await end_tasks(running)


async def test_the_buckets_of_a_process_are_bounded(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.http.rate_limits._KEPT", 100)
    made = limits(client)
    for number in range(300):
        made.spend("reads", str(number))
    assert [spent(made, str(number)) for number in (299, 200)] == [3, 3]
    assert [spent(made, str(number)) for number in (199, 0)] == [4, 4], "forgotten: full again"


async def test_a_bucket_may_be_forgotten_before_it_is_settled(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.http.rate_limits._KEPT", 1)
    made = limits(client)
    made.spend("reads", "ada")
    settling = asyncio.create_task(made.settle())
    await asyncio.sleep(0)  # it has begun, and has not come to the bucket
    made.spend("reads", "bob")
    await settling
    await made.settle()
    assert spent(made, "bob") == 3


def test_a_quarter_of_a_minute_may_come_at_once() -> None:
    assert (rate(60).burst, rate(60).pace_us, rate(60).window_s) == (15, 1_000_000, 15)
    assert (rate(1).burst, rate(1).window_s) == (1, 60)


async def test_answers_say_where_the_budget_stands(store_url: str) -> None:
    async with stage(store_url, reads_per_minute=8) as on:
        for left in (1, 0):
            answer = await on.stranger.get("/v1/rulebooks")
            assert answer.headers["ratelimit-policy"] == '"reads";q=2;w=15'
            assert re.fullmatch(rf'"reads";r={left};t=(8|15)', answer.headers["ratelimit"])
        answer = await on.stranger.get("/v1/rulebooks")
        problem(answer, "rate-limited")
        assert re.fullmatch(r'"reads";r=0;t=1[45]', answer.headers["ratelimit"])
        assert "ratelimit" not in (await on.stranger.get("/health/live")).headers
        ada = await on.player()
        answer = await ada.get("/v1/rulebooks")
        assert answer.headers["ratelimit"].startswith('"reads";r=1;')


async def test_two_processes_refuse_nothing_at_a_tenth_of_the_budget(store_url: str) -> None:
    """Requests come evenly; which process takes one is chance. The service's clock is not used."""
    async with AsyncExitStack() as stack:
        pair = [
            await stack.enter_async_context(stage(store_url, reads_per_minute=1200))
            for _ in range(2)
        ]
        for on in pair:
            await on.service.app_context.presence.announce()
        await pair[0].service.app_context.presence.announce()
        assert [on.service.app_context.presence.around.processes for on in pair] == [2, 2]
        ada = await pair[0].player()
        dice = Random(7)
        clock = Hand()
        for on in pair:
            on.service.app_context.limits._clock = clock
        for _ in range(240):
            there = Player(dice.choice(pair).http, ada.token)
            ok(await there.get("/v1/rulebooks"))
            clock.now += 0.5


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
        guesser = Player(on.http, "plr.nonsense")
        for _ in range(2):
            problem(await guesser.get("/v1/tokens"), "token-invalid")
        problem(await guesser.get("/v1/tokens"), "rate-limited")


async def test_a_refused_scope_costs_budget(store_url: str) -> None:
    async with stage(store_url, commands_per_minute=8) as on:
        ada = await on.player()
        problem(await on.stranger.post("/v1/games", {}), "token-needed")
        problem(await on.stranger.post("/v1/games", {}), "token-needed")
        problem(await on.stranger.post("/v1/games", {}), "rate-limited")
        nowhere = "/v1/games/g00-" + "0" * 26 + "/pause"
        problem(await ada.post(nowhere, {}), "scope-missing")
        problem(await ada.post(nowhere, {}), "scope-missing")
        problem(await ada.post(nowhere, {}), "rate-limited")


async def test_a_store_that_forgot_the_script_is_told_it_again(on: Stage) -> None:
    ok(await on.stranger.get("/v1/rulebooks"))
    await on.store.script_flush()
    ok(await (await on.player()).get("/v1/rulebooks"))
