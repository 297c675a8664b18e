"""What each room does to those who enter it (§5.4; pure).

A kind that is not in ``EFFECTS`` does nothing on entry; what it forbids are its traits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from events.kernel import Option
from games.room25.editions.endings import is_last_turn
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.agenda import Ask, Carried, DrawCard, Effect, Enter, Question, RobotOrder
from games.room25.model.board import AXIS, CENTRE, Cell
from games.room25.model.meanings import has, shows
from games.room25.model.reasons import Why
from games.room25.model.rulebook import ALARM_TURNS
from games.room25.model.state import Character, State
from games.room25.rules.asking import ChoiceKind
from games.room25.rules.checks import show_the_dead
from games.room25.rules.context import Play
from games.room25.rules.moves import (
    cell_options,
    chamber_options,
    face_down,
    shown_kind,
    why_closed,
)
from games.room25.rules.shifting import shift

EffectRule = Callable[[Play, Effect], None]

PAIR = 2
CARRIER, PASSENGER = "carrier", "passenger"


def _once(play: Play, frame: Effect) -> bool:
    """The chain guard: whether this room has not yet acted on this group (R47)."""
    return play.trigger(frame.group, play.state.grid[frame.cell].id)


def _asks(kind: Question) -> EffectRule:
    """An effect that asks the entrant's player (the carrier's for a group, R46) once."""

    def effect(play: Play, frame: Effect) -> None:
        if _once(play, frame):
            play.ask(kind, frame.group[0], group=frame.group, cell=frame.cell, way=frame.way)

    return effect


def _room25(play: Play, _: Effect) -> None:
    """The alarm: five turns are left, this one included, but never more than before (R70).

    So it never makes the running turn the last, and no dead need show for it (R87).
    """
    state = play.state
    if play.mode.alarm and state.turn <= ALARM_TURNS:
        last = state.turn + ALARM_TURNS - 1
        if last < state.last_turn:
            play.emit(ev.AlarmRaised(last_turn=last))


def _vortex(play: Play, frame: Effect) -> None:
    if _once(play, frame):
        play.push(Enter(frame.group, CENTRE, cause="vortex"))


def _acid(play: Play, frame: Effect) -> None:
    """Whoever was here before dies; of two who come together, one (§5.4, R55)."""
    if len(frame.group) > 1:
        play.push(Carried(frame.group, frame.cell))
    earlier = [c.id for c in play.state.occupants(frame.cell) if c.id not in frame.group]
    play.eliminate(earlier, "acid")


def acid_together(play: Play, frame: Carried) -> None:
    """D13, for the two who are left; a larger crowd leaves its last member (R55)."""
    group = play.living(frame.group)
    if len(group) > PAIR:
        play.eliminate(group[1:-1], "acid")
        group = (group[0], group[-1])
    if len(group) == PAIR:
        play.ask("acid_victim", group[0], group=group)


def _trap(play: Play, frame: Effect) -> None:
    for name in frame.group:
        play.emit(ev.TrapArmed(character=name, tile=play.state.grid[frame.cell].id))


def _flooded(play: Play, frame: Effect) -> None:
    _sealing(play, frame)
    for name in frame.group:
        play.emit(ev.FloodArmed(character=name, due=play.state.turn + 1))


def _mortal(play: Play, frame: Effect) -> None:
    play.eliminate(frame.group, "mortal")


def _key(play: Play, frame: Effect) -> None:
    play.emit(more.KeyTurned())
    play.replace_room(frame.cell)


def _regeneration(play: Play, frame: Effect) -> None:
    """All the dead come back in the Central Room; the room is used up (R63)."""
    dead = play.state.dead
    if not dead:
        return
    entry = play.state.entries + 1
    for name in dead:
        pinned = has(play.state, play.character(name), "pin")
        locks = play.rulebook.locks if pinned else None
        play.emit(more.CharacterReturned(character=name, entry=entry, locks=locks))
    play.replace_room(frame.cell)


def _robot(play: Play, frame: Effect) -> None:
    """A robot comes into play while there are fewer than open Robot Rooms; then an order (R64)."""
    if not _once(play, frame):
        return
    state = play.state
    rooms = sum(shown_kind(tile) == "robot" for tile in state.grid.values())
    in_play = sum(cell is not None for cell in state.robots)
    if in_play < min(rooms, len(state.robots)):
        play.emit(more.RobotPlaced(robot=state.robots.index(None), cell=frame.cell))
    play.push(RobotOrder(frame.group[0]))


def _cold(play: Play, frame: Effect) -> None:
    """Where the cold lingers it binds the next turn, wherever one is then (R58)."""
    if play.rulebook.cold_lingers:
        for name in frame.group:
            play.emit(more.ColdLingers(character=name))


def _pivoting(play: Play, frame: Effect) -> None:
    """The corridor turns to the way by which one came in, or is chosen (R73)."""
    if frame.way:
        play.emit(more.RoomTurned(cell=frame.cell, axis=AXIS[frame.way]))
    elif play.state.grid[frame.cell].axis is None:
        play.ask("pivot_orientation", frame.group[0], cell=frame.cell)


def _mac(play: Play, frame: Effect) -> None:
    """One card, which concerns the entrant, the carrier of a pair (R74, R114)."""
    if _once(play, frame):
        play.push(DrawCard(1, frame.group[0]))


def _mirror(play: Play, frame: Effect) -> None:
    """Adrenaline is spent, and what is still programmed is gone (R67, R22)."""
    for name in frame.group:
        c = play.character(name)
        if c.adrenaline in {"available", "programmed"}:
            play.emit(more.AdrenalineChanged(character=name, adrenaline="spent"))
        if _has_pending(c) and not c.paranoid and not c.free:
            play.emit(more.ProgramCancelled(character=name))


def _has_pending(c: Character) -> bool:
    """Whether a programmed action has not been turned up yet."""
    return c.acted < sum(token != "" for token in c.programmed)


def _sealing(play: Play, frame: Effect) -> None:
    play.emit(ev.RoomSealed(cell=frame.cell))


def _burning(play: Play, frame: Effect) -> None:
    """As the flood without a seal; an earlier deadline stays (§5.4, R60)."""
    for name in frame.group:
        if play.character(name).flood is None:
            play.emit(ev.FloodArmed(character=name, due=play.state.turn + 1))


def _paranoia(play: Play, frame: Effect) -> None:
    """All tokens are taken back and shuffled; actions are drawn from now on (R68)."""
    for name in frame.group:
        c = play.character(name)
        tokens = [token for token in c.tokens if token not in c.lost]
        label = f"paranoia/{name}/t{play.state.turn}/e{c.entry}"
        stack = tuple(play.context.draw.shuffled(tokens, label))
        play.emit(more.ParanoiaBegan(character=name, stacked=len(stack), stack=stack))


def _timer(play: Play, frame: Effect) -> None:
    """One turn less, or death on the last; the room is used up (R69)."""
    state = play.state
    play.replace_room(frame.cell)
    if is_last_turn(state):
        play.eliminate(frame.group, "timer")
        return
    play.emit(more.TurnsCut(last_turn=state.last_turn - 1))
    show_the_dead(play)


def _secrets(play: Play, frame: Effect) -> None:
    """In suspicion: see somebody's role (R62)."""
    if play.mode.roles and _once(play, frame):
        play.ask("secrets_target", frame.group[0])


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
    "key": _key,
    "regeneration": _regeneration,
    "robot": _robot,
    "secrets": _secrets,
    "cold": _cold,
    "pivoting": _pivoting,
    "mac": _mac,
    "mirror": _mirror,
    "condemned": _sealing,
    "burning": _burning,
    "paranoia": _paranoia,
    "timer": _timer,
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


