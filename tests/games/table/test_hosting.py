"""What a host does before the game begins: invitations, and calling the table off."""

from __future__ import annotations

import pytest
from msgspec import json

from events.kernel import Event
from games.table.checks import TableCode
from games.table.events import (
    CloseTable,
    DeclineInvitation,
    InvitationDeclined,
    InvitationWithdrawn,
    InvitePlayers,
    KeyPublished,
    LeaveSeat,
    PlayerInvited,
    TableClosed,
    WithdrawInvitation,
)
from tests.games.specification import (
    DIRECTOR,
    HOST,
    KEY,
    P2,
    P3,
    STRANGER,
    given,
    live,
    opened,
    sit,
    taken,
)


def ask(*players: str, limit: int = 50) -> InvitePlayers:
    return InvitePlayers(players=players, limit=limit)


PRIVATE = given(opened(visibility="private", seats=3))


def test_the_host_invites_players_and_they_may_sit_down() -> None:
    asked = PRIVATE.when(ask("p2", "p3"), HOST).then(
        PlayerInvited(player="p2"), PlayerInvited(player="p3")
    )
    assert (asked.state.invited, asked.state.invitations) == (("p2", "p3"), 2)
    asked.when(sit(2), P2).then(taken(2))
    PRIVATE.when(sit(2), P2).then_rejected(TableCode.NOT_INVITED)


def test_a_withdrawn_invitation_opens_nothing_but_a_seat_taken_stays_taken() -> None:
    asked = PRIVATE.when(ask("p2"), HOST).happened()
    gone = asked.when(WithdrawInvitation(player="p2"), HOST).then(InvitationWithdrawn(player="p2"))
    assert gone.state.invited == ()
    gone.when(sit(2), P2).then_rejected(TableCode.NOT_INVITED)
    seated = asked.when(sit(2), P2).happened()
    kept = seated.when(WithdrawInvitation(player="p2"), HOST).happened()
    assert kept.state.seats_of("p2") == (2,)
    left = kept.when(LeaveSeat(seat=2), P2).happened()
    left.when(sit(2), P2).then_rejected(TableCode.NOT_INVITED)


def test_the_invited_decline_their_own_and_may_be_asked_again() -> None:
    asked = PRIVATE.when(ask("p2", "p3"), HOST).happened()
    declined = asked.when(DeclineInvitation(), P2).then(InvitationDeclined(player="p2"))
    assert declined.state.invited == ("p3",)
    declined.when(DeclineInvitation(), P2).then_rejected(TableCode.UNKNOWN_INVITATION)
    declined.when(ask("p2"), HOST).then(PlayerInvited(player="p2"))


def test_invitations_that_are_gone_count_too() -> None:
    table = given(opened(invited=("p2", "p3")))
    table.when(ask("p4", limit=2), HOST).then_rejected(TableCode.TOO_MANY_INVITATIONS)
    gone = table.when(DeclineInvitation(), P2).happened()
    assert (gone.state.invited, gone.state.invitations) == (("p3",), 2)
    gone.when(ask("p4", limit=2), HOST).then_rejected(TableCode.TOO_MANY_INVITATIONS)
    more = gone.when(ask("p4", limit=3), HOST).happened()
    assert (more.state.invitations, more.state.uninvited) == (3, 1)
    more.when(ask("p5", "p6", limit=4), HOST).then_rejected(TableCode.TOO_MANY_INVITATIONS)


def test_a_table_without_late_invitations_says_nothing_of_them() -> None:
    state = given(opened(invited=("p2",))).state
    assert b"invitations" not in json.encode(state)
    assert (state.invitations_made, state.uninvited) == (1, 0)


def test_all_are_invited_or_none() -> None:
    table = given(opened(seats=3), taken(2))
    for wrong, code in (
        (("p3", "p3"), TableCode.ALREADY_INVITED),
        (("p3", "p1"), TableCode.ALREADY_INVITED),
        (("p3", "p2"), TableCode.PLAYER_SEATED),
        ((), TableCode.UNKNOWN_INVITATION),
    ):
        table.when(ask(*wrong), HOST).then_rejected(code)
    given(opened(seats=3), taken(1)).when(ask("p1"), HOST).then_rejected(TableCode.PLAYER_SEATED)


def test_only_the_host_invites_and_withdraws() -> None:
    asked = PRIVATE.when(ask("p2"), HOST).happened()
    for who in (P2, P3, STRANGER, DIRECTOR):
        asked.when(ask("p4"), who).then_rejected(TableCode.NOT_THE_HOST)
        asked.when(WithdrawInvitation(player="p2"), who).then_rejected(TableCode.NOT_THE_HOST)
    asked.when(WithdrawInvitation(player="p9"), HOST).then_rejected(TableCode.UNKNOWN_INVITATION)


def test_nobody_is_invited_to_a_game_that_has_begun() -> None:
    begun = live(invited=("p2", "p3"))
    for command in (ask("p4"), WithdrawInvitation(player="p3"), CloseTable()):
        begun.when(command, HOST).then_rejected(TableCode.TABLE_NOT_OPEN)
    begun.when(DeclineInvitation(), P3).then_rejected(TableCode.TABLE_NOT_OPEN)


def test_who_is_not_invited_learns_nothing_by_declining() -> None:
    for past in (PRIVATE, live(visibility="private", invited=("p2",))):
        past.when(DeclineInvitation(), STRANGER).then_rejected(TableCode.UNKNOWN_INVITATION)


@pytest.mark.parametrize("seated", [(), (taken(1), taken(2))])
def test_the_host_calls_off_a_table_that_has_not_begun(seated: tuple[Event, ...]) -> None:
    table = given(opened(), *seated)
    closed = TableClosed(reason="cancelled", outcome="cancelled", winners=())
    over = table.when(CloseTable(), HOST).then(closed, KeyPublished(key=KEY))
    assert over.state.phase == "finished"
    assert over.state.result is not None
    assert over.state.result.reason == "cancelled"
    assert over.state.unbegun is True
    over.when(CloseTable(), HOST).then_rejected(TableCode.TABLE_NOT_OPEN)
    over.when(sit(1), P2).then_rejected(TableCode.TABLE_NOT_OPEN)


def test_nobody_else_calls_it_off() -> None:
    for who in (P2, STRANGER, DIRECTOR):
        given(opened(), taken(2)).when(CloseTable(), who).then_rejected(TableCode.NOT_THE_HOST)
