"""The open window in sentences: who may answer, and what happens if everybody passes (pure).

What is said is public (§5.3): whatever view it is read from, it is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from events.kernel import Seat
from games.cerveauuu.model.agenda import Replan
from games.cerveauuu.model.state import CardWindow, State
from games.cerveauuu.telling.piece_names import english_name
from games.cerveauuu.words import WORDS
from games.words import ENGLISH

_PASSED: Final[Mapping[str, str]] = {
    "hand": "no cards",
    "dormant": "resigned",
    "yield": "by standing order",
}
"""Why the engine has passed a seat."""


def window_facts(state: State, letter: Callable[[Seat], str]) -> Iterator[str]:
    """What there is to say of the open window; nothing if none is open.

    ``letter`` is the short name of a seat.
    """
    window = state.window
    if window is None or state.end is not None:
        return
    kind = WORDS.word(ENGLISH, f"cerveauuu/window.{window.kind}")
    version = f", version {window.version}" if window.version > 1 else ""
    named = f"window {window.number}{version}: {kind[:1].lower()}{kind[1:]}"
    frame = state.agenda[-1] if state.agenda else None
    if isinstance(frame, Replan):
        yield f"{named}; {letter(frame.seat)} chooses how its zombie goes on, then all are asked"
        return
    yield "; ".join((named, *_answerers(state, window, letter)))
    if window.order:
        yield f"if everybody passes: {'; '.join(_outcome(state, window))}"


def _answerers(state: State, window: CardWindow, letter: Callable[[Seat], str]) -> Iterator[str]:
    """Who is to answer, who has, and for whom the engine has passed, each in the order of answers.

    It counts: the first of them with a card plays it (§5.3.3).
    """
    asked = state.responders()
    passed = {**window.passed, **dict.fromkeys(state.dormant, "dormant")}
    lists = {
        "to answer": [letter(seat) for seat in asked if seat not in window.answers],
        "answered": [letter(seat) for seat in asked if seat in window.answers],
        "passed": [
            f"{letter(seat)} ({_PASSED[passed[seat]]})" for seat in window.order if seat in passed
        ],
    }
    yield from (f"{said} {', '.join(names)}" for said, names in lists.items() if names)


def _outcome(state: State, window: CardWindow) -> Iterator[str]:
    """What the window's end brings, then whom it kills (§5.3.6, §5.5)."""
    match window.kind:
        case "panic":
            yield from _runs(state, window)
        case "movement":
            yield from _movement(state)
        case "combat":
            yield from _result(state)
        case "pre_zombies":
            yield "the zombies begin to act"
        case "end_round":
            yield "the round ends"
        case "open":
            yield "the player whose turn it is goes on"
    yield from (f"{english_name(piece.id)} dies" for piece in state.pieces.values() if piece.doomed)


def _runs(state: State, window: CardWindow) -> Iterable[str]:
    ends = {step.piece: step.cell for step in window.timeline[window.floor :]}
    runs = {english_name(id_): cell for id_, cell in ends.items() if id_ in state.pieces}
    return [f"{name} runs to {cell}" for name, cell in runs.items()] or ["nobody runs"]


def _movement(state: State) -> Iterator[str]:
    activation = state.activation
    if activation is None:
        return
    zombie = english_name(activation.zombie)
    if activation.stopped:
        yield f"{zombie} goes no farther"
        return
    if activation.rest:
        yield f"{zombie} goes to {activation.rest[-1]}"
    else:
        yield f"{zombie} stays where it is"
    if activation.attack:
        yield f"{zombie} attacks {english_name(activation.attack)}"


def _result(state: State) -> Iterator[str]:
    fight = state.fight
    if fight is None:
        return
    if fight.winner is None:
        yield "the fight has no result"
        return
    yield f"the {fight.winner} win"
