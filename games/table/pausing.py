"""Pauses that the players agree on: proposed, agreed, ended (pure).

Everybody has a say who sits there as a person, is neither absent nor resigned, and is not out of
the game; house bots and players' programs hinder nobody. While such a pause runs, nobody can become
absent or resign, so those who have a say stay the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from events.kernel import DurationMs, Rejected, Seat, TimestampMs, Working
from games.table import pause_events as pe
from games.table.attendance import is_gone
from games.table.checks import TableCode, require_live, require_not_held
from games.table.holding import resumption
from games.table.state import PROPOSALS_KEPT, PauseProposal, TableState

PAUSE_MAX_MIN: Final = 24 * 60
"""The length in minutes of the longest pause."""

PAUSES_MAX: Final = 12
"""So many pauses by agreement has a game at most."""

PROPOSAL_STANDS_MS: Final[DurationMs] = 15 * 60_000
"""So long may a proposal be answered."""

PROPOSALS_SPAN_MS: Final[DurationMs] = 30 * 60_000
"""A seat proposes at most ``PROPOSALS_KEPT`` pauses within this time."""

_MINUTE_MS: Final[DurationMs] = 60_000

IsOut = Callable[[Any, Seat], bool]
"""As ``Rules.is_out``."""


def with_a_say(state: TableState, is_out: IsOut) -> tuple[Seat, ...]:
    """The seats whose players decide about pauses, in order."""
    return tuple(
        seat
        for seat, place in sorted(state.seats.items())
        if not place.program and not is_gone(place) and not is_out(state.play, seat)
    )


def propose(work: Working[TableState], c: pe.ProposePause, is_out: IsOut) -> None:
    """Propose a pause; it begins at once if nobody else has a say.

    Raises:
        Rejected: the refusals of ``require_live``, unknown-seat, not-your-seat, no-say-in-pauses,
            bad-pause, too-many-pauses, pause-proposed-already, pauses-proposed-too-often, in that
            order.
    """
    state, now = work.state, work.context.now
    require_live(state)
    _require_say(work, c.seat, is_out)
    if not 1 <= c.minutes <= PAUSE_MAX_MIN:
        raise Rejected(TableCode.BAD_PAUSE, f"a pause has 1 to {PAUSE_MAX_MIN} minutes")
    pauses = state.pauses_held
    if pauses.begun >= PAUSES_MAX:
        raise Rejected(TableCode.TOO_MANY_PAUSES, f"a game has at most {PAUSES_MAX} pauses")
    if _standing(state, now) is not None:
        raise Rejected(TableCode.PAUSE_PROPOSED_ALREADY, "a pause is proposed, and not answered")
    times = pauses.proposed.get(c.seat, ())
    if len(times) == PROPOSALS_KEPT and now - times[0] < PROPOSALS_SPAN_MS:
        raise Rejected(
            TableCode.PAUSES_PROPOSED_TOO_OFTEN,
            f"a seat proposes {PROPOSALS_KEPT} pauses in {PROPOSALS_SPAN_MS // _MINUTE_MS} minutes",
        )
    until = now + PROPOSAL_STANDS_MS
    work.emit(pe.PauseProposed(seat=c.seat, minutes=c.minutes, at=now, until=until))
    begin_if_agreed(work, is_out)


def vote(work: Working[TableState], c: pe.VoteOnPause, is_out: IsOut) -> None:
    """Answer a proposal, or agree to play on; who has proposed may take it back by declining.

    Raises:
        Rejected: to ``resume`` the refusals of ``_require_agreed_pause``, to others those of
            ``require_live``; then unknown-seat, not-your-seat, no-say-in-pauses,
            no-pause-proposed, already-agreed.
    """
    if c.vote == "resume":
        _require_agreed_pause(work.state)
        _require_say(work, c.seat, is_out)
        _agree_to_resume(work, c.seat, is_out)
        return
    require_live(work.state)
    _require_say(work, c.seat, is_out)
    proposal = _standing(work.state, work.context.now)
    if proposal is None:
        raise Rejected(TableCode.NO_PAUSE_PROPOSED, "no pause is proposed")
    if c.vote == "decline":
        work.emit(pe.PauseDeclined(seat=c.seat))
        return
    if c.seat in proposal.agreed:
        raise Rejected(TableCode.ALREADY_AGREED, "you have agreed already")
    work.emit(pe.PauseAgreed(seat=c.seat))
    begin_if_agreed(work, is_out)


def end(work: Working[TableState], c: pe.EndPause) -> None:
    """End a pause whose time is over.

    Raises:
        Rejected: game-over, game-not-live, nothing-due, not-due-yet.
    """
    state, now = work.state, work.context.now
    running, paused_at = state.pauses_held.running, state.paused_at
    if running is None or paused_at is None:
        require_live(state)
    if running is None or paused_at is None or state.pauses_held.begun != c.pause:
        raise Rejected(TableCode.NOTHING_DUE, "this pause has ended")
    if now < running.until:
        raise Rejected(TableCode.NOT_DUE_YET, "the pause is not over yet")
    work.emit(resumption(state, paused_at, now))


def overdue(state: TableState, now: TimestampMs) -> pe.EndPause | None:
    """The command that ends the running pause, if its time is over."""
    running = state.pauses_held.running
    if running is None or now < running.until:
        return None
    return pe.EndPause(pause=state.pauses_held.begun)


def begin_if_agreed(work: Working[TableState], is_out: IsOut) -> None:
    """Begin the proposed pause if all who have a say have agreed: some may have gone since."""
    state, now = work.state, work.context.now
    proposal = _standing(state, now)
    if state.phase != "live" or proposal is None:
        return
    if set(with_a_say(state, is_out)) <= set(proposal.agreed):
        work.emit(pe.PauseBegan(at=now, until=now + proposal.minutes * _MINUTE_MS))


def _agree_to_resume(work: Working[TableState], seat: Seat, is_out: IsOut) -> None:
    running, paused_at = work.state.pauses_held.running, work.state.paused_at
    assert running is not None
    assert paused_at is not None
    if seat in running.resuming:
        raise Rejected(TableCode.ALREADY_AGREED, "you have agreed already")
    work.emit(pe.ResumptionAgreed(seat=seat))
    if set(with_a_say(work.state, is_out)) <= {*running.resuming, seat}:
        work.emit(resumption(work.state, paused_at, work.context.now))


def _standing(state: TableState, now: TimestampMs) -> PauseProposal | None:
    """The proposal that may still be answered."""
    proposal = state.pauses_held.proposal
    return proposal if proposal is not None and now < proposal.until else None


def _require_agreed_pause(state: TableState) -> None:
    """Refuse unless the players' pause runs.

    Raises:
        Rejected: game-over, game-not-live, game-held, paused-by-director, table-not-paused.
    """
    if state.pauses_held.running is not None:
        return
    if state.paused_at is None:
        require_live(state)
        raise Rejected(TableCode.TABLE_NOT_PAUSED, "the game is not paused")
    require_not_held(state)
    raise Rejected(TableCode.PAUSED_BY_DIRECTOR, "the director's pause ends by the director")


def _require_say(work: Working[TableState], seat: Seat, is_out: IsOut) -> None:
    """Refuse whoever has no say (unknown-seat, not-your-seat, no-say-in-pauses, in that order)."""
    state, actor = work.state, work.context.actor
    place = state.seats.get(seat)
    if place is None:
        raise Rejected(TableCode.UNKNOWN_SEAT, "nobody sits there")
    if actor.kind != "player" or actor.id != place.player:
        raise Rejected(TableCode.NOT_YOUR_SEAT, "this seat is not yours to speak for")
    if seat not in with_a_say(state, is_out):
        raise Rejected(TableCode.NO_SAY_IN_PAUSES, "only people who are in the game have a say")
