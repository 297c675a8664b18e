"""Events in words: one line for each, for people who read a log (pure).

A field that the viewer may not read is UNSET in the event and is left out of its line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET

from events.kernel import Event, Seat
from events.names import NameOpening
from games import table_events as table
from games.room25 import events as room
from games.room25.agenda import Ask
from games.room25.catalogue import ROOM_KINDS
from games.words import ENGLISH, word
from projections.board import clean, reason_words, winners_words
from projections.names import seat_name, spoken
from replay.edition_wording import EDITION_WORDINGS

Wording = Callable[[Any], str]


def line_of(event: Event, names: Mapping[str, NameOpening] | None = None) -> str:
    """What happened, without anything a terminal might obey; ``names`` open name seals.

    A game that brings no wording of its own is told by its events' names and fields.
    """
    if isinstance(event, table.SeatTaken):
        return clean(_taken(event, names or {}))
    wording = WORDINGS.get(type(event), _by_name)
    return clean(wording(event))


def _by_name(event: Event) -> str:
    fields = ", ".join(f"{name} {value!r}" for name, value in _readable(event))
    return f"{str(type(event).__struct_config__.tag).replace('-', ' ')}: {fields}"


def _readable(event: Event) -> list[tuple[str, object]]:
    found = [(name, getattr(event, name)) for name in event.__struct_fields__]
    return [(name, value) for name, value in found if value is not UNSET]


def _unless_hidden(value: object, words: str) -> str:
    """``words`` with the value in it, or nothing if this viewer may not know it."""
    return "" if value is UNSET else words.format(value)


def _seats(seats: tuple[Seat, ...]) -> str:
    return ", ".join(str(seat) for seat in seats)


def _room(kind: object) -> str:
    known = ROOM_KINDS.get(str(kind))
    return str(kind) if known is None else word(ENGLISH, f"room25/room.{known.id}.name")


def _reason(reason: table.Reason | None) -> str:
    text = reason_words(reason)
    return f": {text}" if text else ""


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _cause(cause: str) -> str:
    """What a figure moved or died by: a room's name, or the word for an action."""
    return {"move": "", "push": " (pushed)", "": ""}.get(cause, f" ({_room(cause)})")


# --- the table ---


def _opened(e: table.TableOpened) -> str:
    kind = "a scenario of " if e.scenario else ""
    time = ", ".join(f"{limit} s for {wait}" for wait, limit in sorted(e.time.limits_s.items()))
    return f"a table is opened for {kind}{e.rulebook}, {e.mode}, {e.seats} seat(s); {time}"


def _taken(e: table.SeatTaken, names: Mapping[str, NameOpening]) -> str:
    who = f"the house bot {e.bot}" if e.bot else spoken(e.seat, seat_name(e.seat, e, names))
    return f"{who} takes seat {e.seat} and plays {', '.join(e.characters) or 'nobody'}"


def _clock(e: table.ClockStarted) -> str:
    return f"the clock runs for {e.key}: {_seconds(e.due - e.since)}"


def _seconds(length: int) -> str:
    return f"{length / 1000:g} s"


def _resumed(e: table.TableResumed) -> str:
    left = "" if e.due is None or e.since is None else f"; the limit is {_seconds(e.due - e.since)}"
    return f"the game goes on{left}"


def _restored(e: table.StoreRestored) -> str:
    lost = f"versions {e.to_version + 1} to {e.from_version}"
    return f"the store has lost {lost} and begins epoch {e.epoch}: the game is held"


def _inspected(e: table.InspectionBegan) -> str:
    eyes = _unless_hidden(e.eyes if e.eyes is UNSET else e.eyes.rstrip(" "), ", as {}")
    reason = _unless_hidden(e.reason if e.reason is UNSET else e.reason.rstrip(" "), ": {}")
    length = _seconds(e.until - e.at)
    return f"the office {e.office} ({e.account}) inspects the game for {length}{eyes}{reason}"


def _table_closed(e: table.TableClosed) -> str:
    score = "" if e.score is None else f", score {e.score}"
    return f"the table is closed, {e.reason}: {e.outcome}, {winners_words(e.winners)}{score}" + (
        _reason(e.cause)
    )


_TABLE: Final[dict[type[Event], Wording]] = {
    table.TableOpened: _opened,
    table.PlayerInvited: lambda e: f"the host invites {e.player}",
    table.InvitationWithdrawn: lambda e: f"the host takes the invitation of {e.player} back",
    table.InvitationDeclined: lambda e: f"{e.player} declines the invitation",
    table.SeatTaken: lambda e: _taken(e, {}),
    table.SeatLeft: lambda e: f"seat {e.seat} is left",
    table.SeatReadied: lambda e: f"seat {e.seat} is ready",
    table.TableStarted: lambda _: "everybody is there, the game begins",
    table.ClockStarted: _clock,
    table.SeatTimedOut: lambda e: f"seat {e.seat} lets its time run out (strikes: {e.strikes})",
    table.SeatWentAbsent: lambda e: f"seat {e.seat} is absent from now on",
    table.SeatReturned: lambda e: f"seat {e.seat} is back",
    table.SeatResigned: lambda e: f"seat {e.seat} resigns",
    table.TablePaused: lambda e: f"the director stops the clock{_reason(e.reason)}",
    table.TableResumed: _resumed,
    table.StoreRestored: _restored,
    table.TimeExtended: lambda e: f"the director gives more time{_reason(e.reason)}",
    table.InspectionBegan: _inspected,
    table.TableClosed: _table_closed,
    table.KeyPublished: lambda e: f"the game key is published: {e.key}",
}


