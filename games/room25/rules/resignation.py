"""Players who have resigned (R19, R117; pure)."""

from __future__ import annotations

from games.room25.editions.endings import teams
from games.room25.facts import events as ev
from games.room25.model.agenda import ActionEnd, TakeAction
from games.room25.rules.context import Play


def remove_withdrawn(play: Play) -> None:
    """Eliminate the characters of every team whose players have all resigned (R19)."""
    if play.state.end is not None or not play.mode.removes_withdrawn:
        return
    gone = [
        c.id
        for members in teams(play.state).values()
        if all(c.seat in play.state.withdrawn for c in members)
        for c in members
    ]
    play.eliminate(gone, "resigned")


def withdraw(play: Play, seat: int) -> None:
    """Note a resignation; it bites now, or when the running action is finished (R117)."""
    play.emit(ev.SeatWithdrew(seat=seat))
    if not any(isinstance(frame, TakeAction | ActionEnd) for frame in play.state.agenda):
        remove_withdrawn(play)
