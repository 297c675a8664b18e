"""The oracle of who knows what: a table written by hand from the rules (§4.11), not from audiences.

``Ledger`` follows a game from the full events and keeps, in its own words and with its own
geometry, who has learnt what. ``WhoKnows`` folds the view of every viewer and compares, at every
version, each leaf with the truth: it must be the same where the ledger says that the viewer knows
it, and unknown everywhere else.

| leaf | known to |
| --- | --- |
| kind of a tile | all once it has been face-up; before, the seats that have looked at it |
| role | its player; all once it was shown |
| roles left over | nobody |
| starting clue | its player; all once every clue is chosen |
| programme | its player; that one was handed in: all; its length and adrenaline: all once every \
programme is in; each token: all once it was turned up |
| game key | nobody before the table is closed |
| explicit situation of a scenario | nobody |
| everything else | all |

The full view (auditors) knows everything at any time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from operator import attrgetter, is_not
from random import Random
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from events.kernel import FULL, PUBLIC, Event, Seat, Viewer, redact
from games.room25 import events as ev
from games.room25.state import Character, Program, State, Tile
from games.table_events import KeyPublished
from games.table_state import TableState
from ops.fuzzing.match import Match, Step, require

SIDE: Final = 5
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
    KeyPublished: "key",
}
"""Events that tell something, and the part of the state that it is in."""

Knowers = set[Seat] | None


class Ledger:
    """Who has learnt what so far. ``news`` is the part of the state that the last event told of."""

    def __init__(self) -> None:
        self.news = ""
        self.board = [[row * SIDE + column for column in range(SIDE)] for row in range(SIDE)]
        self.rooms: dict[int, Knowers] = {n: set() for n in range(SIDE * SIDE)}
        self.owner: dict[str, Seat] = {}
        self.shown_roles: set[str] = set()
        self.clues_closed = False
        self.programs_closed = False
        self.turned_up: dict[str, set[int]] = {}
        self.key_published = False

    def note(self, event: Event) -> None:
        """Take in what an event makes known."""
        self.news = NEWS.get(type(event), "")
        if isinstance(event, ev.GameBegan):
            self.owner = {figure.id: figure.seat for figure in event.figures}
        elif isinstance(event, ev.ComplexLaid):
            for cell in event.shown:
                self.rooms[self._tile(cell)] = EVERYBODY
        elif isinstance(event, ev.RoomRevealed):
            self.rooms[self._tile(event.cell)] = EVERYBODY
        elif isinstance(event, ev.RoomPeeked):
            self._learn(self._tile(event.cell), event.seat)
        elif isinstance(event, ev.TilesSwapped):
            self._swap(event.first, event.second)
        elif isinstance(event, ev.LineShifted):
            self._shift(event.line, event.way)
        elif isinstance(event, ev.RoleRevealed):
            self.shown_roles.add(event.character)
        elif isinstance(event, ev.CluesClosed):
            self.clues_closed = True
        elif isinstance(event, ev.ProgrammingClosed):
            self.programs_closed = True
        elif isinstance(event, ev.ActionRevealed):
            self.turned_up.setdefault(event.character, set()).add(event.slot)
        elif isinstance(event, ev.TurnBegan):
            self.programs_closed, self.turned_up = False, {}
        elif isinstance(event, KeyPublished):
            self.key_published = True

    # --- what a viewer knows ---

    def knows_room(self, tile: int, seat: Seat | None) -> bool:
        """Whether a viewer knows what a tile is."""
        knowers = self.rooms[tile]
        return knowers is EVERYBODY or seat in knowers

    def knows_role(self, character: str, seat: Seat | None) -> bool:
        """Whether a viewer knows a character's role."""
        return character in self.shown_roles or self.owner[character] == seat

    def program(self, character: str, program: Program, seat: Seat | None) -> Program:
        """What a viewer knows of a programme that was handed in."""
        if self.owner[character] == seat:
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

    # --- where the tiles are ---

    def _tile(self, cell: str) -> int:
        return self.board[int(cell[1])][int(cell[3])]

    def _learn(self, tile: int, seat: Seat) -> None:
        knowers = self.rooms[tile]
        if knowers is not EVERYBODY:
            knowers.add(seat)

    def _swap(self, first: str, second: str) -> None:
        (a, b), (c, d) = (int(first[1]), int(first[3])), (int(second[1]), int(second[3]))
        self.board[a][b], self.board[c][d] = self.board[c][d], self.board[a][b]

    def _shift(self, line: str, way: str) -> None:
        number, back = int(line[3]), 1 if way in {"right", "down"} else -1
        if line.startswith("row"):
            old = self.board[number]
            self.board[number] = [old[(i - back) % SIDE] for i in range(SIDE)]
        else:
            old = [row[number] for row in self.board]
            for i in range(SIDE):
                self.board[i][number] = old[(i - back) % SIDE]


def expected(ledger: Ledger, path: str, truth: Any, seat: Seat | None) -> Any:  # noqa: ANN401
    """What a viewer (a seat, or None: the public) sees of a part of the state."""
    if path == "play.grid":
        return {c: t if ledger.knows_room(t.id, seat) else _blank(t) for c, t in truth.items()}
    if path == "play.characters":
        return {n: _figure(ledger, c, seat) for n, c in truth.items()}
    if path == "play.clues" and not ledger.clues_closed:
        return {owner: cell if owner == seat else None for owner, cell in truth.items()}
    unknown = path in {"play.undealt", "situation"} or (path == "key" and not ledger.key_published)
    return None if unknown else truth


