"""What occurred over a run: a run that never reaches a rare end proves nothing about it.

``expected`` says what must occur, ``notes`` and ``marks`` find it in a game.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from simulator.room25.coverage import notes_of
from simulator.room25.expected import UNREACHABLE, things
from simulator.room25.rare_events import manner_of, marks_of
from simulator.room25.run import Run

LEAST: Final = 20
"""How often each thing must have occurred."""


class Statistics:
    """Counts over many games; two of them add up."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.games = 0
        self.events = 0

    def add(self, match: Run) -> None:
        """Count a game that has ended."""
        self.games += 1
        self.events += len(match.log)
        counts, plan, result = self.counts, match.plan, match.state.result
        counts.update(("event", str(type(e).__struct_config__.tag)) for e in match.log)
        counts.update(("refusal", step.refusal[0]) for step in match.steps if step.refusal)
        counts.update(("refusal", code) for code in match.asides)
        counts.update(notes_of(match))
        counts.update(("mark", mark) for mark in set(marks_of(match)))
        counts["table", f"{plan.rulebook} {plan.mode} {plan.seats}"] += 1
        drive = plan.style if plan.situation is None else "scenario"
        counts["drive", f"{plan.rulebook} {plan.mode} {drive}"] += 1
        said = {name: value for name, value in plan.options.items() if name != "rooms"}
        mode = f"{plan.rulebook} {plan.mode}"
        counts.update(("option", f"{mode} {name}={value}") for name, value in said.items())
        names = [name for seat in match.state.seats.values() for name in seat.characters]
        counts.update(("character", f"{plan.rulebook} {name}") for name in names)
        if result is not None:
            finished = result.reason == "finished"
            end = f"{mode} {result.outcome} by {manner_of(match)}" if finished else result.outcome
            counts["outcome", end] += 1

    def update(self, other: Statistics) -> None:
        """Take another run's counts in."""
        self.counts.update(other.counts)
        self.games += other.games
        self.events += other.events

    def missing(self, least: int = LEAST) -> list[str]:
        """What occurred less than ``least`` times."""
        return [
            f"{heading} {name}: {self.counts[heading, name]}"
            for heading, names in things().items()
            for name in names
            if self.counts[heading, name] < least
        ]

    def strangers(self) -> list[tuple[str, str]]:
        """What occurred though it is not expected, or said to be out of reach."""
        known = {(heading, name) for heading, names in things().items() for name in names}
        return sorted(set(self.counts) - known)

    def table(self) -> str:
        """Everything counted, expected things first, strangers after them."""
        lines = [f"{self.games:,} games, {self.events:,} events"]
        for heading, names in things().items():
            lines += [f"{heading}s"]
            lines += [f"  {self.counts[heading, name]:>9,}  {name}" for name in names]
        lines += ["not expected"]
        lines += [f"  {self.counts[h, n]:>9,}  {h} {n}" for h, n in self.strangers()]
        lines += ["out of reach", *(f"  {h} {n}: {why}" for (h, n), why in UNREACHABLE.items())]
        return "\n".join(lines)
