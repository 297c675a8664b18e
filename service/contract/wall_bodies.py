"""The bodies of answers about many tables at once."""

from __future__ import annotations

from msgspec import Struct

from events.kernel import Seat, TimestampMs, Version
from games.table.events import Delay, Visibility
from games.table.state import Phase, Result
from runtime.connections import Connection
from runtime.pause_notices import Standstill


class WallSeat(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A taken seat: who sits there, and what is the matter with it.

    ``asked`` is the kind of decision that the game waits for there; ``strikes`` are the time limits
    or turns missed in a row. ``connection`` is told of people, to the table's host alone.
    """

    seat: Seat
    player: str
    name: str | None = None
    deleted: bool = False
    bot: str | None = None
    asked: str | None = None
    strikes: int = 0
    absent: bool = False
    resigned: bool = False
    connection: Connection | None = None


class WallTable(Struct, frozen=True, kw_only=True):
    """A table as everybody may see it now, as far as whoever watches over many needs it.

    ``version`` is its newest version, ``turn`` the number of the turn or round, 0 before the first.
    ``wait`` is the class of what the game waits for, ``since`` and ``due`` when that began and when
    its time is up: ``due`` stands still while the game is ``paused``, ``paused_at`` a time.
    ``pause_proposed`` is the seat that has proposed a pause, ``tournament`` the code of the
    tournament that the table is played for. All times are milliseconds, UTC.
    """

    id: str
    game: str
    rulebook: str
    mode: str
    status: Phase
    visibility: Visibility
    scenario: bool
    host: str
    seat_count: int
    seats: tuple[WallSeat, ...]
    version: Version
    turn: int
    wait: str | None
    since: TimestampMs | None
    due: TimestampMs | None
    paused: Standstill | None
    paused_at: TimestampMs | None
    pause_proposed: Seat | None
    result: Result | None
    delay: Delay | None
    tournament: str | None


class Wall(Struct, frozen=True, kw_only=True):
    """Some tables, in the order in which they were asked for.

    ``missing`` are the ids of those that there are not, or not for everybody.
    """

    tables: tuple[WallTable, ...]
    missing: tuple[str, ...]
