"""Cerveauuu! as it is drawn: its state, from any view, as a plan with figures (pure).

A view is read and nothing else, so a drawing can show no more than its viewer knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from events.kernel import Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.board.maps import MAPS
from games.cerveauuu.model.state import Piece, State
from games.cerveauuu.rules.context import Grids
from games.cerveauuu.telling.piece_names import english_name
from games.cerveauuu.telling.window_facts import window_facts
from games.cerveauuu.words import WORDS
from games.drawing import Barrier, BoardPlan, DrawnFigure, DrawnPosition, Ground, PlanCell
from games.words import ENGLISH

LETTERS: Final = "ABCDEF"
"""The seats in short names."""

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ"
"""The number of a zombie in one character, as long as there is one; none is a seat's letter."""

_FILLS: Final[Mapping[str, str]] = {
    "green": "#bfe3b4",
    "purple": "#dcc8ee",
    "orange": "#fbd3a4",
    "blue": "#bcd6f2",
    "grey": "#cfcfcf",
    "pink": "#f9c6d9",
}
_CORNERS: Final[Mapping[str, int]] = {
    "green": 3,
    "purple": 4,
    "orange": 5,
    "blue": 6,
    "grey": 7,
    "pink": 8,
}
"""No two colours have the same outline, so that nobody needs to see colours."""

_ARTICLE: Final = re.compile(r"^(?:the |le |la |les |l’)")
"""How the name of a building begins in a sentence, in those languages that have articles."""

_BARRIERS: Final[Mapping[str, Barrier]] = {
    "wall": "wall",
    "door_open": "door",
    "door_closed": "shut",
    "breach": "gap",
}

LEGEND: Final = (
    "07: human 7; Ac: zombie 12 of seat 1 (A to F: seats; 0-9, a-z, G-Z: numbers from 0)",
    "a-z: buildings; + after the first of two that share a cell",
)
"""What the short names mean."""

IMAGE_LEGEND: Final = (
    "number on a disc: a human; on an outline: a zombie",
    f"corners of outlines: {', '.join(f'{name} {n}' for name, n in _CORNERS.items())}",
)
"""What the figures in an image mean."""


class TownDrawing:
    """The board with its pieces (``games.drawing.Drawing``); it remembers boards."""

    def __init__(self) -> None:
        self._grids = Grids()

    def position(self, state: State, language: str = ENGLISH) -> DrawnPosition:
        """What a drawing shows of a state; buildings have their names in ``language``."""
        if not state.map:
            return DrawnPosition()
        return DrawnPosition(
            turn=state.round,
            plan=_plan(state, self._grids.of(state), language),
            order=tuple(letter(seat) for seat in state.order()),
            figures=tuple(_figure(state, piece) for piece in state.pieces.values()),
            facts=tuple(_facts(state)),
        )


def letter(seat: Seat) -> str:
    """A seat in short names: ``A`` for the first."""
    return LETTERS[seat - 1]


def short_name(piece: Piece) -> str:
    """A piece in two characters: ``07`` is a human, ``Ac`` the zombie 12 of seat 1.

    From number 100 of humans, and 56 of zombies, the names are longer.
    """
    number = int(piece.id[1:])
    if piece.controller is None:
        return f"{number:02}"
    digit = _DIGITS[number] if number < len(_DIGITS) else str(number)
    return letter(piece.controller) + digit


def _plan(state: State, grid: Grid, language: str) -> BoardPlan:
    standing: dict[str, list[str]] = {}
    for piece in state.pieces.values():
        standing.setdefault(piece.cell, []).append(short_name(piece))
    sides: dict[str, dict[str, Barrier]] = {"e": {}, "s": {}}
    for edge in grid.edges:
        name, barrier = grid.edge_id(edge), _BARRIERS.get(grid.stored(edge))
        if barrier is not None:
            sides[name[-1]][name[:-1]] = barrier
    return BoardPlan(
        width=grid.width,
        cells=tuple(
            PlanCell(
                cell=(name := grid.cell_id(cell)),
                ground=_ground(grid, cell),
                mark=grid.building(cell),
                figures=tuple(standing.get(name, ())),
            )
            for cell in range(grid.size)
        ),
        east=sides["e"],
        south=sides["s"],
        legend=LEGEND,
        image_legend=IMAGE_LEGEND,
        names=_buildings(state.map, grid, language),
    )


