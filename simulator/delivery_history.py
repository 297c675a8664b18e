"""Judges what live streams of games delivered, by what is read afterwards (pure).

A viewer notes each connection, with the version after which it asked to resume, and each line that
came whole over it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.kernel import DurationMs, TimestampMs, Version
from simulator.history import Violation

SKIPPED: Final = "skipped"
REPEATED: Final = "repeated"
ALTERED: Final = "altered"
CUT_SHORT: Final = "cut short"
TOO_SOON: Final = "too soon"

DELIVERY_CHECKS: Final[Mapping[str, str]] = {
    SKIPPED: "a connection delivers every version after the one that it resumes from",
    REPEATED: "it delivers none of them twice, nor out of order, nor what its viewer has",
    ALTERED: "what it delivers is what the same viewer reads afterwards",
    CUT_SHORT: "a stream says that it has ended only when it has delivered everything",
    TOO_SOON: "nor does it deliver to a spectator before the table's delay has passed",
}
"""The checks of streams, and what each shows."""

_NEVER: Final[TimestampMs] = 2**53
"""What nobody may have yet is due then."""

PUBLIC: Final = "public"
"""The viewer who sees what everybody may."""


class StreamLine(Struct, frozen=True):
    """A line of a stream: the event of a version, as in a page of events for the same viewer.

    ``at`` is when it came, by the clock of the service; of games with a delay it must be noted.
    """

    version: int
    line: bytes
    at: TimestampMs = 0


class Listening(Struct, kw_only=True):
    """What one connection delivered to a viewer of a game.

    Args:
        viewer: who looked on: ``PUBLIC``, or a player at the table by id.
        game: the id of its stream.
        after: the version after which it was to resume.
        delivered: the lines that came whole, in their order.
        has_ended: whether it said that no more will come.
    """

    viewer: str
    game: str
    after: int
    delivered: list[StreamLine] = []
    has_ended: bool = False


class ReadAfterwards(Struct, frozen=True, kw_only=True):
    """What a viewer reads of a game in the end.

    Args:
        viewer: as of a connection.
        game: the id of its stream.
        lines: from version 1 on, each with what it opens to this viewer.
        public: the hashed bytes of each, as the log had them afterwards; it may have grown.
        reveals: whether lines may open more by now than before, as when a game has ended.
        turns: the first version of each turn; of games with a delay in turns it must be told.
    """

    viewer: str
    game: str
    lines: Sequence[bytes]
    public: Sequence[bytes]
    reveals: bool = False
    turns: Sequence[Version] = ()


def judge_deliveries(
    connections: Iterable[Listening], afterwards: Iterable[ReadAfterwards]
) -> list[Violation]:
    """Everything that does not hold, sorted; empty if all does."""
    read = {(each.viewer, each.game): each for each in afterwards}
    courses = _courses(read.values())
    found = [flaw for each in read.values() for flaw in _logged(each)]
    for each in connections:
        found += _in_order(each)
        found += _equal(each, read.get((each.viewer, each.game)))
        found += _in_time(each, courses)
    return sorted(found)


def kept_back(connections: Iterable[Listening], afterwards: Iterable[ReadAfterwards]) -> int:
    """How many lines came that had been kept back: of running games with a delay."""
    courses = _courses(afterwards)
    return sum(
        courses[each.game].due(line.version) is not None
        for each in connections
        if each.viewer == PUBLIC and each.game in courses
        for line in each.delivered
    )


def _logged(read: ReadAfterwards) -> Iterator[Violation]:
    """Whether what is read has the bytes of the log."""
    for version, line in enumerate(read.lines, 1):
        public = read.public[version - 1] if version <= len(read.public) else None
        if public is None or not line.startswith(public[:-1]):
            what = f"{read.viewer} reads {version} otherwise than the log has it"
            yield Violation(ALTERED, read.game, what)
            return


def _in_order(connection: Listening) -> Iterator[Violation]:
    last, viewer = connection.after, connection.viewer
    for version in (each.version for each in connection.delivered):
        if version > last + 1:
            what = f"{viewer} got {version} after {last}"
            yield Violation(SKIPPED, connection.game, what)
        elif version <= last:
            what = f"{viewer} got {version}, having had {last} already"
            yield Violation(REPEATED, connection.game, what)
        last = max(last, version)


def _equal(connection: Listening, read: ReadAfterwards | None) -> Iterator[Violation]:
    viewer, game = connection.viewer, connection.game
    lines: Sequence[bytes] = () if read is None else read.lines
    for each in connection.delivered:
        if each.version > len(lines):
            what = f"{viewer} got {each.version}, and reads {len(lines)} afterwards"
            yield Violation(ALTERED, game, what)
        elif not _agree(each.line, lines[each.version - 1], reveals=bool(read and read.reveals)):
            what = f"{viewer} got {each.version} otherwise than it is read afterwards"
            yield Violation(ALTERED, game, what)
    reached = max((each.version for each in connection.delivered), default=connection.after)
    if connection.has_ended and reached < len(lines):
        what = f"for {viewer} it ended at {reached}, and there are {len(lines)}"
        yield Violation(CUT_SHORT, game, what)


def _in_time(connection: Listening, courses: Mapping[str, _Course]) -> Iterator[Violation]:
    """Whether a spectator got each line when its delay, or the game, was over."""
    course = courses.get(connection.game)
    if connection.viewer != PUBLIC or course is None:
        return
    for each in connection.delivered:
        due = course.due(each.version)
        if due is not None and each.at < due:
            early = f"{due - each.at} ms too soon" if due < _NEVER else "that nobody may have yet"
            what = f"a spectator got {each.version} {early}"
            yield Violation(TOO_SOON, connection.game, what)


class _Course(Struct):
    """What a log says of the delay of its game.

    Args:
        delay: how long spectators are kept behind; None: not at all, or by turns.
        hidden: how many turns are kept from them; 0: none, or those of some time.
        started: the version up to which nothing is hidden; None: all is shown as yet.
        closed: when everything was shown.
        times: of all events, from version 1 on.
        turns: the first version of each turn.
    """

    delay: DurationMs | None = None
    hidden: int = 0
    started: Version | None = None
    closed: TimestampMs | None = None
    times: list[TimestampMs] = []
    turns: Sequence[Version] = ()

    def due(self, version: Version) -> TimestampMs | None:
        """From when on spectators may have a version; None: they are not kept from it."""
        if self.started is None or not self.started < version <= len(self.times):
            return None
        if self.delay is not None:
            due = self.times[version - 1] + self.delay
        elif self.hidden:
            due = self._followed(version)
        else:
            return None
        return due if self.closed is None else min(due, self.closed)

    def _followed(self, version: Version) -> TimestampMs:
        """When so many turns after that of a version had begun."""
        later = bisect_right(self.turns, version) + self.hidden - 1
        return self.times[self.turns[later] - 1] if later < len(self.turns) else _NEVER


def _courses(afterwards: Iterable[ReadAfterwards]) -> dict[str, _Course]:
    """Those of the games that spectators have read."""
    return {each.game: _course(each) for each in afterwards if each.viewer == PUBLIC}


def _course(read: ReadAfterwards) -> _Course:
    course = _Course(turns=read.turns)
    for version, content in enumerate(read.public, 1):
        line: dict[str, Any] = msgspec.json.decode(content)
        course.times.append(line["at"])
        kind = line.get("event", {}).get("type")
        if kind == "table-opened":
            delay = line["event"].get("delay") or {}
            course.delay = 1000 * delay["seconds"] if "seconds" in delay else None
            course.hidden = delay.get("turns", 0)
        elif kind == "table-started":
            course.started = version
        elif kind == "table-closed":
            course.closed = line["at"]
    return course


def _agree(delivered: bytes, read: bytes, *, reveals: bool) -> bool:
    """Whether two lines are equal, or the second opens more, which it then may."""
    if delivered == read or not reveals:
        return delivered == read
    one, other = _parts(delivered), _parts(read)
    return one[0] == other[0] and one[1].items() <= other[1].items()


def _parts(line: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """What everybody may read of a line, and the openings, each as its text."""
    public: dict[str, Any] = msgspec.json.decode(line)
    openings = public.pop("opened", {})
    return public, {name: msgspec.json.encode(value) for name, value in openings.items()}
