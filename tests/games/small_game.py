"""What the small games of the tests have in common: no agenda, no situations, no deep secrets."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from events.draw import Draw
from events.kernel import Decision, Seat, Viewer, Working
from games.contract import Asked, Halt, Wait
from games.trees import OptionTrees

S = TypeVar("S")


class SmallGame(OptionTrees[S], Generic[S]):
    """The part of ``games.contract.Game`` that a small game need not write itself.

    Its state is a struct of immutable parts, and all that it asks for follows from the state.
    """

    @abstractmethod
    def seats(self, state: S) -> Sequence[Seat]:
        """The seats that play; none before the beginning."""

    @abstractmethod
    def decisions(self, state: S, seat: Seat) -> list[Decision]:
        """All that a seat may or must choose now."""

    @abstractmethod
    def wait(self, state: S) -> Wait | None:
        """What the game waits for; None: it is over."""

    def copy(self, state: S) -> S:
        return copy.copy(state)

    def arranged(self, draw: Draw, situation: Mapping[str, object]) -> Draw:
        raise AssertionError(draw, situation)  # a small game knows no situations

    def withdraw(self, work: Working[S], seat: Seat) -> None:
        """Nothing to do: the table answers for the seat from now on."""

    def settle(self, work: Working[S]) -> None:
        """A small game has no agenda."""

    def find(self, state: S, seat: Seat, decision: str) -> Decision | None:
        return next((d for d in self.decisions(state, seat) if d.id == decision), None)

    def halt(self, state: S) -> Halt | None:
        wait = self.wait(state)
        if wait is None:
            return None
        return Halt(
            wait.key, wait.wait, tuple(Asked(d.id, d.seat, d.kind, d.subject) for d in wait.pending)
        )

    def viewer(self, state: S, seat: Seat) -> Viewer:
        seats = self.seats(state)
        assert not seats or seat in seats
        return Viewer(kind="seat", seat=seat)
