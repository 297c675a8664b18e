"""Which events leave a game as it was, so that choices made before them still hold."""

from __future__ import annotations

from msgspec import json

from events.kernel import Event, fold
from games.room25 import EVENTS
from games.table.events import (
    TABLE_EVENTS,
    ClockStarted,
    InspectionBegan,
    InvitationDeclined,
    InvitationWithdrawn,
    PhraseSaid,
    PlayerInvited,
    SeatResigned,
    SeatReturned,
    SeatTimedOut,
    SeatWentAbsent,
    TableClosed,
    TablePaused,
    TableResumed,
    TimeExtended,
)
from games.table.pause_events import (
    PauseAgreed,
    PauseBegan,
    PauseDeclined,
    PauseProposed,
    ResumptionAgreed,
)
from tests.games.specification import TABLE, ZERO, live

INCIDENTS: tuple[Event, ...] = (
    SeatTimedOut(seat=1, strikes=1),
    SeatWentAbsent(seat=1),
    SeatReturned(seat=1),
    TablePaused(at=ZERO, reason="break"),
    TableResumed(since=ZERO, due=ZERO + 9),
    PauseProposed(seat=2, minutes=5, at=ZERO, until=ZERO + 9),
    PauseAgreed(seat=1),
    PauseDeclined(seat=1),
    PauseBegan(at=ZERO, until=ZERO + 9),
    ResumptionAgreed(seat=1),
    TimeExtended(due=ZERO + 10, reason="break"),
    InspectionBegan(office="audit", account="a1", at=ZERO, until=ZERO + 9),
    PhraseSaid(seat=1, phrase="thanks", at=ZERO, to=2),
    ClockStarted(key="later", since=ZERO, due=ZERO + 11),
)


def test_no_event_of_a_game_is_incidental() -> None:
    assert not [kind.__name__ for kind in EVENTS if kind.incidental]


def test_incidental_events_leave_the_game_and_its_decisions_as_they_were() -> None:
    before = live().state
    for event in INCIDENTS:
        after = fold(TABLE, [event], before)
        assert json.encode(after.play) == json.encode(before.play)
        assert after.phase == "live"
        found = {d.id: d.options for d in TABLE.decisions(after, 2)}
        asked = {d.id: d.options for d in TABLE.decisions(before, 2)}
        assert found == ({} if isinstance(event, TablePaused | PauseBegan) else asked)
    invitations = {PlayerInvited, InvitationWithdrawn, InvitationDeclined}  # of open tables alone
    assert {*map(type, INCIDENTS)} | invitations == {e for e in TABLE_EVENTS if e.incidental}


def test_what_changes_who_plays_or_whether_is_none() -> None:
    assert not SeatResigned.incidental
    assert not TableClosed.incidental
