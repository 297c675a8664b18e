"""Which cards may be played and how: the trees of options below ``play`` (§5.2, §5.7; pure).

A path goes ``play``, the card's number, the anchor (windows P and M), what fills each slot, the
cell where a step ends, the numbers of the cards that are dropped; what does not apply is left out.
A level lists only what has a legal leaf behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Final

from msgspec import Struct

from events.kernel import Option, Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.ids import number_id
from games.cerveauuu.model.language import Card, Slot
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.model.state import State
from games.cerveauuu.rules.acts import Played
from games.cerveauuu.rules.forms import CardForm
from games.cerveauuu.rules.scene import Scene, anchors, scene_at, window_of
from games.cerveauuu.rules.slots import all_of
from games.cerveauuu.rules.stats import banned
from games.cerveauuu.rules.steps import step_ends, why_no_step_end
from games.cerveauuu.rules.trees import Path
from games.trees import parts_of

PLAY: Final = "play"
"""The first part of every path."""

_MEANT: Final[Mapping[str, str]] = {
    "H": "piece",
    "Z": "piece",
    "X": "piece",
    "C": "cell",
    "W": "edge",
    "D": "edge",
    "B": "building",
}


class _Layout(Struct, frozen=True):
    """Which parts follow a card's number in a path, and how many there are of each sort."""

    anchors: int
    slots: int
    steps: int
    dropped: int

    @property
    def parts(self) -> int:
        """All of them."""
        return self.anchors + self.slots + self.steps + bool(self.dropped)

    def divided(self, said: Path) -> tuple[Path, Path]:
        """Of the parts that follow a card's number those that fill slots, and those after them."""
        end = self.anchors + self.slots
        return said[self.anchors : end], said[end:]


def may_play(state: State, grid: Grid, seat: Seat) -> bool:
    """Whether any legal play is there; stops at the first that is found (§5.2).

    Args:
        state: the game, with the hand of the seat.
        grid: its board.
        seat: who would play, in the window that is open, or open one by it.
    """
    return next(_playable(state, grid, seat), None) is not None


def _playable(state: State, grid: Grid, seat: Seat) -> Iterator[int]:
    """The numbers of the cards that can be played somehow, in order."""
    scene: Scene | None = None
    for number in sorted(state.hands[seat]):
        form = _form(state, grid, seat, number)
        if form is not None and not form.hopeless:
            if scene is None:
                scene = Scene(state, grid)
            if any(True for _ in form.anchors(scene)):
                yield number


def _form(state: State, grid: Grid, seat: Seat, number: int) -> CardForm | None:
    """The form of a card, unless it cannot be played now, however it is (§5.2a, e, f)."""
    card = CARDS[known_card(state, seat, number)]
    return CardForm(state, grid, seat, card) if _why_barred(state, card) is None else None


def _why_barred(state: State, card: Card) -> Why | None:
    """Why a card cannot be played now, however it is (§5.2a, e, f)."""
    if window_of(state) not in card.when:
        return Why.WINDOW
    if banned(state, card.type):
        return Why.BANNED
    return Why.MEDIA_LOCKED if card.type == "media" and state.media_lock else None


def why_no_card(state: State, grid: Grid, seat: Seat, number: int) -> Why | None:
    """Why a card of a hand cannot be played at all now; asks what ``_playable`` asks of each.

    Args:
        state: the game, with the hand of the seat.
        grid: its board.
        seat: whose hand it is.
        number: the card's.
    """
    card = CARDS[known_card(state, seat, number)]
    why = _why_barred(state, card)
    if why is not None:
        return why
    form = CardForm(state, grid, seat, card)
    if form.hopeless:
        return Why.NO_AIM
    return None if any(True for _ in form.anchors(Scene(state, grid))) else Why.NO_PLAY


def known_card(state: State, seat: Seat, number: int) -> str:
    """The card under a number in a hand.

    Raises:
        KeyError: there is no such number in the hand.
        ValueError: the state is a view that does not know the card.
    """
    card = state.hands[seat][number]
    if card is None:
        raise ValueError(f"card k{number} of seat {seat} is not known")
    return card


