"""What occurred over a run of Room 25.

``expected`` says what must occur, ``notes`` and ``marks`` find it in a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from simulator.census import Census, Note
from simulator.room25.coverage import notes_of
from simulator.room25.expected import UNREACHABLE, things
from simulator.room25.rare_events import manner_of, marks_of
from simulator.room25.run import Run


class Statistics(Census):
    """Counts over many games of Room 25."""

    def notes(self, match: Run) -> Iterator[Note]:
        """What happened in a game, and which table it was."""
        plan, result = match.plan, match.state.result
        yield from notes_of(match)
        yield from (("mark", mark) for mark in set(marks_of(match)))
        mode = f"{plan.rulebook} {plan.mode}"
        yield "table", f"{mode} {plan.seats}"
        drive = plan.style if plan.situation is None else "scenario"
        yield "drive", f"{mode} {drive}"
        said = {name: value for name, value in plan.options.items() if name != "rooms"}
        yield from (("option", f"{mode} {name}={value}") for name, value in said.items())
        names = [name for seat in match.state.seats.values() for name in seat.characters]
        yield from (("character", f"{plan.rulebook} {name}") for name in names)
        if result is not None:
            finished = result.reason == "finished"
            end = f"{mode} {result.outcome} by {manner_of(match)}" if finished else result.outcome
            yield "outcome", end

    def things(self) -> Mapping[str, tuple[str, ...]]:
        """Read off the rulebooks."""
        return things()

    def unreachable(self) -> Mapping[Note, str]:
        """What the data allow and no play brings about."""
        return UNREACHABLE
