"""The loop that works the agenda off until somebody must choose (pure)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from events.kernel import Decision, Option
from events.lru import PartsCache
from games.contract import Unasked
from games.dispatch import Handlers, on
from games.room25.model.agenda import (
    ActionEnd,
    Adrenaline,
    Ask,
    Boost,
    Card,
    Carried,
    CheckEnd,
    Clues,
    DrawCard,
    Effect,
    Enter,
    FloodRoom,
    Programs,
    Resolution,
    RobotOrder,
    Round,
    SecondPush,
    SecondStep,
    Slot,
    SlotEnd,
    TakeAction,
    Turn,
    WaitFrame,
    WorkFrame,
)
from games.room25.model.state import State
from games.room25.rules import (
    actions,
    cards,
    entering,
    event_cards,
    guard_powers,
    robots,
    rooms,
    turn_structure,
)
from games.room25.rules.checks import check
from games.room25.rules.choices import CHOICES
from games.room25.rules.context import Play
from games.room25.rules.programming import close_clues, close_programs
from games.room25.rules.resignation import remove_withdrawn


def _end_action(play: Play, frame: ActionEnd) -> None:
    actions.end_action(play, frame)
    remove_withdrawn(play)


def _check(play: Play, _: CheckEnd) -> None:
    check(play)


def _drop(_: Play, __: Resolution) -> None:
    """A resolution is over once everything above it is done."""


_WORK = (
    on(Turn, turn_structure.turn)
    | on(Round, turn_structure.serve_round)
    | on(Slot, turn_structure.begin_slot)
    | on(SlotEnd, turn_structure.end_slot)
    | on(TakeAction, actions.act)
    | on(ActionEnd, _end_action)
    | on(Resolution, _drop)
    | on(Enter, entering.enter)
    | on(Effect, entering.act_on)
    | on(CheckEnd, _check)
    | on(Adrenaline, turn_structure.serve_adrenaline)
    | on(Boost, turn_structure.boost)
    | on(FloodRoom, turn_structure.flood)
    | on(DrawCard, cards.draw_cards)
    | on(Card, event_cards.resolve_card)
    | on(RobotOrder, robots.give_order)
    | on(Carried, rooms.acid_together)
    | on(SecondStep, guard_powers.second_step)
    | on(SecondPush, guard_powers.second_push)
)
_ALL_WORK: Handlers[Play, WorkFrame, None] = _WORK

HANDLERS: Final[dict[type, Callable[[Play, Any], None]]] = _ALL_WORK.by_type
"""What carries out each frame, by its type."""


def asked_options(state: State, ask: Ask) -> list[Option]:
    """The options of the question on top of the agenda."""
    return CHOICES[ask.kind].options(state, ask)


class AskedDecisions:
    """The questions on top of agendas as their seats see them, of which the latest are kept.

    A command asks for a question several times of one state, and of its copies.

    Args:
        most: so many questions are kept at most.
    """

    def __init__(self, most: int = 256) -> None:
        self._known: PartsCache[Decision] = PartsCache(most)

    def decision(self, state: State, ask: Ask) -> Decision:
        """The question that a state asks."""
        parts = (
            state.agenda,
            state.grid,
            state.characters,
            state.markers,
            state.order,
            state.options,
            state.robots,
            state.locks,
        )
        return self._known.get(parts, lambda: asked_decision(state, ask))


def asked_decision(state: State, ask: Ask) -> Decision:
    """The question on top of the agenda as its seat sees it."""
    options = asked_options(state, ask)
    return Decision(
        id=ask.id,
        kind=ask.kind,
        seat=state.characters[ask.character].seat,
        subject=ask.character,
        options=tuple(options),
        default=CHOICES[ask.kind].default(state, ask, options),
        secret=CHOICES[ask.kind].secret,
    )


def _unasked(play: Play, ask: Ask, options: list[Option]) -> Unasked:
    return Unasked(
        id=ask.id,
        kind=ask.kind,
        seat=play.character(ask.character).seat,
        subject=ask.character,
        option=options[0].id if options else None,
    )


def _resolve_alone(play: Play, ask: Ask) -> bool:
    """Settle a question that leaves no choice; True if it did."""
    choice = CHOICES[ask.kind]
    if not play.character(ask.character).alive:
        play.pop()
        return True
    options = choice.options(play.state, ask)
    if len(options) > 1:
        return False
    play.pop()
    play.work.note(_unasked(play, ask, options))
    if options:
        choice.resolve(play, ask, options[0].id)
    else:
        choice.nothing(play, ask)
    return True


def _clues(play: Play, _: Clues) -> bool:
    return close_clues(play)


def _programs(play: Play, _: Programs) -> bool:
    return close_programs(play)


_WAIT = on(Clues, _clues) | on(Programs, _programs) | on(Ask, _resolve_alone)
_ALL_WAITS: Handlers[Play, WaitFrame, bool] = _WAIT

WAITS: Final[dict[type, Callable[[Play, Any], bool]]] = _ALL_WAITS.by_type
"""The frames at which the game may stand still: each takes itself off once it need not wait."""


def run(play: Play) -> None:
    """Work the agenda off until it is empty or a player must choose."""
    work = play.work
    while (state := work.state).agenda and state.end is None:
        frame = state.agenda[-1]
        settle = WAITS.get(type(frame))
        if settle is None:
            state.agenda = state.agenda[:-1]
            HANDLERS[type(frame)](play, frame)
        elif not settle(play, frame):
            return
