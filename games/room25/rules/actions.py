"""The action tokens: what each may be aimed at, and what it does (§4.4, §4.5; pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from events.kernel import Option
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.agenda import (
    ActionEnd,
    Ask,
    Question,
    Resolution,
    SecondStep,
    TakeAction,
)
from games.room25.model.catalogue import SPECIAL
from games.room25.model.state import Character, State
from games.room25.rules.asking import ChoiceKind
from games.room25.rules.context import Play
from games.room25.rules.guard_powers import extra_options, has_power, resolve_power
from games.room25.rules.moves import (
    control_options,
    look_options,
    move_options,
    push_options,
    safest,
)
from games.room25.rules.shifting import shift_by_action


class Action(Struct, frozen=True):
    """A token: its question, its targets, how a time-out aims it, and what it does to an aim."""

    aim: Question
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


def _move(play: Play, name: str, option: str) -> None:
    if has_power(play.character(name), "second_step"):
        play.push(Resolution(), SecondStep(name))
    play.bring((name,), option, "move")


def _push(play: Play, _: str, option: str) -> None:
    victim, cell = option.split(":")
    play.bring((victim,), cell, "push")


def _control(play: Play, name: str, option: str) -> None:
    line, way = option.split(":")
    shift_by_action(play, name, line, way)


DRAWN_SLOTS = 2
"""The slots that a paranoid character draws for; adrenaline is chosen."""

ACTIONS: Final[Mapping[str, Action]] = {
    "look": Action("look_target", look_options, _first, _look),
    "move": Action("move_target", move_options, _safest_step, _move),
    "push": Action("push_target", push_options, _safest_push, _push),
    "control": Action("control_target", control_options, _first, _control),
}


def act(play: Play, frame: TakeAction) -> None:
    """Turn a token up, then aim it; with no legal aim it is lost, but was an action (R31)."""
    name = frame.character
    character = play.character(name)
    armed = character.entry if character.trap is not None else 0
    # Only the draw of a paranoid character comes from a stack; adrenaline is chosen (R68d).
    drawn = character.paranoid and frame.slot <= DRAWN_SLOTS
    play.emit(ev.ActionRevealed(character=name, slot=frame.slot, token=frame.token, drawn=drawn))
    play.push(Resolution(), ActionEnd(name, armed, character.hidden))
    play.ask("special_choice" if frame.token == SPECIAL else ACTIONS[frame.token].aim, name)


def end_action(play: Play, frame: ActionEnd) -> None:
    """Visible again; then a trap that was armed before this action closes (§4.4.5, R51)."""
    character = play.character(frame.character)
    if character.alive and frame.hidden and character.hidden:
        play.emit(more.CharacterShowed(character=frame.character))
    if character.alive and character.trap is not None and character.entry == frame.armed:
        play.eliminate((frame.character,), "trap")


LOSE = "lose"


def _aiming(token: str, action: Action) -> ChoiceKind:
    """The aim of a token as a kind of decision; powers add to it, after the ordinary aims."""

    def options(state: State, ask: Ask) -> list[Option]:
        c = state.characters[ask.character]
        usual = action.options(state, c)
        known = {option.id for option in usual}
        extra = [o for o in extra_options(state, c, token) if o.id not in known]
        return [Option(LOSE), *extra] if extra and not usual else [*usual, *extra]

    def default(state: State, ask: Ask, found: list[Option]) -> str:
        usual = action.options(state, state.characters[ask.character])
        return action.default(state, usual) if usual else found[0].id

    def resolve(play: Play, ask: Ask, option: str) -> None:
        if option == LOSE:
            nothing(play, ask)
        elif not resolve_power(play, ask.character, token, option):
            action.resolve(play, ask.character, option)

    def nothing(play: Play, ask: Ask) -> None:
        play.emit(ev.ActionLost(character=ask.character, token=token))

    return ChoiceKind(options=options, resolve=resolve, default=default, nothing=nothing)


CHOICES: Final[Mapping[Question, ChoiceKind]] = {
    action.aim: _aiming(token, action) for token, action in ACTIONS.items()
}
"""The decisions that it asks for, by kind."""
