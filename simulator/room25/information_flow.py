"""What may be told, when and to whom, by hand from the rules: and that what is told is true.

The ledger believes the events about who has looked at something. Here is who may: a player sees a
room by its starting clue (§4.1.7), by a look action (§4.5) or with a character in a Vision Chamber
(§5.4, R131), and a role with a character in a Chamber of Secrets (R62); a room turns up under a
figure, or where a look is for everybody (R120); programmes lie open in the solo mode of the later
editions and nowhere else (R14).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from events.kernel import Event, Seat
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.state import State
from simulator.run import require

OPEN_PROGRAMS: Final = frozenset({("ultimate", "solo"), ("bga", "solo")})
"""Where programmes lie open on the table (R14)."""

OPEN_LOOKS: Final = frozenset({("prototype", "cooperation")})
"""Where everybody sees what somebody looks at (§2 row 13); elsewhere it is an option."""


def looks_are_open(state: State) -> bool:
    """Whether a room that is looked at turns up for all (R120)."""
    kept = state.options.get("keep_looked_visible") is True
    return kept or (state.rulebook, state.mode) in OPEN_LOOKS


class InformationFlow:
    """Looks at each event before it is folded, and at what a batch still owes when it ends."""

    def __init__(self) -> None:
        self.laying = False
        self.looker: str | None = None
        self.clues: dict[Seat, str] = {}
        self.owed: list[str] = []
        self.closed_books: set[str] = set()

    def look(self, state: State | None, event: Event) -> None:
        """Check an event against the truth as it is before it.

        Raises:
            PropertyBroken: it says what is not so, or tells somebody who may not know.
        """
        rule = _RULES.get(type(event))
        if rule is not None and state is not None:
            rule(self, state, event)

    def batch_ended(self, state: State | None) -> None:
        """Check that everything has been shown that lies open at this table.

        Raises:
            PropertyBroken: something has not.
        """
        require(not self.owed, f"looked at and not turned up: {self.owed}")
        if state is not None and (state.rulebook, state.mode) in OPEN_PROGRAMS:
            require(not self.closed_books, f"not laid open: {sorted(self.closed_books)}")

    # --- rooms ---

    def situation(self, _: State, __: ev.SituationSet) -> None:
        """What a scenario gives has been learnt before it begins."""
        self.laying = True

    def begun(self, _: State, __: ev.AgendaSet) -> None:
        """From here on everything happens by the rules."""
        self.laying = False

    def clues_closed(self, state: State, event: ev.CluesClosed) -> None:
        """Each looks where it has chosen to."""
        require(dict(event.cells) == dict(state.clues), "the clues are not those chosen")
        self.clues = dict(event.cells)

    def peeked(self, state: State, event: ev.RoomPeeked) -> None:
        """A face-down room is looked at by who may; a scenario's clue may lie face-up."""
        tile = state.grid[event.cell]
        require(event.kind == tile.kind, f"a look at {event.cell} shows another room")
        if self._by_clue(event):
            return
        require(not tile.up, f"a look at {event.cell}, which lies face-up")
        allowed = self.laying or self._by_action(state, event)
        allowed = allowed or _has_somebody_on(state, event.seat, "vision")
        require(allowed, f"seat {event.seat} looks at {event.cell} and may not")
        if looks_are_open(state):
            self.owed.append(event.cell)

    def _by_clue(self, event: ev.RoomPeeked) -> bool:
        return self.clues.pop(event.seat, None) == event.cell

    def _by_action(self, state: State, event: ev.RoomPeeked) -> bool:
        """A look action shows one room to the player of who looks, and no other."""
        looker, self.looker = self.looker, None
        return looker is not None and state.characters[looker].seat == event.seat

    def revealed(self, state: State, event: ev.RoomRevealed) -> None:
        """A room turns up under a figure, or after a look that is for all."""
        tile = state.grid[event.cell]
        require(not tile.up, f"{event.cell} is turned up twice")
        require(event.kind == tile.kind, f"{event.cell} turns up as another room")
        if event.cell in self.owed:
            self.owed.remove(event.cell)
        else:
            require(state.is_occupied(event.cell), f"{event.cell} turns up and nobody is there")

    # --- roles ---

    def role_shown(self, state: State, event: ev.RoleRevealed) -> None:
        """A role that is shown is the one that was dealt."""
        dealt = state.characters[event.character].role
        require(event.role == dealt, f"{event.character} shows another role")

    def role_seen(self, state: State, event: more.RolePeeked) -> None:
        """Somebody in a Chamber of Secrets sees the role of another player's character (D15)."""
        c = state.characters[event.character]
        require(event.role == c.role, f"{event.seat} is shown a wrong role")
        require(state.mode == "suspicion", "a role is seen where there are no roles")
        allowed = _has_somebody_on(state, event.seat, "secrets")
        require(allowed, f"seat {event.seat} sees a role and is in no Chamber of Secrets")
        fair = c.alive and not c.role_public and c.seat != event.seat
        require(fair, f"{event.character} is nobody whose role is to be seen")

    # --- tokens and cards ---

    def submitted(self, _: State, event: ev.ProgramSubmitted) -> None:
        """A programme is in; where it must lie open it does not yet."""
        self.closed_books.add(event.character)

    def laid_open(self, state: State, event: more.ProgramShown) -> None:
        """A programme is shown as it is, and only where all are."""
        may = (state.rulebook, state.mode) in OPEN_PROGRAMS
        require(may, f"the programme of {event.character} is shown")
        program = state.characters[event.character].program
        shown = program is not None and (program.tokens, program.adrenaline)
        require(shown == (event.tokens, event.adrenaline), "another programme is shown")
        self.closed_books.discard(event.character)

    def new_turn(self, _: State, __: ev.TurnBegan) -> None:
        """There are no programmes, and nobody looks."""
        self.closed_books, self.looker = set(), None

    def acted(self, state: State, event: ev.ActionRevealed) -> None:
        """A token is the one on top of the stack, or the one programmed for this slot."""
        c = state.characters[event.character]
        tokens = c.program.tokens if c.program is not None and c.program.tokens else ()
        if event.drawn:
            require((c.stack or ("",))[0] == event.token, f"{c.id} draws from somewhere else")
        elif tokens and event.slot <= len(("first", "second")):
            programmed = tokens[min(event.slot, len(tokens)) - 1]
            require(programmed == event.token, f"{c.id} does what it has not programmed")
        self.looker = c.id if event.token == "look" else None  # noqa: S105 (an action)

    def discarded(self, state: State, event: more.TokenDiscarded) -> None:
        """A token that is discarded was there."""
        program = state.characters[event.character].program
        tokens = () if program is None else program.tokens or ()
        there = event.slot <= len(tokens) and tokens[event.slot - 1] == event.token
        require(there, f"{event.character} discards what it has not programmed")

    def drawn(self, state: State, event: more.CardDrawn) -> None:
        """A card is the top one."""
        require((state.deck or ("",))[0] == event.card, f"{event.card} was not on top")


def _has_somebody_on(state: State, seat: Seat, kind: str) -> bool:
    """Whether a living character of a seat stands in a face-up room of a kind."""
    tiles = [state.grid[c.cell] for c in state.living() if c.seat == seat and c.cell is not None]
    return any(tile.up and tile.kind == kind for tile in tiles)


_RULES: Final[dict[type[Event], Callable[[InformationFlow, State, Any], None]]] = {
    ev.SituationSet: InformationFlow.situation,
    ev.AgendaSet: InformationFlow.begun,
    ev.CluesClosed: InformationFlow.clues_closed,
    ev.RoomPeeked: InformationFlow.peeked,
    ev.RoomRevealed: InformationFlow.revealed,
    ev.RoleRevealed: InformationFlow.role_shown,
    ev.ProgramSubmitted: InformationFlow.submitted,
    ev.TurnBegan: InformationFlow.new_turn,
    ev.ActionRevealed: InformationFlow.acted,
    more.RolePeeked: InformationFlow.role_seen,
    more.ProgramShown: InformationFlow.laid_open,
    more.TokenDiscarded: InformationFlow.discarded,
    more.CardDrawn: InformationFlow.drawn,
}
