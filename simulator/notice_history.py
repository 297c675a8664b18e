"""Judges what players were told of all their games over one stream each, against the logs (pure).

A notice says that something is so as of a version: that somebody sat down, that a game began, asks,
asks no longer, or ended. By the log it must be so at that version, it must not have been told
before, and what had happened by then must have been told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.kernel import Version
from simulator.history import Violation

UNFOUNDED: Final = "unfounded"
TOLD_TWICE: Final = "told twice"
LEFT_OUT: Final = "left out"
ANOTHERS: Final = "another's"
DISAGREES: Final = "disagrees"

NOTICE_CHECKS: Final[Mapping[str, str]] = {
    UNFOUNDED: "what a player is told of a version is so in the log at that version",
    TOLD_TWICE: "nothing is told twice over one connection, nor closed that was not open",
    LEFT_OUT: "who is told of a version has been told what had happened at the table by then",
    ANOTHERS: "no player is told what another's seat is asked",
    DISAGREES: "two connections of a player say of one version that the same decisions are open",
}
"""The checks of notices, and what each shows."""

_CALLS: Final = frozenset({"decision-opened", "decision-closed", "deadline-near"})
_ENDS: Final = frozenset({"game-ended", "table-closed"})

_PAUSES: Final = 3
_RANKS: Final = {
    "invited": 0,
    "seat-taken": 0,
    "game-started": 1,
    "decision-closed": 2,
    "decision-opened": 2,
    "game-ended": 4,
    "table-closed": 4,
    "deadline-near": 5,
}
"""What is told of one version comes in this order, pauses among them: so it is known what should
have come before the last notice of a connection."""


class OwnListening(Struct, kw_only=True):
    """One connection of a player to the stream of all their games.

    Args:
        player: whose.
        games: what it began with, one object for each game; None: nothing came.
        notices: what came then, in order.
    """

    player: str
    games: list[dict[str, Any]] | None = None
    notices: list[dict[str, Any]] = []


class _TableLog(Struct):
    """What a log says of its table.

    Args:
        host: who opened it.
        length: of the log.
        taken: by version who sat down where.
        left: by version which seat was left.
        started: when the game began; None: it did not.
        closed: when the table ended; None: it has not.
    """

    host: str = ""
    length: Version = 0
    taken: dict[Version, tuple[int, str]] = {}
    left: dict[Version, int] = {}
    started: Version | None = None
    closed: Version | None = None

    def seats(self, version: Version) -> dict[int, str]:
        """Who sits where as of a version."""
        found: dict[int, str] = {}
        for at in range(1, version + 1):
            if at in self.taken:
                seat, player = self.taken[at]
                found[seat] = player
            elif at in self.left:
                found.pop(self.left[at], None)
        return found

    def status(self, version: Version) -> str:
        """``open``, ``live`` or ``finished``, as of a version."""
        if self.closed is not None and self.closed <= version:
            return "finished"
        return "live" if self.started is not None and self.started <= version else "open"

    def stays(self, seat: int, since: Version, until: Version) -> bool:
        """Whether who sat down at a version had not left by another."""
        return not any(gone == seat and since < at <= until for at, gone in self.left.items())


def judge_notices(
    connections: Iterable[OwnListening], logs: Mapping[str, Sequence[bytes]]
) -> list[Violation]:
    """What does not hold, sorted.

    Args:
        connections: of all players, in any order.
        logs: the public form of all events of each game.
    """
    tables = {game: _table_log(lines) for game, lines in logs.items()}
    open_at: dict[tuple[str, str, Version], frozenset[str]] = {}
    found: list[Violation] = []
    for each in connections:
        found += _judge(each, tables, open_at)
    return sorted(found)


def _judge(
    connection: OwnListening,
    tables: Mapping[str, _TableLog],
    open_at: dict[tuple[str, str, Version], frozenset[str]],
) -> Iterator[Violation]:
    known = {each["game"]: each for each in connection.games or ()}
    told: dict[str, list[dict[str, Any]]] = {game: [] for game in known}
    for notice in connection.notices:
        told.setdefault(notice["game"], []).append(notice)
    for game, notices in sorted(told.items()):
        table = tables.get(game)
        if table is None:
            yield Violation(UNFOUNDED, game, "there is no such game")
            continue
        course = _Course(connection.player, game, known.get(game), notices, table)
        yield from course.judge()
        for version, calls in course.open_at.items():
            before = open_at.setdefault((connection.player, game, version), calls)
            if before != calls:
                what = f"{connection.player} is asked {sorted(before)} or {sorted(calls)}"
                yield Violation(DISAGREES, game, f"at version {version} {what}")


class _Course:
    """What one connection was told of one game.

    Attributes:
        open_at: the decisions that were open for the player as of each version that was told.
    """

    def __init__(
        self,
        player: str,
        game: str,
        standing: dict[str, Any] | None,
        notices: list[dict[str, Any]],
        table: _TableLog,
    ) -> None:
        self.player = player
        self.game = game
        self.standing = standing
        self.notices = notices
        self.table = table
        self.open_at: dict[Version, frozenset[str]] = {}
        self._sat = [(n["seat"]["seat"], n["seat"]["player"]) for n in notices if "seat" in n]
        self.first: Version = 0 if standing is None else standing["version"]
        calls = () if standing is None else standing.get("calls", ())
        self._open = {call["decision"] for call in calls}
        if standing is not None:
            self.open_at[standing["version"]] = frozenset(self._open)

    def judge(self) -> Iterator[Violation]:
        """What does not hold."""
        last = self.first
        if self.standing is not None:
            yield from self._is_founded("games", self.standing)
            for call in self.standing.get("calls", ()):
                yield from self._is_ours(call, last)
        for notice in self.notices:
            version = notice["version"]
            if version < last:
                yield self._says(TOLD_TWICE, f"version {version} after {last}")
            elif version > last:
                self.open_at[last] = frozenset(self._open)  # all of that version has come
            last = max(last, version)
            yield from self._is_founded(notice["what"], notice)
            if notice["what"] in _CALLS:
                yield from self._call(notice["what"], notice["call"], version)
        yield from self._repeated()
        if self.notices:
            yield from self._left_out()

    def _call(self, what: str, call: dict[str, Any], version: Version) -> Iterator[Violation]:
        yield from self._is_ours(call, version)
        decision = call["decision"]
        if what == "decision-opened":
            if decision in self._open:
                yield self._says(TOLD_TWICE, f"{decision} is open already")
            self._open.add(decision)
        elif decision not in self._open:
            yield self._says(TOLD_TWICE, f"{what} of {decision}, which is not open")
        elif what == "decision-closed":
            self._open.remove(decision)

    def _is_ours(self, call: dict[str, Any], version: Version) -> Iterator[Violation]:
        if self.table.seats(version).get(call["seat"]) != self.player:
            yield self._says(ANOTHERS, f"{self.player} is told what seat {call['seat']} is asked")

    def _is_founded(self, what: str, told: dict[str, Any]) -> Iterator[Violation]:
        """Whether the log says the same of that version."""
        version, table = told["version"], self.table
        if version > table.length:
            yield self._says(UNFOUNDED, f"{what} of version {version} of {table.length}")
            return
        status = table.status(version)
        wrong = {
            "games": told.get("status") != status,
            "game-started": status != "live",
            "game-ended": status != "finished" or table.started is None,
            "table-closed": status != "finished" or table.started is not None,
        }.get(what, False)
        if what == "seat-taken":
            wrong = table.seats(version).get(told["seat"]["seat"]) != told["seat"]["player"]
        if wrong:
            yield self._says(UNFOUNDED, f"{what} of version {version}, when it is {status}")

    def _repeated(self) -> Iterator[Violation]:
        """Whether what happens once was told once, and nothing after the end."""
        whats = [notice["what"] for notice in self.notices]
        if whats.count("game-started") > 1:
            yield self._says(TOLD_TWICE, "that it began")
        ends = [place for place, what in enumerate(whats) if what in _ENDS]
        if ends and ends[0] < len(whats) - 1:
            yield self._says(TOLD_TWICE, f"{whats[ends[0] + 1]} after the end")
        if not self.table.left and len(self._sat) != len(set(self._sat)):
            yield self._says(TOLD_TWICE, f"who sits down: {self._sat}")

    def _whole(self, rank: int) -> Version:
        """Up to which version all of this rank has come: a connection may break off anywhere."""
        last = self.notices[-1]
        version: Version = last["version"]
        if _RANKS.get(last["what"], _PAUSES) > rank:
            return version
        before = (each["version"] for each in self.notices if each["version"] < version)
        return max(before, default=self.first)

    def _left_out(self) -> Iterator[Violation]:
        """Whether all was told that had happened by the last version that was told of."""
        table, until = self.table, self._whole(_RANKS["game-started"])
        whats = {notice["what"] for notice in self.notices}
        # A game may begin and end between two looks at it; then only its end is told.
        seen = {table.status(n["version"]) for n in self.notices if n["version"] <= until}
        if table.status(self.first) == "open" and "live" in seen and "game-started" not in whats:
            yield self._says(LEFT_OUT, f"that it began, by version {until}")
        until = self._whole(_RANKS["game-ended"])
        if table.status(until) == "finished" and not whats & _ENDS:
            yield self._says(LEFT_OUT, f"that it ended, by version {until}")
        until = self._whole(_RANKS["seat-taken"])
        if self.player != table.host and self.player not in table.seats(until).values():
            return  # who is only invited does not hear of others
        for at, (seat, player) in table.taken.items():
            is_news = self.first < at <= until and player != self.player
            if is_news and table.stays(seat, at, until) and (seat, player) not in self._sat:
                yield self._says(LEFT_OUT, f"that {player} sat down, by version {until}")

    def _says(self, check: str, what: str) -> Violation:
        return Violation(check, self.game, f"to {self.player}: {what}")


def _table_log(lines: Sequence[bytes]) -> _TableLog:
    table = _TableLog(length=len(lines))
    for version, content in enumerate(lines, 1):
        event: dict[str, Any] = msgspec.json.decode(content).get("event", {})
        match event.get("type"):
            case "table-opened":
                table.host = event["host"]
            case "seat-taken":
                table.taken[version] = (event["seat"], event["player"])
            case "seat-left":
                table.left[version] = event["seat"]
            case "table-started":
                table.started = version
            case "table-closed":
                table.closed = version
    return table
