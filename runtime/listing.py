"""Reading the lists: filters, newest first, a cursor, all shards merged.

A page's cursor is its last row's position in the order (time of opening, id), both descending, so
tables that open or end meanwhile neither repeat nor hide others.
"""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from events.clients import NO_ANSWER, Client
from events.kernel import PUBLIC, TimestampMs
from events.layout import Layout
from events.log import Damaged
from events.logger import get_logger
from events.scripts import LogUnavailable
from events.transact import NoSuchStream
from games.game_registry import UnknownGame
from games.table.state import Phase
from projections.lobby import ListKeys, ending
from projections.rows import STATUSES, PlayerResult, Row, decode_row
from runtime.table_service import TableService

PAGE_MAX: Final = 100
"""The most rows of a page."""

SCAN_MAX: Final = 1000
"""The most rows that a page examines; so a page of a rare filter may be short and still have a
next."""

_CHUNK: Final = 64
_CURSOR_MAX: Final = 128
_log = get_logger(__name__)


class BadCursor(ValueError):
    """The text is not a cursor issued by this service."""


class Wanted(Struct, frozen=True, kw_only=True):
    """What to list; None means any.

    ``player`` selects the tables of a player, as host or invited too; ``caller`` makes the request,
    and only tables listed for that player are found. ``invited`` selects the open tables that the
    caller is invited to and does not sit at; it needs a caller. ``outcome`` is the game's own id
    for how it ended, ``result`` how it ended for ``player``, whom it needs. ``opened_from`` and
    ``opened_before`` are times, milliseconds UTC; the latter is not included. ``tournament`` is a
    tournament's code.
    """

    caller: str | None = None
    status: Phase | None = None
    game: str | None = None
    rulebook: str | None = None
    mode: str | None = None
    player: str | None = None
    invited: bool = False
    outcome: str | None = None
    result: PlayerResult | None = None
    opened_from: TimestampMs | None = None
    opened_before: TimestampMs | None = None
    tournament: str | None = None
    limit: int = 20
    cursor: str | None = None

    def fits(self, row: Row) -> bool:
        """Whether a row matches and is visible to the caller."""
        return (
            row.listed_for(self.caller)
            and self.status in {None, row.status}
            and self.game in {None, row.game}
            and self.rulebook in {None, row.rulebook}
            and self.mode in {None, row.mode}
            and self.tournament in {None, row.tournament}
            and (self.player is None or self.player in row.people())
            and (not self.invited or row.invites(self.caller))
            and self._ended(row)
        )

    def _ended(self, row: Row) -> bool:
        """Whether a row's game ended as it is wanted."""
        outcome = None if row.result is None else row.result.outcome
        if self.outcome not in {None, outcome}:
            return False
        return self.result is None or (
            self.player is not None and row.result_for(self.player) == self.result
        )


class Page(Struct, frozen=True):
    """Rows in order; ``cursor`` leads to the next page, None at the end."""

    rows: list[Row]
    cursor: str | None


Place = tuple[TimestampMs, str]
"""A row's position in the order: when it was opened, and its id."""


def cursor_of(place: Place) -> str:
    """The cursor of a place."""
    return urlsafe_b64encode(f"{place[0]}.{place[1]}".encode()).rstrip(b"=").decode()


def place_of(cursor: str) -> Place:
    """The position that a cursor encodes.

    Raises:
        BadCursor: it is malformed.
    """
    try:
        text = urlsafe_b64decode(cursor[:_CURSOR_MAX] + "=" * (-len(cursor) % 4)).decode("ascii")
        time, dot, name = text.partition(".")
        if dot and name and cursor_of((int(time), name)) == cursor:
            return int(time), name
    except ValueError:
        pass
    raise BadCursor("not a cursor of this list")


class _Source:
    """One index key, read downwards from the newest entry before ``end`` to the time ``start``."""

    def __init__(self, key: str, end: Place | None, start: TimestampMs | None) -> None:
        self._start = "-inf" if start is None else str(start)
        self.found: list[Place] = []
        self.done = False
        self._key = key
        self._end = end

    async def fill(self, client: Client) -> None:
        """Read until something is found or nothing is left.

        It continues from the last position rather than an offset, because tables move between the
        index keys while a client pages.
        """
        size = _CHUNK
        while not self.found and not self.done:
            latest = "+inf" if self._end is None else str(self._end[0])
            page: Any = await client.zrevrangebyscore(
                self._key, latest, self._start, 0, size, withscores=True
            )
            places = [(int(score), name.decode()) for name, score in page]
            self.found = [p for p in places if self._end is None or p < self._end]
            self.found.reverse()
            self.done = len(page) < size
            size *= 2  # more tables than that were opened in one millisecond
        if self.found:
            self._end = self.found[0]


class _Merge:
    """Several sources merged, newest first, without duplicates."""

    def __init__(self, client: Client, sources: list[_Source]) -> None:
        self._client = client
        self._sources = sources
        self._last: Place | None = None

    async def next(self) -> list[Place]:
        """The next places; empty at the end."""
        result: list[Place] = []
        while not result:
            hungry = [s for s in self._sources if not s.found and not s.done]
            await asyncio.gather(*(source.fill(self._client) for source in hungry))
            full = [source for source in self._sources if source.found]
            if not full:
                break
            # A source that runs dry must be refilled before the others may advance.
            while all(source.found for source in full) and len(result) < _CHUNK:
                place = max(full, key=lambda source: source.found[-1]).found.pop()
                if self._last is None or place < self._last:
                    result.append(place)
                    self._last = place
        return result


