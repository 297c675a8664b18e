"""Phrases that players say to everybody at the table, as the game's phrasebook has them (pure)."""

from __future__ import annotations

from typing import Final

from events.kernel import DurationMs, Rejected, TimestampMs, Working
from games.phrases import Aim, Phrasebook
from games.table.checks import TableCode
from games.table.events import PhraseSaid, SayPhrase
from games.table.state import PHRASES_KEPT, TableState

PHRASES_SPAN_MS: Final[DurationMs] = 15_000
"""A seat says at most ``PHRASES_KEPT`` phrases within this time."""


def say(work: Working[TableState], c: SayPhrase, book: Phrasebook) -> None:
    """Say a phrase, while the game runs. It is no choice: it moves neither game nor clock.

    Raises:
        Rejected: unknown-seat, not-your-seat, unknown-phrase, phrase-target-not-allowed,
            phrase-to-nobody, phrases-silenced, phrases-too-fast, in that order.
    """
    state, actor, now = work.state, work.context.actor, work.context.now
    place = state.seats.get(c.seat)
    if place is None:
        raise Rejected(TableCode.UNKNOWN_SEAT, "nobody sits there")
    if actor.kind != "player" or actor.id != place.player or place.bot is not None:
        raise Rejected(TableCode.NOT_YOUR_SEAT, "this seat is not yours to speak for")
    aims = book.aims.get(c.phrase)
    if aims is None:
        raise Rejected(TableCode.UNKNOWN_PHRASE, "the game has no such phrase")
    _check_target(state, c, aims, book)
    if book.is_silenced(state.play):
        raise Rejected(TableCode.PHRASES_SILENCED, "nobody may talk now")
    _check_pace(state.phrase_times(c.seat), now)
    work.emit(PhraseSaid(seat=c.seat, phrase=c.phrase, at=now, place=c.place, to=c.to))


def _check_target(state: TableState, c: SayPhrase, aims: tuple[Aim, ...], book: Phrasebook) -> None:
    """Refuse a target that the phrase does not take, or that is not there."""
    if c.place is not None and c.to is not None:
        raise Rejected(TableCode.PHRASE_TARGET_NOT_ALLOWED, "a phrase has one target at most")
    aim: Aim = "place" if c.place is not None else "seat" if c.to is not None else "nothing"
    if aim == "nothing" and aim not in aims:
        raise Rejected(TableCode.PHRASE_TO_NOBODY, "this phrase needs a target")
    if aim not in aims:
        raise Rejected(
            TableCode.PHRASE_TARGET_NOT_ALLOWED, "this phrase does not take such a target"
        )
    if c.to is not None and c.to not in state.seats:
        raise Rejected(TableCode.PHRASE_TO_NOBODY, "nobody sits there")
    if c.place is not None and not book.has_place(state.play, c.place):
        raise Rejected(TableCode.PHRASE_TO_NOBODY, "there is no such place on the board")


def _check_pace(times: tuple[TimestampMs, ...], now: TimestampMs) -> None:
    """Refuse a seat that has just said as much as it may, by the times in the log."""
    if len(times) == PHRASES_KEPT and now - times[0] < PHRASES_SPAN_MS:
        raise Rejected(
            TableCode.PHRASES_TOO_FAST,
            f"a seat says at most {PHRASES_KEPT} phrases in {PHRASES_SPAN_MS // 1000} seconds",
        )
