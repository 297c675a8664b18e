"""Positions in a few words, cards played in them, and what has changed, in words again.

A piece is ``h01@r4c4`` or, with its controller, ``z01@r4c5:2``; marks may follow: ``!b`` blocked,
``!d`` doomed, ``!a`` activated, ``!t2`` touched by seat 2, ``!l`` must leave, ``!s`` safe from
cards.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from events.draw import Draw
from events.kernel import Actor, Context, Event, Seat, Working
from games.cerveauuu.board import Grid
from games.cerveauuu.facts.events import StepsTaken
from games.cerveauuu.facts.evolve import evolve
from games.cerveauuu.model.ids import by_id
from games.cerveauuu.model.language import ANCHORED, Window
from games.cerveauuu.model.state import (
    Activation,
    CardWindow,
    Fight,
    Panic,
    Piece,
    PlannedStep,
    State,
)
from games.cerveauuu.rules.context import Grids, Play
from games.cerveauuu.rules.effects import resolve
from games.cerveauuu.rules.plays import offers_play, play_branch, read_play
from games.cerveauuu.rules.timeline import steps_to
from games.trees import parts_of

TOWN: Final = """\
+-+-+-+-+-+-+-+-+-+
|. . . . . . . . .|
+   +-+-+         +
|. .|a a|. . . . .|
+   +   +         +
|. .|a aD. . . . .|
+   +-+-+         +
|. . . . . . . . .|
+           +-+-+ +
|. . . . . .Xb b|.|
+           +   + +
|. . . . . .|b b|.|
+           +-+-+ +
|. . . . . . . . .|
+-+-+-+-+-+-+-+-+-+
"""
"""Two houses: ``a`` with an open door to the east, ``b`` with a closed one to the west."""

LETTERS: Final[Mapping[str, Window]] = {
    "P": "panic",
    "Z": "pre_zombies",
    "O": "open",
    "M": "movement",
    "C": "combat",
    "E": "end_round",
}

GRIDS: Final = Grids()


def piece(word: str) -> Piece:
    """A piece in words."""
    described, *marks = word.split("!")
    name, _, where = described.partition("@")
    cell, _, controller = where.partition(":")
    found = Piece(id=name, cell=cell, controller=int(controller) if controller else None)
    for mark in marks:
        found = marked(found, mark)
    return found


def marked(found: Piece, mark: str) -> Piece:
    """A piece with one mark more."""
    match mark[0]:
        case "b":
            return replace(found, blocked=True)
        case "d":
            return replace(found, doomed=True)
        case "a":
            return replace(found, activated=True)
        case "l":
            return replace(found, must_leave=True)
        case "s":
            return replace(found, protections=("card",))
        case "t":
            return replace(found, touched_by=(*found.touched_by, int(mark[1:])))
        case _:
            raise ValueError(f"no mark of a piece: {mark}")


def lay(
    pieces: str = "",
    *,
    map_: str = TOWN,
    window: str = "Z",
    hands: Mapping[Seat, str] | None = None,
    path: str = "",
    fight: str = "",
    in_credits: str = "",
    seats: int = 2,
) -> State:
    """A position.

    Args:
        pieces: the pieces in words.
        map_: the map's text, or ``default20``.
        window: the letter of the window that is open; O: none is, a card would open one.
        hands: the cards of each hand, numbered from 1.
        path: the timeline of windows P and M, as ``z01:r4c3``; in M its first piece is the mover.
        fight: ``z01 z02 > h01 h02``: principal and target come first on their sides.
        in_credits: the end-credits cards in play; what they do is not laid.
        seats: how many.
    """
    known = {each.id: each for each in map(piece, pieces.split())}
    everyone = tuple(range(1, seats + 1))
    steps = tuple(PlannedStep(*word.split(":")) for word in path.split())
    state = State(
        map=map_,
        round=1,
        phase="zombies",
        seats=everyone,
        pieces={name: known[name] for name in by_id(known)},
        counters={
            kind: max((int(name[1:]) for name in known if name[0] == kind), default=0)
            for kind in "hz"
        },
        credits=tuple(in_credits.split()),
        credits_need=seats,
        deck=("c043", "c044", "c045", "c046", "c047", "c048"),
        deck_size=6,
        scores=dict.fromkeys(everyone, 0),
        played=dict.fromkeys(everyone, 0),
        piles=dict.fromkeys(everyone, ()),
        replacing=dict.fromkeys(everyone, True),
        hands={seat: {} for seat in everyone},
    )
    for seat, cards in (hands or {}).items():
        deal(state, seat, cards)
    if window != "O":
        kind = LETTERS[window]
        state.windows = 1
        state.window = CardWindow(number=1, kind=kind, trigger=1, version=1, timeline=steps)
    if window == "M":
        state.activation = activation(state, steps)
    if window == "P":
        state.panic = Panic(queue=tuple(dict.fromkeys(step.piece for step in steps)))
    if fight:
        state.fight = Fight(*sides(fight))
    return state


def deal(state: State, seat: Seat, cards: str) -> None:
    """Give a seat its hand, numbered from 1."""
    state.hands = {**state.hands, seat: dict(enumerate(cards.split(), 1))}
    state.next_numbers = {**state.next_numbers, seat: len(cards.split())}


def activation(state: State, steps: tuple[PlannedStep, ...]) -> Activation:
    """The activation of the zombie that makes these steps."""
    mover = steps[0].piece
    state.pieces = {**state.pieces, mover: replace(state.pieces[mover], activated=True)}
    return Activation(
        zombie=mover,
        rest=tuple(step.cell for step in steps),
        trail=(state.pieces[mover].cell,),
    )


def sides(fight: str) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
    """Principal, target, attackers and defenders."""
    attackers, defenders = (tuple(side.split()) for side in fight.split(">"))
    return attackers[0], defenders[0], attackers, defenders


def grid_of(state: State) -> Grid:
    """The board of a state."""
    return GRIDS.of(state)


def walkable(state: State, seat: Seat, option: str) -> bool:
    """Whether one can walk to a leaf, level by level."""
    parts = parts_of(option)
    for length in range(2, len(parts) + 1):
        level = play_branch(state, grid_of(state), seat, parts[: length - 1])
        found = [each for each in level if each.id == ".".join(parts[:length])]
        if len(found) != 1 or found[0].branch != (length < len(parts)):
            return False
    return len(parts) > 1


def offered(state: State, seat: Seat, option: str) -> bool:
    """Whether a play is legal; both ways to ask must agree."""
    direct = offers_play(state, grid_of(state), seat, parts_of(option))
    assert direct == walkable(state, seat, option), f"{option}: {direct} only when asked directly"
    return direct


class Done(NamedTuple):
    """A position after a card, and the events that the card has made."""

    state: State
    events: tuple[Event, ...]


def batch(state: State) -> Play:
    """A batch on a private copy of a position."""
    context = Context(now=0, actor=Actor("worker", "test"), draw=Draw(b"seed"))
    return Play(Working(evolve, copy.copy(state), context), GRIDS)


def then(state: State, *events: Event) -> State:
    """A copy of a position after something has happened."""
    after = copy.copy(state)
    for event in events:
        after = evolve(after, event)
    return after


def play_card(state: State, seat: Seat, option: str) -> Done:
    """Play a card that is offered: the steps up to its anchor, then its effects."""
    assert offered(state, seat, option), f"{option} is not offered"
    play = batch(state)
    played = read_play(state, seat, option)
    window = play.state.window
    if played.anchor is not None and window is not None and window.kind in ANCHORED:
        if window.kind == "panic":
            play.emit(_panicked(play, played.anchor))
        else:
            play.emit(steps_to(play.state, play.grid, window, played.anchor))
    before = len(play.work.events)
    resolve(play, played)
    return Done(play.state, tuple(play.work.events[before:]))


def _panicked(play: Play, anchor: int) -> Event:
    """The steps of a timeline that is given, whatever the humans would do by themselves."""
    window = play.state.window
    assert window is not None
    cells = {step.piece: step.cell for step in window.timeline[:anchor]}
    return StepsTaken(to=anchor, cells=cells, panic=play.state.panic)


def leaves(state: State, seat: Seat) -> Iterator[str]:
    """All plays of a seat, as the trees list them."""
    waiting: list[tuple[str, ...]] = [("play",)]
    while waiting:
        for option in play_branch(state, grid_of(state), seat, waiting.pop()):
            if option.branch:
                waiting.append(parts_of(option.id))
            else:
                yield option.id
