"""Pauses that the players of a random game agree on, without a lot for when and how."""

from __future__ import annotations

from events.kernel import Actor, Seat
from games.table.events import PauseTable, ResumeTable
from games.table.pause_events import EndPause, ProposePause, VoteOnPause
from games.table.pausing import PAUSES_MAX, PROPOSALS_SPAN_MS
from games.table.state import PROPOSALS_KEPT
from simulator.run import WORKER, AnyRun, require


def may_pause(match: AnyRun) -> tuple[Seat, ...]:
    """The seats that must agree, the proposer first; none if nobody can propose now.

    It goes by the state alone, and shares no function with the table.
    """
    state = match.state
    people = [
        seat
        for seat, place in sorted(state.seats.items())
        if not place.program and not match.is_gone(seat)
    ]
    people = [seat for seat in people if not match.rules.is_out(state.play, seat)]
    pauses = state.pauses_held
    if not people or pauses.begun >= PAUSES_MAX or pauses.proposal is not None:
        return ()
    first = people[match.now % len(people)]
    times = pauses.proposed.get(first, ())
    if len(times) == PROPOSALS_KEPT and match.now - times[0] < PROPOSALS_SPAN_MS:
        return ()
    return (first, *(seat for seat in people if seat != first))


def pause(match: AnyRun, seats: tuple[Seat, ...], director: Actor) -> None:
    """Let these seats agree on a pause, or one of them turn it down, and let it end.

    Args:
        match: the game.
        seats: as ``may_pause`` gives them, at least one.
        director: who ends it now and then, or takes it over.
    """
    way, first = match.now % 5, seats[0]
    match.give(ProposePause(seat=first, minutes=1 + match.now % 30), match.actor(first))
    if way == 0 and len(seats) > 1:
        match.give(VoteOnPause(seat=seats[-1], vote="decline"), match.actor(seats[-1]))
        return
    for seat in seats[1:]:
        match.give(VoteOnPause(seat=seat, vote="agree"), match.actor(seat))
    running = match.state.pauses_held.running
    require(running is not None, "all have agreed, and there is no pause")
    if way == 1:
        match.now += 1_000
        match.give(PauseTable(reason="other"), director)
        match.give(ResumeTable(), director)
    elif way == 2 and running is not None:  # noqa: PLR2004 (one of five ways)
        match.now = running.until
        match.give(EndPause(pause=match.state.pauses_held.begun), WORKER)
    else:
        match.now += 30_000
        for seat in seats:
            match.give(VoteOnPause(seat=seat, vote="resume"), match.actor(seat))
    require(match.state.paused_at is None, "a pause by agreement does not end")
