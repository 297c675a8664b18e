"""A decision in the making: the working copy with its agenda, and the words rules are told in."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from events.kernel import Context, Event, Working
from games.room25.editions import RULEBOOKS
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.agenda import AnyFrame, Ask, CheckEnd, Enter, Question, Resolution
from games.room25.model.board import Cell, Direction, direction_to
from games.room25.model.catalogue import EMPTY, is_kind
from games.room25.model.meanings import has
from games.room25.model.rulebook import Mode, Rulebook
from games.room25.model.state import Character, State, Tile


def rulebook_of(state: State) -> Rulebook:
    """The rulebook that a game is played by."""
    return RULEBOOKS[state.rulebook]


def mode_of(state: State) -> Mode:
    """The mode that a game is played in."""
    return RULEBOOKS[state.rulebook].modes[state.mode]


class Play:
    """The working copy of a batch.

    The agenda is changed in place on the private state and recorded by one ``AgendaSet`` when the
    table settles the batch; everything else changes by events alone.
    """

    def __init__(self, work: Working[State]) -> None:
        self.work = work

    @property
    def state(self) -> State:
        """The private state, as far as the batch has come."""
        return self.work.state

    @property
    def context(self) -> Context:
        """Time, actor and draws of the batch."""
        return self.work.context

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook of this game."""
        return rulebook_of(self.work.state)

    @property
    def mode(self) -> Mode:
        """The mode of this game."""
        return mode_of(self.work.state)

    def emit(self, event: Event) -> None:
        """Append an event and fold it."""
        self.work.emit(event)

    def character(self, name: str) -> Character:
        """A character as it stands now."""
        return self.work.state.characters[name]

    def cell_of(self, name: str) -> Cell:
        """Where a living character stands.

        Raises:
            ValueError: it is dead.
        """
        where = self.character(name).cell
        if where is None:
            raise ValueError(f"{name} is not on the board")
        return where

    def tile_under(self, name: str) -> Tile:
        """The tile that a living character stands on.

        Raises:
            ValueError: as ``cell_of``.
        """
        return self.state.grid[self.cell_of(name)]

    def living(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of ``names`` who are alive."""
        return tuple(n for n in names if self.character(n).alive)

    # --- the agenda ---

    def push(self, *frames: AnyFrame) -> None:
        """Put frames on the agenda; the first one given is done first."""
        state = self.work.state
        state.agenda = (*state.agenda, *reversed(frames))

    def pop(self) -> AnyFrame:
        """Take the next frame off the agenda."""
        state = self.work.state
        frame = state.agenda[-1]
        state.agenda = state.agenda[:-1]
        return frame

    def ask(
        self,
        kind: Question,
        character: str,
        *,
        group: tuple[str, ...] = (),
        cell: Cell = "",
        way: Direction = "",
        about: tuple[str, ...] = (),
    ) -> None:
        """Put a question to a character's player on the agenda, under an id never used before."""
        self.state.asked += 1
        name = f"t{self.state.turn}-{self.state.asked}-{kind.replace('_', '-')}"
        self.push(Ask(kind, character, name, group, cell, way, about))

    def trigger(self, group: tuple[str, ...], tile: int) -> bool:
        """Note that a room acts on a group; False if it already has in this resolution (R47)."""
        mark = f"{'+'.join(group)}@{tile}"
        agenda = list(self.state.agenda)
        for i in range(len(agenda) - 1, -1, -1):
            frame = agenda[i]
            if isinstance(frame, Resolution):
                if mark in frame.triggered:
                    return False
                agenda[i] = replace(frame, triggered=(*frame.triggered, mark))
                self.state.agenda = tuple(agenda)
                return True
        raise ValueError("a room acts outside any resolution")

    def bring(self, group: tuple[str, ...], cell: Cell, cause: str) -> None:
        """Have a group enter a room together; if it is adjacent, by the step to it (§5.1)."""
        way = direction_to(self.cell_of(group[0]), cell) or ""
        self.push(Enter(group, cell, way, cause))

    # --- facts that many rules make ---

    def eliminate(self, names: Iterable[str], cause: str) -> None:
        """Eliminate the living among ``names`` as one batch, in turn order, and check (§4.8).

        Dying spends a programmed adrenaline (R22).
        """
        wanted = set(names)
        batch = [c.id for c in self.state.living() if c.id in wanted]
        for name in batch:
            if self.character(name).adrenaline == "programmed":
                self.emit(more.AdrenalineChanged(character=name, adrenaline="spent"))
            self.emit(ev.CharacterEliminated(character=name, cause=cause))
        if any(has(self.state, self.character(name), "pin") for name in batch):
            self.emit(more.LocksGone())
        if batch:
            self.push(CheckEnd())

    def reveal(self, where: Cell) -> None:
        """Turn a face-down room up (§5.1.2)."""
        kind = self.state.grid[where].kind
        if kind is None:
            raise ValueError(f"the truth does not know the room on {where}")
        self.emit(ev.RoomRevealed(cell=where, kind=kind))

    def replace_room(self, where: Cell) -> None:
        """Put a face-up empty tile in place of another; nobody enters (§5.5, R68b)."""
        was = self.state.grid[where].kind
        self.emit(more.RoomReplaced(cell=where, kind=EMPTY))
        if is_kind(was, "deranging"):
            for c in self.state.occupants(where):
                if c.paranoid and not c.leaving:
                    self.emit(more.ParanoiaEnded(character=c.id, now=False))

    def peek(self, name: str, where: Cell) -> None:
        """Show a face-down room to one character's player alone, or to all (§4.11, R120)."""
        kind = self.state.grid[where].kind
        if kind is None:
            raise ValueError(f"the truth does not know the room on {where}")
        self.emit(ev.RoomPeeked(seat=self.character(name).seat, cell=where, kind=kind))
        if self.mode.looks_reveal or self.state.options.get("keep_looked_visible"):
            self.reveal(where)
