"""What a level of an open question might be expected to offer and does not, and why (pure).

The reasons come from the predicates by which the options are made, so a thing is either offered or
has a reason. What is read is public but for the hand of the seat that is asked. Nobody asks for it
while a command is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from games.cerveauuu.board import Grid
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.model.state import State
from games.cerveauuu.rules import movement
from games.cerveauuu.rules.asking import OpenQuestion
from games.cerveauuu.rules.fights import victim_behind, why_no_eater, why_no_support
from games.cerveauuu.rules.pieces import (
    Ways,
    occupied,
    ready_zombies,
    ways_of,
    why_no_attack,
    why_not_ready,
)
from games.cerveauuu.rules.placing import why_no_place
from games.cerveauuu.rules.plays import PLAY, why_no_card, why_no_part
from games.cerveauuu.rules.trees import Path, Walker
from games.cerveauuu.rules.wandering import movable, pool, wanderings, why_no_wanderer
from games.contract import JsonValue, Unavailable

Told = Iterator[tuple[Mapping[str, JsonValue], Why | None]]
"""What is expected, with the reason why it is not offered; None: it is offered."""


class AskedLevel(Struct, frozen=True):
    """A level of an open question: what lies behind ``path``, or the first one."""

    state: State
    grid: Grid
    question: OpenQuestion
    path: Path


def _cells(grid: Grid, why_not: Callable[[int], Why | None]) -> Told:
    return (({"cell": grid.cell_id(cell)}, why_not(cell)) for cell in range(grid.size))


def _ends(level: AskedLevel, ways: Ways) -> Told:
    return _cells(level.grid, ways.why_no_end())


# --- cards ---


def _hand(level: AskedLevel) -> Told:
    state, grid, seat = level.state, level.grid, level.question.seat
    hand = state.hands[seat]
    if None in hand.values():  # a view of somebody else, of whom nothing is told
        return
    for number, card in sorted(hand.items()):
        yield {"card": card}, why_no_card(state, grid, seat, number)


def _card(level: AskedLevel) -> Told:
    if len(level.path) == 1:
        return _hand(level)
    return iter(why_no_part(level.state, level.grid, level.question.seat, level.path))


def _answers(level: AskedLevel) -> Told:
    return _card(level) if level.path else _hand(level)


# --- movements ---


def _steps(level: AskedLevel, walker: Walker | None, stops_at: int | None = None) -> Told:
    """Whom a zombie on its way cannot attack from where it would stop, and where it cannot go."""
    if walker is None:
        return
    state, grid = level.state, level.grid
    here = walker.cell if stops_at is None else stops_at
    near = {grid.cell_id(each) for each in grid.neighbours(here)}
    for piece in state.pieces.values():
        if piece.id != walker.zombie:
            yield {"attack": piece.id}, why_no_attack(near, piece)
    yield from _ends(level, ways_of(state, grid, walker.zombie, walker.left, walker.cell))


def _go(level: AskedLevel) -> Told:
    state, grid, seat, path = level.state, level.grid, level.question.seat, level.path
    if not path:
        for piece in state.pieces.values():
            yield {"piece": piece.id}, why_not_ready(seat, piece)
        yield from _hand(level)
    elif path[0] == PLAY:
        yield from _card(level)
    elif path[0] in ready_zombies(state, seat):
        yield from _steps(level, movement.declared(state, grid, path[0], path))


def _replan(level: AskedLevel) -> Told:
    stops_at = None if level.path else movement.stopping_at(level.state, level.grid)
    return _steps(level, movement.replanned(level.state, level.grid, level.path), stops_at)


def _wander(level: AskedLevel) -> Told:
    state, grid, path = level.state, level.grid, level.path
    if not path:
        can = movable(state, grid)
        for piece in state.pieces.values():
            nowhere = None if piece.id in can else Why.NO_WAY
            yield {"piece": piece.id}, why_no_wanderer(piece) or nowhere
        yield from _hand(level)
    elif path[0] == PLAY:
        yield from _card(level)
    elif len(path) == 1 and path[0] in pool(state):
        yield from _ends(level, wanderings(state, grid, path[0]))


def _batch(level: AskedLevel) -> Told:
    if level.path:
        return iter(())
    return _ends(level, wanderings(level.state, level.grid, level.question.subject or ""))


# --- others ---


def _places(level: AskedLevel, *, border: bool) -> Told:
    if level.path:
        return iter(())
    grid, taken = level.grid, occupied(level.state, level.grid)
    return _cells(grid, lambda cell: why_no_place(grid, taken, cell, border=border))


def _human_places(level: AskedLevel) -> Told:
    return _places(level, border=False)


def _zombie_places(level: AskedLevel) -> Told:
    return _places(level, border=True)


def _supporters(level: AskedLevel) -> Told:
    """Of each piece whether it may be invited at all, and behind a set whether it eats somebody."""
    state, grid, path = level.state, level.grid, level.path
    if not path:
        for piece in state.pieces.values():
            yield {"invited": [piece.id]}, why_no_support(state, grid, piece)
        return
    human = victim_behind(state, grid, path)
    for piece in () if human is None else state.pieces.values():
        yield {"human": human, "eater": piece.id}, why_no_eater(state, path, piece)


ASKED: Final[Mapping[str, Callable[[AskedLevel], Told]]] = {
    "place_human": _human_places,
    "place_zombie": _zombie_places,
    "wander_turn": _wander,
    "wander_batch": _batch,
    "go": _go,
    "replan": _replan,
    "support": _supporters,
    "respond": _answers,
}
"""The kinds of questions that say so. Others offer all that there is."""

BELOW: Final[Mapping[str, str]] = {"support": "share"}
"""What the levels below the first one are about, of the kinds in which that is something else."""


def unavailable(
    state: State, grid: Grid, question: OpenQuestion, path: Path
) -> tuple[Unavailable, ...]:
    """What a level does not offer, each once, with the reason; nothing behind what is no branch."""
    asked = ASKED.get(question.kind)
    if asked is None:
        return ()
    told = asked(AskedLevel(state, grid, question, path))
    about = BELOW.get(question.kind, "") if path else ""
    return tuple(Unavailable(meaning, why, about) for meaning, why in told if why is not None)