# --- Room 25 ---


def _began(e: room.GameBegan) -> str:
    rooms = sum(e.composition.values())
    return f"{e.last_turn} turns are ahead; {rooms} rooms; order {', '.join(e.order)}"


def _submitted(e: room.ProgramSubmitted) -> str:
    tokens = "" if e.tokens is UNSET else f": {' then '.join(e.tokens)}"
    return f"seat {e.seat} hands in a programme for {e.character}{tokens}"


def _programming(e: room.ProgrammingOpened) -> str:
    limited = f"; one action only for {', '.join(e.limited)}" if e.limited else ""
    return f"everybody programmes{limited}"


def _peeked(e: room.RoomPeeked) -> str:
    return f"seat {e.seat} looks at {e.cell}" + _unless_hidden(
        UNSET if e.kind is UNSET else _room(e.kind), " and sees: {}"
    )


def _revealed(e: room.ActionRevealed) -> str:
    return f"{e.character} turns up {e.token}"


def _role(e: room.RoleRevealed) -> str:
    causes = {"own": "by choice", "death": "after a death", "masks": "as the masks fall"}
    return f"{e.character} is a {e.role}, shown {causes.get(e.cause, e.cause)}"


def _attempt(e: room.EscapeAttempted) -> str:
    end = "the condition is not met" if e.outcome is None else f"it is out: {e.outcome}"
    return f"{e.character} pushes Room 25 {e.way} along {e.line}; {end}"


def _game_ended(e: room.GameEnded) -> str:
    score = "" if e.score is None else f", score {e.score}"
    return f"the game is decided: {e.outcome}, {winners_words(e.winners)}{score}"


def _agenda(e: room.AgendaSet) -> str:
    if not e.agenda:
        return "nothing is left to do"
    top = e.agenda[-1]
    if isinstance(top, Ask):
        return f"{top.character} is asked: {top.kind.replace('_', ' ')}"
    return f"next on the agenda: {type(top).__name__.lower()}, {len(e.agenda)} step(s) in all"


def _situation(e: room.SituationSet) -> str:
    return f"the scenario begins in turn {e.turn} of {e.last_turn}; order {', '.join(e.order)}"


def _eliminated(e: room.CharacterEliminated) -> str:
    cause = "its player resigned" if e.cause == "resigned" else _room(e.cause)
    return f"{e.character} is eliminated ({cause})"


_ROOM25: Final[dict[type[Event], Wording]] = {
    room.GameBegan: _began,
    room.ComplexLaid: lambda e: (
        "the complex is laid" + _unless_hidden(e.kinds, "; the truth about every room is known")
    ),
    room.RoleDealt: lambda e: f"{e.character} gets a role" + _unless_hidden(e.role, ": {}"),
    room.RolesLeftOver: lambda e: (
        f"{e.count} role(s) left over"
        + _unless_hidden(UNSET if e.roles is UNSET else ", ".join(e.roles), ": {}")
    ),
    room.SituationSet: _situation,
    room.ClueChosen: lambda e: (
        f"seat {e.seat} chooses its starting clue" + _unless_hidden(e.cell, ": {}")
    ),
    room.CluesClosed: lambda e: (
        "all starting clues are chosen: "
        + ", ".join(f"seat {seat} {cell}" for seat, cell in e.cells.items())
    ),
    room.RoomPeeked: _peeked,
    room.TurnBegan: lambda e: f"turn {e.turn} begins; order {', '.join(e.order)}",
    room.GuardFreed: lambda e: f"{e.character} needs no programme from now on",
    room.ProgrammingOpened: _programming,
    room.ProgramSubmitted: _submitted,
    room.ProgrammingClosed: lambda e: f"all programmes are in; actions: {_counts(e.actions)}",
    room.SlotBegan: lambda e: f"it is {e.character}'s turn in round {e.round}",
    room.ActionDelayed: lambda e: f"{e.character} keeps its action for round 2",
    room.ActionPassed: lambda e: f"{e.character} passes",
    room.ActionRevealed: _revealed,
    room.ActionLost: lambda e: f"{e.character} cannot {e.token}: the action is lost",
    room.CharacterMoved: lambda e: f"{e.character} enters {e.cell}{_cause(e.cause)}",
    room.RoomRevealed: lambda e: f"{e.cell} turns up: {_room(e.kind)}",
    room.TilesSwapped: lambda e: f"{e.first} and {e.second} change places{_cause(e.cause)}",
    room.LineShifted: lambda e: f"{e.line} moves {e.way}{_cause(e.cause)}",
    room.RoomSealed: lambda e: f"{e.cell} is sealed",
    room.TrapArmed: lambda e: f"{e.character} must leave the trap with its next action",
    room.FloodArmed: lambda e: f"{e.character} drowns in turn {e.due} unless it leaves",
    room.CharacterEliminated: _eliminated,
    room.RoleRevealed: _role,
    room.AlarmRaised: lambda e: f"alarm: the game ends with turn {e.last_turn}",
    room.EscapeAttempted: _attempt,
    room.ReminderPlaced: lambda e: f"seat {e.seat} puts its reminder on {e.cell}",
    room.ColorClaimed: lambda e: f"seat {e.seat} says that {e.cell} is {e.color}",
    room.SeatWithdrew: lambda e: f"seat {e.seat} leaves the game",
    room.AgendaSet: _agenda,
    room.GameEnded: _game_ended,
}

WORDINGS: Final[dict[type[Event], Wording]] = {**_TABLE, **_ROOM25, **EDITION_WORDINGS}
"""How each type of event is told; a test holds it to every registered type."""
