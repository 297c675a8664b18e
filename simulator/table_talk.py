"""What the players of a random game say to each other, without a lot for when and what."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from events.kernel import Seat
from games.table.checks import TableCode
from games.table.events import SayPhrase
from games.table.state import PHRASES_KEPT
from games.table.talking import PHRASES_SPAN_MS
from simulator.run import AnyRun

CELLS: Final = tuple(f"r{row}c{column}" for row in range(20) for column in range(20))
"""What places are called on the boards that there are; a phrase may be aimed at some of them."""

_OFTEN: Final = 11
"""One moment in so many is one for a phrase."""


def talk(match: AnyRun) -> None:
    """Let somebody say a phrase now and then, and be refused it where that has to be.

    It goes by the state alone: no lot is taken, and neither the game nor its time goes on.

    Raises:
        PropertyBroken: a phrase is taken or refused otherwise than it should be.
    """
    people = [n for n, place in sorted(match.state.seats.items()) if place.bot is None]
    moment, rest = divmod(match.now, _OFTEN)
    if rest or not people or not match.rules.phrases.aims:
        return
    seat = people[moment % len(people)]
    # Now and then as many as a seat may say at once, and one more.
    for number in range(PHRASES_KEPT + 1 if moment % 7 == 0 else 1):
        command = _phrase(match, seat, moment + number)
        if match.rules.phrases.is_silenced(match.state.play):
            match.refuse(command, match.actor(seat), (TableCode.PHRASES_SILENCED,))
        elif _has_said_enough(match, seat):
            match.refuse(command, match.actor(seat), (TableCode.PHRASES_TOO_FAST,))
        else:
            match.give(command, match.actor(seat))


def _phrase(match: AnyRun, seat: Seat, number: int) -> SayPhrase:
    """A phrase of the game's by its number, aimed as one of its aims wants it."""
    book = match.rules.phrases
    phrase, aims = sorted(book.aims.items())[number % len(book.aims)]
    command = SayPhrase(seat=seat, phrase=phrase)
    match aims[number % len(aims)]:
        case "nothing":
            return command
        case "seat":
            seats = sorted(match.state.seats)
            return replace(command, to=seats[number % len(seats)])
        case "place":
            there = [cell for cell in CELLS if book.has_place(match.state.play, cell)]
            return replace(command, place=there[number % len(there)])


def _has_said_enough(match: AnyRun, seat: Seat) -> bool:
    """Whether a seat has said so much within the time that it must wait, by the log alone."""
    said = [step.now for step in match.steps if step.events and _says(step.command, seat)]
    return len(said) >= PHRASES_KEPT and match.now - said[-PHRASES_KEPT] < PHRASES_SPAN_MS


def _says(command: object, seat: Seat) -> bool:
    return isinstance(command, SayPhrase) and command.seat == seat
