"""A game of Cerveauuu! in process: the truth, every seat's view, and what happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

import msgspec

from events.draw import Draw
from events.kernel import (
    PUBLIC,
    Actor,
    Context,
    Decision,
    Event,
    Option,
    Seat,
    Viewer,
    Working,
    redact,
)
from games.cerveauuu.decider import Cerveauuu
from games.cerveauuu.model.state import State
from games.cerveauuu.opening.situation import Situation
from games.contract import JsonValue, Roster, TableOpening

ACTOR = Actor("player", "p1")

HUNGER = 0.8
"""So often a go at random is spent on getting at a human."""

TRIED = 6
"""Of the cells nearest to humans so many are looked at."""


class Sitting:
    """A game that is played by its decider alone, without a table.

    Attributes:
        truth: the state as it is.
        views: what each seat, and the public under 0, has folded from redacted events.
        events: all that has happened.
    """

    def __init__(
        self,
        seats: int,
        options: Mapping[str, JsonValue] | None = None,
        seed: str = "seed",
        situation: Situation | None = None,
    ) -> None:
        self.game = Cerveauuu()
        self.seed = seed.encode()
        requested = TableOpening(
            rulebook="prototype",
            mode="standard",
            seats=seats,
            options=options or {},
            situation=None if situation is None else msgspec.to_builtins(situation),
        )
        self.opening = self.game.open(requested)
        self.truth = self.game.initial()
        self.views: dict[Seat, State] = {n: self.game.initial() for n in range(seats + 1)}
        self.events: list[Event] = []
        self.last: Sequence[Event] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats."""
        return tuple(range(1, self.opening.seats + 1))

    def begin(self) -> Sitting:
        """Sit down and set the game up."""
        taken: dict[Seat, tuple[str, ...]] = {}
        for seat in self.seats:
            taken[seat] = self.game.cast(self.opening, taken, seat, ())
        work = self._working()
        self.game.begin(work, Roster(opening=self.opening, characters=taken))
        return self._done(work)

    def choose(self, decision: Decision, option: str) -> Sitting:
        """Take an option of a decision."""
        work = self._working()
        self.game.choose(work, decision, option)
        return self._done(work)

    def resign(self, seat: Seat) -> Sitting:
        """A player resigns."""
        work = self._working()
        self.game.withdraw(work, seat)
        return self._done(work)

    def pending(self) -> tuple[Decision, ...]:
        """What the game waits for."""
        wait = self.game.wait(self.truth)
        return wait.pending if wait is not None else ()

    def rehearse(self, truth: State, decision: Decision, option: str) -> list[Event]:
        """What an option would make of some state, the draws being the same."""
        work = self._working(truth)
        self.game.choose(work, decision, option)
        self.game.settle(work)
        return work.events

    def _working(self, truth: State | None = None) -> Working[State]:
        context = Context(now=0, actor=ACTOR, draw=Draw(self.seed))
        before = self.truth if truth is None else truth
        return Working(self.game.evolve, self.game.copy(before), context, before=before)

    def _done(self, work: Working[State]) -> Sitting:
        self.game.settle(work)
        self.truth = work.state
        self.last = work.events
        self.events += work.events
        for seat, view in self.views.items():
            for event in work.events:
                self.views[seat] = self.game.evolve(view, redact(event, viewer(seat)))
        return self

    # --- trees ---

    def leaves(self, decision: Decision) -> Iterator[str]:
        """The ids of all options that can be chosen."""
        todo = list(reversed(decision.options))
        while todo:
            option = todo.pop()
            if option.branch:
                path = tuple(option.id.split("."))
                todo += reversed(self.game.branch(self.truth, decision, path))
            else:
                yield option.id

    def at_random(self, decision: Decision, random: Random, playing: float = 0.3) -> str:
        """An option at random, level by level; in windows mostly a pass, in goes mostly hungry."""
        if decision.kind == "respond" and random.random() > playing:
            return "pass"
        if decision.kind == "go" and random.random() < HUNGER:
            return self.hungry(decision, random)
        level = decision.options
        while True:
            option = random.choice(level)
            if not option.branch:
                return option.id
            level = self.below(decision, option)

    def below(self, decision: Decision, option: Option) -> tuple[Option, ...]:
        """The options below a branch, of which there is at least one."""
        level = self.game.branch(self.truth, decision, tuple(option.id.split(".")))
        assert level, f"nothing behind {option.id} of {decision.id}"
        return level

    def hungry(self, decision: Decision, random: Random) -> str:
        """Some zombie goes near to humans, and attacks if it may."""
        option = random.choice([each for each in decision.options if "piece" in each.meaning])
        level = self.below(decision, option)
        humans = [xy(piece.cell) for piece in self.truth.humans()]
        ahead = sorted(
            (each for each in level if "cell" in each.meaning),
            key=lambda each: nearest(each, humans),
        )
        near = [self.below(decision, each) for each in ahead[:TRIED]]
        leaves = [each for options in (level, *near) for each in options if not each.branch]
        attacks = [each for each in leaves if "attack" in each.meaning]
        return random.choice(attacks or leaves).id


def xy(cell: str) -> tuple[int, int]:
    """The coordinates of a cell."""
    y, x = cell[1:].split("c")
    return int(x), int(y)


def nearest(option: Option, humans: Sequence[tuple[int, int]]) -> int:
    """How far the cell of an option is from the nearest human, walls ignored."""
    x, y = xy(str(option.meaning["cell"]))
    return min(max(abs(x - hx), abs(y - hy)) for hx, hy in humans)


def viewer(seat: Seat) -> Viewer:
    """The eyes of a seat; those of the public under 0."""
    return Viewer(kind="seat", seat=seat) if seat else PUBLIC
