"""Pauses that the players of a random game agree on, without a lot for when and how."""

from __future__ import annotations

from collections.abc import Sequence

from events.kernel import Actor, Seat
from games.table.checks import TableCode
from games.table.events import PauseTable, ResumeTable
from games.table.pause_events import EndPause, PauseVote, ProposePause, VoteOnPause
from games.table.pausing import PAUSE_MAX_MIN, PAUSES_MAX, PROPOSALS_SPAN_MS
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
    propose = ProposePause(seat=first, minutes=1 + match.now % 30)
    _refuse_some(match, seats)
    match.give(propose, match.actor(first))
    if len(seats) > 1:
        match.refuse(propose, match.actor(first), (TableCode.PAUSE_PROPOSED_ALREADY,))
        again = VoteOnPause(seat=first, vote="agree")
        match.refuse(again, match.actor(first), (TableCode.ALREADY_AGREED,))
    if way == 0 and len(seats) > 1:
        match.give(VoteOnPause(seat=seats[-1], vote="decline"), match.actor(seats[-1]))
        return
    _vote(match, seats[1:], "agree")
    running = match.state.pauses_held.running
    require(running is not None, "all have agreed, and there is no pause")
    if way == 1:
        match.now += 1_000
        match.give(PauseTable(reason="other"), director)
        resume = VoteOnPause(seat=first, vote="resume")
        match.refuse(resume, match.actor(first), (TableCode.PAUSED_BY_DIRECTOR,))
        match.give(ResumeTable(), director)
    elif way == 2 and running is not None:  # noqa: PLR2004 (one of five ways)
        match.now = running.until
        match.give(EndPause(pause=match.state.pauses_held.begun), WORKER)
    else:
        match.now += 30_000
        _vote(match, seats, "resume")
    require(match.state.paused_at is None, "a pause by agreement does not end")


def use_up(match: AnyRun) -> None:
    """Let the first who has a say propose all the pauses that a game has, and one too many.

    Twice at once and once for as long as it takes to propose again, so that no time of play goes
    by but milliseconds. Without people who have a say nothing happens.

    Raises:
        PropertyBroken: a pause is refused that should not be, or is not that should be.
    """
    seats = sorted(may_pause(match))
    if not seats:
        return
    first = match.actor(seats[0])
    propose = ProposePause(seat=seats[0], minutes=PROPOSALS_SPAN_MS // 60_000)
    for number in range(1, PAUSES_MAX + 1):
        match.give(propose, first)
        _vote(match, seats[1:], "agree")
        has_to_wait = number % PROPOSALS_KEPT == 0
        if has_to_wait:
            match.now += PROPOSALS_SPAN_MS - 1
        _vote(match, seats, "resume")
        if has_to_wait and number < PAUSES_MAX:
            match.refuse(propose, first, (TableCode.PAUSES_PROPOSED_TOO_OFTEN,))
            match.now += 1
    match.refuse(propose, first, (TableCode.TOO_MANY_PAUSES,))


def _vote(match: AnyRun, seats: Sequence[Seat], vote: PauseVote) -> None:
    """Let these seats answer a proposal, or agree to play on, one after another."""
    for seat in seats:
        match.give(VoteOnPause(seat=seat, vote=vote), match.actor(seat))


def _refuse_some(match: AnyRun, seats: tuple[Seat, ...]) -> None:
    """What is refused while no pause is proposed; ``seats`` are those with a say."""
    first = match.actor(seats[0])
    agree = VoteOnPause(seat=seats[0], vote="agree")
    match.refuse(agree, first, (TableCode.NO_PAUSE_PROPOSED,))
    for minutes in (0, PAUSE_MAX_MIN + 1):
        match.refuse(ProposePause(seat=seats[0], minutes=minutes), first, (TableCode.BAD_PAUSE,))
    people = {seat for seat, place in match.state.seats.items() if place.bot is None}
    for seat in sorted(people - set(seats)):
        match.refuse(
            ProposePause(seat=seat, minutes=1), match.actor(seat), (TableCode.NO_SAY_IN_PAUSES,)
        )
