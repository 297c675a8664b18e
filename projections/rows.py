"""A table's row in the lists: a fold of its public events (pure).

A row holds public facts only, because it is made of the public view; who may see the row at all
is decided when it is read (``listed_for``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from events.codec import Envelope
from events.kernel import Seat, TimestampMs, Version
from events.names import NameOpening
from games.contract import Finish
from games.table.decider import Table
from games.table.events import Delay, Visibility
from games.table.state import Phase, Result, TableState
from projections.names import seat_names
from projections.views import View

STATUSES: Final[tuple[Phase, ...]] = ("open", "live", "finished")


PlayerResult = Literal["won", "lost", "undecided"]
"""How a game ended for one of its players; ``undecided``: it was annulled, or called off."""

RESULTS: Final[tuple[PlayerResult, ...]] = get_args(PlayerResult)


class RowSeat(Struct, frozen=True, omit_defaults=True):
    """A taken seat: the player's id (``bot:<kind>`` for a house bot) and what others are shown.

    ``program``: no person sits there, but a program or a house bot. ``finish`` is how the seat
    ended the game, once it has been played to its end. A row that is kept has the ``name_seal``
    alone; ``name`` and ``deleted`` come in when it is shown (``SeatName``).
    """

    seat: Seat
    player: str
    name: str | None = None
    deleted: bool = False
    bot: str | None = None
    program: bool = False
    name_seal: str = ""
    finish: Finish | None = None


class Row(Struct, frozen=True, kw_only=True):
    """A table in a list.

    ``created_at`` and ``updated_at`` are the times of its first and its last event, ``version``
    the last event's number, ``turn`` the public one (0 before the game has begun). ``delay`` is
    that of its spectators: to them it is listed as they see it (``as_seen``). ``programs``: whether
    programs may sit down. ``tournament`` is the code of the one that the table is played for.
    ``unbegun`` is true where the table was closed before its game began, and not there otherwise.
    """

    id: str
    game: str
    rulebook: str
    mode: str
    status: Phase
    seat_count: int
    seats: tuple[RowSeat, ...]
    host: str
    visibility: Visibility
    invited: tuple[str, ...]
    scenario: bool
    paused: bool
    created_at: TimestampMs
    updated_at: TimestampMs
    version: Version
    turn: int
    result: Result | None
    delay: Delay | None = None
    programs: bool = True
    tournament: str | None = None
    unbegun: bool | UnsetType = UNSET

    def people(self) -> frozenset[str]:
        """Everyone whose own table this is: the host, the players and the invited."""
        return frozenset({self.host, *self.players(), *self.invited})

    def players(self) -> tuple[str, ...]:
        """The ids of the players at the table, without house bots."""
        return tuple(dict.fromkeys(s.player for s in self.seats if s.bot is None))

    def result_for(self, player: str) -> PlayerResult | None:
        """How the game ended for ``player``; None: it has not, or the player has no seat."""
        own = {s.seat for s in self.seats if s.player == player and s.bot is None}
        if self.result is None or not own:
            return None
        if self.result.reason in {"annulled", "cancelled"}:
            return "undecided"
        return "won" if own & set(self.result.winners) else "lost"

    def invites(self, player: str | None) -> bool:
        """Whether a player is invited to sit down here and has not yet."""
        waits = self.status == "open" and player not in self.players()
        return waits and player in self.invited

    def listed_for(self, caller: str | None) -> bool:
        """Whether ``caller`` (None: a stranger) finds this table in lists."""
        return self.visibility == "public" or (caller is not None and caller in self.people())

    def delayed_for(self, caller: str | None) -> bool:
        """Whether ``caller`` (None: a stranger) sees this table with a delay now."""
        watches = caller is None or caller not in self.players()
        return self.delay is not None and self.status == "live" and watches

    def named(self, openings: Mapping[str, NameOpening]) -> Row:
        """The row with the names that are still there."""
        return replace(self, seats=named_seats(self.seats, openings))

    def as_seen(self, table: Table, view: View) -> Row:
        """The row of a running game as the public sees it."""
        s = view.state
        return replace(
            self,
            paused=s.paused_at is not None,
            updated_at=view.time,
            version=view.version,
            turn=_turn(table, s),
            status=self.status if s.phase == "none" else s.phase,
            result=s.result,
        )


def named_seats(
    seats: tuple[RowSeat, ...], openings: Mapping[str, NameOpening]
) -> tuple[RowSeat, ...]:
    """The seats of a table with their names, as far as these are still there."""
    shown = seat_names({seat.seat: seat for seat in seats}, openings)
    return tuple(
        replace(seat, name=shown[seat.seat].name, deleted=shown[seat.seat].deleted)
        for seat in seats
    )


def taken_seats(state: TableState) -> tuple[RowSeat, ...]:
    """The taken seats of a table in their order."""
    found = sorted(state.seats.items())
    return tuple(
        RowSeat(
            n, seat.player, bot=seat.bot, program=seat.program is True, name_seal=seat.name_seal
        )
        for n, seat in found
    )


def _seats_at_end(table: Table, state: TableState) -> tuple[RowSeat, ...]:
    """The taken seats, each with how it ended a game that was played to its end."""
    seats = taken_seats(state)
    game = table.rules.get(state.game)
    if state.result is None or state.result.reason != "finished" or game is None:
        return seats
    ended = game.finishes(state.play)
    return tuple(replace(each, finish=ended.get(each.seat)) for each in seats)


def _turn(table: Table, state: TableState) -> int:
    game = table.games.get(state.game)
    return 0 if game is None or state.play is None else game.turn(state.play)


encode_row = msgspec.json.Encoder(order="sorted").encode
decode_row = msgspec.json.Decoder(Row).decode


class PublicFold:
    """The public view of one table as far as it has been folded, and its two times.

    ``version`` is 0 before the first event. Envelopes must come in order and without gaps.
    """

    __slots__ = ("created_at", "state", "table", "updated_at", "version")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.state: TableState = table.initial()
        self.version = 0
        self.created_at: TimestampMs = 0
        self.updated_at: TimestampMs = 0

    def extend(self, envelopes: Iterable[Envelope]) -> None:
        """Fold envelopes that were read without keys, so that they hold public fields only.

        Raises:
            ValueError: a version is missing or came twice.
        """
        for envelope in envelopes:
            if envelope.version != self.version + 1:
                raise ValueError(f"version {envelope.version} after {self.version}")
            self.state = self.table.evolve(self.state, envelope.event)
            self.version = envelope.version
            self.created_at = self.created_at or envelope.at
            self.updated_at = envelope.at

    def row(self, stream: str) -> Row:
        """The row of the table ``stream`` at this version."""
        s = self.state
        return Row(
            id=stream,
            game=s.game,
            rulebook=s.rulebook,
            mode=s.mode,
            status=s.phase,
            seat_count=s.seat_count,
            seats=_seats_at_end(self.table, s),
            host=s.host,
            visibility=s.visibility,
            invited=s.invited,
            scenario=s.scenario,
            paused=s.paused_at is not None,
            created_at=self.created_at,
            updated_at=self.updated_at,
            version=self.version,
            turn=_turn(self.table, s),
            result=s.result,
            delay=s.delay,
            programs=s.programs is not False,
            tournament=None if s.tournament is UNSET else s.tournament,
            unbegun=s.unbegun,
        )
