"""The oracle of deadlines: traps, floods, fires, and rooms that nobody survives (§4.12, §5.4).

Written from the rules for all rulebooks, sharing no function with the engine: its own notes say who
must have left what by when.
"""

from __future__ import annotations

from typing import Final

from events.kernel import Event
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.state import State
from simulator.room25.position import FAMILY, PROTOTYPE
from simulator.run import require

SECOND, THIRD = 2, 3

LEAVE_BY: Final = {"flooded", "burning"}
"""Rooms that must be left within the next turn."""


class Deadlines:
    """Who must be gone by when: by the end of an action, or by the check of a turn."""

    def __init__(self) -> None:
        self._water: dict[str, int] = {}
        self._armed: dict[str, int] = {}
        self._closing: set[str] = set()
        self._laid: set[str] = set()
        self._slotted = ""

    def before(self, state: State, event: Event) -> None:
        """Judge an event in the position before it."""
        if isinstance(event, ev.SlotBegan | ev.TurnBegan):
            self._closed(state)
        if isinstance(event, ev.TurnBegan) and event.turn > state.turn:
            self._turn_over(state)
        elif isinstance(event, ev.CharacterEliminated):
            self._deserved(state, event)

    def after(self, state: State, event: Event) -> None:
        """Note what an event has changed, in the position after it."""
        if isinstance(event, ev.ActionRevealed):
            self._acts(event.character)
        elif isinstance(event, ev.SlotBegan):
            self._slotted = event.character if event.round >= SECOND else ""
        elif isinstance(event, ev.CharacterMoved):
            self._entered(state, event)
        elif isinstance(event, ev.CharacterEliminated):
            self._forget(event.character)
        elif isinstance(event, more.RoomReplaced):
            for c in state.characters.values():
                if c.cell == event.cell:
                    self._forget(c.id)
        elif isinstance(event, ev.SituationSet):
            self._laid = set(state.characters)
            for c in state.characters.values():
                if c.trap is not None:
                    self._armed[c.id] = c.trap.turn
                if c.flood is not None:
                    self._water[c.id] = c.flood

    def goes_on(self, state: State) -> None:
        """Nobody lives where nobody can, and the state knows of each deadline.

        A situation may put somebody there; they are safe until they enter a room.
        """
        for c in state.characters.values():
            if c.id in self._laid:
                continue
            kind = state.grid[c.cell].kind if c.cell is not None else None
            require(kind != "mortal", f"{c.id} lives in a mortal room")
            require(kind != "trap" or c.trap is not None, f"{c.id} is safe in a trap")
            require(kind not in LEAVE_BY or c.flood is not None, f"{c.id} is safe in {kind}")

    def _acts(self, name: str) -> None:
        """An action begins: a trap that is armed by now closes at its end (R51)."""
        self._closing.discard(name)
        if name in self._armed:
            self._closing.add(name)

    def _entered(self, state: State, event: ev.CharacterMoved) -> None:
        """Leaving ends all deadlines; the new room may set one, a fire for all inside (R61)."""
        self._forget(event.character)
        kind = state.grid[event.cell].kind
        if state.rulebook == PROTOTYPE:
            self._laid -= {c.id for c in state.characters.values() if c.cell == event.cell}
        if kind == "trap":
            self._armed[event.character] = state.turn
        elif kind == "flooded":
            self._water[event.character] = state.turn + 1
        elif kind == "burning":
            for c in state.characters.values():
                if c.cell == event.cell:
                    self._water.setdefault(c.id, state.turn + 1)

    def _forget(self, name: str) -> None:
        self._water.pop(name, None)
        self._armed.pop(name, None)
        self._closing.discard(name)
        self._laid.discard(name)

    def _closed(self, state: State) -> None:
        """The slot is over: whoever was to leave by it has left or is dead (§4.4.5, §4.4.6)."""
        for name in self._closing:
            require(not state.characters[name].alive, f"{name} survives its trap")
        self._closing.clear()
        c = state.characters.get(self._slotted)
        if c is not None and c.alive and c.adrenaline != "programmed":
            due = self._water.get(c.id, state.turn + 1)
            require(due > state.turn, f"{c.id} should have drowned in its slot")
        self._slotted = ""

    def _turn_over(self, state: State) -> None:
        """Nobody is left in water or fire that was due, nor in a trap of an earlier turn (R51e)."""
        for name, due in self._water.items():
            require(due > state.turn, f"{name} should have drowned in turn {due}")
        for name, turn in self._armed.items():
            require(turn >= state.turn, f"{name} never acted, and its trap is still open")

    def _deserved(self, state: State, event: ev.CharacterEliminated) -> None:
        """Deaths by a deadline come at its time, and not before."""
        name = event.character
        if event.cause in LEAVE_BY:
            due = self._water.get(name)
            require(due is not None and due <= state.turn, f"{name} drowns too early")
            late = state.rulebook in FAMILY and state.round == THIRD
            require(state.round == SECOND or late, f"{name} drowns in round {state.round}")
        elif event.cause == "trap":
            old = self._armed.get(name, state.turn) < state.turn
            require(name in self._closing or old, f"{name} is caught too early")
