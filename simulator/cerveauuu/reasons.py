"""The oracle of reasons: what is expected of a level is offered, or has exactly one reason.

What is expected is listed here by hand, from the rules and the deck, and not taken from the
predicates. Levels are looked at on one way down the tree of a decision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from events.kernel import Decision, Option
from games.cerveauuu.board import Grid
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.model.state import State
from games.cerveauuu.rules.context import Grids
from games.contract import Unavailable
from games.table.options import unavailable
from games.trees import parts_of
from simulator.cerveauuu.run import Run
from simulator.chance import often
from simulator.option_trees import ListBelow, sampled_levels
from simulator.run import RunStep, require

Key = tuple[str, Any]
"""A field of a meaning, with its value."""

Path = tuple[str, ...]
Expected = Callable[[State, Grid, Decision, Path], Iterable[Key]]

FIELDS: Final = ("piece", "attack", "cell", "edge", "building", "seat", "card", "anchor", "eater")
"""What somebody points at, by one field."""

LISTS: Final = ("invited", "dropped")
"""What they point at as a part of several, and so by itself."""

PLAY: Final = "play"


def _cells(_: State, grid: Grid, __: Decision, path: Path) -> Iterable[Key]:
    return () if path else _every_cell(grid)


def _every_cell(grid: Grid) -> Iterator[Key]:
    return (("cell", f"r{y}c{x}") for y in range(grid.height) for x in range(grid.width))


def _hand(state: State, decision: Decision) -> Iterator[Key]:
    return (("card", card) for card in state.hands[decision.seat].values())


def _attacks(state: State, zombie: str) -> Iterator[Key]:
    return (("attack", name) for name in state.pieces if name != zombie)


def _respond(state: State, grid: Grid, decision: Decision, path: Path) -> Iterable[Key]:
    said = path not in {(), (PLAY,)}
    return _play(state, grid, decision, path) if said else _hand(state, decision)


def _go(state: State, grid: Grid, decision: Decision, path: Path) -> Iterable[Key]:
    if not path:
        yield from (("piece", name) for name in state.pieces)
    if not path or path[0] == PLAY:
        yield from _respond(state, grid, decision, path)
    elif path[0] in state.pieces:
        yield from _attacks(state, path[0])
        yield from _every_cell(grid)


def _wander(state: State, grid: Grid, decision: Decision, path: Path) -> Iterable[Key]:
    if not path:
        yield from (("piece", name) for name in state.pieces)
    if not path or path[0] == PLAY:
        yield from _respond(state, grid, decision, path)
    else:
        yield from _every_cell(grid)


def _replan(state: State, grid: Grid, _: Decision, __: Path) -> Iterable[Key]:
    if state.activation is not None:
        yield from _attacks(state, state.activation.zombie)
    yield from _every_cell(grid)


def _support(state: State, _: Grid, __: Decision, path: Path) -> Iterable[Key]:
    """Who is invited, and then who eats a defender."""
    return (("eater" if path else "invited", name) for name in state.pieces)


def _play(state: State, grid: Grid, decision: Decision, path: Path) -> Iterable[Key]:
    """Below a card: anchors, then each slot, then the cell of a step; then cards to drop."""
    hand = state.hands[decision.seat]
    card = CARDS[str(hand[int(path[1][1:])])]
    place, window = len(path) - 2, state.window
    if window is not None and window.kind in {"panic", "movement"}:
        if not place:
            return (("anchor", i) for i in range(window.floor, len(window.timeline) + 1))
        place -= 1
    if place < len(card.target):
        return _pointed_at(state, grid, card.target[place].kind)
    steps = any(type(effect).__name__ == "TakeSteps" for effect in card.effect)
    if steps and place == len(card.target):
        return _every_cell(grid)
    return (("dropped", f"k{number}") for number in hand)


def _pointed_at(state: State, grid: Grid, kind: str) -> Iterable[Key]:
    if kind == "C":
        return _every_cell(grid)
    if kind in "WD":
        edges = (grid.edge_id(edge) for edge in grid.edges if grid.stored(edge) != "open")
        return (("edge", edge) for edge in edges)
    if kind == "B":
        return (("building", letter) for letter in grid.buildings)
    if kind == "P":
        return (("seat", seat) for seat in state.seats)
    return (("piece", name) for name in state.pieces)


EXPECTED: Final[Mapping[str, Expected]] = {
    "place_human": _cells,
    "place_zombie": _cells,
    "wander_turn": _wander,
    "wander_batch": _cells,
    "go": _go,
    "replan": _replan,
    "support": _support,
    "respond": _respond,
}
"""What is expected of each kind, by the path of a branch; of no other kind is anything told."""


def _keys(meaning: Mapping[str, Any]) -> Iterator[Key]:
    """What a meaning points at, of several things each by itself; a whole plan points at none."""
    for name, value in () if "path" in meaning else meaning.items():
        if name in FIELDS:
            yield name, value
        elif name in LISTS:
            yield from ((name, each) for each in value)


def expected(state: State, grid: Grid, decision: Decision, path: Path) -> set[Key]:
    """What somebody might point at on a level, by the path of its branch."""
    listed = EXPECTED.get(decision.kind)
    return set() if listed is None else set(listed(state, grid, decision, path))


def offered(level: Sequence[Option], below: ListBelow) -> set[Key]:
    """What a level offers, in the same terms; of cards the first level tells as well."""
    cards = below(PLAY) if any(option.id == PLAY for option in level) else ()
    return {key for option in (*level, *cards) for key in _keys(option.meaning)}


def flaw_of(every: set[Key], options: set[Key], told: Sequence[Unavailable]) -> str | None:
    """What is offered and has a reason, has none or two, or has one though nobody expects it."""
    reasons = Counter(key for each in told for key in _keys(each.meaning))
    for key in every:
        if (key in options) + reasons[key] != 1:
            return f"{key} is offered {key in options}, with {reasons[key]} reasons"
    strange = reasons.keys() - every
    if strange:
        return f"nobody expects {strange}"
    codes = {each.code for each in told} - set(Why)
    return f"{codes} are no codes" if codes else None


class Reasons:
    """Looks at some of the levels of a decision that is open.

    Args:
        rng: picks steps, decisions and ways down their trees.
        rate: at how many of the steps.
    """

    def __init__(self, rng: Random, rate: float) -> None:
        self._rng, self._rate = rng, rate
        self._grids = Grids()

    def accepted(self, match: Run, step: RunStep) -> None:
        """Compare what is offered with what has a reason, on one way down a tree."""
        state = step.after
        if state.phase != "live" or not often(self._rng, self._rate):
            return
        pending = match.pending()
        if not pending:
            return
        decision, rules = self._rng.choice(pending), match.table.rules[state.game]
        below = match.below(decision)
        grid = self._grids.of(state.play)
        for name, level in sampled_levels(decision.options, below, self._rng, 1):
            path = parts_of(name) if name else ()
            told = unavailable(rules, state, decision, path)
            every = expected(state.play, grid, decision, path)
            flaw = flaw_of(every, offered(level, below), told)
            require(flaw is None, f"{decision.id}, below {name!r}: {flaw}")

    def ended(self, match: Run) -> None:
        """Reasons are compared as the game goes on."""
