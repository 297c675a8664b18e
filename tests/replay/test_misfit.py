"""What is said of an event that does not fit the events before it."""

from __future__ import annotations

import pytest

from games.table.events import SeatTaken
from replay.misfit import misfit


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (KeyError(SeatTaken), "no such event belongs to this table"),
        (KeyError("r9c9"), "KeyError: 'r9c9'"),
        (ValueError("the game is over"), "ValueError: the game is over"),
        (StopIteration(), "StopIteration"),
    ],
)
def test_a_misfit_is_told_without_the_insides_of_the_program(error: Exception, why: str) -> None:
    assert misfit(error) == f"it does not fit the events before it: {why}"
