"""The loop that works the agenda off until somebody must choose (pure)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from events.kernel import Decision, Option
from games.contract import Unasked
from games.room25 import (
    actions,
    cards,
    effects,
    entering,
    madness,
    powers,
    robots,
    slots,
)
from games.room25.agenda import (
    Act,
    ActionEnd,
    Adrenaline,
    AnyFrame,
    Ask,
    Boost,
    Card,
    Carried,
    Check,
    Clues,
    Draw,
    Effect,
    Enter,
    Flood,
    Programs,
    Resolution,
    RobotOrder,
    Round,
    SecondPush,
    SecondStep,
    Slot,
    SlotEnd,
    Turn,
)
from games.room25.checks import check
from games.room25.choices import CHOICES
from games.room25.play import Play
from games.room25.programming import close_clues, close_programs
from games.room25.state import State
from games.room25.withdrawal import remove_withdrawn


def _end_action(play: Play, frame: ActionEnd) -> None:
    actions.end_action(play, frame)
    remove_withdrawn(play)


def _check(play: Play, _: Check) -> None:
    check(play)


def _drop(_: Play, __: Resolution) -> None:
    """A resolution is over once everything above it is done."""


HANDLERS: dict[type[AnyFrame], Callable[[Play, Any], None]] = {
    Turn: slots.turn,
    Round: slots.serve_round,
    Slot: slots.begin_slot,
    SlotEnd: slots.end_slot,
    Act: actions.act,
    ActionEnd: _end_action,
    Resolution: _drop,
    Enter: entering.enter,
    Effect: entering.act_on,
    Check: _check,
    Adrenaline: slots.serve_adrenaline,
    Boost: slots.boost,
    Flood: slots.flood,
    Draw: cards.draw_cards,
    Card: madness.resolve_card,
    RobotOrder: robots.give_order,
    Carried: effects.acid_together,
    SecondStep: powers.second_step,
    SecondPush: powers.second_push,
}


def asked_options(state: State, ask: Ask) -> list[Option]:
    """The options of the question on top of the agenda."""
    return CHOICES[ask.kind].options(state, ask)


_Parts = tuple[object, ...]

_MEMO: dict[tuple[int, ...], tuple[_Parts, Decision]] = {}
_MEMO_SIZE: Final = 256


def asked_decision(state: State, ask: Ask) -> Decision:
    """The question on top of the agenda as its seat sees it.

    A command asks for it several times of one state, and of its copies, whose parts are the same
    immutable objects; so it is remembered by the identity of the parts that it depends on. The
    memory holds them, so that an identity cannot come to mean something else.
    """
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
    key = tuple(map(id, parts))
    known = _MEMO.get(key)
    if known is None:
        if len(_MEMO) >= _MEMO_SIZE:
            _MEMO.clear()
        known = _MEMO[key] = (parts, _asked(state, ask))
    return known[1]


def _asked(state: State, ask: Ask) -> Decision:
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


WAITS: dict[type[AnyFrame], Callable[[Play, Any], bool]] = {
    Clues: lambda play, _: close_clues(play),
    Programs: lambda play, _: close_programs(play),
    Ask: _resolve_alone,
}
"""The frames at which the game may stand still: each takes itself off once it need not wait."""


def run(play: Play) -> None:
    """Work the agenda off until it is empty or a player must choose."""
    while play.state.agenda and play.state.end is None:
        frame = play.state.agenda[-1]
        settle = WAITS.get(type(frame))
        if settle is None:
            play.pop()
            HANDLERS[type(frame)](play, frame)
        elif not settle(play, frame):
            return
