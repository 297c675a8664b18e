"""Which accounts hear of a batch."""

from __future__ import annotations

import pytest

from events.kernel import Actor, Command
from games.table.events import (
    InvitePlayers,
    LeaveSeat,
    WithdrawInvitation,
)
from games.table.state import TableState
from runtime.player_bells import concerned, concerned_by_move
from tests.games.specification import (
    HOST,
    NUMBER,
    OPEN,
    Given,
    bot_at,
    given,
    live,
    opened,
    player,
    sit,
    taken,
)

INVITED = given(opened(invited=("p2", "p3"), seats=3), taken(1))
SITTING = given(opened(seats=4), taken(1), taken(2), bot_at(3))


@pytest.mark.parametrize(
    ("before", "command", "actor", "people"),
    [
        (live(), NUMBER, player(1), {"p1", "p2"}),
        (SITTING, sit(4), player(4), {"p1", "p2", "p4"}),
        (SITTING, LeaveSeat(seat=2), player(2), {"p1", "p2"}),
        (INVITED, WithdrawInvitation(player="p3"), HOST, {"p1", "p2", "p3"}),
        (INVITED, InvitePlayers(players=("p4",), limit=8), HOST, {"p1", "p2", "p3", "p4"}),
        (given(), OPEN, HOST, {"p1"}),
    ],
    ids=["a move", "a seat taken", "a seat left", "withdrawn", "invited", "opened"],
)
def test_who_comes_and_who_goes_hears_of_it(
    before: Given, command: Command, actor: Actor, people: set[str]
) -> None:
    after = before.when(command, actor).happened()
    found = concerned_by_move(before.state, after.state)
    assert found == people
    assert found == both(before.state, after.state)


def both(before: TableState, after: TableState) -> frozenset[str]:
    """What is spared where the states share who is there: the people of either."""
    return concerned(before) | concerned(after)
