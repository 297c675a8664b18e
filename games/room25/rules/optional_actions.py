"""What a seat may do without being asked (§4.7): show itself, mark a room, claim a colour (pure).

Nobody waits for these, so their absence tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from events.kernel import Decision, Option, Rejected, Seat
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.board import Cell
from games.room25.model.catalogue import COLORS, is_guard
from games.room25.model.codes import Code
from games.room25.model.meanings import talk_is_blocked
from games.room25.model.reasons import Why
from games.room25.model.state import State
from games.room25.rules.checks import show_role
from games.room25.rules.context import Play, rulebook_of


def voluntary(state: State, seat: Seat) -> list[Decision]:
    """The optional decisions of a seat, as far as the game is concerned."""
    found = [made(state, seat) for made in _BY_PREFIX.values()]
    return [decision for decision in found if decision is not None]


def voluntary_of(state: State, seat: Seat, decision: str) -> Decision | None:
    """The optional decision of that id among ``voluntary(state, seat)``.

    Only what might be it is worked out: whoever answers another question asks for none of these.
    """
    for prefix, made in _BY_PREFIX.items():
        if decision.startswith(prefix):
            found = made(state, seat)
            return found if found is not None and found.id == decision else None
    return None


def _in_window(state: State, seat: Seat) -> bool:
    """R115: from the seat's first slot of the turn until the countdown."""
    return seat in state.windows and any(c.alive for c in state.of_seat(seat))


def _optional(name: str, kind: str, seat: Seat, options: list[Option]) -> Decision:
    return Decision(id=name, kind=kind, seat=seat, options=tuple(options), optional=True)


def _reveal(state: State, seat: Seat) -> Decision | None:
    """A living guard may show itself in its window, or at any time (R24, R25, R27, R115)."""
    rulebook = rulebook_of(state)
    if rulebook.reveal_needs_room25 and not state.room25_revealed:
        return None
    if not rulebook.reveal_any_time and not _in_window(state, seat):
        return None
    for c in state.of_seat(seat):
        if c.alive and is_guard(c.role) and not c.role_public:
            return _optional(f"reveal-{c.id}", "reveal_guard", seat, [Option("reveal")])
    return None


def _reminder(state: State, seat: Seat) -> Decision | None:
    """Place the reminder token if it is in hand, or move it (R97, R116, R121)."""
    allowed = state.options.get("reminders", True) and not state.options.get("madness")
    if not allowed or not _in_window(state, seat):
        return None  # mostly so: only then is the grid searched
    on_table = any(seat in tile.reminders for tile in state.grid.values())
    cells = [cell for cell in state.grid if why_no_reminder(state, seat, cell) is None]
    if (on_table and not rulebook_of(state).movable_reminders) or not cells:
        return None
    options = [Option(where, {"cell": where}) for where in cells]
    count = state.reminded.get(seat, 0) + 1
    return _optional(f"reminder-s{seat}-{count}", "place_reminder", seat, options)


def why_no_reminder(state: State, seat: Seat, cell: Cell) -> Why | None:
    """Why a seat's reminder cannot be put on a room."""
    tile = state.grid[cell]
    if tile.up:
        return Why.FACE_UP
    return Why.MARKED if seat in tile.reminders else None


def looked_at(state: State, seat: Seat) -> list[Cell]:
    """The face-down cells whose room this seat has looked at; that it did is public."""
    if not state.peeked.get(seat):
        return []
    return [where for where in state.grid if why_no_claim(state, seat, where) is None]


def why_no_claim(state: State, seat: Seat, cell: Cell) -> Why | None:
    """Why a seat can say of a room no colour: it is face-up, or the seat has not looked at it."""
    tile = state.grid[cell]
    if tile.up:
        return Why.FACE_UP
    return None if tile.id in state.peeked.get(seat, ()) else Why.NOT_LOOKED


def _claim(state: State, seat: Seat) -> Decision | None:
    """Say, truly or not, what colour a looked-at room has (R29); alone there is nobody to tell."""
    cells = looked_at(state, seat)
    if not cells or state.end is not None:
        return None
    if len(state.seats()) == 1 or talk_is_blocked(state):
        return None
    options = [
        Option(f"{where}:{color}", {"cell": where, "color": color})
        for where in cells
        for color in COLORS
    ]
    count = len(state.claims.get(seat, ())) + 1
    return _optional(f"claim-s{seat}-{count}", "claim_color", seat, options)


_BY_PREFIX: Final[Mapping[str, Callable[[State, Seat], Decision | None]]] = {
    "reveal-": _reveal,
    "reminder-": _reminder,
    "claim-": _claim,
}
"""What the ids of the optional decisions begin with, and how each is worked out."""


def do_voluntary(play: Play, decision: Decision, option: str) -> None:
    """Carry out an optional decision that is open."""
    seat = decision.seat
    if decision.kind == "reveal_guard":
        show_role(play, decision.id.removeprefix("reveal-"), "own")
    elif decision.kind == "place_reminder":
        if any(seat in tile.reminders for tile in play.state.grid.values()):
            play.emit(more.ReminderTaken(seat=seat))
        play.emit(ev.ReminderPlaced(seat=seat, cell=option))
    elif decision.kind == "claim_color":
        where, color = option.split(":")
        play.emit(ev.ColorClaimed(seat=seat, cell=where, color=color))
    else:
        raise Rejected(Code.UNKNOWN_DECISION, "there is no such voluntary decision")
