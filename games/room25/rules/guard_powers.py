"""The powers of a prototype's revealed guards (§6.5, R118; pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from events.kernel import Option
from games.room25.facts import edition_events as more
from games.room25.model.agenda import Ask, Question, SecondPush, SecondStep
from games.room25.model.board import CENTRE, LINES, Cell
from games.room25.model.catalogue import CENTRAL, GUARD_POWERS, Power
from games.room25.model.meanings import stands_in
from games.room25.model.reasons import Why
from games.room25.model.state import Character, State
from games.room25.rules.asking import ChoiceKind
from games.room25.rules.context import Play
from games.room25.rules.moves import (
    cell_options,
    face_down,
    may_step,
    shift_options,
    steps,
)
from games.room25.rules.programming import reveal


def has_power(character: Character, power: Power) -> bool:
    """Whether a character is a revealed guard who can do this."""
    return character.role_public and GUARD_POWERS.get(character.role or "") == power


# --- extra aims of ordinary tokens ---


def extra_options(state: State, character: Character, token: str) -> list[Option]:
    """What a power adds to a token's options, after the ordinary ones (R118)."""
    if token == "control" and has_power(character, "any_line"):  # noqa: S105 (an action)
        return shift_options(state, tuple(LINES))
    if token == "push" and has_power(character, "double_push"):  # noqa: S105 (an action)
        return _double_pushes(state, character)
    if token == "look" and has_power(character, "far_look"):  # noqa: S105 (an action)
        return _architect_options(state, character)
    return []


def _double_pushes(state: State, character: Character) -> list[Option]:
    """Two victims to the same room, in a chosen order."""
    if character.cell is None or character.cell == CENTRE:
        return []
    victims = [c for c in state.occupants(character.cell) if c.id != character.id and not c.hidden]
    return [
        Option(
            f"{first.id}+{second.id}:{cell}",
            {"character": first.id, "second": second.id, "cell": cell},
        )
        for first in victims
        for second in victims
        if first.id != second.id
        for cell in steps(state, first)
        if may_step(state, second, cell)
    ]


def _architect_options(state: State, character: Character) -> list[Option]:
    """Any face-down room, or turning an unoccupied face-up one down (R107)."""
    if stands_in(state, character, "lightless"):
        return []
    hidden = [
        Option(f"hide:{where}", {"hide": where})
        for where in state.grid
        if why_not_turned_down(state, where) is None
    ]
    return [*cell_options(face_down(state)), *hidden]


def why_not_turned_down(state: State, where: Cell) -> Why | None:
    """Why a room cannot be turned down (R107)."""
    tile = state.grid[where]
    if not tile.up:
        return Why.FACE_DOWN
    if tile.kind == CENTRAL:
        return Why.CENTRE
    if tile.seal:
        return Why.SEALED
    return Why.OCCUPIED if state.is_occupied(where) else None


def resolve_power(play: Play, name: str, token: str, option: str) -> bool:
    """Carry out what only a power allows; False if the option is an ordinary one."""
    if token == "look" and option.startswith("hide:"):  # noqa: S105 (an action)
        play.emit(more.PowerUsed(character=name, option=option))
        play.emit(more.RoomTurnedDown(cell=option.removeprefix("hide:")))
        return True
    if token == "push" and "+" in option:  # noqa: S105 (an action)
        victims, cell = option.split(":")
        first, second = victims.split("+")
        play.emit(more.PowerUsed(character=name, option=option))
        play.push(SecondPush(second, cell))
        play.bring((first,), cell, "push")
        return True
    return False


def second_push(play: Play, frame: SecondPush) -> None:
    """The second victim follows, if the way is still open (R118)."""
    victim = play.character(frame.victim)
    if victim.alive and may_step(play.state, victim, frame.cell):
        play.bring((frame.victim,), frame.cell, "push")


# --- the killer's second step ---


def second_step(play: Play, frame: SecondStep) -> None:
    """A killer that is alive may step once more, from wherever the first step ended."""
    if play.character(frame.character).alive:
        play.ask("killer_step", frame.character)


STOP = "stop"


def _killer_options(state: State, ask: Ask) -> list[Option]:
    return [Option(STOP), *cell_options(steps(state, state.characters[ask.character]))]


def _killer(play: Play, ask: Ask, option: str) -> None:
    if option != STOP:
        play.emit(more.PowerUsed(character=ask.character, option=option))
        play.bring((ask.character,), option, "move")


# --- the traitor's change of mind ---

KEEP, SWAP, REPLACE = "keep", "swap", "replace"


def _traitor_options(state: State, ask: Ask) -> list[Option]:
    """Swap the two actions in round 1, or replace one that is not resolved (§6.5)."""
    c = state.characters[ask.character]
    slots = slots_of(c)
    options = [Option(KEEP)]
    if state.round == 1 and len(slots) > 1:
        options.append(Option(SWAP))
    options += [
        Option(f"{REPLACE}:{slot}:{token}", {"slot": slot, "token": token})
        for slot in slots
        for token in c.tokens
        if why_no_replacement(state, c, slot, token) is None
    ]
    return options


def slots_of(c: Character) -> tuple[int, ...]:
    """The slots of a programme, from 1."""
    return tuple(range(1, len(c.programmed) + 1))


def why_no_replacement(state: State, c: Character, slot: int, token: str) -> Why | None:
    """Why a token cannot take the place of the one in a slot."""
    if slot < min(state.round, len(c.programmed)):
        return Why.REVEALED
    if token in c.lost:
        return Why.LOST
    return Why.PROGRAMMED if token in c.programmed else None


def _traitor(play: Play, ask: Ask, option: str) -> None:
    c = play.character(ask.character)
    tokens = list(c.programmed)
    if option != KEEP:
        if option == SWAP:
            tokens.reverse()
        else:
            _, slot, token = option.split(":")
            tokens[int(slot) - 1] = token
        changed = tuple(token or "" for token in tokens)
        play.emit(more.TokenReplaced(seat=c.seat, character=c.id, tokens=changed))
    reveal(play, c.id, play.state.round)


CHOICES: Final[Mapping[Question, ChoiceKind]] = {
    "killer_step": ChoiceKind(options=_killer_options, resolve=_killer),
    # A token put on the later slot is known to its owner alone (R118).
    "traitor_change": ChoiceKind(options=_traitor_options, resolve=_traitor, secret=True),
}
"""The decisions that it asks for, by kind."""
