"""Judges time-outs by what the logs of games say themselves (pure).

A log tells when each wait began and is due, when the clock stood still and when more time was
given, all in public. So a pass over its lines shows of each time-out whether it had come to that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.kernel import DurationMs, TimestampMs
from simulator.history import FinalStream, Violation

HASTY: Final = "hasty"
OVERDUE: Final = "overdue"
STOPPED: Final = "stopped"
STRAY: Final = "stray"

DEADLINE_CHECKS: Final[Mapping[str, str]] = {
    HASTY: "nobody is timed out before the deadline",
    OVERDUE: "nor later after it than the stated bound",
    STOPPED: "nor while the table is paused, or held",
    STRAY: "nor but for the wait whose time is running",
}
"""The checks of deadlines, and what each shows."""

_STOPS: Final = frozenset({"table-paused", "pause-began", "store-restored"})


class _Line(Struct):
    at: TimestampMs
    event: dict[str, Any]
    batch: dict[str, Any] | None = None


class _Clock(Struct):
    """What a log has said of its clock so far: the running wait, and whether it stands still."""

    key: str = ""
    due: TimestampMs | None = None
    is_stopped: bool = False


_line = msgspec.json.Decoder(_Line)


def judge_deadlines(streams: Iterable[FinalStream], latest: DurationMs) -> list[Violation]:
    """Everything that does not hold, sorted; empty if all does.

    Args:
        streams: the logs of games.
        latest: how long after its deadline somebody is timed out at the latest, by the log.
    """
    return sorted(found for end in streams for found in _judge(end, latest))


def _time_out(line: _Line) -> str | None:
    """The wait that a line's command found to be over; None: it is no time-out."""
    if line.batch is None or line.batch["command"]["type"] != "time-out":
        return None
    key: str = line.batch["command"]["key"]
    return key


def _judge(end: FinalStream, latest: DurationMs) -> Iterator[Violation]:
    clock = _Clock()
    for entry in end.entries:
        line = _line.decode(entry.public)
        key = _time_out(line)
        if key is not None:
            for check, what in _flaws(clock, key, line.at, latest):
                yield Violation(check, end.stream, f"the time-out at {entry.version} {what}")
        _note(clock, line.event)


def _flaws(
    clock: _Clock, key: str, at: TimestampMs, latest: DurationMs
) -> Iterator[tuple[str, str]]:
    if clock.is_stopped:
        yield STOPPED, "came while the clock stood still"
    if clock.key != key or clock.due is None:
        yield STRAY, "is for a wait whose time is not running"
    elif at < clock.due:
        yield HASTY, f"came {clock.due - at} ms before the deadline"
    elif at > clock.due + latest:
        yield OVERDUE, f"came {at - clock.due} ms after the deadline"


def _note(clock: _Clock, event: Mapping[str, Any]) -> None:
    """What an event says of the clock."""
    kind = event["type"]
    if kind == "clock-started":
        clock.key, clock.due = event["key"], event["due"]
    elif kind == "time-extended":
        clock.due = event["due"]
    elif kind == "table-resumed":
        clock.is_stopped = False
        clock.due = event["due"] if event["due"] is not None else clock.due
    elif kind in _STOPS:
        clock.is_stopped = True
    elif kind == "table-closed":
        clock.key, clock.due = "", None
