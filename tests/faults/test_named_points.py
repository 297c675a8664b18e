"""Fault 1: kill -9 of the API at each named point, with a command in flight."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import simulator.faults.rig
from simulator.faults.checks import FaultDamage, all_holds, consistent, goes_on, wait_for
from simulator.faults.dying_service import AT, FORGETS, POINTS
from simulator.faults.load import PlayingLoad
from simulator.faults.rig import PARTS, BreakableService
from tests.conftest import Sometimes

pytestmark = pytest.mark.nightly  # a dozen starts of the API: make faults runs it
FEW = 3
KILLS = 2
"""At each point."""


@pytest.fixture
def home() -> Iterator[Path]:
    """A short path on a disk: what is kept must be kept there."""
    path = Path(tempfile.mkdtemp(prefix="plr-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


def killed_at(
    rig: BreakableService, load: PlayingLoad, point: str, patch: pytest.MonkeyPatch
) -> None:
    """Have the API kill itself at a point, and start it again as it was."""
    rig.kill("API")
    patch.setenv(AT, f"{point}:5")
    rig.start("API")
    wait_for(f"it kills itself {point}", lambda: rig.has_ended("API"))
    patch.delenv(AT)
    rig.bury("API")
    rig.start("API")
    goes_on(rig)
    more = len(load.acks) + FEW
    wait_for("the players play on", lambda: len(load.acks) > more)


@pytest.fixture
def dying(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let services of tests be such as can kill themselves."""
    parts = {**PARTS, "API": ["-m", "simulator.faults.dying_service"]}
    monkeypatch.setattr(simulator.faults.rig, "PARTS", parts)
    return monkeypatch


def test_wherever_it_is_killed_nothing_is_lost_or_doubled(
    home: Path, dying: pytest.MonkeyPatch, sometimes: Sometimes
) -> None:
    with BreakableService(home) as rig:
        load = PlayingLoad(rig.url, rig.settings.key_ring(), 25, FEW)
        load.start()
        try:
            wait_for("the players play", lambda: len(load.acks) > FEW)
            for point in POINTS:
                for _ in range(KILLS):
                    killed_at(rig, load, point, dying)
        finally:
            load.stop()
        assert load.odd == []
        assert all_holds(rig, load.acks, load.history) > 0
    sometimes("killed at named points", KILLS * len(POINTS))
    unknown = sum(attempt.outcome == "unknown" for attempt in load.history.attempts)
    sometimes("attempts without an answer", unknown)


def test_a_service_that_forgets_keys_is_found(home: Path, dying: pytest.MonkeyPatch) -> None:
    """The control: what comes again is taken for something new."""
    dying.setenv(FORGETS, "1")
    with BreakableService(home) as rig:
        load = PlayingLoad(rig.url, rig.settings.key_ring(), 25, FEW)
        load.start()
        try:
            wait_for("the players play", lambda: len(load.acks) > FEW)
        finally:
            load.stop()
        with pytest.raises(FaultDamage, match="unasked: "):
            consistent(rig, load.history)