class Listing:
    """Reads the lists of all shards.

    Args:
        client: the store that holds them.
        layout: that of the log.
        tables: shows how far spectators see games with a delay, and what players are called.
            Without it the lists show what is stored, which is for tools and not for people.
    """

    def __init__(self, client: Client, layout: Layout, tables: TableService | None = None) -> None:
        self._client = client
        self._layout = layout
        self._keys = ListKeys(layout)
        self._tables = tables

    async def page(self, wanted: Wanted) -> Page:
        """One page of matching rows, the newest first, as the caller may see them.

        Raises:
            BadCursor: the cursor is none.
            LogUnavailable: the store does not answer.
        """
        page = await self._page(wanted)
        if self._tables is None:
            return page
        rows = await asyncio.gather(
            *(self._as_seen(self._tables, row, wanted.caller) for row in page.rows)
        )
        openings = await self._tables.names.openings(
            seat for row in rows if row is not None for seat in row.seats
        )
        return Page([row.named(openings) for row in rows if row is not None], page.cursor)

    async def _as_seen(self, tables: TableService, row: Row, caller: str | None) -> Row | None:
        """A row as the caller may see it; None if the game cannot be read."""
        if not row.delayed_for(caller):
            return row
        try:
            view = await tables.view(row.id, PUBLIC, at_least=row.version)
        except (Damaged, NoSuchStream, UnknownGame) as error:
            _log.error("row_not_shown", game=row.id, reason=type(error).__name__)
            return None
        return row.as_seen(tables.table, view)

    async def _page(self, wanted: Wanted) -> Page:
        end = None if wanted.cursor is None else place_of(wanted.cursor)
        if wanted.opened_before is not None:
            bound = (wanted.opened_before, "")
            end = bound if end is None else min(end, bound)
        merge = _Merge(self._client, self._sources(wanted, end))
        rows: list[Row] = []
        seen = 0
        try:
            while seen < SCAN_MAX:
                places = await merge.next()
                if not places:
                    return Page(rows, None)
                seen += len(places)
                for row in await self._rows(places):
                    if row is None or not wanted.fits(row):
                        continue
                    if len(rows) == max(1, min(wanted.limit, PAGE_MAX)):
                        return Page(rows, cursor_of((rows[-1].created_at, rows[-1].id)))
                    rows.append(row)
                end = places[-1]
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        return Page(rows, None if end is None else cursor_of(end))

    async def row(self, game: str) -> Row | None:
        """The stored row of one table, for tools.

        Raises:
            LogUnavailable: the store does not answer.
        """
        try:
            return (await self._rows([(0, game)]))[0]
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error

    def _sources(self, wanted: Wanted, end: Place | None) -> list[_Source]:
        """The index keys that hold every possible match and nothing the caller may not see.

        The latter is not only for speed: a cursor may name the last row examined.
        """
        keys, caller, player = self._keys, wanted.caller, wanted.player
        if wanted.result is not None or wanted.outcome is not None:
            return [_Source(name, end, wanted.opened_from) for name in self._ended(wanted)]
        statuses = STATUSES if wanted.status is None else (wanted.status,)
        names: list[str] = []
        for shard in range(self._layout.shards):
            if caller is not None:
                names.append(keys.player(shard, caller))
            if wanted.invited:
                continue  # only the caller's own tables can match
            if wanted.tournament is not None:
                names.append(keys.tournament(shard, wanted.tournament))
            elif player is None:
                names += [keys.status(shard, status) for status in statuses]
            elif player != caller:
                names.append(keys.public(shard, player))
        return [_Source(name, end, wanted.opened_from) for name in names]

    def _ended(self, wanted: Wanted) -> Iterator[str]:
        """The index keys of finished games that ended as is wanted.

        Among the caller's own tables that are not public, the results of other players have no
        index: there the finished ones are all looked through.
        """
        keys, caller, player = self._keys, wanted.caller, wanted.player
        result, outcome = wanted.result, wanted.outcome
        for shard in range(self._layout.shards):
            if caller is not None:
                own = keys.player(shard, caller)
                yield ending(own, result if player == caller else None, outcome)
            if player is not None:
                yield ending(keys.public(shard, player), result, outcome)
            else:
                yield ending(keys.status(shard, "finished"), None, outcome)

    async def _rows(self, places: list[Place]) -> list[Row | None]:
        """The rows at these positions; None where one has gone."""
        by_shard: dict[int, list[str]] = {}
        for _, game in places:
            by_shard.setdefault(self._layout.shard_of(game), []).append(game)
        found: dict[str, Row] = {}
        for shard, games in by_shard.items():
            values = await self._client.hmget(self._keys.rows(shard), games)
            found |= {g: decode_row(v) for g, v in zip(games, values, strict=True) if v is not None}
        return [found.get(game) for _, game in places]
