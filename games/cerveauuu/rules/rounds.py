"""The round: its stages, the discards and its end (§4.1, §4.11; pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Final

from events.kernel import Option, Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.model.agenda import Discards, Goes, RoundStage
from games.cerveauuu.model.ids import card_number, number_id
from games.cerveauuu.model.state import State
from games.cerveauuu.rules import yields
from games.cerveauuu.rules.asking import OpenQuestion, SealedAsking
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.drawing import draw_phase
from games.cerveauuu.rules.pieces import lift_exits
from games.cerveauuu.rules.placing import place_humans, place_zombies
from games.cerveauuu.rules.stats import seat_stat
from games.cerveauuu.rules.timeline import plan_of, plan_steps, queue_of
from games.cerveauuu.rules.trees import Path
from games.cerveauuu.rules.wandering import begin_wandering
from games.cerveauuu.rules.windows import open_window


def begin_stage(play: Play, frame: RoundStage) -> None:
    """Begin a stage of the round."""
    _STAGES[frame.stage](play)


def _first_round(play: Play) -> None:
    play.emit(ev.RoundBegan(round=1, chief=play.state.chief))
    play.push(RoundStage("draw"))


def _draw(play: Play) -> None:
    draw_phase(play)
    play.push(RoundStage("panic"))


def _right_of_chief(state: State) -> Seat:
    """The trigger of P, Z and E, so that the chief answers first (§5.1)."""
    return state.right_of(state.chief)


def _panic(play: Play) -> None:
    play.emit(ev.PhaseBegan(phase="panic"))
    play.emit(ev.PanicBegan(queue=queue_of(play.state, play.grid)))
    plan = plan_of(play.state, play.grid)
    play.push(RoundStage("wandering"))
    steps = plan_steps(play.grid, plan)
    open_window(play, "panic", _right_of_chief(play.state), steps)


def _wandering(play: Play) -> None:
    play.emit(ev.PhaseBegan(phase="wandering"))
    play.push(RoundStage("pre_zombies"))
    begin_wandering(play)


def _pre_zombies(play: Play) -> None:
    play.push(RoundStage("zombies"))
    open_window(play, "pre_zombies", _right_of_chief(play.state))


def _zombies(play: Play) -> None:
    play.emit(ev.PhaseBegan(phase="zombies"))
    play.push(Goes())


def _end_round(play: Play) -> None:
    play.emit(ev.PhaseBegan(phase="end"))
    play.push(RoundStage("discards"))
    open_window(play, "end_round", _right_of_chief(play.state))


def _discards(play: Play) -> None:
    play.push(RoundStage("next"))
    if any(_excess(play.state, seat) for seat in play.state.seats):
        play.push(Discards())


def _next_round(play: Play) -> None:
    """Everything of the round ends; the chief passes to the left (§4.11.2-3)."""
    state = play.state
    play.emit(ev.RoundEnded())
    lift_exits(play)
    yields.end_with_round(play)
    play.emit(ev.RoundBegan(round=state.round + 1, chief=state.left_of(state.chief)))
    play.push(RoundStage("draw"))


_STAGES: Final[Mapping[str, Callable[[Play], None]]] = {
    "humans": place_humans,
    "zombies_placed": place_zombies,
    "first": _first_round,
    "draw": _draw,
    "panic": _panic,
    "wandering": _wandering,
    "pre_zombies": _pre_zombies,
    "zombies": _zombies,
    "end_round": _end_round,
    "discards": _discards,
    "next": _next_round,
}

STAGES: Final = frozenset(_STAGES)
"""The names of all stages."""


# --- discards ---


def _excess(state: State, seat: Seat) -> int:
    """How many cards a seat must discard."""
    return max(0, len(state.hands[seat]) - seat_stat(state, seat, "hand"))


def _questions(state: State, _: Grid, __: Discards) -> tuple[OpenQuestion, ...]:
    """Who must discard all of its hand has no choice."""
    return tuple(
        OpenQuestion(
            f"r{state.round}-discard-s{seat}",
            "discard",
            seat,
            sealed=True,
            answered=seat in state.discards,
        )
        for seat in state.order()
        if seat not in state.dormant and 0 < _excess(state, seat) < len(state.hands[seat])
    )


def _options(
    state: State, _: Grid, __: Discards, question: OpenQuestion, path: Path
) -> tuple[Option, ...]:
    """Sets of the size required, from the largest number down."""
    if path:
        return ()
    numbers = sorted(state.hands[question.seat], reverse=True)
    sets = combinations(numbers, _excess(state, question.seat))
    return tuple(Option("-".join(map(number_id, sorted(each)))) for each in sets)


def _default(state: State, seat: Seat) -> tuple[int, ...]:
    """Those held longest."""
    return tuple(sorted(state.hands[seat])[: _excess(state, seat)])


def _answer(play: Play, _: Discards, question: OpenQuestion, option: str) -> None:
    numbers = tuple(map(card_number, option.split("-")))
    play.emit(cards.DiscardChosen(seat=question.seat, numbers=numbers))


def _judge(play: Play, _: Discards) -> None:
    state = play.state
    found = {}
    for seat in state.order():
        if not _excess(state, seat):
            continue
        chosen = None if seat in state.dormant else state.discards.get(seat)
        hand = state.hands[seat]
        found[seat] = {n: str(hand[n]) for n in chosen or _default(state, seat)}
    play.emit(cards.DiscardsJudged(cards=found))


DISCARDS: Final = SealedAsking(
    questions=_questions,
    options=_options,
    default=lambda state, _, __, q: "-".join(map(number_id, _default(state, q.seat))),
    answer=_answer,
    close=_judge,
    key=lambda state, _: f"r{state.round}-discards",
)
"""What the seats are asked that hold too many cards."""
