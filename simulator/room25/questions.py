"""When rooms and cards must ask something, for the oracle of whose turn it is (§5.4, §6.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.state import State
from simulator.room25.deck import Deck
from simulator.room25.legal_cards import card_question
from simulator.room25.legal_editions import Question
from simulator.room25.position import TablePosition

ROOM_QUESTIONS: Final = {
    "vision": "vision_target",
    "moving": "moving_target",
    "illusion": "illusion_target",
    "control": "control_room",
    "tunnel": "tunnel_target",
    "robot": "robot_order",
    "secrets": "secrets_target",
}
"""What rooms ask their entrants."""

Options = Callable[[Question], list[str]]


class DueQuestion(NamedTuple):
    """What must come next of a character.

    ``asked``: that kind of question. ``token``: this token is turned up. ``lost``: its action is.
    None of them: no action, or, after a token (``aimed``), one that is not lost.
    """

    character: str
    asked: str = ""
    token: str = ""
    lost: bool = False
    aimed: str = ""


class Prompts:
    """Says when somebody must be asked: where a room or a card leaves several answers.

    ``options`` says what is offered by kind of question; ``deck`` follows the cards.
    """

    def __init__(self, options: Mapping[str, Options], deck: Deck) -> None:
        self._options = options
        self._deck = deck
        self._entry = 0
        self._room: tuple[str, str] | None = None
        self._triggered: set[tuple[str, int]] = set()
        self._supply: set[int] = set()

    def begin(self) -> None:
        """A resolution begins: every room may act again (R47)."""
        self._triggered = set()

    def settle(self) -> None:
        """Whatever was due has come: the room has had its say."""
        self._room = None

    def is_companion(self, event: ev.CharacterMoved) -> bool:
        """Whether somebody arrives with another who has been seen to arrive."""
        return event.entry == self._entry

    def entered(self, state: State, event: ev.CharacterMoved) -> DueQuestion | None:
        """Somebody is in a room, which asks its first entrant, once in a resolution."""
        self._entry = event.entry
        self._supply = {robot for robot, cell in enumerate(state.robots) if cell is None}
        mark = event.character, state.grid[event.cell].id
        # By tunnel one arrives where the second tunnel does nothing (R48).
        again = mark in self._triggered or event.cause == "tunnel"
        self._room = None if again else (event.character, event.cell)
        self._triggered.add(mark)
        return self._of_room(state) if state.grid[event.cell].up else None

    def shown(self, state: State, due: DueQuestion | None) -> DueQuestion | None:
        """The room is open now: it asks, or what was due stays."""
        return due if self._room is None else self._of_room(state)

    def placed(
        self, state: State, event: more.RobotPlaced, due: DueQuestion | None
    ) -> DueQuestion | None:
        """A robot has come out of supply into the room that gives orders; else it obeys one."""
        new = event.robot in self._supply
        if new and self._room is not None and self._room[1] == event.cell:
            return self._of_room(state)
        self._room = None
        return due

    def drawn(self, state: State) -> DueQuestion | None:
        """A card may ask its first player."""
        if not self._deck.drawer:
            self.begin()
        first = state.characters[self._deck.first]
        kind = card_question(TablePosition(state), first, self._deck.card)
        return self._ask(state, first.id, kind) if kind else None

    def _of_room(self, state: State) -> DueQuestion | None:
        if self._room is None:
            return None
        entrant, cell = self._room
        kind = ROOM_QUESTIONS.get(state.grid[cell].kind or "", "")
        asks = kind and (kind != "secrets_target" or state.mode == "suspicion")
        return self._ask(state, entrant, kind) if asks else None

    def _ask(self, state: State, name: str, kind: str) -> DueQuestion | None:
        """A single answer is taken without asking, and with none nothing happens (§0.2)."""
        c, deck = state.characters[name], self._deck
        question = Question(TablePosition(state), c, kind, (), deck.card, deck.first, ())
        return DueQuestion(name, asked=kind) if len(self._options[kind](question)) > 1 else None
