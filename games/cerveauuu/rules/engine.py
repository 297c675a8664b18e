"""The loop that works the agenda off until somebody must choose (pure)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from games.cerveauuu.board import Grid
from games.cerveauuu.model.agenda import (
    ActivationEnd,
    Answers,
    AnyFrame,
    AskAgain,
    CombatWindow,
    Consents,
    Discards,
    Go,
    GoEnd,
    Goes,
    PlaceHuman,
    PlaceZombie,
    Reopen,
    Replan,
    RoundStage,
    Support,
    WanderBatch,
    Wanderers,
    WanderTurn,
    WorkFrame,
)
from games.cerveauuu.model.state import State
from games.cerveauuu.rules import fights, goes, movement, placing, rounds, wandering, windows
from games.cerveauuu.rules.asking import OpenQuestion, PublicAsking, SealedAsking
from games.cerveauuu.rules.context import Play
from games.contract import Unasked
from games.dispatch import Handlers, on

_WORK = (
    on(RoundStage, rounds.begin_stage)
    | on(Wanderers, wandering.next_wanderer)
    | on(Goes, goes.next_go)
    | on(GoEnd, goes.end_go)
    | on(AskAgain, goes.ask_again)
    | on(ActivationEnd, goes.end_activation)
    | on(Reopen, windows.reopen)
    | on(CombatWindow, goes.open_combat)
)
_ALL_WORK: Handlers[Play, WorkFrame, None] = _WORK

HANDLERS: Final[dict[type, Callable[[Play, Any], None]]] = _ALL_WORK.by_type
"""What carries out each frame, by its type."""

SINGLE: Final[dict[type, PublicAsking]] = {
    PlaceHuman: placing.HUMANS,
    PlaceZombie: placing.ZOMBIES,
    WanderTurn: wandering.TURN,
    Go: goes.GO,
    Replan: movement.REPLAN,
    Support: fights.SUPPORT,
}
"""The frames that ask one seat in public."""

SEALED: Final[dict[type, SealedAsking]] = {
    Answers: windows.ANSWERS,
    WanderBatch: wandering.BATCH,
    Consents: fights.CONSENTS,
    Discards: rounds.DISCARDS,
}
"""The frames that ask several seats in secret."""


def asking_of(frame: AnyFrame) -> PublicAsking | SealedAsking:
    """How a frame asks.

    Raises:
        KeyError: it asks nobody.
    """
    return SEALED.get(type(frame)) or SINGLE[type(frame)]


def run(play: Play) -> None:
    """Work the agenda off until it is empty or a player must choose."""
    while play.state.agenda and not play.over:
        frame = play.state.agenda[-1]
        if type(frame) in HANDLERS:
            play.pop()
            HANDLERS[type(frame)](play, frame)
        elif not _goes_on(play, frame):
            return


def _goes_on(play: Play, frame: AnyFrame) -> bool:
    """Settle what need not be asked; whether nobody is waited for any more."""
    sealed = SEALED.get(type(frame))
    if sealed is not None:
        if any(not q.answered for q in sealed.questions(play.state, play.grid, frame)):
            return False
        play.pop()
        sealed.close(play, frame)
        return True
    single = SINGLE[type(frame)]
    question = single.question(play.state, frame)
    if isinstance(frame, Go) and frame.seat in play.state.dormant:
        play.pop()  # its go just ends (§4.11)
        return True
    if question.seat in play.state.dormant:
        _take(play, frame, question, single.default(play.state, play.grid, frame, question))
        return True
    options = single.options(play.state, play.grid, frame, question, ())
    if len(options) > 1 or options[0].branch:
        return False
    play.work.note(
        Unasked(id=question.id, kind=question.kind, seat=question.seat, option=options[0].id)
    )
    _take(play, frame, question, options[0].id)
    return True


def _take(play: Play, frame: AnyFrame, question: OpenQuestion, option: str) -> None:
    play.pop()
    SINGLE[type(frame)].answer(play, frame, question, option)


def questions_of(state: State, grid: Grid, frame: AnyFrame) -> tuple[OpenQuestion, ...]:
    """The questions that a frame asks, those answered already too."""
    sealed = SEALED.get(type(frame))
    if sealed is not None:
        return sealed.questions(state, grid, frame)
    if type(frame) in SINGLE:
        return (SINGLE[type(frame)].question(state, frame),)
    return ()


def answer(play: Play, frame: AnyFrame, question: OpenQuestion, option: str) -> None:
    """Carry an option out, or record it if it is sealed."""
    sealed = SEALED.get(type(frame))
    if sealed is not None:
        sealed.answer(play, frame, question, option)
    else:
        _take(play, frame, question, option)
