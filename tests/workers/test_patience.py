"""The clock's patience with games that stay due."""

from __future__ import annotations

import re

from workers.jobs import BATCH_MAX, batches
from workers.patience import Ask, Due, Own, Patience

GAME = "g03-0123456789abcdefghjkmnpqrs"


def steps(patience: Patience, times: list[int], at: int = 100) -> list[tuple[int, str]]:
    """When it did what, if the game stays due at ``at``."""
    return [
        (now, f"ask {step.attempt}" if isinstance(step, Ask) else "own")
        for now in times
        for step in patience.judge([Due(GAME, at)], now)
    ]


def test_the_workers_are_asked_four_times_and_then_the_clock_works_itself() -> None:
    assert steps(Patience(), list(range(100, 11_000, 50))) == [
        (100, "ask 1"),
        (1100, "ask 2"),
        (2100, "ask 3"),
        (4100, "ask 4"),
        (5100, "own"),
        (10_100, "own"),
    ]


def test_a_new_wake_up_time_begins_anew() -> None:
    patience = Patience()
    assert steps(patience, [100, 3200]) == [(100, "ask 1"), (3200, "ask 3")]
    assert steps(patience, [3300, 4300], at=200) == [(3300, "ask 1"), (4300, "ask 2")]


def test_a_settled_game_is_forgotten() -> None:
    patience = Patience()
    assert steps(patience, [100]) == [(100, "ask 1")]
    assert patience.judge([], 150) == []
    assert steps(patience, [5100]) == [(5100, "ask 1")]


def test_after_a_stall_one_job_is_enough() -> None:
    patience = Patience()
    steps(patience, [100])
    assert patience.judge([Due(GAME, 100)], 60_100) == [
        Own(GAME),
        Ask(GAME, 100, 4),
    ]


def test_job_ids_hold_nothing_that_rq_refuses_and_tell_batches_apart() -> None:
    asks = [step for step in Patience().judge([Due(GAME, 100)], 100) if isinstance(step, Ask)]
    [batch] = batches(asks)
    assert batch.games == (GAME,)
    assert re.fullmatch(r"[A-Za-z0-9_-]+", batch.job)
    others = [Ask(GAME, 101, 1), Ask(GAME, 100, 2), Ask(GAME[:-1] + "x", 100, 1)]
    assert len({batch.job, *(batches([ask])[0].job for ask in others)}) == 4
    assert batches(asks) == [batch]


def test_a_batch_is_no_larger_than_several_workers_can_share() -> None:
    asks = [Ask(f"{GAME}{number}", 100, 1) for number in range(2 * BATCH_MAX + 1)]
    made = batches(asks)
    assert [len(batch.games) for batch in made] == [BATCH_MAX, BATCH_MAX, 1]
    assert [game for batch in made for game in batch.games] == [ask.game for ask in asks]
