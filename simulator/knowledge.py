"""The oracle of who knows what: every view against the ledger, at every version.

``ViewsAgainstKnowledge`` folds the view of every viewer and compares each leaf with the truth: it
must be the same where the ``ledger`` says that the viewer knows it, and unknown everywhere else.
What an event tells, and to whom, must be right as well (``telling``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from operator import attrgetter, is_not
from random import Random
from typing import Any, Final, Protocol

from msgspec import UNSET, Struct
from msgspec.structs import replace

from events.kernel import FULL, PUBLIC, Decision, Event, Seat, Viewer, redact
from games.table.decider import Table
from games.table.state import TableState
from simulator.option_trees import differing_level, differing_reasons
from simulator.run import RunStep, require

TABLE_FIELDS: Final = tuple(n for n in TableState.__struct_fields__ if n != "play")

_of_table = attrgetter(*TABLE_FIELDS)

Parts = tuple[object, ...]
"""The parts of a state, in the order of its fields."""


class KnowsWhat(Protocol):
    """Who has learnt what, by hand from the rules of a game.

    ``news`` is the part of the state that the last event told of, or empty.
    """

    news: str

    def note(self, event: Event) -> None:
        """Take in what an event makes known."""
        ...

    def expected(self, path: str, truth: Any, seat: Seat | None) -> Any:  # noqa: ANN401 (any part)
        """What a viewer (a seat, or None: the public) sees of a part of the state."""
        ...


class MayTell(Protocol):
    """What may be told, when and to whom, by hand from the rules of a game."""

    def look(self, state: Any, event: Event) -> None:  # noqa: ANN401 (the state of any game)
        """Check an event against the truth as it is before it; it raises ``PropertyBroken``."""
        ...

    def batch_ended(self, state: Any) -> None:  # noqa: ANN401 (the state of any game)
        """Check what a batch still owes when it ends."""
        ...


class Compartments:
    """The parts of a table's state, then those of the game on it."""

    def __init__(self, empty: Struct) -> None:
        self._empty = empty
        own = empty.__struct_fields__
        self._of_play = attrgetter(*own)
        self.fields = (*TABLE_FIELDS, *(f"play.{name}" for name in own))
        self._places = tuple(range(len(self.fields)))

    def parts(self, state: TableState) -> Parts:
        """All of them, in the order of ``fields``."""
        return (
            *_of_table(state),
            *self._of_play(self._empty if state.play is None else state.play),
        )

    def changed(self, old: Parts, new: Parts) -> set[int]:
        """The places at which two states hold different objects."""
        return set(compress(self._places, map(is_not, old, new)))


class ViewsAgainstKnowledge:
    """Compares every view with the ledger after every event.

    Args:
        rng: says at which steps decisions are compared.
        rate: of how many of them.
        ledger: who knows what.
        telling: what may be told.
        empty: the game's state before it has begun.

    A part of the state is compared when it has changed, in the truth or in the view, or when the
    event told of it. ``rate`` says at how many of the steps the decisions of each seat are compared
    too: they must be the same whether worked out from the truth or from the seat's own view.
    """

    def __init__(
        self, rng: Random, rate: float, ledger: KnowsWhat, telling: MayTell, empty: Struct
    ) -> None:
        self.rng, self.rate = rng, rate
        self.ledger = ledger
        self.telling = telling
        self._compartments = Compartments(empty)
        self.truth = TableState()
        self.views: dict[Seat | None, TableState] = {}
        self._truth = self._compartments.parts(self.truth)
        self._seen: dict[Seat | None, Parts] = {}

    def accepted(self, match: Any, step: RunStep) -> None:  # noqa: ANN401 (a game of any kind)
        """Fold the events of a command into the truth and every view, and compare."""
        if not self.views:
            seats = (None, *range(1, match.plan.seats + 1))
            self.views = {seat: match.table.initial() for seat in seats}
            self._seen = dict.fromkeys(seats, self._truth)
        viewers = {seat: self.viewer(match, seat) for seat in self.views}
        for event in step.events:
            whole = replace(event, **dict.fromkeys(event.withheld, UNSET))
            require(redact(event, FULL) == whole, f"something is kept from auditors: {event}")
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

    def ended(self, match: Any) -> None:  # noqa: ANN401 (as above)
        """The views are compared as the game goes on."""

    def viewer(self, match: Any, seat: Seat | None) -> Viewer:  # noqa: ANN401 (as above)
        """The public, or a seat as the game sees it."""
        state = match.state
        if seat is None:
            return PUBLIC
        if state.play is None:
            return Viewer("seat", seat)
        viewer: Viewer = match.table.games[state.game].viewer(state.play, seat)
        return viewer

    def _compare(self, event: Event) -> None:
        fields, changed = self._compartments.fields, self._compartments.changed
        truth = self._compartments.parts(self.truth)
        fresh = changed(self._truth, truth)
        if self.ledger.news:
            fresh.add(fields.index(self.ledger.news))
        for seat, view in self.views.items():
            found, old = self._compartments.parts(view), self._seen[seat]
            for i in fresh | changed(old, found):
                wanted = self.ledger.expected(fields[i], truth[i], seat)
                if found[i] != wanted:
                    where = next(_differences(fields[i], wanted, found[i]), fields[i])
                    text = f"view of {seat or 'public'} after {type(event).__name__}: {where}"
                    require(holds=False, text=text)
            self._seen[seat] = found
        self._truth = truth

    def _same_decisions(self, match: Any, truth: TableState) -> None:  # noqa: ANN401 (as above)
        table = match.table
        for seat, view in self.views.items():
            require(table.wake_at(view) == table.wake_at(truth), "a view wakes at another time")
            require(table.status(view) == table.status(truth), "a view has another status")
            if seat is not None:
                own, full = table.decisions(view, seat), match.decisions(seat)
                where = next(_differences("decisions", full, own), "")
                require(own == full, f"seat {seat} sees other decisions: {where}")
                for known, seen in zip(full, own, strict=True):
                    deep = self.differing(table, truth, view, known, seen)
                    require(deep is None, f"seat {seat} sees other decisions: {deep}")
                    why = differing_reasons(table, truth, view, known, self.rng)
                    require(why is None, f"seat {seat} sees other reasons: {why}")

    def differing(
        self, table: Table, truth: TableState, view: TableState, full: Decision, own: Decision
    ) -> str | None:
        """Where a view lists other options than the truth, on any level of a tree."""
        return differing_level(table, truth, view, full, own)


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
