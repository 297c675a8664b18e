"""A round of the thousand kills: it counts what it did, and what it finds ends it."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from runtime.embedded.children import ChildError
from simulator.delivery_history import (
    Listening,
    ReadAfterwards,
    StreamLine,
    judge_deliveries,
)
from simulator.faults.checks import FaultDamage
from simulator.faults.kills import kill_round
from simulator.faults.parts import API, CAN_DIE, ForkedPart, folder_on_disk
from simulator.faults.rig import STORE, BreakableService
from simulator.feed_history import judge_feeds
from simulator.feed_notes import FeedNote, FeedTold
from simulator.history import Violation
from simulator.notice_history import OwnListening, judge_notices
from tests.conftest import Sometimes

FEW = 4
SEED = 25


def test_a_round_kills_as_often_as_it_says_and_all_holds(sometimes: Sometimes) -> None:
    found = kill_round("one store", SEED, FEW)
    assert found.count == FEW
    assert sum(found.accepted.values()) > 0
    assert sum(map(len, found.took_s.values())) == FEW
    assert found.gone_s.keys() == found.took_s.keys() == found.kills.keys()
    assert all(sum(found.gone_s[name]) >= sum(found.took_s[name]) for name in found.kills)
    sometimes("kills of a round", found.count)
    sometimes("kills with a command in flight", found.in_flight)
    sometimes("events that spectators received", found.received)
    sometimes("entries of feeds told", found.told)
    sometimes("lines that only a player received so", found.opened)
    sometimes("notices that players received", found.notices)


def test_what_is_amiss_with_streams_ends_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: one of them delivered an event twice, left one out, and made one up."""

    def amiss(connections: list[Listening], afterwards: list[ReadAfterwards]) -> list[Violation]:
        longest = max(connections, key=lambda each: len(each.delivered)).delivered
        del longest[1]
        longest += [longest[-1], StreamLine(longest[-1].version + 1_000, b"{}")]
        return judge_deliveries(connections, afterwards)

    monkeypatch.setattr("simulator.faults.kills.judge_deliveries", amiss)
    with pytest.raises(FaultDamage) as told:
        kill_round("one store", SEED, 1)
    for check in ("altered", "repeated", "skipped"):
        assert f"{check}: " in str(told.value)


def test_what_is_amiss_with_notices_ends_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: one of the players was told twice of each thing."""

    def amiss(
        connections: list[OwnListening], logs: Mapping[str, Sequence[bytes]]
    ) -> list[Violation]:
        longest = max(connections, key=lambda each: len(each.notices))
        longest.notices = [each for each in longest.notices for _ in range(2)]
        return judge_notices(connections, logs)

    monkeypatch.setattr("simulator.faults.kills.judge_notices", amiss)
    with pytest.raises(FaultDamage, match="told twice: "):
        kill_round("one store", SEED, 1)


def test_an_entry_of_a_feed_that_nobody_was_told_of_ends_a_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control."""

    def forgetful(notes: list[FeedNote], *others: Any) -> list[Violation]:
        told = [note for note in notes if isinstance(note, FeedTold)]
        notes.remove(told[len(told) // 2])
        return judge_feeds(notes, *others)

    monkeypatch.setattr("simulator.faults.checks.judge_feeds", forgetful)
    with pytest.raises(FaultDamage, match="missed: "):
        kill_round("one store", SEED, 1)


def test_the_port_of_an_api_that_is_away_is_nobody_elses() -> None:
    """An API that finds its port taken is refused for as long as somebody has it."""
    with (
        folder_on_disk() as home,
        BreakableService(home, mounts=False, programs={}, child=ForkedPart) as rig,
        socket.socket() as other,
        pytest.raises(OSError, match="in use"),
    ):
        other.bind(("127.0.0.1", rig.settings.port))


def test_a_part_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not kept of the one round that is broken without a cause."""
    programs = {API: CAN_DIE[API]}
    with (
        folder_on_disk() as home,
        BreakableService(home, mounts=False, programs=programs, child=ForkedPart) as rig,
    ):
        rig.kill(API)
        rig.kill(STORE)
        monkeypatch.setattr("simulator.faults.parts._REFUSED_S", 0.0)
        with pytest.raises(ChildError, match=r"did not start: it ended with 3: parlour: the store"):
            rig.start(API)
