"""Given past events, when a command comes, then exactly these events, or this refusal.

    given(*seated(2)).at(5).when(LeaveSeat(seat=2), P2).then(SeatLeft(seat=2))

``then`` compares the whole list, in order; ``then_rejected`` wants the code and checks that the
state is untouched. Times are milliseconds from ``ZERO``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from events.draw import Draw, key_hash
from events.kernel import (
    Actor,
    Command,
    Context,
    DurationMs,
    Event,
    Rejected,
    Seat,
    TimestampMs,
    fold,
)
from games.contract import TimeControl
from games.table.decider import Table
from games.table.events import (
    ChooseSecretly,
    OpenTable,
    SeatTaken,
    StartTable,
    TableOpened,
    TableResumed,
    TakeSeat,
)
from games.table.state import TableState
from tests.games.toy import TOY

ZERO: TimestampMs = 1_800_000_000_000
KEY = "5a" * 32

TABLE = Table({TOY.id: TOY}, frozenset({"random"}))

HOST = Actor("player", "p1")
P2 = Actor("player", "p2")
P3 = Actor("player", "p3")
STRANGER = Actor("player", "somebody")
BOT = Actor("bot", "bot:random")
DIRECTOR = Actor("director", "d1")
WORKER = Actor("worker", "w1")

DUE = 100_000
"""Milliseconds after which the first turn of ``live()`` is over."""


def number(seat: Seat, option: str, turn: int = 1) -> ChooseSecretly:
    """What a seat of ``live()`` writes down in a turn."""
    return ChooseSecretly(seat=seat, decision=f"number-t{turn}-s{seat}", option=option)


NUMBER = number(1, "2")
"""What its first seat may write down in the first."""


def resumed(length: DurationMs) -> TableResumed:
    """That the first wait of ``live()`` moved by the length of a pause."""
    return TableResumed(since=ZERO + length, due=ZERO + DUE + length)


def player(seat: Seat) -> Actor:
    """The player of a seat."""
    return Actor("player", f"p{seat}")


class When(NamedTuple):
    """A command that is about to be decided."""

    table: Table
    state: TableState
    command: Command
    actor: Actor
    now: DurationMs

    def events(self) -> list[Event]:
        """What the command makes.

        Raises:
            Rejected: it is refused.
        """
        draw = Draw(self.table.seed(self.state))
        context = Context(now=ZERO + self.now, actor=self.actor, draw=draw)
        return self.table.decide(self.command, self.state, context)

    def then(self, *expected: Event) -> Given:
        """Exactly these events, in this order; what comes after goes on from there."""
        events = self.events()
        assert events == list(expected), f"it happened: {events}"
        return self.happened()

    def happened(self) -> Given:
        """Whatever comes of it has happened; what comes after goes on from there."""
        return Given(self.table, fold(self.table, self.events(), self.state), self.now)

    def then_rejected(self, code: str) -> None:
        """This refusal, and nothing changed."""
        before = msgspec.json.encode(self.state)
        with pytest.raises(Rejected) as refusal:
            self.events()
        assert refusal.value.code == code
        assert msgspec.json.encode(self.state) == before


class Given(NamedTuple):
    """A table and its past."""

    table: Table
    state: TableState
    now: DurationMs = 0

    def at(self, now: DurationMs) -> Given:
        """So many milliseconds after the beginning of time."""
        return self._replace(now=now)

    def when(self, command: Command, actor: Actor) -> When:
        """A command comes."""
        return When(self.table, self.state, command, actor, self.now)


def given(*events: Event, table: Table = TABLE) -> Given:
    """A table with this past, at time zero."""
    return Given(table, fold(table, events))


# --- words for the past of the toy's table ---

OPEN = OpenTable(
    game="toy",
    rulebook="toybook",
    mode="plain",
    seats=2,
    options={"rounds": 9},
    time=TimeControl(
        limits_s={"programming": 100, "decision": 50}, absent_after=2, bot_pace_ms=700
    ),
    start="host",
    key=KEY,
)
"""Opens a table for two by its host, p1."""


def opened(**changes: Any) -> TableOpened:
    """The table was opened by p1."""
    event = TableOpened(
        game="toy",
        rulebook="toybook",
        mode="plain",
        seats=2,
        options={"rounds": 9},
        time=OPEN.time,
        visibility="public",
        start="host",
        host="p1",
        invited=(),
        scenario=False,
        key_hash=key_hash(KEY),
        key=KEY,
    )
    return replace(event, **changes)


def taken(seat: Seat, /, **changes: Any) -> SeatTaken:
    """The player p<seat> sat down."""
    event = SeatTaken(seat=seat, player=f"p{seat}", characters=(f"figure-{seat}",))
    return replace(event, **changes)


def bot_at(seat: Seat) -> SeatTaken:
    """A house bot sits."""
    return taken(seat, player=BOT.id, bot="random")


def sit(seat: Seat, /, **changes: Any) -> TakeSeat:
    """A request to sit down."""
    return replace(TakeSeat(seat=seat), **changes)


def live(seats: Sequence[Event] = (), /, **changes: Any) -> Given:
    """A running game: by default of p1 and p2, begun at time zero by the host."""
    sitting = list(seats) or [taken(1), taken(2)]
    past = given(opened(seats=len(sitting), **changes), *sitting)
    return past.when(StartTable(), HOST).happened()


def asked_to_pick(seats: int = 2) -> Given:
    """A running game in which everybody has written a 2 down, and seat 1 must pick."""
    past = live([taken(n) for n in range(1, seats + 1)])
    for seat in range(1, seats + 1):
        past = past.when(number(seat, "2"), player(seat)).happened()
    return past