def _layout(state: State, seat: Seat, card: Card) -> _Layout:
    return _Layout(
        anchors=int(bool(anchors(state))),
        slots=len(card.target),
        steps=int(card.steps is not None),
        dropped=min(card.drops, len(state.hands[seat]) - 1),
    )


def play_branch(state: State, grid: Grid, seat: Seat, path: Path) -> tuple[Option, ...]:
    """The options below a branch; none if there is no such branch.

    Args:
        state: the game, with the hand of the seat.
        grid: its board.
        seat: whose tree it is.
        path: the parts of the branch's id, ``play`` first.
    """
    if path == (PLAY,):
        return tuple(_cards(state, grid, seat))
    number = _number(state, seat, path)
    form = None if number is None else _form(state, grid, seat, number)
    if number is None or form is None or form.hopeless:
        return ()
    return tuple(_level(state, grid, form, number, path))


def _cards(state: State, grid: Grid, seat: Seat) -> Iterator[Option]:
    for number in _playable(state, grid, seat):
        card = known_card(state, seat, number)
        layout = _layout(state, seat, CARDS[card])
        yield Option(f"{PLAY}.{number_id(number)}", {"card": card}, branch=layout.parts > 0)


def _number(state: State, seat: Seat, path: Path) -> int | None:
    """The number that a path names, if it is that of a card in the hand."""
    return next((n for n in state.hands[seat] if path[:2] == (PLAY, number_id(n))), None)


def _level(state: State, grid: Grid, form: CardForm, number: int, path: Path) -> Iterator[Option]:
    """The options below a card or below what has been said of its play."""
    layout = _layout(state, form.seat, form.card)
    said = path[2:]
    if len(said) >= layout.parts:
        return
    parts = _parts(state, grid, form, number, said)
    prefix, last = ".".join(path), len(said) == layout.parts - 1
    for part, meaning in parts:
        yield Option(f"{prefix}.{part}", meaning, branch=not last)


_Part = tuple[str, Mapping[str, Any]]


def _parts(state: State, grid: Grid, form: CardForm, number: int, said: Path) -> Iterator[_Part]:
    """What may follow the parts said so far, with its meaning."""
    layout = _layout(state, form.seat, form.card)
    if layout.anchors and not said:
        for each in form.anchors(Scene(state, grid)):
            yield str(each), {"anchor": each}
        return
    reached = _reached(state, grid, form, layout, said)
    if reached is None:
        return
    scene, slots, rest = reached
    if len(slots) < layout.slots:
        for part in form.next(scene, slots):
            yield part, _meaning(form.card.target[len(slots)], part)
        return
    ends = step_ends(scene, form.card, form.seat, slots) if layout.steps else ()
    if len(rest) < layout.steps:
        for cell in ends:
            yield cell, {"cell": cell}
    elif not layout.steps or rest[0] in ends:
        for dropped in _droppable(state, form.seat, number, layout.dropped):
            names = [number_id(each) for each in dropped]
            yield "-".join(names), {"dropped": names}


def _reached(
    state: State, grid: Grid, form: CardForm, layout: _Layout, said: Path
) -> tuple[Scene, Path, Path] | None:
    """The moment that is meant, what fills the slots, and what has been said behind them.

    None: nothing is offered there, as there is no such moment or the slots are not filled right.
    """
    anchor = _anchor(state, said)
    if layout.anchors and anchor is None:
        return None
    scene = scene_at(state, grid, anchor)
    slots, rest = layout.divided(said)
    return (scene, slots, rest) if form.fits(scene, slots) else None


