"""One game as drivers play it, whatever game: commands in, events out, all noted and watched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from events.draw import Draw
from events.kernel import (
    Actor,
    Command,
    Context,
    Decision,
    Event,
    Option,
    Rejected,
    Seat,
    TimestampMs,
    fold,
)
from games.contract import Rules, Wait
from games.table.decider import Table
from games.table.events import Choose, ChooseSecretly, TimeOut
from games.table.keeping import handed_in
from games.table.state import TableState
from simulator.option_trees import ListBelow, below_of

P = TypeVar("P")
G = TypeVar("G")
M_contra = TypeVar("M_contra", contravariant=True)

START: Final[TimestampMs] = 1_800_000_000_000
"""When every game of the drivers begins."""

WORKER: Final = Actor("worker", "fuzz")
DIRECTOR: Final = Actor("director", "director")
AUDITOR: Final = Actor("auditor", "auditor")
HOST: Final = "player1"


class PropertyBroken(AssertionError):
    """A property does not hold; the text says which and how."""


def require(holds: object, text: str) -> None:
    """Stop unless something holds.

    Raises:
        PropertyBroken: it does not.
    """
    if not holds:
        raise PropertyBroken(text)


class Watched(Table):
    """The table, letting its latest working copy be seen."""

    worked: TableState | None = None

    def copy(self, state: TableState) -> TableState:
        """A private copy, remembered."""
        self.worked = super().copy(state)
        return self.worked

    def wait(self, state: TableState) -> Wait | None:
        """What the game on the table waits for."""
        return self.games[state.game].wait(state.play)


class Open(NamedTuple):
    """What is open in one state, worked out once."""

    state: TableState
    wait: Wait | None
    decisions: dict[Seat, list[Decision]]


class RunStep(NamedTuple):
    """A command and what came of it: events and the next state, or a refusal (code, detail)."""

    command: Command
    actor: Actor
    now: TimestampMs
    before: TableState
    events: tuple[Event, ...]
    after: TableState
    refusal: tuple[str, str] | None = None


class Watcher(Protocol[M_contra]):
    """Something that looks at every step of a game; it raises ``PropertyBroken``."""

    def accepted(self, match: M_contra, step: RunStep) -> None:
        """Look at an accepted command."""
        ...

    def ended(self, match: M_contra) -> None:
        """Look at the game as a whole, once it has ended."""
        ...


class TableRun(Generic[P, G]):
    """A game in play, by a plan ``P``, whose own state is a ``G``.

    ``steps`` are all commands, refused ones too; ``log`` the events; ``asides`` the codes of what
    the game itself refused past the table. Both states of a step stay valid: a fold works on a
    copy.
    """

    def __init__(self, plan: P, table: Watched, watchers: Sequence[Watcher[Any]] = ()) -> None:
        self.plan = plan
        self.table = table
        self.watchers = watchers
        self.state = self.table.initial()
        self.now = START
        self.steps: list[RunStep] = []
        self.log: list[Event] = []
        self.asides: list[str] = []
        self._seeds: tuple[object, bytes] = (None, b"")
        self._open = Open(self.state, None, {})

    @property
    def play(self) -> G:
        """The game's own state."""
        state: G = self.state.play
        return state

    @property
    def rules(self) -> Rules:
        """The rules of the only game of the table."""
        (rules,) = self.table.rules.values()
        return rules

    def turn(self, state: TableState) -> int:
        """The game's turn in some state."""
        return self.table.games[state.game].turn(state.play)

    def context(self, actor: Actor, now: TimestampMs | None = None) -> Context:
        """The context of a command given now."""
        at = self.now if now is None else now
        key = (self.state.key, self.state.seats)
        if self._seeds[0] != key:
            self._seeds = (key, self.table.seed(self.state))
        return Context(now=at, actor=actor, draw=Draw(self._seeds[1]))

    def give(self, command: Command, actor: Actor) -> list[Event]:
        """Give a command that must be accepted.

        Raises:
            PropertyBroken: it is refused, or a watcher finds fault with it.
        """
        try:
            events = self.attempt(command, actor)
        except Rejected as refusal:
            raise PropertyBroken(f"a legal command was refused: {command}: {refusal}") from None
        return self.accept(command, actor, events)

    def accept(self, command: Command, actor: Actor, events: list[Event]) -> list[Event]:
        """Go on with what ``attempt`` has just made of a command.

        Raises:
            PropertyBroken: a watcher finds fault with it.
        """
        before, worked = self.state, self.table.worked
        after = fold(self.table, events, before)
        require(events, f"an accepted command made no event: {command}")
        require(worked == after, f"the working copy is not what the events say: {command}")
        step = RunStep(command, actor, self.now, before, tuple(events), after)
        self.steps.append(step)
        self.log += events
        self.state = after
        for watcher in self.watchers:
            watcher.accepted(self, step)
        return events

    def end(self) -> None:
        """Let the watchers look at the whole game."""
        for watcher in self.watchers:
            watcher.ended(self)

    def attempt(
        self, command: Command, actor: Actor, now: TimestampMs | None = None
    ) -> list[Event]:
        """What a command would make now; the game stays where it is.

        Raises:
            Rejected: as the table does.
        """
        return self.table.decide(command, self.state, self.context(actor, now))

    def refuse(
        self, command: Command, actor: Actor, codes: Iterable[str], now: TimestampMs | None = None
    ) -> str:
        """Give a command that must be refused with one of ``codes`` and change nothing.

        Raises:
            PropertyBroken: it is accepted, refused otherwise, or leaves a trace.
        """
        before = fingerprint(self.state)
        try:
            events = self.attempt(command, actor, now)
        except Rejected as refusal:
            code, detail = refusal.code, refusal.detail
        else:
            types = [type(event).__name__ for event in events]
            raise PropertyBroken(
                f"accepted, but should be {sorted(codes)}: {command!r:.200}: {types}"
            )
        require(code in set(codes), f"{code} instead of {sorted(codes)}: {command!r:.200}")
        require(fingerprint(self.state) == before, f"a refusal left a trace: {command}")
        at = self.now if now is None else now
        self.steps.append(
            RunStep(command, actor, at, self.state, (), self.state, (str(code), detail))
        )
        return str(code)

    # --- words of the drivers ---

    def _opened(self) -> Open:
        """What is open now; states are never changed, so it is worked out once for each."""
        if self._open.state is not self.state:
            live = self.state.phase == "live"
            wait = self.table.wait(self.state) if live else None
            self._open = Open(self.state, wait, {})
        return self._open

    def wait(self) -> Wait | None:
        """What the game waits for."""
        return self._opened().wait

    def decisions(self, seat: Seat) -> list[Decision]:
        """All that a seat may choose now."""
        found = self._opened().decisions
        if seat not in found:
            found[seat] = self.table.decisions(self.state, seat)
        return found[seat]

    def below(self, decision: Decision) -> ListBelow:
        """What is below the branches of an open decision."""
        return below_of(self.table, self.state, decision)

    def actor(self, seat: Seat) -> Actor:
        """Who plays a seat."""
        place = self.state.seats[seat]
        return Actor("player" if place.bot is None else "bot", place.player)

    def pending(self) -> tuple[Decision, ...]:
        """The blocking decisions that nobody has answered."""
        wait = self.wait()
        require(wait is not None and wait.pending, "a live game waits for nobody")
        return () if wait is None else wait.pending

    def choose(self, decision: Decision, option: str) -> list[Event]:
        """Choose for whoever the decision asks."""
        return self.give(choice(decision, option), self.actor(decision.seat))

    def time_out(self) -> list[Event]:
        """Let the running wait end, as a worker would, no sooner than it may."""
        clock = self.state.clock
        if clock is None:
            raise PropertyBroken("a live game has no clock")
        wake = self.table.wake_at(self.state)
        gone = all(self.is_gone(d.seat) for d in self.pending())
        self.now = max(self.now, clock.due if gone else clock.due + 250)
        require(wake is not None and wake <= self.now, "nobody would wake up in time")
        return self.give(TimeOut(key=clock.key), WORKER)

    def is_gone(self, seat: Seat) -> bool:
        """Whether a seat is absent or has resigned."""
        place = self.state.seats[seat]
        return place.absent or place.resigned


AnyRun = TableRun[Any, Any]
"""A game of which only the table matters."""


def choice(decision: Decision, option: str) -> Choose | ChooseSecretly:
    """The command that chooses an option."""
    return handed_in(decision, option)


def fingerprint(state: TableState) -> bytes:
    """Every value of a state, to see whether anything has changed."""
    return msgspec.json.encode(state)


def option_ids(decision: Decision) -> list[str]:
    """The ids of a decision's options."""
    return [option.id for option in decision.options]


def meaning(option: Option, name: str) -> str:
    """A part of what an option means."""
    return str(option.meaning.get(name, ""))
