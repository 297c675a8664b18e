"""``docs/audit.md`` is enough to find out when each deadline was, and who missed it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.golden_records import RECORDS
from tests.replay.auditor import Json
from tests.replay.rulebooks import book
from tests.replay.timing_again import Timing

Change = Callable[[list[Json]], None]


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def timed(record: str) -> Timing:
    header = json.loads(record.partition("\n")[0])
    return Timing(record, book(header["game"], header["rulebook"])).run()


def test_every_clock_of_every_record_can_be_followed() -> None:
    tested: Counter[str] = Counter()
    for path in RECORDS:
        timing = timed(text_of(path))
        assert (path.name, timing.faults) == (path.name, [])
        tested += timing.tested
    assert min(tested.values()) >= 2
    assert {what for _, _, what in PLANTED} == tested.keys()


def first(lines: list[Json], kind: str) -> int:
    """Where the first event of a type stands, or else the first batch of such a command."""
    return next(
        i
        for i, line in enumerate(lines)
        if kind in {line["event"]["type"], line.get("batch", {}).get("command", {}).get("type")}
    )


def field(kind: str, name: str, by: int) -> Change:
    def change(lines: list[Json]) -> None:
        lines[first(lines, kind)]["event"][name] += by

    return change


def later(kind: str, ms: int) -> Change:
    """The first event of a type, and all of its batch, at another time."""

    def change(lines: list[Json]) -> None:
        at = lines[first(lines, kind)]["at"]
        for line in lines[first(lines, kind) :]:
            line["at"] += ms if line["at"] == at else 0

    return change


def another_key(lines: list[Json]) -> None:
    lines[first(lines, "time-out")]["batch"]["command"]["key"] = "another"


def not_in_a_time_out(lines: list[Json]) -> None:
    lines[first(lines, "time-out")]["batch"]["command"]["type"] = "say-phrase"


def too_few_strikes(lines: list[Json]) -> None:
    lines[0]["event"]["time"]["absent_after"] = 9


ABSENT, PAUSED = "suspicion-4-absent", "cooperation-3-pause"
PLANTED: list[tuple[str, Change, str]] = [
    (ABSENT, later("time-out", -500_000), "time"),
    (ABSENT, later("time-out", -1), "due"),
    (ABSENT, later("choose-secretly", 500_000), "in time"),
    (ABSENT, another_key, "key"),
    (ABSENT, not_in_a_time_out, "timed out"),
    (ABSENT, field("clock-started", "due", 1), "limit"),
    (ABSENT, field("clock-started", "since", 1), "since"),
    (ABSENT, field("seat-timed-out", "strikes", 1), "strikes"),
    (ABSENT, too_few_strikes, "absent"),
    (PAUSED, field("table-resumed", "due", 1), "moved"),
    (PAUSED, field("time-extended", "due", -500_000), "extended"),
]


@pytest.mark.parametrize(("name", "change", "what"), PLANTED, ids=[what for _, _, what in PLANTED])
def test_what_was_not_so_is_named(name: str, change: Change, what: str) -> None:
    path = next(path for path in RECORDS if path.stem == name)
    header, *lines = [json.loads(line) for line in text_of(path).splitlines()]
    change([line for line in lines if "event" in line])
    record = "\n".join(json.dumps(line) for line in (header, *lines))
    assert any(fault.endswith(f": {what}") for fault in timed(record).faults)
