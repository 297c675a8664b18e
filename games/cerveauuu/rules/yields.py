"""Standing orders to pass (§5.6; pure)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from events.kernel import Option, Seat
from games.cerveauuu.facts import card_events as ev
from games.cerveauuu.model.state import State, YieldOrder
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.trees import SKIP

NONE: Final = "none"
KINDS: Final = ("go", "my_go", "round", "uninvolved")
DEEP: Final = "-deep"


def yield_options() -> tuple[Option, ...]:
    """What a seat may order at any time."""
    orders = (f"{kind}{deep}" for kind in KINDS for deep in ("", DEEP))
    return (Option(NONE), *map(Option, orders))


def applies(state: State, seat: Seat) -> bool:
    """Whether a seat's order passes for it in the window that is open."""
    order, window = state.yields.get(seat), state.window
    if order is None or window is None or (seat in window.suspended and not order.deep):
        return False
    return order.kind != "uninvolved" or not _involved(state, seat)


def _involved(state: State, seat: Seat) -> bool:
    """One of its zombies is the mover, a combatant, or designated by the last card."""
    names: tuple[str, ...] = ()
    if state.activation is not None:
        names += (state.activation.zombie,)
    if state.fight is not None:
        names += (*state.fight.attackers, *state.fight.defenders)
    if state.window is not None and state.window.last is not None:
        names += state.window.last.designated
    pieces = (state.pieces.get(name) for name in names)
    return any(piece is not None and piece.controller == seat for piece in pieces)


def choose_yield(play: Play, seat: Seat, option: str) -> None:
    """Give an order, or take it back; while its seat is asked it is its answer, too."""
    state = play.state
    order = None
    if option != NONE:
        kind = option.removesuffix(DEEP)
        window = kind == "go" and state.go is None
        order = YieldOrder(kind=kind, deep=option.endswith(DEEP), window=window)
    play.emit(ev.YieldChosen(seat=seat, order=order))
    if seat in play.state.responders() and applies(play.state, seat):
        play.emit(ev.AnswerGiven(seat=seat, choice=SKIP))


def _end(play: Play, over: Callable[[Seat, YieldOrder], bool]) -> None:
    ended = tuple(seat for seat, order in play.state.yields.items() if over(seat, order))
    if ended:
        play.emit(ev.YieldsEnded(seats=ended))


def end_with_window(play: Play) -> None:
    """Orders given outside a go end with a window."""
    _end(play, lambda _, order: order.window)


def end_with_go(play: Play) -> None:
    """Orders for a go end with it."""
    _end(play, lambda _, order: order.kind == "go" and not order.window)


def end_for_own_go(play: Play, seat: Seat) -> None:
    """A seat's order until its next go ends as this begins."""
    _end(play, lambda owner, order: owner == seat and order.kind == "my_go")


def end_with_round(play: Play) -> None:
    """Orders for a round end with it."""
    _end(play, lambda _, order: order.kind == "round")
