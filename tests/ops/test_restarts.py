"""When a part that has died is started again."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from ops.restarts import USUAL, Restarts

policies = st.builds(
    Restarts,
    limit=st.integers(1, 8),
    window_s=st.floats(1, 1000),
    first_s=st.floats(0.001, 1),
    longest_s=st.floats(1, 100),
)
lives = st.lists(st.floats(0, 500), min_size=1, max_size=40)
"""How long a part runs, each time that it is started, in seconds."""


def run(policy: Restarts, lives: list[float]) -> tuple[list[float], list[float], bool]:
    """The times of all deaths, the pauses after them, and whether it was given up."""
    now, deaths, pauses = 0.0, list[float](), list[float]()
    for life in lives:
        now += life
        deaths.append(now)
        pause = policy.pause_s(deaths)
        if pause is None:
            return deaths, pauses, True
        pauses.append(pause)
        now += pause
    return deaths, pauses, False


@given(policies, lives)
def test_it_is_never_started_more_often_than_the_limit_within_the_window(
    policy: Restarts, lives: list[float]
) -> None:
    deaths, pauses, _ = run(policy, lives)
    starts = [death + pause for death, pause in zip(deaths, pauses, strict=False)]
    for first, last in itertools.pairwise([starts[0:], starts[policy.limit + 1 :]]):
        for one, other in zip(first, last, strict=False):
            assert other - one >= policy.window_s - policy.longest_s


@given(policies, lives)
def test_pauses_are_bounded_and_grow_while_deaths_are_near(
    policy: Restarts, lives: list[float]
) -> None:
    deaths, pauses, _ = run(policy, lives)
    assert all(0 < pause <= policy.longest_s for pause in pauses)
    for (one, other), (before, after) in zip(
        itertools.pairwise(deaths), itertools.pairwise(pauses), strict=False
    ):
        if other - one >= policy.window_s:
            assert after == min(policy.first_s, policy.longest_s), "long ago counts no more"
        elif other - deaths[0] < policy.window_s:
            assert after >= before


@given(policies)
def test_what_always_dies_is_given_up_and_not_before_its_limit(policy: Restarts) -> None:
    _, pauses, given_up = run(policy, [0.0] * 20)
    slow = policy.longest_s * policy.limit >= policy.window_s
    assert given_up or slow
    assert not given_up or len(pauses) >= policy.limit


def test_the_usual_limit_gives_up_after_a_quarter_of_a_minute_of_pauses() -> None:
    _, pauses, given_up = run(USUAL, [1.0] * 20)
    assert given_up
    assert pauses == [0.25, 0.5, 1, 2, 4, 8]


def test_who_dies_once_an_hour_is_always_started_again_at_once() -> None:
    _, pauses, given_up = run(USUAL, [3600.0] * 100)
    assert not given_up
    assert set(pauses) == {0.25}
