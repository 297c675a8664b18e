"""Response windows: open, answer, judge, resolve, reopen, close (§5.3; pure)."""

from __future__ import annotations

from typing import Final

from events.kernel import Option, Seat
from games.cerveauuu.board import Grid, at_anchor
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.model.agenda import Answers, Reopen
from games.cerveauuu.model.ids import by_id
from games.cerveauuu.model.language import Window
from games.cerveauuu.model.state import CardWindow, PlannedStep, State
from games.cerveauuu.rules import combat, movement, yields
from games.cerveauuu.rules.asking import OpenQuestion, SealedAsking
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.effects import resolve
from games.cerveauuu.rules.pieces import bring_to_rest, lift_exits
from games.cerveauuu.rules.plays import PLAY, may_play, play_branch, read_play
from games.cerveauuu.rules.timeline import all_steps, plan_of, plan_steps, steps_to
from games.cerveauuu.rules.trees import SKIP, Path

RESPOND: Final = "respond"
"""The kind of decision that an answer to a window is."""


def opened(state: State) -> CardWindow:
    """The window that is open.

    Raises:
        ValueError: there is none.
    """
    if state.window is None:
        raise ValueError("no window is open")
    return state.window


def open_window(
    play: Play, kind: Window, trigger: Seat, steps: tuple[PlannedStep, ...] = ()
) -> None:
    """Open a window with its timeline and ask everybody (§5.3.1)."""
    _begin(play, kind, trigger)
    if steps:
        play.emit(ev.PlanMade(steps=steps))
    _ask(play, trigger, 1)


def open_by_card(play: Play, seat: Seat, option: str) -> None:
    """Open a window of kind O with the card that opens it, which is resolved first (§5.3.1)."""
    _begin(play, "open", seat)
    _resolve(play, seat, option)


def _begin(play: Play, kind: Window, trigger: Seat) -> None:
    play.emit(cards.WindowOpened(number=play.state.windows + 1, kind=kind, trigger=trigger))


def _ask(play: Play, trigger: Seat, version: int) -> None:
    state = play.state
    order = state.order_from(state.left_of(trigger))
    # By number: a page lists the seats of a map so, in whatever order they were written.
    passed = {seat: why for seat in state.seats if (why := _passes(state, seat))}
    play.emit(cards.VersionBegan(version=version, trigger=trigger, order=order, passed=passed))
    play.push(Answers())


def _passes(state: State, seat: Seat) -> str:
    """Why the engine passes for a seat: for public reasons alone (§5.3.2, C72)."""
    if seat in state.dormant:
        return "dormant"
    if not state.hands[seat]:
        return "hand"
    return "yield" if yields.applies(state, seat) else ""


# --- answers ---


def _questions(state: State, _: Grid, __: Answers) -> tuple[OpenQuestion, ...]:
    window = opened(state)
    key = f"r{state.round}-w{window.number}-v{window.version}"
    return tuple(
        OpenQuestion(f"{key}-s{seat}", RESPOND, seat, sealed=True, answered=seat in window.answers)
        for seat in state.responders()
    )


def _options(
    state: State, grid: Grid, _: Answers, q: OpenQuestion, path: Path
) -> tuple[Option, ...]:
    if path:
        return play_branch(state, grid, q.seat, path) if path[0] == PLAY else ()
    found = (Option(SKIP),)
    if None in state.hands[q.seat].values():  # a view of somebody else, in which a picture is drawn
        return found
    return (*found, Option(PLAY, branch=True)) if may_play(state, grid, q.seat) else found


def _answer(play: Play, _: Answers, question: OpenQuestion, option: str) -> None:
    play.emit(cards.AnswerGiven(seat=question.seat, choice=option))


def _judge(play: Play, _: Answers) -> None:
    """The first play in the order of answers counts; if there is none, the window closes."""
    state, window = play.state, opened(play.state)
    for seat in window.order:
        choice = window.answers.get(seat)
        if choice is None or choice == SKIP or seat in state.dormant:
            continue
        played = read_play(state, seat, choice)
        play.emit(
            cards.VersionJudged(seat=seat, number=played.number, card=played.card, choice=choice)
        )
        _resolve(play, seat, choice)
        return
    play.emit(cards.VersionJudged())
    _close(play)


ANSWERS: Final = SealedAsking(
    questions=_questions,
    options=_options,
    default=lambda *_: SKIP,
    answer=_answer,
    close=_judge,
    key=lambda state, _: f"r{state.round}-w{opened(state).number}-v{opened(state).version}",
)
"""What is asked in a version of a window."""


# --- a card ---


def _resolve(play: Play, seat: Seat, option: str) -> None:
    """Carry a play out: the timeline up to its anchor, the card, and what follows (§5.3.4)."""
    played = read_play(play.state, seat, option)
    window = opened(play.state)
    if played.anchor is not None and played.anchor > window.floor:
        play.emit(steps_to(play.state, play.grid, window, played.anchor))
        lift_exits(play)
    moving = window.kind == "movement"
    before = movement.Surroundings.of(play.state, play.grid) if moving else None
    resolve(play, played)
    if play.over:
        return
    lift_exits(play)
    play.push(Reopen(seat))
    if window.kind == "panic":
        _plan_anew(play)
    elif before is not None:
        movement.after_card(play, before, seat)
    elif window.kind == "combat":
        combat.after_card(play)


def _plan_anew(play: Play) -> None:
    """Plan the rest of the panic on the board that the card has left (§4.4.2)."""
    plan = plan_of(play.state, play.grid)
    panic, pieces = play.state.panic, play.state.pieces
    if panic is not None and panic.runner in at_anchor(plan, 0).cells:
        bring_to_rest(play, panic.runner, panic.trail)
        if play.state.pieces is not pieces:
            plan = plan_of(play.state, play.grid)
    play.emit(ev.PlanMade(steps=plan_steps(play.grid, plan)))


def reopen(play: Play, frame: Reopen) -> None:
    """Ask everybody anew; who has just played answers last (§5.3.5)."""
    _ask(play, frame.seat, opened(play.state).version + 1)


# --- the end of a window ---


def carry_out_dooms(play: Play) -> None:
    """The doomed die, by id (§5.5)."""
    for name in by_id(p.id for p in play.state.pieces.values() if p.doomed):
        play.emit(ev.PieceLost(piece=name, cause="doomed"))


def _close(play: Play) -> None:
    """The rest of the timeline happens, the doomed die, a fight is decided (§5.3.6)."""
    window = opened(play.state)
    if window.kind == "panic" or len(window.timeline) > window.floor:
        play.emit(all_steps(play.state, play.grid, window))
        lift_exits(play)
    carry_out_dooms(play)
    if window.kind == "combat":
        combat.decide(play)
    if any(piece.protections for piece in play.state.pieces.values()):
        play.emit(ev.ProtectionsEnded())
    yields.end_with_window(play)
    play.emit(cards.WindowClosed())
    play.test_end()
