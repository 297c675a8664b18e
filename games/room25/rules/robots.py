"""Robots: where they may go, whom they may push, and what happens to them (§5.3, §6.3; pure).

An order's option is ``robot<n>:move:<cell>`` or ``robot<n>:push:<character>:<cell>``; robots count
from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from events.kernel import Option
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.agenda import Ask, CheckEnd, Question, RobotOrder
from games.room25.model.board import AXIS, NEIGHBOURS, Cell, Direction, direction_to
from games.room25.model.catalogue import color_of, is_kind
from games.room25.model.meanings import corridor, has
from games.room25.model.reasons import Why
from games.room25.model.state import Character, State
from games.room25.rules.asking import ChoiceKind, refusable
from games.room25.rules.context import Play
from games.room25.rules.moves import apart_from, is_blue, safety, shown_kind, steps


def _no_robot_step(state: State, start: Cell, way: Direction, axis: str | None) -> Why | None:
    """Why no robot goes from ``start``, where a corridor may lie along ``axis``, that way."""
    if state.grid[NEIGHBOURS[start][way]].seal:
        return Why.SEALED
    return None if axis in {None, AXIS[way]} else Why.NO_CORRIDOR


def why_no_robot_step(state: State, start: Cell, where: Cell) -> Why | None:
    """Why no robot goes from ``start`` to ``where``; None: one does (§6.3)."""
    way = direction_to(start, where)
    if way is None:
        return apart_from(start, where)
    return _no_robot_step(state, start, way, corridor(state.grid[start]))


def robot_steps(state: State, robot: int) -> list[Cell]:
    """Where a robot may go: no seal, and out of a corridor only along it (§6.3)."""
    where = state.robots[robot]
    if where is None:
        return []
    axis = corridor(state.grid[where])
    return [
        cell
        for way, cell in NEIGHBOURS[where].items()
        if _no_robot_step(state, where, way, axis) is None
    ]


def why_no_robot_victim(state: State, start: Cell, victim: Character) -> Why | None:
    """Why a robot that is at ``start`` sees nobody to push there; None: it does (§6.3)."""
    if victim.cell is None:
        return Why.ELIMINATED
    if victim.cell != start:
        return Why.ELSEWHERE
    if victim.hidden:
        return Why.HIDDEN
    return Why.BLUE if is_blue(state.grid[start]) else None


def robot_pushes(state: State, robot: int) -> list[tuple[str, Cell]]:
    """Whom a robot may push where; never from a blue tile (§6.3)."""
    where = state.robots[robot]
    if where is None or shown_kind(state.grid[where]) is None:
        return []
    return [
        (victim.id, cell)
        for victim in state.occupants(where)
        if why_no_robot_victim(state, where, victim) is None
        for cell in steps(state, victim)
    ]


def order_options(state: State) -> list[Option]:
    """All legal orders, by robot: its moves, then its pushes."""
    found = []
    for robot in range(len(state.robots)):
        name = f"robot{robot + 1}"
        for cell in robot_steps(state, robot):
            meaning = {"robot": robot + 1, "move": cell}
            found.append(Option(f"{name}:move:{cell}", meaning))
        for victim, cell in robot_pushes(state, robot):
            meaning = {"robot": robot + 1, "push": victim, "cell": cell}
            found.append(Option(f"{name}:push:{victim}:{cell}", meaning))
    return found


def default_order(state: State, _: Ask, options: list[Option]) -> str:
    """The safest move, else the first order (D11)."""
    moves = [option for option in options if "move" in option.meaning]
    if not moves:
        return options[0].id
    return min(moves, key=lambda option: safety(state, option.meaning["move"])).id


def carry_out(play: Play, giver: str, option: str) -> None:
    """Carry out an order that is legal."""
    name, kind, *rest = option.split(":")
    robot = int(name.removeprefix("robot")) - 1
    if kind == "move":
        move_robot(play, robot, rest[0])
    else:
        push_by_robot(play, giver, robot, rest[0], rest[1])


def move_robot(play: Play, robot: int, cell: Cell) -> None:
    """A robot enters: it turns the room up, turns a corridor, and dies in red rooms (§5.3)."""
    start = play.state.robots[robot] or cell
    play.emit(more.RobotPlaced(robot=robot, cell=cell))
    if not play.state.grid[cell].up:
        play.reveal(cell)
        if is_kind(play.state.grid[cell].kind, "floods"):
            play.emit(ev.RoomSealed(cell=cell))
    kind = play.state.grid[cell].kind or ""
    way = direction_to(start, cell)
    if is_kind(kind, "corridor") and way is not None:
        play.emit(more.RoomTurned(cell=cell, axis=AXIS[way]))
    if color_of(kind) != "red":
        play.push(CheckEnd())
        return
    play.emit(more.RobotRemoved(robot=robot))
    if is_kind(kind, "shreds"):
        play.emit(ev.RoomSealed(cell=cell))
    if is_kind(kind, "kills_with_robot"):
        play.eliminate([c.id for c in play.state.occupants(cell)], kind)


def may_refuse(state: State, victim: str) -> bool:
    """Whether a character may refuse to be pushed by a robot (R136)."""
    return has(state, state.characters[victim], "android")


def push_by_robot(play: Play, giver: str, robot: int, victim: str, cell: Cell) -> None:
    """Push a character, who may be one that can refuse (D12)."""
    if may_refuse(play.state, victim):
        play.ask("android", victim, cell=cell, about=(str(robot), giver))
    else:
        play.bring((victim,), cell, "robot")


def give_order(play: Play, frame: RobotOrder) -> None:
    """The order is mandatory if one is legal (R64)."""
    if play.living((frame.character,)):
        play.ask("robot_order", frame.character)


def _options(state: State, _: Ask) -> list[Option]:
    return order_options(state)


def _order(play: Play, ask: Ask, option: str) -> None:
    carry_out(play, ask.character, option)


def _android(play: Play, ask: Ask, option: str) -> None:
    """Refused: the giver takes somebody else there, if there is anybody (R66, R137)."""
    robot, giver = ask.about
    if option == "accept":
        play.bring((ask.character,), ask.cell, "robot")
        return
    play.emit(more.OfferRefused(character=ask.character))
    if play.living((giver,)):
        play.ask("robot_order_again", giver, about=(robot, ask.character))


def _again_options(state: State, ask: Ask) -> list[Option]:
    robot = int(ask.about[0])
    return [
        Option(
            f"robot{robot + 1}:push:{victim}:{cell}",
            {"robot": robot + 1, "push": victim, "cell": cell},
        )
        for victim, cell in robot_pushes(state, robot)
        if not _has_refused(ask, victim)
    ]


def _has_refused(ask: Ask, victim: str) -> bool:
    return victim == ask.about[1]


def why_not_pushed_instead(state: State, ask: Ask, start: Cell, victim: Character) -> Why | None:
    """Why a robot at ``start`` cannot push somebody in place of whoever has refused (R66)."""
    refused = _has_refused(ask, victim.id)
    return Why.REFUSED if refused else why_no_robot_victim(state, start, victim)


CHOICES: Final[Mapping[Question, ChoiceKind]] = {
    "robot_order": ChoiceKind(options=_options, resolve=_order, default=default_order),
    "robot_order_again": ChoiceKind(options=_again_options, resolve=_order),
    "android": ChoiceKind(options=refusable, resolve=_android),
}
"""The decisions that it asks for, by kind."""
