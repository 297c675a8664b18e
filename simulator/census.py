"""What occurred over a run: a run that never reaches a rare end proves nothing about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, Self

LEAST: Final = 20
"""How often each thing must have occurred."""

Note = tuple[str, str]
"""A heading and a name below it."""


class Census(ABC):
    """Counts over many games; two of them add up."""

    def __init__(self) -> None:
        self.counts: Counter[Note] = Counter()
        self.games = 0
        self.events = 0

    @abstractmethod
    def notes(self, match: Any) -> Iterable[Note]:  # noqa: ANN401 (a game of any kind)
        """All that is to be counted of a game beside its events and refusals."""

    @abstractmethod
    def things(self) -> Mapping[str, Iterable[str]]:
        """What must occur in a long run, by heading, unless it is ``unreachable``."""

    @abstractmethod
    def unreachable(self) -> Mapping[Note, str]:
        """What is not expected although one might think so, and why."""

    def add(self, match: Any) -> None:  # noqa: ANN401 (a game of any kind)
        """Count a game that has ended."""
        self.games += 1
        self.events += len(match.log)
        counts = self.counts
        counts.update(("event", str(type(e).__struct_config__.tag)) for e in match.log)
        counts.update(("refusal", step.refusal[0]) for step in match.steps if step.refusal)
        counts.update(("refusal", code) for code in match.asides)
        counts.update(self.notes(match))

    def update(self, other: Self) -> None:
        """Take another run's counts in."""
        self.counts.update(other.counts)
        self.games += other.games
        self.events += other.events

    def expected(self) -> dict[str, list[str]]:
        """What must occur in a long run, by heading."""
        never = self.unreachable()
        return {
            heading: [name for name in names if (heading, name) not in never]
            for heading, names in self.things().items()
        }

    def missing(self, least: int = LEAST) -> list[str]:
        """What occurred less than ``least`` times."""
        return [
            f"{heading} {name}: {self.counts[heading, name]}"
            for heading, names in self.expected().items()
            for name in names
            if self.counts[heading, name] < least
        ]

    def strangers(self) -> list[Note]:
        """What occurred though it is not expected, or said to be out of reach."""
        known = {(heading, name) for heading, names in self.expected().items() for name in names}
        return sorted(set(self.counts) - known)

    def table(self) -> str:
        """Everything counted, expected things first, strangers after them."""
        lines = [f"{self.games:,} games, {self.events:,} events"]
        for heading, names in self.expected().items():
            lines += [f"{heading}s"]
            lines += [f"  {self.counts[heading, name]:>9,}  {name}" for name in names]
        lines += ["not expected"]
        lines += [f"  {self.counts[h, n]:>9,}  {h} {n}" for h, n in self.strangers()]
        lines += ["out of reach"]
        lines += [f"  {h} {n}: {why}" for (h, n), why in self.unreachable().items()]
        return "\n".join(lines)
