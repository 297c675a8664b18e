"""A game of Cerveauuu! in process: the truth, every seat's view, and what happened."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random

import msgspec

from events.draw import Draw
from events.kernel import (
    PUBLIC,
    Actor,
    Context,
    Decision,
    Event,
    Seat,
    Viewer,
    Working,
    redact,
)
from games.cerveauuu.decider import Cerveauuu
from games.cerveauuu.model.state import State
from games.cerveauuu.opening.situation import Situation
from games.contract import JsonValue, Roster, TableOpening
from games.trees import parts_of
from simulator.cerveauuu.random_choices import PLAYING, hungry
from simulator.option_trees import ListBelow

ACTOR = Actor("player", "p1")


class BareGame:
    """A game that is played by its decider alone, without a table.

    Args:
        seats: how many players.
        options: of the table.
        seed: what all draws follow from.
        situation: the position to begin with, if it is not the set-up.
        game: who decides; it remembers boards and levels, so games played one after another
            may share it.
        watched: whose views are folded, the public's under 0; None: everybody's.

    Attributes:
        truth: the state as it is.
        views: what each seat that is watched, and the public, has folded from redacted events.
        events: all that has happened.
    """

    def __init__(
        self,
        seats: int,
        options: Mapping[str, JsonValue] | None = None,
        seed: bytes = b"seed",
        situation: Situation | None = None,
        game: Cerveauuu | None = None,
        watched: Collection[Seat] | None = None,
    ) -> None:
        self.game = Cerveauuu() if game is None else game
        self._seed = seed
        self._draw = Draw(seed)
        requested = TableOpening(
            rulebook="prototype",
            mode="standard",
            seats=seats,
            options=options or {},
            situation=None if situation is None else msgspec.to_builtins(situation),
        )
        self.opening = self.game.open(requested)
        self.truth = self.game.initial()
        eyes = range(seats + 1) if watched is None else watched
        self.views: dict[Seat, State] = {n: self.game.initial() for n in eyes}
        self.events: list[Event] = []
        self.last: Sequence[Event] = ()
        self._waiting: tuple[Decision, ...] | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats."""
        return tuple(range(1, self.opening.seats + 1))

    def begin(self) -> BareGame:
        """Sit down and set the game up."""
        taken: dict[Seat, tuple[str, ...]] = {}
        for seat in self.seats:
            taken[seat] = self.game.cast(self.opening, taken, seat, ())
        work = self._working()
        self.game.begin(work, Roster(opening=self.opening, characters=taken))
        return self._done(work)

    def choose(self, decision: Decision, option: str) -> BareGame:
        """Take an option of a decision."""
        work = self._working()
        self.game.choose(work, decision, option)
        return self._done(work)

    def resign(self, seat: Seat) -> BareGame:
        """A player resigns."""
        work = self._working()
        self.game.withdraw(work, seat)
        return self._done(work)

    def pending(self) -> tuple[Decision, ...]:
        """What the game waits for."""
        if self._waiting is None:
            wait = self.game.wait(self.truth)
            self._waiting = wait.pending if wait is not None else ()
        return self._waiting

    def rehearse(self, truth: State, decision: Decision, option: str) -> list[Event]:
        """What an option would make of some state, the draws being the same."""
        work = self._working(truth, Draw(self._seed))
        self.game.choose(work, decision, option)
        self.game.settle(work)
        return work.events

    def _working(self, truth: State | None = None, draw: Draw | None = None) -> Working[State]:
        """A working copy; all that is drawn in the game itself has labels of its own."""
        context = Context(now=0, actor=ACTOR, draw=draw or self._draw)
        before = self.truth if truth is None else truth
        return Working(self.game.evolve, self.game.copy(before), context, before=before)

    def _done(self, work: Working[State]) -> BareGame:
        self.game.settle(work)
        self.truth = work.state
        self._waiting = None
        self.last = work.events
        self.events += work.events
        for seat, view in self.views.items():
            for event in work.events:
                self.views[seat] = self.game.evolve(view, redact(event, eyes_of(seat)))
        return self

    # --- trees ---

    def below(self, decision: Decision) -> ListBelow:
        """What is below the branches of an open decision."""
        return lambda name: self.game.branch(self.truth, decision, parts_of(name))

    def at_random(self, decision: Decision, random: Random, playing: float = PLAYING) -> str:
        """An option at random, level by level; in windows mostly a pass, in goes mostly hungry."""
        humans = [piece.cell for piece in self.truth.humans()]
        return hungry(decision, self.below(decision), random, humans, playing)


def eyes_of(seat: Seat) -> Viewer:
    """The eyes of a seat; those of the public under 0."""
    return Viewer(kind="seat", seat=seat) if seat else PUBLIC
