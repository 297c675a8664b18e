"""What tests of oracles share: they tell which games they had to search for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.simulator import pinned


@pytest.fixture(scope="session")
def pins(pytestconfig: pytest.Config) -> pinned.Pins:
    """What is known of searches, unless all is to be searched anew."""
    if pytestconfig.getoption("pin_games"):
        return {}
    known: pinned.Pins = json.loads(pinned.PINS.read_text())
    return known


@pytest.fixture(autouse=True)
def _searches(
    pins: pinned.Pins,
    request: pytest.FixtureRequest,
    record_property: Callable[[str, object], None],
) -> Iterator[None]:
    """Tell the run, whichever process it is in, what was searched and where it was found."""
    module = Path(str(request.node.path)).relative_to(pinned.PINS.parent)
    test = f"{module}::{request.node.name}"
    begun = pinned.begin(pins.get(test, {}))
    yield
    if begun.anew:
        record_property("searched", [test, begun.anew])
