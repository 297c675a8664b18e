"""The judge of deadlines finds each kind of flaw, and nothing where there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from events.codec import Stored
from simulator.deadline_history import (
    DEADLINE_CHECKS,
    HASTY,
    OVERDUE,
    STOPPED,
    STRAY,
    judge_deadlines,
)
from simulator.history import FinalStream, Violation

GAME = "g01-a"
LATEST = 500

Line = dict[str, Any]


def event(moment: int, kind: str, **fields: Any) -> Line:
    return {"at": moment, "event": {"type": kind, **fields}}


def clock(at: int, key: str, due: int) -> Line:
    return event(at, "clock-started", key=key, since=at, due=due)


def time_out(at: int, key: str) -> Line:
    batch = {"by": "worker:advance", "command": {"type": "time-out", "key": key}, "id": "x"}
    return {**event(at, "seat-timed-out", seat=1, strikes=1), "batch": batch}


def log() -> list[Line]:
    """A game that was timed out, given more time, paused by all, by its director, and held."""
    return [
        event(0, "table-started"),
        clock(0, "a", 100),
        time_out(100, "a"),
        clock(100, "b", 200),
        event(150, "time-extended", due=1000, reason="outage"),
        time_out(1500, "b"),
        clock(1500, "c", 2000),
        event(1600, "table-paused", at=1600),
        event(5000, "table-resumed", since=4900, due=5400),
        time_out(5401, "c"),
        clock(5401, "d", 6000),
        event(5500, "pause-began", at=5500, until=9000),
        event(7000, "table-resumed", since=6901, due=7500),
        event(7100, "store-restored", from_version=20, to_version=12, epoch=2, at=7100),
        event(8000, "table-resumed", since=8000, due=8599),
        time_out(8600, "d"),
        clock(8600, "e", 8600),
        time_out(8600, "e"),
        event(8600, "table-closed", reason="finished"),
    ]


def judged(lines: list[Line]) -> list[Violation]:
    encoded = [msgspec.json.encode({**line, "v": n}) for n, line in enumerate(lines, 1)]
    entries = [Stored(n, line) for n, line in enumerate(encoded, 1)]
    return judge_deadlines([FinalStream(GAME, entries, len(entries), b"")], LATEST)


def test_what_holds_is_not_complained_of() -> None:
    assert judged(log()) == []


def at(line: int, moment: int) -> Callable[[list[Line]], None]:
    """Gives one line another time."""

    def plant(lines: list[Line]) -> None:
        lines[line]["at"] = moment

    plant.__name__ = f"line_{line}_at_{moment}"
    return plant


def without(line: int) -> Callable[[list[Line]], None]:
    """Leaves one line out."""

    def plant(lines: list[Line]) -> None:
        del lines[line]

    plant.__name__ = f"without_line_{line}"
    return plant


def in_a_pause_that_players_agreed_on(lines: list[Line]) -> None:
    del lines[12:15]


def of_another_wait(lines: list[Line]) -> None:
    lines[2]["batch"]["command"]["key"] = "b"


def after_the_end(lines: list[Line]) -> None:
    lines.append(time_out(8700, "e"))


def before_any_wait(lines: list[Line]) -> None:
    lines.insert(1, time_out(0, "a"))


PLANTED: dict[str, list[Callable[[list[Line]], None]]] = {
    HASTY: [at(2, 99), at(5, 999), at(9, 5399), at(15, 8598)],
    OVERDUE: [at(2, 601), at(5, 1501), without(4)],
    STOPPED: [without(8), in_a_pause_that_players_agreed_on, without(14)],
    STRAY: [of_another_wait, after_the_end, before_any_wait],
}


def test_something_is_planted_for_each_check() -> None:
    assert PLANTED.keys() == DEADLINE_CHECKS.keys()


@pytest.mark.parametrize(
    ("check", "plant"), [(check, plant) for check, plants in PLANTED.items() for plant in plants]
)
def test_each_check_finds_what_was_planted_for_it(
    check: str, plant: Callable[[list[Line]], None]
) -> None:
    lines = log()
    plant(lines)
    found = judged(lines)
    assert check in {each.check for each in found}
    assert all(each.line() for each in found)
