"""What each room does to those who enter it (§5.4; pure).

A kind that is not in ``EFFECTS`` does nothing on entry; what it forbids is in ``moves``.
"""

from __future__ import annotations

from collections.abc import Callable

from events.kernel import Option
from games.room25 import events as ev
from games.room25.agenda import Ask, Effect, Enter
from games.room25.board import CENTRE, Cell
from games.room25.choices import Choice, register
from games.room25.moves import cell_options, chamber_options, face_down, is_open, shown_kind
from games.room25.play import Play
from games.room25.rulebook import ALARM_TURNS
from games.room25.shifting import shift
from games.room25.state import State

EffectRule = Callable[[Play, Effect], None]


def _once(play: Play, frame: Effect) -> bool:
    """The chain guard: whether this room has not yet acted on this group (R47)."""
    return play.trigger(frame.group, play.state.grid[frame.cell].id)


def _asks(kind: str) -> EffectRule:
    """An effect that asks the entrant's player (the carrier's for a group, R46) once."""

    def effect(play: Play, frame: Effect) -> None:
        if _once(play, frame):
            play.ask(kind, frame.group[0], group=frame.group, cell=frame.cell, way=frame.way)

    return effect


def _room25(play: Play, _: Effect) -> None:
    """The alarm: five turns are left, this one included, but never more than before (R70)."""
    state = play.state
    if play.mode.alarm and state.turn <= ALARM_TURNS:
        last = state.turn + ALARM_TURNS - 1
        if last < state.last_turn:
            play.emit(ev.AlarmRaised(last_turn=last))


def _vortex(play: Play, frame: Effect) -> None:
    if _once(play, frame):
        play.push(Enter(frame.group, CENTRE, cause="vortex"))


def _acid(play: Play, frame: Effect) -> None:
    """Whoever was here before dies (§5.4)."""
    earlier = [c.id for c in play.state.occupants(frame.cell) if c.id not in frame.group]
    play.eliminate(earlier, "acid")


def _trap(play: Play, frame: Effect) -> None:
    for name in frame.group:
        play.emit(ev.TrapArmed(character=name, tile=play.state.grid[frame.cell].id))


def _flooded(play: Play, frame: Effect) -> None:
    play.emit(ev.RoomSealed(cell=frame.cell))
    for name in frame.group:
        play.emit(ev.FloodArmed(character=name, due=play.state.turn + 1))


def _mortal(play: Play, frame: Effect) -> None:
    play.eliminate(frame.group, "mortal")


EFFECTS: dict[str, EffectRule] = {
    "room25": _room25,
    "vision": _asks("vision_target"),
    "moving": _asks("moving_target"),
    "control": _asks("control_room"),
    "tunnel": _asks("tunnel_target"),
    "vortex": _vortex,
    "acid": _acid,
    "trap": _trap,
    "flooded": _flooded,
    "mortal": _mortal,
    "illusion": _asks("illusion_target"),
}


# --- what the asking rooms do with the answer ---


def _face_down_cells(state: State, _: Ask) -> list[Option]:
    return cell_options(face_down(state))


def _see(play: Play, ask: Ask, where: Cell) -> None:
    """Every member's player sees the one tile chosen, each player once (R131)."""
    seen: set[int] = set()
    for name in ask.group:
        seat = play.character(name).seat
        if seat not in seen:
            seen.add(seat)
            play.peek(name, where)


def _ride(play: Play, ask: Ask, where: Cell) -> None:
    """The Moving Chamber changes places with a face-down tile, which stays face-down."""
    play.emit(ev.TilesSwapped(first=ask.cell, second=where, cause="moving"))


def _shift_any(play: Play, _: Ask, option: str) -> None:
    """The Control Chamber's shift; never an escape (§5.4)."""
    line, way = option.split(":")
    shift(play, line, way, "room")


def _tunnels(state: State, ask: Ask) -> list[Option]:
    """Other face-up tunnels that are open (R48)."""
    entrant = state.characters[ask.group[0]]
    return cell_options(
        [
            where
            for where, tile in state.grid.items()
            if where != ask.cell and shown_kind(tile) == "tunnel" and is_open(state, where, entrant)
        ]
    )


def _go(play: Play, ask: Ask, where: Cell) -> None:
    """Arriving by tunnel does not trigger the second tunnel (R48)."""
    play.trigger(ask.group, play.state.grid[where].id)
    play.push(Enter(ask.group, where, cause="tunnel"))


def _deceive(play: Play, ask: Ask, where: Cell) -> None:
    """The Illusion goes to ``where``; what lay there comes here, turns up and is entered (R50)."""
    play.emit(ev.TilesSwapped(first=ask.cell, second=where, cause="illusion"))
    play.push(Enter(ask.group, ask.cell, ask.way, cause="illusion"))


def _chamber(state: State, _: Ask) -> list[Option]:
    return chamber_options(state)


register("vision_target", Choice(options=_face_down_cells, resolve=_see))
register("moving_target", Choice(options=_face_down_cells, resolve=_ride))
register("control_room", Choice(options=_chamber, resolve=_shift_any))
register("tunnel_target", Choice(options=_tunnels, resolve=_go))
register("illusion_target", Choice(options=_face_down_cells, resolve=_deceive))
