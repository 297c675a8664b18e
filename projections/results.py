"""What finished games count for: a fold of rows, game after game (pure).

A book of fields is what the fold keeps. ``p|<player>`` is a player's record, a ``PlayerRecord``;
``s|<period>|<game>|<side>|<who>`` is how somebody stands in a ladder, a ``LadderEntry``. A period
is a season (a quarter of a year, UTC) or ``all``, and each begins from nothing. ``<who>`` is a
player, a house bot, a player's program, or what a side is worth by itself at tables of one
rulebook, mode and size: a member of each party of that side, to whom it is put down that one side
wins more often.

Ratings hang on the order of games: by the time of their end, and by id. ``applied`` gives what a
game changes and what was there before, so that a game which comes late can be put in its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from datetime import UTC, datetime
from typing import Final

import msgspec
from msgspec import Struct

from club.ratings import Party, Skill, rated
from events.kernel import TimestampMs
from projections.rows import Row, RowSeat

ALL: Final = "all"
"""The period in which every game counts."""

SHOWN_AFTER: Final = 10
"""Rated games after which a rating is shown."""

NO_SIDE: Final = "-"
"""The side in a ladder of those who have none."""

_PEOPLE_LEAST: Final = 2

Book = MutableMapping[str, bytes]
"""Fields that are there, with what they hold."""

Before = dict[str, bytes | None]
"""Fields with what they held before a game; None: they were not there."""


class GameCount(Struct, frozen=True, array_like=True):
    """How many games were played to an end, and how many of them won."""

    games: int = 0
    won: int = 0

    @property
    def lost(self) -> int:
        """The others."""
        return self.games - self.won

    def plus(self, other: GameCount) -> GameCount:
        """Both together."""
        return GameCount(self.games + other.games, self.won + other.won)


class PlayerRecord(Struct, frozen=True):
    """What a player has played; ``last_at`` is the end of the last game.

    The ``lines`` are by ``RecordLine.key``.
    """

    last_at: TimestampMs
    lines: Mapping[str, GameCount]


class RecordLine(Struct, frozen=True):
    """What is counted apart in a record."""

    season: str
    game: str
    rulebook: str
    mode: str
    side: str | None

    @property
    def key(self) -> str:
        """Its text in a record."""
        return "|".join((self.season, self.game, self.rulebook, self.mode, self.side or NO_SIDE))


def line_of(key: str) -> RecordLine:
    """The line of a key."""
    season, game, rulebook, mode, side = key.split("|")
    return RecordLine(season, game, rulebook, mode, None if side == NO_SIDE else side)


class Ladder(Struct, frozen=True):
    """Whose skills are compared: in a period, a game, on a side."""

    period: str
    game: str
    side: str | None

    @property
    def key(self) -> str:
        """Its text in a field."""
        return "|".join((self.period, self.game, self.side or NO_SIDE))

    def field(self, who: str) -> str:
        """The field in which somebody's standing is."""
        return f"s|{self.key}|{who}"


def ladder_of(key: str) -> Ladder:
    """The ladder of a key."""
    period, game, side = key.split("|")
    return Ladder(period, game, None if side == NO_SIDE else side)


class LadderEntry(Struct, frozen=True, array_like=True):
    """A skill in a ladder, thousandths, and the rated games that it comes from."""

    mean: int = 0
    deviation: int = Skill().deviation
    games: int = 0
    won: int = 0

    @property
    def skill(self) -> Skill:
        """The skill alone."""
        return Skill(self.mean, self.deviation)

    @property
    def is_shown(self) -> bool:
        """Whether there were games enough."""
        return self.games >= SHOWN_AFTER


_PLAYER: Final = re.compile(r"p[0-9a-f]{2}-[0-9a-z]+")
_encode: Final = msgspec.json.Encoder(order="sorted").encode
decode_record: Final = msgspec.json.Decoder(PlayerRecord).decode
decode_entry: Final = msgspec.json.Decoder(LadderEntry).decode


