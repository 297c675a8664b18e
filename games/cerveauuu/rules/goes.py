"""The zombie phase: whose go it is, and what a seat does in its go (§4.6; pure)."""

from __future__ import annotations

from typing import Final

from events.kernel import Option, Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import zombie_events as ev
from games.cerveauuu.model.agenda import (
    ActivationEnd,
    AskAgain,
    CombatWindow,
    Go,
    GoEnd,
    Goes,
    RoundStage,
)
from games.cerveauuu.model.ids import card_number, number_id
from games.cerveauuu.model.state import State
from games.cerveauuu.rules import fights, movement, yields
from games.cerveauuu.rules.asking import OpenQuestion, PublicAsking
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.drawing import draw_one
from games.cerveauuu.rules.pieces import ready_zombies, remove_unless_out
from games.cerveauuu.rules.plays import PLAY, may_play, play_branch
from games.cerveauuu.rules.trees import END, Path, branch, leaf
from games.cerveauuu.rules.windows import open_by_card, open_window
from games.trees import parts_of

DOWN: Final = "down"
SWAP: Final = "swap"


def next_go(play: Play, _: Goes) -> None:
    """Give the next seat that has a ready zombie its go, or end the phase."""
    state = play.state
    first = state.chief if state.last_go is None else state.left_of(state.last_go)
    seat = next((s for s in state.order_from(first) if ready_zombies(state, s)), None)
    if seat is None:
        play.push(RoundStage("end_round"))
        return
    yields.end_for_own_go(play, seat)
    play.emit(ev.GoBegan(seat=seat))
    play.push(Go(seat, play.question("go", seat)), GoEnd(), Goes())


def end_go(play: Play, _: GoEnd) -> None:
    """The hand passes to the left."""
    play.emit(ev.GoEnded())
    yields.end_with_go(play)


def ask_again(play: Play, frame: AskAgain) -> None:
    """After a card: the seat goes on with its go, if it has a ready zombie left (§4.6)."""
    if ready_zombies(play.state, frame.seat):
        play.push(Go(frame.seat, play.question("go", frame.seat)))


def may_swap(state: State, seat: Seat) -> bool:
    """Whether the seat trails everybody else and may change a card (§4.6)."""
    if seat in state.swapped or not state.hands[seat]:
        return False
    return all(
        state.scores[seat] < state.scores[other] for other in state.active() if other != seat
    )


def _question(_: State, frame: Go) -> OpenQuestion:
    return OpenQuestion(frame.id, "go", frame.seat)


def _options(
    state: State, grid: Grid, _: Go, question: OpenQuestion, path: Path
) -> tuple[Option, ...]:
    seat = question.seat
    zombies = ready_zombies(state, seat)
    if not path:
        return _first_level(state, grid, seat, zombies)
    if path[0] in zombies:
        return movement.declarations(state, grid, path[0], path)
    if path == (SWAP,) and may_swap(state, seat):
        return tuple(leaf(path, number_id(number)) for number in sorted(state.hands[seat]))
    return play_branch(state, grid, seat, path) if path[0] == PLAY else ()


def _first_level(
    state: State, grid: Grid, seat: Seat, zombies: tuple[str, ...]
) -> tuple[Option, ...]:
    found = [branch((), zombie, piece=zombie) for zombie in zombies]
    found.append(leaf((), DOWN))
    if may_swap(state, seat):
        found.append(branch((), SWAP))
    if may_play(state, grid, seat):
        found.append(branch((), PLAY))
    return tuple(found)


def _default(state: State, _: Grid, __: Go, question: OpenQuestion) -> str:
    """Pass the ready zombie of lowest id."""
    return f"{ready_zombies(state, question.seat)[0]}.{END}"


def _answer(play: Play, frame: Go, _: OpenQuestion, option: str) -> None:
    first, *rest = parts_of(option)
    if first == PLAY:
        play.push(AskAgain(frame.seat))
        open_by_card(play, frame.seat, option)
    elif first == DOWN:
        _stand_down(play, frame.seat)
    elif first == SWAP:
        _swap(play, frame.seat, card_number(rest[0]))
    else:
        steps = movement.declare(play, option)
        play.push(ActivationEnd())
        if steps:
            open_window(play, "movement", frame.seat, steps)


def _stand_down(play: Play, seat: Seat) -> None:
    zombies = ready_zombies(play.state, seat)
    play.emit(ev.ZombiesStoodDown(zombies=zombies))
    for zombie in zombies:
        if not play.over:
            remove_unless_out(play, zombie)


def _swap(play: Play, seat: Seat, number: int) -> None:
    card = play.state.hands[seat][number]
    if card is None:
        raise ValueError("the truth does not know a card")
    play.emit(cards.CardSwapped(seat=seat, number=number, card=card))
    draw_one(play, seat)


GO: Final = PublicAsking(question=_question, options=_options, default=_default, answer=_answer)
"""What a seat is asked in its go."""


def end_activation(play: Play, _: ActivationEnd) -> None:
    """The path has been carried out: attack, or that was it (§4.7.4)."""
    activation = movement.activation_of(play.state)
    target = movement.attack_left(play.state, play.grid)
    play.emit(ev.ActivationEnded())
    if activation.owes:
        remove_unless_out(play, activation.zombie)
    if target is not None and not play.over:
        fights.attack(play, activation.zombie, target)


def open_combat(play: Play, _: CombatWindow) -> None:
    """Supports are fixed; window C opens (§4.8.4, §4.9.1)."""
    open_window(play, "combat", fights.fix_sides(play))