def why_no_part(
    state: State, grid: Grid, seat: Seat, path: Path
) -> Iterator[tuple[Mapping[str, Any], Why]]:
    """What might be expected below a card and is not offered there, by its meaning.

    Of anchors these are all, of slots what is of their sort, of a step all cells, of cards to be
    dropped each of the hand by itself.

    Args:
        state: the game, with the hand of the seat.
        grid: its board.
        seat: whose tree it is.
        path: the parts of a branch's id: ``play``, a card's number, and what has been said.
    """
    number = _number(state, seat, path)
    form = None if number is None else _form(state, grid, seat, number)
    if number is None or form is None or form.hopeless:
        return
    layout, said = _layout(state, seat, form.card), path[2:]
    if layout.anchors and not said:
        playable = set(form.anchors(Scene(state, grid)))
        missing = [each for each in anchors(state) if playable and each not in playable]
        yield from (({"anchor": each}, Why.NO_PLAY) for each in missing)
        return
    reached = _reached(state, grid, form, layout, said)
    if reached is None:
        return
    scene, slots, rest = reached
    if len(slots) < layout.slots:
        slot, fitting = form.card.target[len(slots)], set(form.next(scene, slots))
        missing_parts = [p for p in all_of(state, grid, slot) if fitting and p not in fitting]
        yield from ((_meaning(slot, p), form.why_not(scene, slots, p)) for p in missing_parts)
    elif len(rest) < layout.steps:
        why_not = why_no_step_end(scene, form.card, seat, slots)
        for cell in range(grid.size):
            why = why_not(cell)
            if why is not None:
                yield {"cell": grid.cell_id(cell)}, why
    elif len(said) < layout.parts and (
        not layout.steps or rest[0] in step_ends(scene, form.card, seat, slots)
    ):
        hand = sorted(state.hands[seat])
        kept = [each for each in hand if not _may_drop(number, each)]
        yield from (({"dropped": [number_id(each)]}, Why.PLAYED) for each in kept)


def _anchor(state: State, said: Path) -> int | None:
    """The anchor that a path names, if there is one of that name."""
    return next((each for each in anchors(state) if said[:1] == (str(each),)), None)


def _meaning(slot: Slot, part: str) -> dict[str, Any]:
    if slot.kind == "P":
        return {"seat": int(part[1:])}
    return {_MEANT[slot.kind]: part}


def _droppable(state: State, seat: Seat, number: int, size: int) -> Iterator[tuple[int, ...]]:
    """The sets of cards that may be dropped with a card, by number (§5.2h)."""
    others = sorted(each for each in state.hands[seat] if _may_drop(number, each))
    return combinations(others, size)


def _may_drop(played: int, number: int) -> bool:
    return number != played


def offers_play(state: State, grid: Grid, seat: Seat, path: Path) -> bool:
    """Whether a path is that of a legal play: it is exactly if one can walk to it (§5.7).

    Args:
        state: the game, with the hand of the seat.
        grid: its board.
        seat: who plays.
        path: all parts of the option's id.
    """
    number = _number(state, seat, path)
    form = None if number is None else _form(state, grid, seat, number)
    if number is None or form is None:
        return False
    layout, said = _layout(state, seat, form.card), path[2:]
    if len(said) != layout.parts:
        return False
    anchor = _anchor(state, said)
    if layout.anchors and anchor is None:
        return False
    scene = scene_at(state, grid, anchor)
    slots, rest = layout.divided(said)
    if not form.fits(scene, slots):
        return False
    if layout.steps and rest[0] not in step_ends(scene, form.card, seat, slots):
        return False
    if not layout.dropped:
        return True
    sets = _droppable(state, seat, number, layout.dropped)
    return any(rest[-1] == "-".join(map(number_id, each)) for each in sets)


def read_play(state: State, seat: Seat, path: str) -> Played:
    """What the id of a legal play says.

    Args:
        state: the game, with the hand of the seat.
        seat: who plays.
        path: the whole id.

    Raises:
        ValueError: it names no card of the hand.
    """
    parts = parts_of(path)
    number = _number(state, seat, parts)
    if number is None:
        raise ValueError(f"no play of seat {seat}: {path}")
    card = known_card(state, seat, number)
    layout, said = _layout(state, seat, CARDS[card]), parts[2:]
    slots, rest = layout.divided(said)
    return Played(
        path=path,
        seat=seat,
        number=number,
        card=card,
        anchor=int(said[0]) if layout.anchors else None,
        slots=slots,
        step=rest[0] if layout.steps else None,
        dropped=tuple(int(each[1:]) for each in rest[-1].split("-")) if layout.dropped else (),
    )
