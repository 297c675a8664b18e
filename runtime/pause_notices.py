"""What players are told of pauses at their tables: one is asked for, begins, is over (pure).

Only who sits at a table is told: whoever hosts it from outside may see it late.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

from msgspec import Struct

from events.kernel import Seat, TimestampMs
from games.table.pausing import IsOut, with_a_say
from games.table.state import TableState

Standstill = Literal["director", "players", "held"]
"""Why a game is paused: by its director, by its players, or because a part of it is lost."""

PauseWhat = Literal["pause-proposed", "pause-settled", "game-paused", "game-resumed"]


class PauseCall(Struct, frozen=True, kw_only=True):
    """A proposed pause that a player has not answered yet.

    ``seat`` proposes that all pause for so many ``minutes``. It may be answered ``until`` a time
    in ms, UTC, and lapses then, without a notice.
    """

    seat: Seat
    minutes: int
    until: TimestampMs


class RunningPause(Struct, frozen=True, kw_only=True):
    """A pause of a game.

    ``by`` says why the game stands still, ``number`` how many pauses its players had agreed on by
    then. ``until`` is when a pause of the players is over at the latest, in ms, UTC.
    """

    by: Standstill
    number: int
    until: TimestampMs | None = None


class PausesTold(Struct, frozen=True, kw_only=True):
    """What a player knows of the pauses of a game."""

    call: PauseCall | None = None
    running: RunningPause | None = None


NO_PAUSES = PausesTold()


def standstill_of(state: TableState) -> Standstill | None:
    """Why a game stands still; None: it does not."""
    if state.paused_at is None:
        return None
    if state.is_held:
        return "held"
    return "director" if state.pauses_held.running is None else "players"


def pauses_told(
    state: TableState, seats: Collection[Seat], is_out: IsOut, now: TimestampMs
) -> PausesTold:
    """What those who sit at these seats are told of the pauses of a game as it stands."""
    if not seats or state.phase != "live":
        return NO_PAUSES
    return PausesTold(call=_call(state, seats, is_out, now), running=_running(state))


def _call(
    state: TableState, seats: Collection[Seat], is_out: IsOut, now: TimestampMs
) -> PauseCall | None:
    proposal = state.pauses_held.proposal
    if proposal is None or now >= proposal.until:
        return None
    waiting = set(with_a_say(state, is_out)) - set(proposal.agreed)
    if waiting.isdisjoint(seats):
        return None
    return PauseCall(seat=proposal.seat, minutes=proposal.minutes, until=proposal.until)


def _running(state: TableState) -> RunningPause | None:
    by = standstill_of(state)
    if by is None:
        return None
    agreed = state.pauses_held
    until = None if agreed.running is None else agreed.running.until
    return RunningPause(by=by, number=agreed.begun, until=until)


PauseNews = tuple[PauseWhat, PauseCall | RunningPause]


def pause_news(before: PausesTold, now: PausesTold) -> Iterator[PauseNews]:
    """What is new to somebody who knew how it stood before.

    Whoever takes a pause over, as a director does, does not begin another one. Of a game that is
    over there is no news of pauses.
    """
    if before.call is not None and before.call != now.call:
        yield "pause-settled", before.call
    ended, begun = before.running, now.running
    same = ended is not None and begun is not None and ended.number == begun.number
    if ended is not None and not same:
        yield "game-resumed", ended
    if begun is not None and not same:
        yield "game-paused", begun
    if now.call is not None and before.call != now.call:
        yield "pause-proposed", now.call