def _blank(tile: Tile) -> Tile:
    return replace(tile, kind=None)


def _figure(ledger: Ledger, c: Character, seat: Seat | None) -> Character:
    role = c.role if ledger.knows_role(c.id, seat) else None
    program = None if c.program is None else ledger.program(c.id, c.program, seat)
    return replace(c, role=role, program=program)


PLAY_FIELDS: Final = State.__struct_fields__
TABLE_FIELDS: Final = tuple(n for n in TableState.__struct_fields__ if n != "play")

_of_play = attrgetter(*PLAY_FIELDS)
_of_table = attrgetter(*TABLE_FIELDS)

Parts = tuple[object, ...]
"""The parts of a state, in the order of its fields."""


def parts(state: TableState) -> Parts:
    """The parts of the table's state, then those of the game on it."""
    return (*_of_table(state), *_of_play(State() if state.play is None else state.play))


FIELDS: Final = (*TABLE_FIELDS, *(f"play.{name}" for name in PLAY_FIELDS))
_PLACES: Final = tuple(range(len(FIELDS)))


class WhoKnows:
    """Compares every view with the ledger after every event.

    A part of the state is compared when it has changed, in the truth or in the view, or when the
    event told of it. ``rate`` says at how many of the steps the decisions of each seat are compared
    too: they must be the same whether worked out from the truth or from the seat's own view.
    """

    def __init__(self, rng: Random, rate: float = 1.0) -> None:
        self.rng, self.rate = rng, rate
        self.ledger = Ledger()
        self.truth = TableState()
        self.views: dict[Viewer, TableState] = {}
        self._truth = parts(self.truth)
        self._seen: dict[Viewer, Parts] = {}

    def accepted(self, match: Match, step: Step) -> None:
        """Fold the events of a command into the truth and every view, and compare."""
        if not self.views:
            seats = range(1, match.plan.seats + 1)
            viewers = [PUBLIC, *(Viewer("seat", seat) for seat in seats)]
            self.views = {viewer: match.table.initial() for viewer in viewers}
            self._seen = dict.fromkeys(viewers, self._truth)
        for event in step.events:
            require(redact(event, FULL) == event, f"something is kept from auditors: {event}")
            self.ledger.note(event)
            self.truth = match.table.evolve(self.truth, event)
            for viewer, view in self.views.items():
                self.views[viewer] = match.table.evolve(view, redact(event, viewer))
            self._compare(event)
        require(self.truth == step.after, "two folds of one log differ")
        if self.rng.random() < self.rate:
            self._same_decisions(match, step.after)

    def ended(self, match: Match) -> None:
        """The views are compared as the game goes on."""

    def _compare(self, event: Event) -> None:
        truth = parts(self.truth)
        fresh = _changed(self._truth, truth)
        if self.ledger.news:
            fresh.add(FIELDS.index(self.ledger.news))
        for viewer, view in self.views.items():
            found, old = parts(view), self._seen[viewer]
            for i in fresh | _changed(old, found):
                wanted = expected(self.ledger, FIELDS[i], truth[i], viewer.seat)
                if found[i] != wanted:
                    where = next(_differences(FIELDS[i], wanted, found[i]), FIELDS[i])
                    who = viewer.seat or "public"
                    text = f"view of {who} after {type(event).__name__}: {where}"
                    require(holds=False, text=text)
            self._seen[viewer] = found
        self._truth = truth

    def _same_decisions(self, match: Match, truth: TableState) -> None:
        table = match.table
        for viewer, view in self.views.items():
            require(table.wake_at(view) == table.wake_at(truth), "a view wakes at another time")
            require(table.status(view) == table.status(truth), "a view has another status")
            if viewer.seat is not None:
                own, full = table.decisions(view, viewer.seat), match.decisions(viewer.seat)
                where = next(_differences("decisions", full, own), "")
                require(own == full, f"seat {viewer.seat} sees other decisions: {where}")


def _changed(old: Parts, new: Parts) -> set[int]:
    """The places at which two states hold different objects."""
    return set(compress(_PLACES, map(is_not, old, new)))


def _differences(path: str, wanted: Any, found: Any) -> Iterator[str]:  # noqa: ANN401
    """Where two values differ, leaf by leaf; values of leaves are for the eyes of developers."""
    if wanted == found:
        return
    if isinstance(wanted, Struct) and type(wanted) is type(found):
        for name in wanted.__struct_fields__:
            yield from _differences(f"{path}.{name}", getattr(wanted, name), getattr(found, name))
    elif isinstance(wanted, dict) and isinstance(found, dict) and wanted.keys() == found.keys():
        for name, value in wanted.items():
            yield from _differences(f"{path}[{name}]", value, found[name])
    elif isinstance(wanted, list | tuple) and isinstance(found, type(wanted)):
        yield f"{path}: {wanted!r:.300} expected, {found!r:.300} seen"
    else:
        yield f"{path}: {wanted!r:.100} expected, {found!r:.100} seen"
