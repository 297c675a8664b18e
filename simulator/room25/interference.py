"""The oracle of non-interference: what a viewer does not know changes nothing that it sees.

A recorded game is played again in a twin world that differs in one secret (``twins``). The same
commands are given; all that the viewer can see of both worlds (commands, events, views, decisions,
deadlines, its refusals) must be the same bytes, up to the first difference, where both events are
of one type that is marked ``publishes``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from events.draw import Draw
from events.kernel import (
    PUBLIC,
    Command,
    Context,
    Event,
    Rejected,
    Viewer,
    Working,
    fold,
    redact,
)
from games.room25.model.state import State
from games.table.events import Choose, ChooseSecretly, TableOpened
from games.table.options import unavailable
from games.table.state import TableState
from simulator.interference import may_tell
from simulator.room25.run import Run
from simulator.room25.twins import Doctor, Swap, swaps
from simulator.run import PropertyBroken, RunStep, Watched, require

MASK: Final = ""
NOTHING: Final = "nothing"


class Item(NamedTuple):
    """Something that a viewer sees; ``event`` if it is one."""

    seen: bytes
    event: Event | None = None


class _DoctoredWork(Working[State]):
    """A batch whose dealing is changed on the way."""

    __slots__ = ("doctor",)

    doctor: Doctor

    def emit(self, event: Event) -> None:
        super().emit(self.doctor(event))


def _doctored(game: Any, doctor: Doctor) -> Any:  # noqa: ANN401 (any game, faulty ones too)
    """The game, but with another deal, another shuffle, another draw."""

    def having(name: str) -> Callable[..., None]:
        def method(self: Any, work: Working[State], *rest: Any) -> None:  # noqa: ANN401 (as above)
            twin = _DoctoredWork(self.evolve, work.state, work.context, work.events, work.before)
            twin.doctor = doctor
            getattr(super(type(self), self), name)(twin, *rest)
            work.state = twin.state

        return method

    dealing = ("begin", "choose", "withdraw")
    return type("Doctored", (type(game),), {name: having(name) for name in dealing})()


def _fixed(seed: bytes) -> type[Draw]:
    """Draws of one seed, whatever key the table has."""

    def init(self: Draw, _: bytes) -> None:
        Draw.__init__(self, seed)

    return type("FixedDraw", (Draw,), {"__slots__": (), "__init__": init})


# --- what a viewer sees ---


class Window:
    """What one viewer sees of one world, item by item."""

    def __init__(self, table: Watched, viewer: Viewer) -> None:
        self.table, self.viewer = table, viewer
        self.view = table.initial()

    def look(self, command: Command, events: list[Event], after: TableState) -> Iterator[Item]:
        """The command as published, each event, then decisions, reasons, deadline and view."""
        yield Item(msgspec.json.encode(redact(_masked(command), self.viewer)))
        for event in events:
            shown = redact(event, self.viewer)
            yield Item(msgspec.json.encode(_masked(shown)), event)
            self.view = self.table.evolve(self.view, shown)
        seat = self.viewer.seat
        decisions = [] if seat is None else self.table.decisions(after, seat)
        yield Item(msgspec.json.encode(decisions))
        reasons = [unavailable(self.table.rules[after.game], after, d) for d in decisions]
        yield Item(msgspec.json.encode(reasons))
        yield Item(msgspec.json.encode([self.table.wake_at(after), self.table.status(after)]))
        key_hash, self.view.key_hash = self.view.key_hash, MASK
        yield Item(msgspec.json.encode(self.view))
        self.view.key_hash = key_hash


def _masked(message: Any) -> Any:  # noqa: ANN401 (any message)
    """Without commitments, which differ as they should."""
    return replace(message, key_hash=MASK) if isinstance(message, TableOpened) else message


# --- two worlds ---


class Twin:
    """The other world: a recorded game, played again with one secret changed.

    ``state`` is how far it has come.
    """

    def __init__(self, match: Run, swap: Swap) -> None:
        rules = match.table.rules[match.state.game]
        if swap.doctor is not None:
            rules = replace(rules, decider=_doctored(rules.decider, swap.doctor))
        self.table = type(match.table)({rules.id: rules}, match.table.bots)
        self.state = self.table.initial()
        self._swap = swap
        self._draws = Draw if swap.seed is None else _fixed(swap.seed)

    def follow(self, number: int, step: RunStep) -> tuple[Command, list[Event]]:
        """Give the command of a step here: what was given, and what came of it.

        Raises:
            Rejected: it is refused here.
        """
        command = self._swap.commands.get(number, step.command)
        events = self.table.decide(command, self.state, self._context(step))
        self.state = fold(self.table, events, self.state)
        return command, events

    def refusal(self, step: RunStep) -> tuple[str, str] | None:
        """What a command that was refused there is answered with here; None: it is accepted."""
        try:
            self.table.decide(step.command, self.state, self._context(step))
        except Rejected as refusal:
            return str(refusal.code), refusal.detail
        return None

    def _context(self, step: RunStep) -> Context:
        draw = self._draws(self.table.seed(self.state))
        return Context(now=step.now, actor=step.actor, draw=draw)


def compare(match: Run, swap: Swap) -> str:
    """Play a game again with one secret changed; say at which event the viewer saw it.

    Returns:
        The type of the event that told, ``""`` if none ever did.

    Raises:
        PropertyBroken: the viewer could tell the worlds apart otherwise.
    """
    twin = Twin(match, swap)
    here, there = Window(match.table, swap.viewer), Window(twin.table, swap.viewer)
    for number, step in enumerate(match.steps):
        if step.refusal is not None:
            if _is_own(step, swap.viewer):
                require(twin.refusal(step) == step.refusal, told_by(swap, step))
            continue
        try:
            command, events = twin.follow(number, step)
        except Rejected as refusal:
            return what_it_takes_to_know(swap, step, refusal)
        ours = here.look(step.command, list(step.events), step.after)
        told = _part(swap, step, list(ours), list(there.look(command, events, twin.state)))
        if told:
            return told
    return ""


def _part(swap: Swap, step: RunStep, ours: list[Item], theirs: list[Item]) -> str:
    """Where two lists of items part: nowhere, or at an event that may tell."""
    for a, b in zip(ours, theirs, strict=False):
        if a.seen == b.seen:
            continue
        require(
            may_tell(a.event, b.event),
            f"{told_by(swap, step)}: {a.seen!r:.200}, {b.seen!r:.200}",
        )
        return type(a.event).__name__
    require(len(ours) == len(theirs), f"{told_by(swap, step)}: more happened in one world")
    return ""


def told_by(swap: Swap, step: RunStep) -> str:
    """The complaint that a viewer can tell the worlds apart."""
    who = "the public" if swap.viewer == PUBLIC else f"seat {swap.viewer.seat}"
    return f"{who} can tell {swap.what} by {type(step.command).__name__}"


def what_it_takes_to_know(swap: Swap, step: RunStep, refusal: Rejected) -> str:
    """The event that tells where the twin world refuses a command that only a knower gives.

    Raises:
        PropertyBroken: anybody could have given it.
    """
    if not _only_knowers(step):
        raise PropertyBroken(f"{told_by(swap, step)}: {refusal}")
    return type(next((e for e in step.events if e.publishes), step.events[0])).__name__


def _is_own(step: RunStep, viewer: Viewer) -> bool:
    """Whether the viewer itself was refused: others' refusals are not its to see.

    House bots of one name share an id, so theirs are told apart by the seat.
    """
    place = step.before.seats.get(viewer.seat or 0)
    if place is None or place.player != step.actor.id:
        return False
    return place.bot is None or getattr(step.command, "seat", None) == viewer.seat


def _only_knowers(step: RunStep) -> bool:
    """Whether a command is one that only somebody with this very secret could give.

    A guard shows itself; a traitor changes what it has programmed.
    """
    command = step.command
    if isinstance(command, ChooseSecretly):
        return command.decision.endswith("-traitor-change")
    return isinstance(command, Choose) and command.decision.startswith("reveal-")


class TwinWorlds(ABC):
    """Compares twin worlds, all of them once a game has ended.

    ``told`` notes for each what was changed and which event told the viewer.

    Args:
        rng: picks games and secrets.
        rate: of how many of the games.
        most: how many twins of each.
    """

    def __init__(self, rng: Random, rate: float, most: int) -> None:
        self.rng, self.rate, self.most = rng, rate, most
        self.told: list[tuple[str, str]] = []

    def accepted(self, match: Run, step: RunStep) -> None:
        """Nothing to do yet."""
        del match, step

    def ended(self, match: Run) -> None:
        """Play some twin worlds."""
        if self.rng.random() < self.rate:
            found = swaps(match, self.rng)
            for swap in self.rng.sample(found, min(self.most, len(found))):
                self.told.append((swap.what, self.compare(match, swap) or NOTHING))

    @abstractmethod
    def compare(self, match: Run, swap: Swap) -> str:
        """The type of the event that told the viewer one world from the other, or ``""``.

        Raises:
            PropertyBroken: something else did.
        """


class Interference(TwinWorlds):
    """Compares what a viewer sees of twin worlds."""

    def __init__(self, rng: Random, rate: float = 1.0, most: int = 4) -> None:
        super().__init__(rng, rate, most)

    def compare(self, match: Run, swap: Swap) -> str:
        """See ``compare``."""
        return compare(match, swap)
