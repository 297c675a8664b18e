"""What a drawing of a table shows: a table's state, from any view, in words and places (pure).

``describe`` reads a view and nothing else, so a drawing can show no more than its viewer knows.
``board_text`` and ``board_svg`` draw what it returns; they know no game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from msgspec import Struct

from events.kernel import Millis, Seat
from games.room25.board import CELLS
from games.room25.catalogue import ROOM_KINDS
from games.room25.play import mode_of
from games.room25.state import Character, Program, State, Tile
from games.table import Table
from games.table_events import Reason
from games.table_state import SeatState, TableState
from games.words import ENGLISH, word
from projections.names import SeatName, seat_name, spoken

Face = Literal["up", "known", "hidden"]
"""How a tile looks to the viewer: face-up; face-down, but known; face-down."""

ARROWS: Final = {"left": "<", "right": ">", "up": "^", "down": "v"}
"""How the direction of a moved line is drawn."""


class Square(Struct, frozen=True, kw_only=True):
    """A cell with the tile that lies on it.

    ``kind`` and ``color`` are None unless the viewer knows the room. ``marks`` are words such as
    ``sealed``; ``reminders`` the seats whose token lies here, ``looked`` the seats that have looked
    at the room while it lay face-down, ``figures`` the short names of those who stand here.
    """

    cell: str
    face: Face
    kind: str | None = None
    name: str | None = None
    color: str | None = None
    marks: tuple[str, ...] = ()
    reminders: tuple[Seat, ...] = ()
    looked: tuple[Seat, ...] = ()
    figures: tuple[str, ...] = ()


class Figure(Struct, frozen=True, kw_only=True):
    """A figure. ``role`` is None where there is none, ``?`` where the viewer does not know it.

    ``program`` says what the viewer knows of the programme, ``""`` if there is none; ``notes`` are
    everything else that is public about the figure.
    """

    id: str
    short: str
    seat: Seat
    cell: str | None
    role: str | None = None
    role_public: bool = False
    program: str = ""
    notes: tuple[str, ...] = ()


class Person(Struct, frozen=True, kw_only=True):
    """A seat and who sits there; ``notes`` are words such as ``absent``."""

    seat: Seat
    name: str
    notes: tuple[str, ...] = ()


class Waiting(Struct, frozen=True, kw_only=True):
    """Somebody who must choose; ``who`` is a character or ``""``, ``until`` the deadline."""

    seat: Seat
    kind: str
    who: str = ""
    until: Millis | None = None


class Board(Struct, frozen=True, kw_only=True):
    """A table as it is drawn.

    ``heading`` says which game this is and how far it has come; ``order`` are the short names on
    the order track, first player first; ``markers`` the lines moved this turn and their direction;
    ``facts`` whatever else the viewer knows, one sentence each. Before the game there are no
    squares. ``settled``: not in the middle of a command, so ``waiting`` means something.
    """

    heading: str
    turn: int = 0
    last_turn: int = 0
    phase: str
    squares: tuple[Square, ...] = ()
    order: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    people: tuple[Person, ...] = ()
    markers: Mapping[str, str] = {}
    waiting: tuple[Waiting, ...] = ()
    facts: tuple[str, ...] = ()
    settled: bool = True


def describe(
    table: Table,
    state: TableState,
    names: Mapping[Seat, SeatName] | None = None,
    *,
    settled: bool = True,
) -> Board:
    """What a drawing of ``state`` shows.

    Args:
        table: the decider that the state was folded by.
        state: the truth or any view of it; it is not changed.
        names: what the seats are called; without it, the players count as deleted.
        settled: False at a version in the middle of a batch, where nobody is asked anything.
    """
    play = state.play if isinstance(state.play, State) else State()
    short = short_names(play.characters)
    facts = [*_table_facts(state), *_game_facts(play)]
    return Board(
        heading=_heading(state, play),
        turn=play.turn,
        last_turn=play.last_turn,
        phase=_phase(state, play),
        squares=tuple(_square(play, short, where) for where in CELLS if where in play.grid),
        order=tuple(short[name] for name in play.order),
        figures=tuple(_figure(play, short, c) for c in play.characters.values()),
        people=tuple(_person(n, seat, names or {}) for n, seat in sorted(state.seats.items())),
        markers=dict(play.markers),
        waiting=_waiting(table, state) if settled else (),
        facts=tuple(facts),
        settled=settled,
    )


def short_names(ids: Iterable[str]) -> dict[str, str]:
    """A short name for each id, two letters where these tell all of them apart."""
    names = list(ids)
    length = 2
    while len({name[:length] for name in names}) < len(names):
        length += 1
    return {name: name[:length].capitalize() for name in names}


def clean(text: str) -> str:
    """A text that people wrote, without anything that a terminal or an image might obey."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _heading(state: TableState, play: State) -> str:
    parts = [state.rulebook, state.mode]
    if play.turn:
        parts.append(f"turn {play.turn} of {play.last_turn}")
    parts.append(_phase(state, play).replace("_", " "))
    if state.scenario:
        parts.append("a scenario")
    return ", ".join(parts)


def _phase(state: TableState, play: State) -> str:
    """``open``, ``finished``, or the phase of the running game."""
    return play.phase if state.phase == "live" else state.phase


def _person(seat: Seat, place: SeatState, names: Mapping[Seat, SeatName]) -> Person:
    notes = [
        f"house bot {place.bot}" if place.bot else "",
        "ready" if place.ready else "",
        f"{place.strikes} turn(s) missed in a row" if place.strikes else "",
        "absent" if place.absent else "",
        "resigned" if place.resigned else "",
    ]
    name = names.get(seat) or seat_name(seat, place, {})
    return Person(seat=seat, name=clean(spoken(seat, name)), notes=_kept(notes))


