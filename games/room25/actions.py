"""The action tokens: what each may be aimed at, and what it does (§4.4, §4.5; pure)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from events.kernel import Option
from games.room25 import events as ev
from games.room25.agenda import Act, ActionEnd, Ask, Enter, Resolution
from games.room25.board import direction_to
from games.room25.choices import Choice, register
from games.room25.moves import (
    control_options,
    look_options,
    move_options,
    push_options,
    safest,
)
from games.room25.play import Play
from games.room25.shifting import shift_by_action
from games.room25.state import Character, State


class Action(Struct, frozen=True):
    """A token: its targets, how a time-out aims it, and what it does to an aim."""

    options: Callable[[State, Character], list[Option]]
    default: Callable[[State, list[Option]], str]
    resolve: Callable[[Play, str, str], None]


def _first(_: State, options: list[Option]) -> str:
    return options[0].id


def _safest_step(state: State, options: list[Option]) -> str:
    return safest(state, [option.id for option in options])


def _safest_push(state: State, options: list[Option]) -> str:
    """The first victim, to where it looks safest (D5)."""
    victim = options[0].meaning["character"]
    cells = [o.meaning["cell"] for o in options if o.meaning["character"] == victim]
    return f"{victim}:{safest(state, cells)}"


def _look(play: Play, name: str, option: str) -> None:
    play.peek(name, option)


def _step(play: Play, name: str, cell: str, cause: str) -> None:
    start = play.character(name).cell or ""
    play.push(Enter((name,), cell, direction_to(start, cell) or "", cause))


def _move(play: Play, name: str, option: str) -> None:
    _step(play, name, option, "move")


def _push(play: Play, _: str, option: str) -> None:
    victim, cell = option.split(":")
    _step(play, victim, cell, "push")


def _control(play: Play, name: str, option: str) -> None:
    line, way = option.split(":")
    shift_by_action(play, name, line, way)


ACTIONS: dict[str, Action] = {
    "look": Action(look_options, _first, _look),
    "move": Action(move_options, _safest_step, _move),
    "push": Action(push_options, _safest_push, _push),
    "control": Action(control_options, _first, _control),
}


def act(play: Play, frame: Act) -> None:
    """Turn a token up, then aim it; with no legal aim it is lost, but was an action (R31)."""
    name = frame.character
    character = play.character(name)
    armed = character.entry if character.trap is not None else 0
    play.emit(ev.ActionRevealed(character=name, slot=frame.slot, token=frame.token))
    play.push(Resolution(), ActionEnd(name, armed))
    play.ask(f"{frame.token}_target", name)


def end_action(play: Play, frame: ActionEnd) -> None:
    """A trap that was armed before this action closes on who still stands in it (§4.4.5, R51)."""
    character = play.character(frame.character)
    if character.alive and character.trap is not None and character.entry == frame.armed:
        play.eliminate((frame.character,), "trap")


def _register(token: str, action: Action) -> None:
    def options(state: State, ask: Ask) -> list[Option]:
        return action.options(state, state.characters[ask.character])

    def default(state: State, _: Ask, found: list[Option]) -> str:
        return action.default(state, found)

    def resolve(play: Play, ask: Ask, option: str) -> None:
        action.resolve(play, ask.character, option)

    def nothing(play: Play, ask: Ask) -> None:
        play.emit(ev.ActionLost(character=ask.character, token=token))

    register(
        f"{token}_target",
        Choice(options=options, resolve=resolve, default=default, nothing=nothing),
    )


for _token, _action in ACTIONS.items():
    _register(_token, _action)
