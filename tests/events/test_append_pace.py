"""The alarm for a slow disk: it comes once, for many slow appends, and is taken back."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
import structlog

from events.append_pace import LAST, SLOW_S, AppendPace

SWIFT = SLOW_S / 100


def told(durations: Iterable[float]) -> list[str]:
    """What is logged of such appends, one after another."""
    pace = AppendPace()
    with structlog.testing.capture_logs() as lines:
        for each in durations:
            pace.note(each)
    return [line["event"] for line in lines]


@pytest.mark.parametrize(
    ("durations", "events"),
    [
        ([SWIFT] * 99, []),
        ([SLOW_S, SWIFT, SWIFT] * 33, []),
        ([SLOW_S] * 99, ["append_slow"]),
        ([SWIFT] * LAST + [SLOW_S] * (LAST // 2), ["append_slow"]),
        ([SLOW_S] * LAST + [SWIFT] * (LAST // 2), ["append_slow"]),
        ([SLOW_S] * LAST + [SWIFT] * LAST, ["append_slow", "append_in_time"]),
        ([*[SLOW_S] * LAST, *[SWIFT] * LAST] * 2, ["append_slow", "append_in_time"] * 2),
    ],
)
def test_it_is_given_once_for_many_slow_ones(durations: list[float], events: list[str]) -> None:
    assert told(durations) == events


def test_it_says_how_slow() -> None:
    pace = AppendPace()
    with structlog.testing.capture_logs() as lines:
        for _ in range(LAST):
            pace.note(2 * SLOW_S)
    [line] = lines
    assert line["median_ms"] == line["longest_ms"] == 2000 * SLOW_S
    assert pace.is_slow
    assert pace.median_s == 2 * SLOW_S
