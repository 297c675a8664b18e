"""The oracle of who knows what: every view against the ledger, at every version.

``WhoKnows`` folds the view of every viewer and compares each leaf with the truth: it must be the
same where the ``ledger`` says that the viewer knows it, and unknown everywhere else. What an event
tells, and to whom, must be right as well (``telling``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from operator import attrgetter, is_not
from random import Random
from typing import Any, Final

from msgspec import Struct

from events.kernel import FULL, PUBLIC, Event, Seat, Viewer, redact
from games.room25.model.state import State
from games.table.state import TableState
from simulator.option_trees import differing_level
from simulator.room25.information_flow import InformationFlow
from simulator.room25.knowledge_table import KnowledgeTable, expected
from simulator.room25.run import Run
from simulator.run import RunStep, require

PLAY_FIELDS: Final = State.__struct_fields__
TABLE_FIELDS: Final = tuple(n for n in TableState.__struct_fields__ if n != "play")

_of_play = attrgetter(*PLAY_FIELDS)
_of_table = attrgetter(*TABLE_FIELDS)

Parts = tuple[object, ...]
"""The parts of a state, in the order of its fields."""


def parts(state: TableState) -> Parts:
    """The parts of the table's state, then those of the game on it."""
    return (*_of_table(state), *_of_play(State() if state.play is None else state.play))


FIELDS: Final = (*TABLE_FIELDS, *(f"play.{name}" for name in PLAY_FIELDS))
_PLACES: Final = tuple(range(len(FIELDS)))


def viewer_of(match: Run, seat: Seat | None) -> Viewer:
    """The public, or a seat with its team as the game sees it."""
    state = match.state
    if seat is None:
        return PUBLIC
    if state.play is None or not state.play.characters:
        return Viewer("seat", seat)
    return match.table.games[state.game].viewer(state.play, seat)


class WhoKnows:
    """Compares every view with the ledger after every event.

    A part of the state is compared when it has changed, in the truth or in the view, or when the
    event told of it. ``rate`` says at how many of the steps the decisions of each seat are compared
    too: they must be the same whether worked out from the truth or from the seat's own view.
    """

    def __init__(self, rng: Random, rate: float = 1.0) -> None:
        self.rng, self.rate = rng, rate
        self.ledger = KnowledgeTable()
        self.telling = InformationFlow()
        self.truth = TableState()
        self.views: dict[Seat | None, TableState] = {}
        self._truth = parts(self.truth)
        self._seen: dict[Seat | None, Parts] = {}

    def accepted(self, match: Run, step: RunStep) -> None:
        """Fold the events of a command into the truth and every view, and compare."""
        if not self.views:
            seats = (None, *range(1, match.plan.seats + 1))
            self.views = {seat: match.table.initial() for seat in seats}
            self._seen = dict.fromkeys(seats, self._truth)
        viewers = {seat: viewer_of(match, seat) for seat in self.views}
        for event in step.events:
            require(redact(event, FULL) == event, f"something is kept from auditors: {event}")
            self.telling.look(self.truth.play, event)
            self.ledger.note(event)
            self.truth = match.table.evolve(self.truth, event)
            for seat, view in self.views.items():
                self.views[seat] = match.table.evolve(view, redact(event, viewers[seat]))
            self._compare(event)
        require(self.truth == step.after, "two folds of one log differ")
        self.telling.batch_ended(step.after.play)
        if self.rng.random() < self.rate:
            self._same_decisions(match, step.after)

    def ended(self, match: Run) -> None:
        """The views are compared as the game goes on."""

    def _compare(self, event: Event) -> None:
        truth = parts(self.truth)
        fresh = _changed(self._truth, truth)
        if self.ledger.news:
            fresh.add(FIELDS.index(self.ledger.news))
        for seat, view in self.views.items():
            found, old = parts(view), self._seen[seat]
            for i in fresh | _changed(old, found):
                wanted = expected(self.ledger, FIELDS[i], truth[i], seat)
                if found[i] != wanted:
                    where = next(_differences(FIELDS[i], wanted, found[i]), FIELDS[i])
                    text = f"view of {seat or 'public'} after {type(event).__name__}: {where}"
                    require(holds=False, text=text)
            self._seen[seat] = found
        self._truth = truth

    def _same_decisions(self, match: Run, truth: TableState) -> None:
        table = match.table
        for seat, view in self.views.items():
            require(table.wake_at(view) == table.wake_at(truth), "a view wakes at another time")
            require(table.status(view) == table.status(truth), "a view has another status")
            if seat is not None:
                own, full = table.decisions(view, seat), match.decisions(seat)
                where = next(_differences("decisions", full, own), "")
                require(own == full, f"seat {seat} sees other decisions: {where}")
                for known, seen in zip(full, own, strict=True):
                    deep = differing_level(table, truth, view, known, seen)
                    require(deep is None, f"seat {seat} sees other decisions: {deep}")


def _changed(old: Parts, new: Parts) -> set[int]:
    """The places at which two states hold different objects."""
    return set(compress(_PLACES, map(is_not, old, new)))


def _differences(path: str, wanted: Any, found: Any) -> Iterator[str]:  # noqa: ANN401
    """Where two values differ, leaf by leaf; values of leaves are for the eyes of developers."""
    if wanted == found:
        return
    if isinstance(wanted, Struct) and type(wanted) is type(found):
        for name in wanted.__struct_fields__:
            yield from _differences(f"{path}.{name}", getattr(wanted, name), getattr(found, name))
    elif isinstance(wanted, dict) and isinstance(found, dict) and wanted.keys() == found.keys():
        for name, value in wanted.items():
            yield from _differences(f"{path}[{name}]", value, found[name])
    elif isinstance(wanted, list | tuple) and isinstance(found, type(wanted)):
        yield f"{path}: {wanted!r:.300} expected, {found!r:.300} seen"
    else:
        yield f"{path}: {wanted!r:.100} expected, {found!r:.100} seen"
