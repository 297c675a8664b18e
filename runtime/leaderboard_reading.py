"""Reading what finished games add up to: records, standings, and pages of leaderboards."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from events.clients import NO_ANSWER, Client
from events.layout import Layout
from events.scripts import LogUnavailable
from projections.leaderboards import LeaderboardKeys
from projections.results import (
    ALL,
    Ladder,
    LadderEntry,
    PlayerRecord,
    decode_entry,
    decode_record,
    ladder_of,
    line_of,
    record_field,
)
from runtime.listing import BadCursor

_CURSOR_MAX: Final = 64


class Ranked(Struct, frozen=True):
    """Somebody on a leaderboard."""

    player: str
    entry: LadderEntry


class BoardPlace(Struct, frozen=True):
    """Where a page of a leaderboard begins: after so many, of whom so many were shown."""

    after: int = 0
    shown: int = 0

    @property
    def cursor(self) -> str:
        """The cursor that leads there."""
        return urlsafe_b64encode(f"{self.after}.{self.shown}".encode()).rstrip(b"=").decode()


def board_place(cursor: str) -> BoardPlace:
    """The place that a cursor leads to.

    Raises:
        BadCursor: it is malformed.
    """
    try:
        text = urlsafe_b64decode(cursor[:_CURSOR_MAX] + "=" * (-len(cursor) % 4)).decode("ascii")
        after, dot, shown = text.partition(".")
        place = BoardPlace(int(after), int(shown))
        if dot and place.cursor == cursor and 0 <= place.shown <= place.after < 2**31:
            return place
    except ValueError:
        pass
    raise BadCursor("not a cursor of a leaderboard")


class PlayerResults(Struct, frozen=True):
    """What is kept of a player: the record, and the entries in ladders."""

    record: PlayerRecord
    entries: dict[Ladder, LadderEntry]


class LeaderboardReading:
    """Reads what ``projections.leaderboards`` keeps.

    Args:
        client: the store that holds it.
        layout: that of the log.
    """

    def __init__(self, client: Client, layout: Layout) -> None:
        self._client = client
        self._keys = LeaderboardKeys(layout)

    async def player(self, player: str) -> PlayerResults:
        """What is kept of a player; nothing of one who has played no game that counts.

        Raises:
            LogUnavailable: the store does not answer.
        """
        found = await self._fields([record_field(player)])
        if found[0] is None:
            return PlayerResults(PlayerRecord(0, {}), {})
        record = decode_record(found[0])
        lines = [line_of(key) for key in record.lines]
        ladders = sorted(
            {Ladder(p, line.game, line.side) for line in lines for p in (ALL, line.season)},
            key=lambda ladder: ladder.key,
        )
        entries = await self._fields([ladder.field(player) for ladder in ladders])
        return PlayerResults(
            record,
            {
                ladder: decode_entry(entry)
                for ladder, entry in zip(ladders, entries, strict=True)
                if entry is not None
            },
        )

    async def ladders(self) -> list[Ladder]:
        """The ladders in which somebody's rating is shown, in no order.

        Raises:
            LogUnavailable: the store does not answer.
        """
        try:
            names: Any = await self._client.smembers(self._keys.names)
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        return [ladder_of(self._keys.ladder_key(name.decode())) for name in names]

    async def ranked(self, ladder: Ladder, after: int, count: int) -> list[Ranked]:
        """Up to ``count`` players of a leaderboard, the strongest first, after so many.

        Raises:
            LogUnavailable: the store does not answer.
        """
        try:
            found: Any = await self._client.zrevrangebyscore(
                self._keys.board(ladder), "+inf", "-inf", after, count
            )
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        players = [name.decode() for name in found]
        entries = await self._fields([ladder.field(player) for player in players])
        return [
            Ranked(player, decode_entry(entry))
            for player, entry in zip(players, entries, strict=True)
            if entry is not None
        ]

    async def _fields(self, names: Sequence[str]) -> list[bytes | None]:
        if not names:
            return []
        try:
            found: Any = await self._client.hmget(self._keys.book, list(names))
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        return list(found)
