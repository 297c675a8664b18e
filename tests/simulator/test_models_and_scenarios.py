"""The models of what is legal and how a game ends agree with every scenario of every rulebook."""

from __future__ import annotations

import pytest

from tests.simulator.staging import complaint, scenarios

pytestmark = pytest.mark.slow

PARTS, DAILY = 16, 3
"""Some parts of all scenarios are looked at each time, the others by night."""


@pytest.mark.parametrize(
    "part",
    [*range(DAILY), *(pytest.param(n, marks=pytest.mark.nightly) for n in range(DAILY, PARTS))],
)
def test_the_models_have_nothing_to_say_of_the_scenarios(part: int) -> None:
    complaints = {name: complaint(name) for name in sorted(scenarios())[part::PARTS]}
    assert {name: text for name, text in complaints.items() if text} == {}