def _buildings(map_: str, grid: Grid, language: str) -> dict[str, str]:
    """What the buildings of a map are called, by letter; those of a map without a name, nothing."""
    if map_ not in MAPS:
        return {}
    letters = sorted({grid.building(cell) for cell in range(grid.size)} - {""})
    names = (WORDS.word(language, f"cerveauuu/building.{map_}.{letter}") for letter in letters)
    return dict(zip(letters, (_ARTICLE.sub("", name) for name in names), strict=True))


def _ground(grid: Grid, cell: int) -> Ground:
    if grid.is_impassable(cell):
        return "solid"
    if grid.is_opaque(cell):
        return "veiled"
    return "room" if grid.indoor(cell) else "open"


def _figure(state: State, piece: Piece) -> DrawnFigure:
    colour = None if piece.controller is None else state.colours.get(piece.controller)
    return DrawnFigure(
        id=piece.id,
        short=short_name(piece),
        seat=piece.controller,
        cell=piece.cell,
        notes=tuple(filter(None, _notes(piece))),
        color=None if colour is None else _FILLS[colour],
        corners=0 if colour is None else _CORNERS[colour],
        label=str(int(piece.id[1:])),
        name=english_name(piece.id),
    )


def _notes(piece: Piece) -> Iterator[str]:
    yield "blocked" if piece.blocked else ""
    yield "doomed" if piece.doomed else ""
    yield "moved" if piece.moved else ""
    yield "activated" if piece.activated and not piece.attacked else ""
    yield "has attacked" if piece.attacked else ""
    yield "must leave its cell" if piece.must_leave else ""
    yield f"protected from {'+'.join(piece.protections)}" if piece.protections else ""


def _facts(state: State) -> Iterator[str]:
    for seat in state.seats:
        hand = state.hands.get(seat, {})
        points = _counted(state.scores.get(seat, 0), "point")
        words = (
            f"{letter(seat)}, {state.colours.get(seat, '')}: {points}",
            f"{_counted(len(hand), 'card')} in hand",
            f"{state.played.get(seat, 0)} played",
            "resigned" if seat in state.dormant else "",
        )
        yield ", ".join(filter(None, words))
        known = [f"k{n} {_name(card)}" for n, card in hand.items() if card is not None]
        if known:
            yield f"{letter(seat)} holds {', '.join(known)}"
    yield f"{_counted(state.deck_size, 'card')} in the deck"
    named = f": {', '.join(map(_name, state.credits))}" if state.credits else ""
    yield f"{len(state.credits)} of {state.credits_need} end-credits cards are out{named}"
    if state.weather is not None:
        yield f"the weather is {_name(state.weather.card)}, by {letter(state.weather.seat)}"
    yield from _under_way(state)
    yield from window_facts(state, letter)


def _under_way(state: State) -> Iterator[str]:
    """What is being done: a movement, a fight."""
    activation, fight = state.activation, state.fight
    if activation is not None:
        aim = f", to attack {english_name(activation.attack)}" if activation.attack else ""
        way = f" by {' '.join(activation.rest)}" if activation.rest else ""
        yield f"{english_name(activation.zombie)} is on its way{way}{aim}"
    if fight is not None:
        sides = [", ".join(map(english_name, each)) for each in (fight.attackers, fight.defenders)]
        result = {"attackers": "the attackers would win", "defenders": "the defenders would win"}
        yield (
            f"{sides[0]} against {sides[1]}, {fight.totals[0]} to {fight.totals[1]}: "
            f"{result.get(fight.winner or '', 'no result')}"
        )


def _counted(number: int, what: str) -> str:
    """``1 card``, ``2 cards``."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def _name(card: str) -> str:
    return WORDS.word(ENGLISH, f"cerveauuu/card.{card}.name")
