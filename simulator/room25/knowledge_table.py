"""Who has learnt what: a table written by hand from the rules (§4.11), not from audiences.

``KnowledgeTable`` follows a game from the full events and keeps, in its own words and with its own
geometry, who has learnt what; ``expected`` says by it what a viewer sees of a part of the state.

| leaf | known to |
| --- | --- |
| kind of a tile | all once it has been face-up, wherever it lies and even when it is turned down \
again; before, the seats that have looked at it |
| role, a prototype guard's identity too | its player, whoever has seen it in a Chamber of \
Secrets, all once it was shown |
| roles left over | nobody |
| starting clue | its player; all once every clue is chosen |
| programme | its player; all where programmes lie open; that one was handed in: all; its length \
and adrenaline: all once every programme is in; each token: all once it was turned up or discarded \
in the open; what a traitor puts in: its player; of one that was cancelled all know it is empty |
| order of a paranoia stack | nobody, not even its player; how many are left, and those drawn: all |
| order of the draw pile | nobody; how many cards it has, those discarded or shown: all |
| game key | nobody before the table is closed |
| explicit situation of a scenario | nobody |
| eyes and reason of an inspection | nobody |
| everything else: figures, robots, locks, seals, corridors, reminders, claims, adrenaline, lost \
actions, spares, deadlines, who is hidden, cold or paranoid, the key, the agenda ... | all |

The full view (auditors) knows everything at any time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from events.kernel import Event, Seat
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.state import Character, Program, Tile
from games.table.events import KeyPublished

SIDE: Final = 5
SLOTS: Final = (1, 2)
"""The slots of a programme; the third action of adrenaline is not in it."""

EVERYBODY: Final = None
"""Stands for all viewers, the public among them, where a set of seats would stand else."""

NEWS: Final[dict[type[Event], str]] = {
    ev.RoomRevealed: "play.grid",
    ev.RoomPeeked: "play.grid",
    ev.RoleRevealed: "play.characters",
    ev.CluesClosed: "play.clues",
    ev.ProgrammingClosed: "play.characters",
    ev.ActionRevealed: "play.characters",
    ev.TurnBegan: "play.characters",
    more.ProgramShown: "play.characters",
    more.TokenDiscarded: "play.characters",
    more.RolePeeked: "play.characters",
    more.RoomReplaced: "play.grid",
    KeyPublished: "key",
}
"""Events that tell something, and the part of the state that it is in."""

Knowers = set[Seat] | None


class KnowledgeTable:
    """Who has learnt what so far. ``news`` is the part of the state that the last event told of."""

    def __init__(self) -> None:
        self.news = ""
        self.board = [[row * SIDE + column for column in range(SIDE)] for row in range(SIDE)]
        self.rooms: dict[int, Knowers] = {n: set() for n in range(SIDE * SIDE)}
        self.owner: dict[str, Seat] = {}
        self.shown_roles: set[str] = set()
        self.seen_roles: set[tuple[Seat, str]] = set()
        self.clues_closed = False
        self.programs_closed = False
        self.turned_up: dict[str, set[int]] = {}
        self.lying_open: set[str] = set()
        self.key_published = False

    def note(self, event: Event) -> None:
        """Take in what an event makes known."""
        self.news = NEWS.get(type(event), "")
        taker = _TAKERS.get(type(event))
        if taker is not None:
            taker(self, event)

    # --- what a viewer knows ---

    def knows_room(self, tile: int, seat: Seat | None) -> bool:
        """Whether a viewer knows what a tile is."""
        knowers = self.rooms[tile]
        return knowers is EVERYBODY or seat in knowers

    def knows_role(self, character: str, seat: Seat | None) -> bool:
        """Whether a viewer knows a character's role."""
        seen = seat is not None and (seat, character) in self.seen_roles
        return seen or character in self.shown_roles or self.owner[character] == seat

    def program(self, character: str, program: Program, seat: Seat | None) -> Program:
        """What a viewer knows of a programme that was handed in."""
        if self.owner[character] == seat or character in self.lying_open:
            return program
        if not self.programs_closed:
            return Program(None, None)
        tokens = program.tokens or ()
        up = self.turned_up.get(character, set())
        alone = len(tokens) == 1
        known = tuple(
            t if slot in up or (alone and up) else None for slot, t in enumerate(tokens, 1)
        )
        return Program(known, program.adrenaline)

    # --- what is told ---

    def tile(self, cell: str) -> int:
        """The tile that lies on a cell."""
        return self.board[int(cell[1])][int(cell[3])]

    def began(self, event: ev.GameBegan) -> None:
        """All see who plays whom."""
        self.owner = {figure.id: figure.seat for figure in event.figures}

    def laid(self, event: ev.ComplexLaid) -> None:
        """All see what lies face-up."""
        for cell in event.shown:
            self.rooms[self.tile(cell)] = EVERYBODY

    def revealed(self, event: ev.RoomRevealed) -> None:
        """All see what is turned up, and nobody forgets it."""
        self.rooms[self.tile(event.cell)] = EVERYBODY

    def peeked(self, event: ev.RoomPeeked) -> None:
        """One seat sees a room."""
        knowers = self.rooms[self.tile(event.cell)]
        if knowers is not EVERYBODY:
            knowers.add(event.seat)

    def replaced(self, event: more.RoomReplaced) -> None:
        """Another tile lies there, which all have seen; its number is the next one."""
        new = len(self.rooms)
        self.rooms[new] = EVERYBODY
        self.board[int(event.cell[1])][int(event.cell[3])] = new

    def swapped(self, event: ev.TilesSwapped) -> None:
        """Knowledge rides on the tiles."""
        (a, b), (c, d) = ((int(cell[1]), int(cell[3])) for cell in (event.first, event.second))
        self.board[a][b], self.board[c][d] = self.board[c][d], self.board[a][b]

    def shifted(self, event: ev.LineShifted) -> None:
        """Knowledge rides on the tiles; what leaves on one side comes back on the other."""
        number, back = int(event.line[3]), 1 if event.way in {"right", "down"} else -1
        if event.line.startswith("row"):
            old = self.board[number]
            self.board[number] = [old[(i - back) % SIDE] for i in range(SIDE)]
        else:
            old = [row[number] for row in self.board]
            for i in range(SIDE):
                self.board[i][number] = old[(i - back) % SIDE]

    def shown(self, event: ev.RoleRevealed) -> None:
        """All see a role."""
        self.shown_roles.add(event.character)

    def saw(self, event: more.RolePeeked) -> None:
        """One seat sees a role."""
        self.seen_roles.add((event.seat, event.character))

    def clues(self, _: ev.CluesClosed) -> None:
        """All see which rooms are looked at."""
        self.clues_closed = True

    def submitted(self, event: ev.ProgramSubmitted) -> None:
        """A programme is in, in place of one that may have lain open."""
        self.lying_open.discard(event.character)

    def open_program(self, event: more.ProgramShown) -> None:
        """All see a programme."""
        self.lying_open.add(event.character)

    def closed(self, _: ev.ProgrammingClosed) -> None:
        """All see how many actions there are, and whose is a third one."""
        self.programs_closed = True

    def acted(self, event: ev.ActionRevealed) -> None:
        """All see a token; one that is drawn, or of adrenaline, is not of the programme."""
        if event.slot in SLOTS and not event.drawn:
            self.turned_up.setdefault(event.character, set()).add(event.slot)

    def discarded(self, event: more.TokenDiscarded) -> None:
        """All see which slot is empty now."""
        self.turned_up.setdefault(event.character, set()).add(event.slot)

    def turn(self, _: ev.TurnBegan) -> None:
        """There are new secrets."""
        self.programs_closed, self.turned_up, self.lying_open = False, {}, set()

    def key(self, _: KeyPublished) -> None:
        """All see the key."""
        self.key_published = True