def _square(play: State, short: Mapping[str, str], where: str) -> Square:
    tile = play.grid[where]
    known = tile.kind is not None
    face: Face = "up" if tile.up else "known" if known else "hidden"
    room = ROOM_KINDS.get(tile.kind or "")
    return Square(
        cell=where,
        face=face,
        kind=tile.kind,
        name=None if room is None else word(ENGLISH, f"room25/room.{room.id}.name"),
        color=None if room is None else room.color,
        marks=_tile_marks(tile),
        reminders=tile.reminders,
        looked=() if tile.up else _lookers(play, tile),
        figures=tuple(short[c.id] for c in play.occupants(where)),
    )


def _tile_marks(tile: Tile) -> tuple[str, ...]:
    marks = ["sealed" if tile.seal else "", "locked" if tile.lock else "", tile.axis or ""]
    return _kept(marks)


def _lookers(play: State, tile: Tile) -> tuple[Seat, ...]:
    return tuple(sorted(seat for seat, tiles in play.peeked.items() if tile.id in tiles))


def _figure(play: State, short: Mapping[str, str], c: Character) -> Figure:
    role = c.role or ("?" if mode_of(play).roles else None)
    return Figure(
        id=c.id,
        short=short[c.id],
        seat=c.seat,
        cell=c.cell,
        role=role,
        role_public=c.role_public,
        program="" if c.program is None else program_words(c.program),
        notes=_figure_notes(play, c),
    )


def program_words(program: Program) -> str:
    """A programme as far as it is known: ``look+?``; ``handed in`` while nothing is known."""
    if program.tokens is None:
        words = "handed in"
    else:
        words = "+".join("?" if token is None else token or "-" for token in program.tokens)
    return f"{words}, adrenaline" if program.adrenaline else words


def _figure_notes(play: State, c: Character) -> tuple[str, ...]:
    notes = [
        "" if c.alive else "dead",
        "its turn" if play.actor == c.id and c.alive else "",
        f"team {c.team}" if c.team not in {"", "all", f"seat{c.seat}"} else "",
        "one action only" if c.limited else "",
        "delays its action" if c.delayed else "",
        "acts freely" if c.free else "",
        f"used {'+'.join(c.used)}" if c.used else "",
        "passed" if c.passed else "",
        f"lost {'+'.join(c.lost)}" if c.lost else "",
        f"adrenaline {c.adrenaline}" if c.adrenaline != "none" else "",
        "hidden" if c.hidden else "",
        f"trap armed in turn {c.trap.turn}" if c.trap is not None else "",
        f"drowns in turn {c.flood}" if c.flood is not None else "",
    ]
    return _kept(notes)


def _waiting(table: Table, state: TableState) -> tuple[Waiting, ...]:
    """Who has not answered yet."""
    game = table.games.get(state.game)
    wait = None if game is None or state.phase != "live" else game.wait(state.play)
    if wait is None:
        return ()
    until = None if state.clock is None or state.paused_at is not None else state.clock.due
    return tuple(
        Waiting(seat=d.seat, kind=d.kind, who=d.subject or "", until=until) for d in wait.pending
    )


def _table_facts(state: TableState) -> list[str]:
    free = state.seat_count - len(state.seats)
    facts = [
        f"{free} of {state.seat_count} seats are free" if state.phase == "open" and free else "",
        "the table is paused" if state.paused_at is not None and not state.is_held else "",
        "the table is held: a part of the game is lost" if state.is_held else "",
        f"inspections by offices: {looks}" if (looks := len(state.inspections_held)) else "",
    ]
    result = state.result
    if result is not None:
        why = "" if result.reason == "finished" else f" ({result.reason})"
        facts.append(f"the end: {result.outcome}{why}, {winners_words(result.winners)}")
        facts.append("" if result.score is None else f"score {result.score}")
        facts.append(reason_words(result.cause))
    return [fact for fact in facts if fact]


def reason_words(reason: Reason | None) -> str:
    """Why a director stepped in; "" if that was not said."""
    if reason is None or reason == "unstated":
        return ""
    return word(ENGLISH, f"reason.{reason}")


def winners_words(winners: Iterable[Seat]) -> str:
    """Who has won."""
    seats = [str(seat) for seat in winners]
    if not seats:
        return "nobody wins"
    return f"winning seat{'s' if len(seats) > 1 else ''} {', '.join(seats)}"


def _game_facts(play: State) -> list[str]:
    clues = [str(seat) for seat in sorted(play.clues)] if play.phase == "starting_clue" else []
    where = {tile.id: cell for cell, tile in play.grid.items()}
    facts = [
        f"starting clue chosen by seat(s) {', '.join(clues)}" if clues else "",
        *(_own_clue(play, seat) for seat in sorted(play.clues) if clues),
        *(
            f"seat {seat} said that {where[claim.tile]} is {claim.color}"
            for seat, claims in sorted(play.claims.items())
            for claim in claims
        ),
        f"died in this order: {', '.join(play.dead)}" if play.dead else "",
        "Room 25 has been found" if play.room25_revealed else "",
        "the key has been activated" if play.key_activated else "",
        f"not dealt: {', '.join(play.undealt)}" if play.undealt else "",
    ]
    return [fact for fact in facts if fact]


def _own_clue(play: State, seat: Seat) -> str:
    cell = play.clues[seat]
    return "" if cell is None else f"seat {seat} wants to look at {cell}"


def _kept(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word)


def line_marker(line: str, way: str) -> tuple[str, int, str]:
    """Axis (``row`` or ``col``), number and arrow (``<``, ``>``, ``^``, ``v``) of a moved line."""
    return line[:3], int(line[3:]), ARROWS[way]