def why_no_tunnel(state: State, ask: Ask, where: Cell) -> Why | None:
    """Why one does not come out of a tunnel at ``where``; None: one may (R48)."""
    if where == ask.cell:
        return Why.START
    if not shows(state.grid[where], "transit"):
        return Why.NO_TUNNEL
    return why_closed(state, state.characters[ask.group[0]], where)


def _tunnels(state: State, ask: Ask) -> list[Option]:
    """Other face-up tunnels that are open (R48)."""
    return cell_options([where for where in state.grid if why_no_tunnel(state, ask, where) is None])


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


def _victims(_: State, ask: Ask) -> list[Option]:
    carrier, passenger = ask.group
    return [
        Option(PASSENGER, {"character": passenger}),
        Option(CARRIER, {"character": carrier}),
    ]


def _dissolve(play: Play, ask: Ask, option: str) -> None:
    carrier, passenger = ask.group
    play.eliminate((carrier if option == CARRIER else passenger,), "acid")


def _axes(_: State, __: Ask) -> list[Option]:
    return [Option("horizontal"), Option("vertical")]


def _turn_room(play: Play, ask: Ask, option: str) -> None:
    play.emit(more.RoomTurned(cell=ask.cell, axis=option))


def why_no_role(state: State, ask: Ask, c: Character) -> Why | None:
    """Why the role of a character cannot be seen; None: it can (D15)."""
    if c.seat == state.characters[ask.character].seat:
        return Why.OWN
    if not c.alive:
        return Why.ELIMINATED
    return Why.ROLE_PUBLIC if c.role_public else None


def _role_targets(state: State, ask: Ask) -> list[Option]:
    """D15: other players' living characters whose role is not public."""
    return [
        Option(c.id, {"character": c.id})
        for c in state.living()
        if why_no_role(state, ask, c) is None
    ]


def _see_role(play: Play, ask: Ask, name: str) -> None:
    seat, role = play.character(ask.character).seat, play.character(name).role
    if role is None:
        raise ValueError(f"the truth does not know the role of {name}")
    play.emit(more.RolePeeked(seat=seat, character=name, role=role))


CHOICES: Final[Mapping[Question, ChoiceKind]] = {
    "acid_victim": ChoiceKind(options=_victims, resolve=_dissolve),
    "pivot_orientation": ChoiceKind(options=_axes, resolve=_turn_room),
    "secrets_target": ChoiceKind(options=_role_targets, resolve=_see_role),
    "vision_target": ChoiceKind(options=_face_down_cells, resolve=_see),
    "moving_target": ChoiceKind(options=_face_down_cells, resolve=_ride),
    "control_room": ChoiceKind(options=_chamber, resolve=_shift_any),
    "tunnel_target": ChoiceKind(options=_tunnels, resolve=_go),
    "illusion_target": ChoiceKind(options=_face_down_cells, resolve=_deceive),
}
"""The decisions that it asks for, by kind."""