_TAKERS: Final[dict[type[Event], Callable[[KnowledgeTable, Any], None]]] = {
    ev.GameBegan: KnowledgeTable.began,
    ev.ComplexLaid: KnowledgeTable.laid,
    ev.RoomRevealed: KnowledgeTable.revealed,
    ev.RoomPeeked: KnowledgeTable.peeked,
    ev.TilesSwapped: KnowledgeTable.swapped,
    ev.LineShifted: KnowledgeTable.shifted,
    ev.RoleRevealed: KnowledgeTable.shown,
    ev.CluesClosed: KnowledgeTable.clues,
    ev.ProgramSubmitted: KnowledgeTable.submitted,
    ev.ProgrammingClosed: KnowledgeTable.closed,
    ev.ActionRevealed: KnowledgeTable.acted,
    ev.TurnBegan: KnowledgeTable.turn,
    more.RoomReplaced: KnowledgeTable.replaced,
    more.RolePeeked: KnowledgeTable.saw,
    more.ProgramShown: KnowledgeTable.open_program,
    more.TokenDiscarded: KnowledgeTable.discarded,
    KeyPublished: KnowledgeTable.key,
}

NOBODY_KNOWS: Final = frozenset({"play.undealt", "play.deck", "situation"})
"""Parts of the state that no viewer has."""


def expected(ledger: KnowledgeTable, path: str, truth: Any, seat: Seat | None) -> Any:  # noqa: ANN401
    """What a viewer (a seat, or None: the public) sees of a part of the state."""
    if path == "play.grid":
        return {c: t if ledger.knows_room(t.id, seat) else _blank(t) for c, t in truth.items()}
    if path == "play.characters":
        return {n: _figure(ledger, c, seat) for n, c in truth.items()}
    if path == "play.clues" and not ledger.clues_closed:
        return {owner: cell if owner == seat else None for owner, cell in truth.items()}
    if path == "inspections" and truth is not UNSET:
        return tuple(replace(each, eyes=None, reason=None) for each in truth)
    unknown = path in NOBODY_KNOWS or (path == "key" and not ledger.key_published)
    return None if unknown else truth


def _blank(tile: Tile) -> Tile:
    return replace(tile, kind=None)


def _figure(ledger: KnowledgeTable, c: Character, seat: Seat | None) -> Character:
    role = c.role if ledger.knows_role(c.id, seat) else None
    program = None if c.program is None else ledger.program(c.id, c.program, seat)
    return replace(c, role=role, program=program, stack=None)
