"""Placing humans and zombies at the beginning (§3.4, §3.5; pure)."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from events.kernel import Option, Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.facts import events as ev
from games.cerveauuu.model.agenda import PlaceHuman, PlaceZombie, RoundStage
from games.cerveauuu.model.ids import HUMAN, ZOMBIE, piece_id
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.model.state import State
from games.cerveauuu.rules.asking import OpenQuestion, PublicAsking
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.pieces import occupied, why_not_free
from games.cerveauuu.rules.trees import Path, leaf

RANDOM: Final = "random"
LAPS: Final = 3
"""So many zombies each seat places."""


def humans_at_setup(seats: int) -> int:
    """How many humans there are at the beginning."""
    return 12 + 4 * seats


def place_humans(play: Play) -> None:
    """Ask for the next human, or go on with the zombies (§3.4)."""
    state = play.state
    placed = state.counters.get(HUMAN, 0)
    if placed == humans_at_setup(len(state.seats)):
        play.push(RoundStage("zombies_placed"))
    elif state.options.get("placement") == RANDOM:
        _scatter(play)
        play.push(RoundStage("zombies_placed"))
    else:
        seat = state.order()[placed % len(state.seats)]
        play.push(PlaceHuman(seat, play.question("place-human", seat)), RoundStage("humans"))


def _scatter(play: Play) -> None:
    """All humans by chance, in one draw (§11)."""
    cells = free_cells(play.state, play.grid, border=False)
    count = humans_at_setup(len(play.state.seats))
    for i, cell in enumerate(play.context.draw.shuffled(cells, "humans")[:count]):
        play.emit(ev.PieceAppeared(piece=piece_id(HUMAN, i + 1), cell=cell))


def place_zombies(play: Play) -> None:
    """Ask for the next zombie, or begin the first round (§3.5)."""
    state = play.state
    placed = state.counters.get(ZOMBIE, 0)
    if placed == LAPS * len(state.seats):
        play.push(RoundStage("first"))
    else:
        seat = state.order()[placed % len(state.seats)]
        play.push(
            PlaceZombie(seat, play.question("place-zombie", seat)), RoundStage("zombies_placed")
        )


def free_cells(state: State, grid: Grid, *, border: bool) -> list[str]:
    """The free cells on the border, or those that are not on it."""
    taken = occupied(state, grid)
    return [
        grid.cell_id(cell)
        for cell in range(grid.size)
        if why_no_place(grid, taken, cell, border=border) is None
    ]


def why_no_place(grid: Grid, taken: AbstractSet[int], cell: int, *, border: bool) -> Why | None:
    """Why a piece cannot be placed on a cell: on the border, or inside of it (§3.4, §3.5)."""
    if grid.border(cell) != border:
        return Why.NOT_BORDER if border else Why.BORDER
    return why_not_free(grid, taken, cell)


def _options(state: State, grid: Grid, path: Path, *, border: bool) -> tuple[Option, ...]:
    if path:
        return ()
    cells = free_cells(state, grid, border=border)
    return (leaf((), RANDOM), *(leaf((), cell, cell=cell) for cell in cells))


def _place(play: Play, kind: str, option: str, controller: Seat | None) -> None:
    """Place the next piece of a kind; ``random`` is drawn here and recorded."""
    name = piece_id(kind, play.state.counters.get(kind, 0) + 1)
    if option == RANDOM:
        cells = free_cells(play.state, play.grid, border=kind == ZOMBIE)
        option = play.context.draw.choice(cells, f"placing/{name}")
    play.emit(ev.PieceAppeared(piece=name, cell=option, controller=controller))


def _human_question(_: State, frame: PlaceHuman) -> OpenQuestion:
    return OpenQuestion(frame.id, "place_human", frame.seat)


def _human_options(
    state: State, grid: Grid, _: PlaceHuman, __: OpenQuestion, path: Path
) -> tuple[Option, ...]:
    return _options(state, grid, path, border=False)


def _place_human(play: Play, _: PlaceHuman, __: OpenQuestion, option: str) -> None:
    _place(play, HUMAN, option, None)


def _zombie_question(_: State, frame: PlaceZombie) -> OpenQuestion:
    return OpenQuestion(frame.id, "place_zombie", frame.seat)


def _zombie_options(
    state: State, grid: Grid, _: PlaceZombie, __: OpenQuestion, path: Path
) -> tuple[Option, ...]:
    return _options(state, grid, path, border=True)


def _place_zombie(play: Play, frame: PlaceZombie, _: OpenQuestion, option: str) -> None:
    _place(play, ZOMBIE, option, frame.seat)


HUMANS: Final = PublicAsking(
    question=_human_question,
    options=_human_options,
    default=lambda *_: RANDOM,
    answer=_place_human,
)
"""What a seat is asked that places a human."""

ZOMBIES: Final = PublicAsking(
    question=_zombie_question,
    options=_zombie_options,
    default=lambda *_: RANDOM,
    answer=_place_zombie,
)
"""What a seat is asked that places a zombie of its own."""
