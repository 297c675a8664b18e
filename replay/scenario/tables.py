"""What a runner must offer so that a scenario can be played at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from replay.scenario.format import Scenario

Json = Mapping[str, Any]


class TableRefusal(Exception):
    """The table refused something; ``code`` is the last part of the problem's type."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class OpenDecision(Struct, frozen=True, kw_only=True):
    """A decision that a seat may take now; ``options`` are ids in their order."""

    id: str
    kind: str
    options: tuple[str, ...]
    character: str | None = None
    default: str | None = None
    optional: bool = False
    secret: bool = False
    answered: bool = False


class SeenEvent(Struct, frozen=True):
    """An event as one viewer may read it, and its version."""

    version: int
    event: Json


class Settled(Struct, frozen=True, kw_only=True):
    """An unscripted decision: who was asked, or would have been, and what was chosen.

    ``version`` is that of the last event before it. ``asked``: somebody was asked, and the default
    was taken; if not, there was one ``option`` or none (None).
    """

    version: int
    seat: int
    kind: str
    decision: str
    option: str | None
    character: str | None = None
    asked: bool = False


class ScenarioTable(Protocol):
    """A table at which one scenario is played: the engine's, or a server's.

    Viewers are named as in ``format.ViewerName``. A version counts the table's events.
    """

    full_at_end: bool
    """Whether the view ``full`` can be had only once the table has been closed."""

    def open(self, scenario: Scenario, rulebook: str, number: int) -> None:
        """Open the table, take every seat and begin; ``number`` tells several tries apart.

        Raises:
            Refused: as the table says.
        """
        ...

    def version(self) -> int:
        """The number of the last event."""
        ...

    def decisions(self, seat: int) -> list[OpenDecision]:
        """What a seat may choose now, voluntary acts too."""
        ...

    def below(self, seat: int, decision: str, branch: str) -> tuple[str, ...]:
        """The ids of the options below a branch of an open decision of a seat.

        Raises:
            Refused: as the table says.
        """
        ...

    def choose(self, seat: int, decision: str, option: str) -> None:
        """A seat chooses.

        Raises:
            Refused: as the table says.
        """
        ...

    def let_time_pass(self) -> None:
        """Let the time of what the game waits for run out."""
        ...

    def unasked(self) -> Sequence[Settled]:
        """The questions since the beginning that left no choice, in their order.

        The game need not go on afterwards.
        """
        ...

    def close(self) -> None:
        """End the game if it still runs, so that everything may be seen."""
        ...

    def view(self, viewer: str, at: int | None = None) -> Json:
        """What a viewer sees of the table, now or at a version."""
        ...

    def events(self, viewer: str) -> Sequence[SeenEvent]:
        """Every event since the game began, as a viewer may read it."""
        ...
