"""Each fault once, in a whole service that is in use; and that what must hold can fail to."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from simulator import fuzz_faults
from simulator.faults import kinds
from simulator.faults.checks import (
    FaultDamage,
    all_holds,
    consistent,
    kept,
    once,
    verified,
    wait_for,
)
from simulator.faults.kinds import KINDS, Plant, lose
from simulator.faults.load import Ack, PlayingLoad
from simulator.faults.parts import ForkedPart
from simulator.faults.rig import BreakableService
from simulator.fuzz_faults import main, plant
from tests.conftest import Sometimes

pytestmark = pytest.mark.system

TOGETHER = (
    (
        *("kill API", "kill clock", "kill worker 1", "kill worker 2", "kill store"),
        *("start worker 2 alone", "kill everything"),
    ),
    ("hang API", "hang clock", "hang worker 1", "hang store"),
    ("full disk", "torn tail"),
    ("full memory",),
)
FEW = 2
"""Players: a third of those in ``make fuzz``, so that there is time for what else runs."""


@contextmanager
def on_a_disk() -> Iterator[Path]:
    """A short path, on a disk: what is kept must be kept there."""
    path = Path(tempfile.mkdtemp(prefix="plr-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder of the test's own."""
    with on_a_disk() as path:
        yield path


@pytest.fixture(scope="module")
def rig() -> Iterator[BreakableService]:
    """One service for all faults, as in ``make fuzz``: each must leave it whole for the next."""
    with on_a_disk() as path, BreakableService(path, child=ForkedPart) as made:
        yield made


def test_each_kind_is_planted_here() -> None:
    assert sorted(KINDS) == sorted(name for names in TOGETHER for name in names)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "names"),
    [
        pytest.param(25, TOGETHER[0], id="kills"),
        # CI stops processes and fills stores in `make faults-short`, with controls.
        pytest.param(26, TOGETHER[1], id="hangs", marks=pytest.mark.nightly),
        pytest.param(27, TOGETHER[2], id="disk"),
        pytest.param(28, TOGETHER[3], id="memory", marks=pytest.mark.nightly),
    ],
)
def test_nothing_is_lost_and_nothing_doubled(
    rig: BreakableService,
    seed: int,
    names: Sequence[str],
    monkeypatch: pytest.MonkeyPatch,
    sometimes: Sometimes,
) -> None:
    """By a seed each: the same keys again would be the same commands, of another history."""
    monkeypatch.setattr(kinds, "HANG_S", 2.0)
    # Hundreds of commands go by in this, too: when a fault comes is no less by chance.
    monkeypatch.setattr(fuzz_faults, "_BETWEEN_S", 0.2)
    plants: list[tuple[str, Plant]] = [(name, KINDS[name]) for name in names]
    acknowledged = plant(rig, plants, seed=seed, players=FEW)
    sometimes("commands acknowledged beside the faults", acknowledged)


@pytest.mark.nightly
def test_a_full_disk_without_a_disk_of_ones_own(home: Path) -> None:
    with BreakableService(home, mounts=False, child=ForkedPart) as rig:
        assert not rig.disk.is_mounted
        assert plant(rig, [("full disk", KINDS["full disk"])], seed=25) > 0


def is_behind(rig: BreakableService) -> bool:
    """Whether the service says that its store lacks what was there."""
    return rig.http.get("/health/writable").json()["checks"]["known"] is False


@pytest.mark.slow
def test_what_is_lost_or_damaged_is_found(home: Path) -> None:
    """The control: a tail that somebody was told of is cut off; then the store is tampered with."""
    with BreakableService(home, child=ForkedPart) as rig:
        load = PlayingLoad(rig.url, rig.settings.key_ring(), 25, FEW)
        load.start()
        wait_for("the players play", lambda: len(load.acks) > 30)
        load.stop()
        assert all_holds(rig, load.acks, load.history) > 0
        told = [each for each in load.history.attempts if each.outcome == "accepted"]
        lose(rig, told[-1].command_id)
        # By its marks the service finds it too. Until its next look it would still say that all is
        # well, and whether anybody asks it before that is luck.
        wait_for("the service says that its store is behind", lambda: is_behind(rig))
        with pytest.raises(FaultDamage, match="lost: "):
            consistent(rig, load.history)
        with pytest.raises(FaultDamage, match=" was "):
            kept(rig, load.acks)
        with rig.client() as client:
            head = next(client.scan_iter("*:g:g*:h"))
            client.hset(head, "ver", 1000)
        with pytest.raises(FaultDamage, match="length"):
            verified(rig)


def ack(game: str, first: int, last: int) -> Ack:
    """A command that led to these versions."""
    said = {"game": game, "version": last, "events": [{"v": first}]}
    return Ack("/v1", b"", {}, 200, msgspec.json.encode(said))


def test_a_command_that_happened_twice_is_found() -> None:
    registered = Ack("/v1/players", b"", {}, 201, b'{"id": "p"}')
    once([ack("a", 1, 3), ack("b", 1, 2), registered, ack("a", 4, 4), ack("b", 3, 9)])
    with pytest.raises(FaultDamage, match="overlap"):
        once([ack("a", 1, 3), ack("b", 1, 2), ack("a", 3, 4)])


def test_a_run_that_breaks_tells_its_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def no_rig(_: Path, *, mounts: bool = True) -> Iterator[SimpleNamespace]:
        disk = SimpleNamespace(is_mounted=mounts)
        yield SimpleNamespace(disk=disk, logs=lambda: "what they logged")

    def breaks(_: object, plants: Sequence[tuple[str, Plant]], seed: int) -> int:
        if planted:
            raise FaultDamage(f"{len(plants)} by {seed > 0}")
        planted.append("once")
        return 1

    planted: list[str] = []
    monkeypatch.setattr(fuzz_faults, "BreakableService", no_rig)
    monkeypatch.setattr(fuzz_faults, "plant", breaks)
    assert main(["--faults", "5", "--seed", "7", "--only", "kill"]) == 0
    assert main(["--faults", "5", "--seed", "7", "--no-mount"]) == 1
    said = capsys.readouterr()
    assert "seed 7; a full disk is a disk of its own" in said.out
    assert "seed 7; a full disk is a limit of the file's size" in said.out
    assert "BROKEN by seed 7" in said.err
    assert "what they logged" in said.err
