"""The levels of a store that fills up: where they begin and end, and what each refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from club.account_events import ACCOUNT_COMMANDS
from events.clients import Client
from games.table.events import TABLE_COMMANDS, Choose, TimeOut
from runtime.fullness import (
    HOLD_S,
    REFUSED_FROM,
    RULES,
    TO_THE_END,
    Gauge,
    Level,
    disk_share,
    memory_share,
)
from runtime.store_room import StoreRoom

ROOT = Path(__file__).resolve().parents[2]
MIB = 1 << 20


def test_every_command_is_refused_from_some_level_on_or_never() -> None:
    assert set(REFUSED_FROM) | TO_THE_END == {*TABLE_COMMANDS, *ACCOUNT_COMMANDS}
    assert not set(REFUSED_FROM) & TO_THE_END


def test_the_operators_guide_has_the_same_table() -> None:
    guide = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) % \| (.+) \|$", guide, re.MULTILINE)
    assert [(int(percent), means) for percent, means in rows] == [
        (rule.percent, rule.means) for rule in RULES.values()
    ]


def test_levels_begin_where_they_are_said_to() -> None:
    expected = [(0.699, Level.AMPLE), *((r.percent / 100, level) for level, r in RULES.items())]
    gauge = Gauge()
    assert [gauge.read(share, 0) for share, _ in expected] == [level for _, level in expected]
    assert Gauge().read(0.969, 0) is Level.NO_NEW_GAMES
    assert Gauge().read(7.0, 0) is Level.NO_CHOICES


def test_a_setting_may_move_them() -> None:
    gauge = Gauge((1, 2, 3, 100))
    assert gauge.read(0.025, 0) is Level.NO_NEWCOMERS
    assert gauge.read(0.999, 0) is Level.NO_NEW_GAMES


@pytest.mark.parametrize(
    ("share", "level"), [(0.89, Level.NO_NEW_GAMES), (0.879, Level.NO_NEWCOMERS)]
)
def test_a_level_is_left_with_some_slack(share: float, level: Level) -> None:
    gauge = Gauge()
    gauge.read(0.9, 0)
    assert gauge.read(share, 1) is level


def test_once_choices_are_refused_they_are_for_a_while() -> None:
    """Or the time would be too short to be given back to who could not choose."""
    gauge = Gauge()
    gauge.read(0.98, 5)
    assert gauge.read(0.1, 5 + HOLD_S - 0.1) is Level.NO_CHOICES
    assert gauge.read(0.98, 5 + HOLD_S) is Level.NO_CHOICES
    assert gauge.read(0.1, 5 + HOLD_S + 1) is Level.AMPLE


def test_the_room_in_memory_ends_before_the_memory() -> None:
    assert memory_share(90 * MIB, 100 * MIB) == pytest.approx(1)


def test_the_room_on_disk_is_what_the_files_may_grow_to() -> None:
    full = 1000 * MIB
    assert disk_share(0, 0, 500 * MIB, full) == 0
    # 100 MiB there, as much again when they are compacted, 464 MiB free of which 64 are reserve
    assert disk_share(100 * MIB, 100 * MIB, 464 * MIB, full) == pytest.approx(0.4)
    assert disk_share(0, 0, 64 * MIB, full) == float("inf")
    assert disk_share(0, 0, 8 * MIB, 10 * MIB) == 0  # of a small disk a tenth is reserve


async def test_a_store_without_a_limit_is_measured_by_its_machine(client: Client) -> None:
    room = StoreRoom(client)
    await room.look()
    assert 0 < room.shares["memory"] < 0.5
    assert "disk" not in room.shares
    assert room.refusal(Choose(seat=1, decision="d", option="o")) is None


async def test_the_disk_counts_where_the_store_is_on_this_machine(
    client: Client, store_url: str
) -> None:
    room = StoreRoom(client, store_url)
    await room.look()
    assert 0 <= room.shares["disk"] < 1


async def test_a_full_disk_closes_as_a_full_memory_does(
    client: Client, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runtime.store_room.disk_share", lambda *_: 0.975)
    room = StoreRoom(client, store_url)
    await room.look()
    assert room.level is Level.NO_CHOICES
    assert room.refusal(Choose(seat=1, decision="d", option="o")) is not None
    assert room.refusal(TimeOut(key="k")) is None
