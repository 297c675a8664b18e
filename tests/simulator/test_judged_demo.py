"""What the players of a demo were told is held against the record of their game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from events.keys import KeyRing
from events.seal import bytes_of
from ops.demo_client import TOLD
from projections.record import Record, read_record
from simulator.history import FinalStream, batches_of
from simulator.judged_demo import ToldCommand, judge_files, judge_record, read_told
from tests.replay.forging import small

Told = list[ToldCommand]


class Plain(KeyRing):
    """Has each command under the name that its player gave it."""

    def command_id(self, principal: str, key: str) -> str:  # noqa: ARG002 (as it is)
        return key


KEYS = Plain({"k1": b"1" * 32}, "k1")


@pytest.fixture(scope="module")
def record() -> Record:
    return read_record(small())


def told_of(record: Record) -> Told:
    """What the players of a record were told, each answer before the next command was sent."""
    head = bytes_of(record.seal.head)
    end = FinalStream(record.header.stream, record.stored(), record.seal.version, head)
    return [
        ToldCommand(
            batch.by.partition(":")[2],
            batch.command_id,
            sent=2 * n,
            answered=2 * n + 1,
            accepted=True,
            game=end.stream,
            first=batch.first,
            version=batch.version,
        )
        for n, batch in enumerate(batches_of(end))
        if batch.by.startswith("player:")
    ]


def moved(told: Told) -> Told:
    return [replace(told[0], first=2, version=told[0].version + 1), *told[1:]]


def lost(told: Told) -> Told:
    again = replace(told[-1], key="another", sent=10**6, answered=10**6 + 1)
    return [*told, replace(again, first=10**6, version=10**6)]


def refused(told: Told) -> Told:
    return [replace(told[0], accepted=False), *told[1:]]


def unasked(told: Told) -> Told:
    return told[1:]


def out_of_order(told: Told) -> Told:
    late = told[-1].sent + 2
    return [replace(told[0], sent=late, answered=late + 1), *told[1:]]


def test_a_record_is_what_its_players_were_told(record: Record) -> None:
    told = told_of(record)
    assert told
    assert judge_record(record, told, KEYS) == []


@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (moved, "moved"),
        (lost, "lost"),
        (refused, "refused"),
        (unasked, "unasked"),
        (out_of_order, "order"),
    ],
)
def test_what_does_not_agree_is_found(
    record: Record, plant: Callable[[Told], Told], check: str
) -> None:
    found = judge_record(record, plant(told_of(record)), KEYS)
    assert check in {each.check for each in found}


def test_files_are_judged_by_a_sentence(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, told = tmp_path / "record.jsonl", told_of(record)
    path.write_bytes(small())

    def judged(lines: Told) -> str:
        content = msgspec.json.Encoder().encode_lines(lines)
        assert read_told(content) == lines
        Path(f"{path}{TOLD}").write_bytes(content)
        return judge_files(path, KEYS)

    assert judged(told) == ""
    assert f"all {len(told)} commands that were accepted are where" in capsys.readouterr().out
    assert "unasked: " in judged(unasked(told))
    assert "is not what players were told" in judged([]), "nothing was told"
