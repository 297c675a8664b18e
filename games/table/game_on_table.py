"""A game at its table: both work on one batch (pure)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events.kernel import Decision, Seat, Working
from games.contract import Asked, Game, Halt, Outcome, Roster
from games.dispatch import evolve_by
from games.table.state import TableState


class GameOnTable:
    """A game with its working copy inside the table's: one list of events, one private state."""

    def __init__(self, game: Game[Any], table: Working[TableState]) -> None:
        self.game = game
        self.table = table
        context = table.context
        if table.state.situation is not None:
            draw = game.arranged(context.draw, table.state.situation)
            context = replace(context, draw=draw)
        self.work: Working[Any] = Working(
            evolve_by(game.recorders),
            table.state.play,
            context,
            table.events,
            table.before.play if table.before is not None else None,
        )
        self.work.asides = table.asides

    def begin(self) -> None:
        """Set the game up for the seats that are taken."""
        seats = {n: s.characters for n, s in sorted(self.table.state.seats.items())}
        self.game.begin(self.work, Roster(opening=self.table.state.opening, characters=seats))
        self._put_back()

    def choose(self, decision: Decision, option: str) -> None:
        """Carry an option out."""
        self.game.choose(self.work, decision, option)
        self._put_back()

    def take_default(self, asked: Asked) -> None:
        """Give a decision its default, unless an earlier default has ended it."""
        decision = self.game.find(self.work.state, asked.seat, asked.id)
        if decision is not None and decision.default and not decision.answered:
            self.choose(decision, decision.default)

    def withdraw(self, seat: Seat) -> None:
        """Tell the game that a player has resigned."""
        self.game.withdraw(self.work, seat)
        self._put_back()

    def settle(self) -> None:
        """Let the game record its agenda."""
        self.game.settle(self.work)
        self._put_back()

    def halt(self) -> Halt | None:
        """What the game waits for."""
        return self.game.halt(self.work.state)

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs."""
        return self.game.outcome(self.work.state)

    def _put_back(self) -> None:
        self.table.state.play = self.work.state