def season_of(at: TimestampMs) -> str:
    """The season of a time: the year and its quarter, such as ``2026-4``."""
    day = datetime.fromtimestamp(at // 1000, UTC)
    return f"{day.year}-{(day.month + 2) // 3}"


def record_field(player: str) -> str:
    """The field of a player's record."""
    return f"p|{player}"


def entry_at(field: str) -> tuple[Ladder, str] | None:
    """The ladder and the player whose standing a field is; None: it is nobody's that is shown."""
    kind, _, rest = field.partition("|")
    key, _, who = rest.rpartition("|")
    return (ladder_of(key), who) if kind == "s" and _PLAYER.fullmatch(who) else None


def counts(row: Row) -> bool:
    """Whether a game counts for its players.

    It was played to an end, or given up by everybody; everybody may see it, since what it adds up
    to is seen by everybody; it began as the rules have it and not from a position laid out; and a
    person played.
    """
    ended = row.result is not None and row.result.reason in {"finished", "abandoned"}
    return ended and row.visibility == "public" and not row.scenario and bool(people(row))


def people(row: Row) -> tuple[str, ...]:
    """The players who played themselves, and did not let a program play."""
    return tuple(dict.fromkeys(each.player for each in row.seats if _is_person(each)))


def is_rated(row: Row) -> bool:
    """Whether a game that counts tells who is stronger.

    At least two people played, each on one seat, and there were two parties at least.
    """
    seated = [each for each in row.seats if _is_person(each)]
    parties = {each.finish.party for each in row.seats if each.finish is not None}
    alone = len(people(row)) == len(seated)
    return counts(row) and alone and len(seated) >= _PEOPLE_LEAST and len(parties) > 1


def fields_of(row: Row) -> frozenset[str]:
    """The fields that a game that counts may change."""
    found = {record_field(player) for player in people(row)}
    if is_rated(row):
        groups = [group for period in _periods(row) for group in _groups(row, period)]
        found |= {member.field for _, members in groups for member in members}
    return frozenset(found)


def applied(book: Book, row: Row) -> Before:
    """Add a game that counts to a book with all its ``fields_of``; returns what was there."""
    before: Before = {field: book.get(field) for field in fields_of(row)}
    for player in people(row):
        _note(book, row, player)
    if is_rated(row):
        for period in _periods(row):
            _rate(book, row, period)
    return before


def undone(book: Book, before: Before) -> None:
    """Take the last game that was applied out of a book again."""
    for field, was in before.items():
        if was is None:
            book.pop(field, None)
        else:
            book[field] = was


def _is_person(seat: RowSeat) -> bool:
    return seat.bot is None and not seat.program


def _periods(row: Row) -> tuple[str, str]:
    return season_of(row.updated_at), ALL


def _note(book: Book, row: Row, player: str) -> None:
    """Add a game to the record of one who played it; who had several seats, by the first."""
    field = record_field(player)
    known = book.get(field)
    record = PlayerRecord(0, {}) if known is None else decode_record(known)
    finish = next(each.finish for each in row.seats if each.player == player and _is_person(each))
    side = None if finish is None else finish.side
    key = RecordLine(season_of(row.updated_at), row.game, row.rulebook, row.mode, side).key
    tally = record.lines.get(key, GameCount()).plus(
        GameCount(1, int(row.result_for(player) == "won"))
    )
    last_at = max(record.last_at, row.updated_at)
    book[field] = _encode(PlayerRecord(last_at, {**record.lines, key: tally}))


class _Member(Struct, frozen=True):
    """Somebody in a party, by the field of their standing."""

    field: str
    won: bool


_Group = tuple[int, tuple[_Member, ...]]
"""A party of a game: its rank and its members."""


def _groups(row: Row, period: str) -> list[_Group]:
    """The parties of a game; who has resigned from one that won is a party that came last."""
    winners = () if row.result is None else row.result.winners
    last = 1 + max((s.finish.rank for s in row.seats if s.finish is not None), default=0)
    found: dict[str, list[_Member]] = {}
    ranks: dict[str, int] = {}
    for seat in row.seats:
        finish = seat.finish
        if finish is None:
            continue
        won = seat.seat in winners
        ladder = Ladder(period, row.game, finish.side)
        gone = finish.rank == 1 and not won
        party = f"{finish.party}|{seat.seat}" if gone else finish.party
        if party not in found:
            found[party] = [] if gone else _worth_of_side(row, ladder, won=won)
            ranks[party] = last if gone else finish.rank
        found[party].append(_Member(ladder.field(_who(seat)), won))
    return [(ranks[party], tuple(found[party])) for party in sorted(found)]


def _who(seat: RowSeat) -> str:
    """Who played a seat, as it is rated."""
    return f"program:{seat.player}" if seat.program and seat.bot is None else seat.player


def _worth_of_side(row: Row, ladder: Ladder, *, won: bool) -> list[_Member]:
    if ladder.side is None:
        return []
    return [_Member(ladder.field(f"side:{row.rulebook}:{row.mode}:{row.seat_count}"), won)]


def _rate(book: Book, row: Row, period: str) -> None:
    groups = _groups(row, period)
    old = {
        member.field: decode_entry(book[member.field]) if member.field in book else LadderEntry()
        for _, members in groups
        for member in members
    }
    parties = [Party(tuple(old[m.field].skill for m in members), rank) for rank, members in groups]
    found: dict[str, list[Skill]] = {}
    won: dict[str, bool] = {}
    for (_, members), skills in zip(groups, rated(parties), strict=True):
        for member, skill in zip(members, skills, strict=True):
            found.setdefault(member.field, []).append(skill)
            won[member.field] = won.get(member.field, False) or member.won
    for field, outcomes in found.items():
        # A house bot may have several seats: it is what they come to on average.
        mean = sum(each.mean for each in outcomes) // len(outcomes)
        deviation = sum(each.deviation for each in outcomes) // len(outcomes)
        was = old[field]
        standing = LadderEntry(mean, deviation, was.games + 1, was.won + won[field])
        book[field] = _encode(standing)
