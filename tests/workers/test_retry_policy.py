"""The clock's patience with games that stay due."""

from __future__ import annotations

import re

from events.timers import DueStream
from workers.jobs import BATCH_MAX, batches
from workers.retry_policy import AdvanceHere, AskWorkers, RetryPolicy

GAME = "g03-0123456789abcdefghjkmnpqrs"


def steps(retry_policy: RetryPolicy, times: list[int], at: int = 100) -> list[tuple[int, str]]:
    """When it did what, if the game stays due at ``at``."""
    return [
        (now, f"ask {step.attempt}" if isinstance(step, AskWorkers) else "own")
        for now in times
        for step in retry_policy.judge([DueStream(at, GAME)], now)
    ]


def test_the_workers_are_asked_four_times_and_then_the_clock_works_itself() -> None:
    assert steps(RetryPolicy(), list(range(100, 11_000, 50))) == [
        (100, "ask 1"),
        (1100, "ask 2"),
        (2100, "ask 3"),
        (4100, "ask 4"),
        (5100, "own"),
        (10_100, "own"),
    ]


def test_who_sleeps_until_the_next_step_misses_none() -> None:
    retry_policy = RetryPolicy()
    assert retry_policy.next_step(100) is None
    told, now = [], 100
    while now < 11_000:
        told += steps(retry_policy, [now])
        assert retry_policy.next_step(now - 1) == (retry_policy.next_step(now) or 0) + 1
        now += retry_policy.next_step(now) or 11_000
    assert told == steps(RetryPolicy(), list(range(100, 11_000, 50)))


def test_a_new_wake_up_time_begins_anew() -> None:
    retry_policy = RetryPolicy()
    assert steps(retry_policy, [100, 3200]) == [(100, "ask 1"), (3200, "ask 3")]
    assert steps(retry_policy, [3300, 4300], at=200) == [(3300, "ask 1"), (4300, "ask 2")]


def test_a_settled_game_is_forgotten() -> None:
    retry_policy = RetryPolicy()
    assert steps(retry_policy, [100]) == [(100, "ask 1")]
    assert retry_policy.judge([], 150) == []
    assert steps(retry_policy, [5100]) == [(5100, "ask 1")]


def test_after_a_stall_one_job_is_enough() -> None:
    retry_policy = RetryPolicy()
    steps(retry_policy, [100])
    assert retry_policy.judge([DueStream(100, GAME)], 60_100) == [
        AdvanceHere(GAME),
        AskWorkers(GAME, 100, 4),
    ]


def test_job_ids_hold_nothing_that_rq_refuses_and_tell_batches_apart() -> None:
    asks = [
        step
        for step in RetryPolicy().judge([DueStream(100, GAME)], 100)
        if isinstance(step, AskWorkers)
    ]
    [batch] = batches(asks)
    assert batch.games == (GAME,)
    assert re.fullmatch(r"[A-Za-z0-9_-]+", batch.job)
    others = [
        AskWorkers(GAME, 101, 1),
        AskWorkers(GAME, 100, 2),
        AskWorkers(GAME[:-1] + "x", 100, 1),
    ]
    assert len({batch.job, *(batches([ask])[0].job for ask in others)}) == 4
    assert batches(asks) == [batch]


def test_a_batch_is_no_larger_than_several_workers_can_share() -> None:
    asks = [AskWorkers(f"{GAME}{number}", 100, 1) for number in range(2 * BATCH_MAX + 1)]
    made = batches(asks)
    assert [len(batch.games) for batch in made] == [BATCH_MAX, BATCH_MAX, 1]
    assert [game for batch in made for game in batch.games] == [ask.game for ask in asks]
