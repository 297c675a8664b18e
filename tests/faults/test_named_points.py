"""Fault 1: kill -9 of the API at each named point, with a command in flight."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.faults.checks import FaultDamage, all_holds, consistent, goes_on, wait_for
from simulator.faults.cluster_rig import BreakableCluster
from simulator.faults.dying_part import FORGETS
from simulator.faults.load import PlayingLoad
from simulator.faults.parts import ONE_WORKER, ForkedPart, ServiceParts, folder_on_disk
from simulator.faults.points import AFTER_APPEND, BEFORE_APPEND, BEFORE_REPLY, BEFORE_WAIT
from simulator.faults.rig import BreakableService
from tests.conftest import Sometimes

FEW = 3
THINKS_S = 0.05
ALONE = (BEFORE_APPEND, AFTER_APPEND, BEFORE_REPLY)
WITH_REPLICAS = (*ALONE, BEFORE_WAIT)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path on a disk: what is kept must be kept there."""
    with folder_on_disk() as path:
        yield path


def on_one_store(folder: Path) -> BreakableService:
    return BreakableService(folder, mounts=False, programs=ONE_WORKER, child=ForkedPart)


def playing(rig: ServiceParts) -> PlayingLoad:
    """Players, once they play."""
    load = PlayingLoad(rig.url, rig.settings.key_ring(), 25, FEW, thinks_s=THINKS_S)
    load.start()
    try:
        wait_for("the players play", lambda: len(load.acks) > FEW)
    except BaseException:
        load.stop()
        raise
    return load


def killed_at(rig: ServiceParts, load: PlayingLoad, point: str) -> None:
    """Have the API kill itself at a point, and start it again."""
    rig.triggers["API"].arm(point)
    wait_for(f"it kills itself {point}", lambda: rig.exit_code("API") is not None)
    rig.triggers["API"].disarm()
    rig.bury("API")
    rig.start("API")
    goes_on(rig)
    more = len(load.acks) + FEW
    wait_for("the players play on", lambda: len(load.acks) > more)


def killed_everywhere(rig: ServiceParts, points: tuple[str, ...], sometimes: Sometimes) -> None:
    load = playing(rig)
    try:
        for point in points:
            killed_at(rig, load, point)
    finally:
        load.stop()
    assert load.odd == []
    assert all_holds(rig, load.acks, load.history) > 0
    sometimes("killed at named points", len(points))
    unknown = sum(attempt.outcome == "unknown" for attempt in load.history.attempts)
    sometimes("attempts without an answer", unknown)
    promised = sum(attempt.level == rig.settings.durability for attempt in load.history.attempts)
    sometimes(f"acknowledged as {rig.settings.durability}", promised)


def test_wherever_it_is_killed_nothing_is_lost_or_doubled(
    folder: Path, sometimes: Sometimes
) -> None:
    with on_one_store(folder) as rig:
        killed_everywhere(rig, ALONE, sometimes)


@pytest.mark.nightly  # a cluster: make faults runs it
def test_nor_where_a_replica_is_waited_for(folder: Path, sometimes: Sometimes) -> None:
    with BreakableCluster(folder) as rig:
        killed_everywhere(rig, WITH_REPLICAS, sometimes)


def test_a_service_that_forgets_keys_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: what comes again is taken for something new."""
    monkeypatch.setenv(FORGETS, "1")
    with on_one_store(folder) as rig:
        load = playing(rig)
        load.stop()
        with pytest.raises(FaultDamage, match="unasked: "):
            consistent(rig, load.history)
