"""The content of a table's drawing, made from any view of its state (pure).

``describe`` reads a view and nothing else, so a drawing shows no more than its viewer knows.
``board_text`` and ``board_svg`` draw what it returns; they know nothing about any game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from events.kernel import Seat, TimestampMs
from games.drawing import BoardPlan, DrawnFigure, DrawnPosition, Square
from games.game_registry import GameRegistry
from games.table.events import Reason
from games.table.state import SeatState, TableState
from games.texts import TurnWord, winners_words
from games.words import ENGLISH, WORDS
from projections.names import SeatName, seat_name, spoken

ARROWS: Final = {"left": "<", "right": ">", "up": "^", "down": "v"}
"""The arrow for the direction of a moved line."""


class Person(Struct, frozen=True, kw_only=True):
    """A seat and its occupant; ``notes`` are words such as ``absent``."""

    seat: Seat
    name: str
    notes: tuple[str, ...] = ()


class AwaitedSeat(Struct, frozen=True, kw_only=True):
    """A seat that must choose; ``who`` is a character or ``""``, ``until`` the deadline."""

    seat: Seat
    kind: str
    who: str = ""
    until: TimestampMs | None = None


class Board(Struct, frozen=True, kw_only=True):
    """A table as it is drawn.

    ``title`` is the game's name, or its id if nobody plays it here; ``heading`` says by which rules
    it is played and how far it has come; ``order`` are the short names on
    the order track, first player first; ``markers`` the lines moved this turn and their direction;
    ``facts`` everything else the viewer knows, one sentence each. Before the game there are no
    squares; a game whose board is no set of tiles has a ``plan``. ``settled``: not in the middle of
    a batch, so ``waiting`` is meaningful.
    """

    title: str
    heading: str
    turn: int = 0
    last_turn: int = 0
    phase: str
    squares: tuple[Square, ...] = ()
    plan: BoardPlan | None = None
    order: tuple[str, ...] = ()
    figures: tuple[DrawnFigure, ...] = ()
    people: tuple[Person, ...] = ()
    markers: Mapping[str, str] = {}
    waiting: tuple[AwaitedSeat, ...] = ()
    facts: tuple[str, ...] = ()
    settled: bool = True


def describe(
    game_registry: GameRegistry,
    state: TableState,
    names: Mapping[Seat, SeatName] | None = None,
    *,
    settled: bool = True,
    language: str = ENGLISH,
) -> Board:
    """What a drawing of ``state`` shows.

    Args:
        game_registry: the games, among them that of the table, if it has been opened.
        state: the truth or any view of it; it is not changed.
        names: the names of the seats; without it, the players count as deleted.
        settled: False at a version in the middle of a batch, where no decision is open.
        language: of the names of places and of house bots; all else is in English.
    """
    known = game_registry.games.get(state.game)
    game = None if state.play is None else known
    position = DrawnPosition() if game is None else game.drawing.position(state.play, language)
    phase: str = state.phase
    if game is not None and phase == "live":
        phase = game.texts.phase(state.play)
    turn: TurnWord = "turn" if known is None else known.texts.turn
    return Board(
        title=state.game if known is None else known.published.title,
        heading=_heading(state, position, phase, turn),
        turn=position.turn,
        last_turn=position.last_turn,
        phase=phase,
        squares=position.squares,
        plan=position.plan,
        order=position.order,
        figures=position.figures,
        people=tuple(
            _person(seat, place, (names or {}).get(seat), turn, language)
            for seat, place in sorted(state.seats.items())
        ),
        markers=position.markers,
        waiting=_waiting(game_registry, state) if settled else (),
        facts=(*_table_facts(state), *position.facts),
        settled=settled,
    )


def clean(text: str) -> str:
    """User-written text without anything that a terminal or an image might interpret."""
    if text.isprintable():  # nearly all are, and this looks at them once
        return text
    return "".join(c if c.isprintable() else "?" for c in text)


def _heading(state: TableState, position: DrawnPosition, phase: str, turn: TurnWord) -> str:
    parts = [state.rulebook, state.mode]
    if position.turn:
        last = f" of {position.last_turn}" if position.last_turn else ""
        parts.append(f"{turn} {position.turn}{last}")
    parts.append(phase.replace("_", " "))
    if state.scenario:
        parts.append("a scenario")
    return ", ".join(parts)


def _person(
    seat: Seat, place: SeatState, name: SeatName | None, turn: TurnWord, language: str
) -> Person:
    notes = [
        "house bot" if place.bot else "",
        "ready" if place.ready else "",
        f"{place.strikes} {turn}(s) missed in a row" if place.strikes else "",
        "absent" if place.absent else "",
        "resigned" if place.resigned else "",
    ]
    called = spoken(seat, name or seat_name(seat, place, {}), place.bot, language)
    return Person(seat=seat, name=clean(called), notes=tuple(filter(None, notes)))


def _waiting(game_registry: GameRegistry, state: TableState) -> tuple[AwaitedSeat, ...]:
    """The seats that have not answered yet."""
    game = game_registry.table.games.get(state.game)
    # A view may not know what others can choose, but whom the game waits for is public.
    halt = None if game is None or state.phase != "live" else game.halt(state.play)
    if halt is None:
        return ()
    until = None if state.clock is None or state.paused_at is not None else state.clock.due
    return tuple(
        AwaitedSeat(seat=d.seat, kind=d.kind, who=d.subject or "", until=until) for d in halt.asked
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
    """The director's reason; "" if none was given."""
    if reason is None or reason == "unstated":
        return ""
    return WORDS.word(ENGLISH, f"reason.{reason}")


def line_marker(line: str, way: str) -> tuple[str, int, str]:
    """Axis (``row`` or ``col``), number and arrow (``<``, ``>``, ``^``, ``v``) of a moved line."""
    return line[:3], int(line[3:]), ARROWS[way]
