"""What must hold after every accepted command, whatever game it is."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import Any

from events.kernel import Command, Decision, Event, Rejected, TimestampMs, fold
from games.contract import Wait
from games.table import pausing
from games.table.checks import TableCode
from games.table.events import Choose, ChooseSecretly, TimeOut
from games.table.state import TableState
from simulator.option_trees import random_leaf
from simulator.run import (
    WORKER,
    AnyRun,
    PropertyBroken,
    RunStep,
    choice,
    option_ids,
    require,
)


class SomebodyWakes:
    """A live game always waits for somebody, and somebody will wake up for it."""

    def accepted(self, match: AnyRun, step: RunStep) -> None:
        """Look at the wait after a command."""
        state = step.after
        if state.phase != "live":
            require(match.table.wake_at(state) is None, "a table that is not live wants waking")
            return
        wait = match.wait()
        require(wait is not None and wait.pending, "a live game waits for nobody")
        require(state.clock is not None, "a live game has no clock")
        if wait is None or state.clock is None:
            return
        halt = match.rules.decider.halt(state.play)
        asked = () if halt is None else halt.asked
        short = {(each.id, each.seat, each.kind, each.subject) for each in asked}
        whole = {(each.id, each.seat, each.kind, each.subject) for each in wait.pending}
        require(short == whole, f"in short it waits for {short}, in full for {whole}")
        require(state.clock.key == wait.key, "the clock runs for something else")
        require(state.clock.since <= state.clock.due, "a deadline before its beginning")
        require(wait.key, "a wait without a name")
        self._wake(match, step)
        self._pending(match, state, wait)

    def ended(self, match: Any) -> None:  # noqa: ANN401 (a game of any kind)
        """Nothing is waited for any more."""

    def _wake(self, match: AnyRun, step: RunStep) -> None:
        state = step.after
        wake, paused = match.table.wake_at(state), state.paused_at is not None
        agreed = state.pauses_held.running
        if agreed is not None:
            require(paused, "the players' pause runs, and the game is not paused")
            require(wake == agreed.until, "nobody would end the players' pause")
            return
        require((wake is None) == paused, "nobody would wake up for a live game")
        if wake is not None and state.clock is not None:
            require(state.clock.since <= wake <= state.clock.due + 250, "woken at a wrong time")

    def _pending(self, match: AnyRun, state: TableState, wait: Wait) -> None:
        for d in wait.pending:
            ids = option_ids(d)
            require(len(ids) > 1 or d.secret or d.options[0].branch, f"{d.id} asks nothing")
            require(len(set(ids)) == len(ids), f"{d.id} has one option twice")
            known = d.default is not None and match.table.offers(state, d, d.default)
            require(known, f"the default of {d.id} is not offered")
            require(not d.optional, f"{d.id} is optional and yet waited for")
            self.asked(match, d)

    def asked(self, match: Any, decision: Decision) -> None:  # noqa: ANN401 (a game of any kind)
        """What a game says more of whoever is asked."""


class StableDecisionIds:
    """A decision's id says one thing for ever, and is never used again.

    Its options stay while it is open, unless a game says what changes them (``changing``).
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, ...]] = {}
        self._closed: set[str] = set()
        self._options: dict[tuple[str, Hashable], list[str]] = {}
        self._waits: list[str] = []

    def accepted(self, match: AnyRun, step: RunStep) -> None:
        """Note which decisions are open, and whether the one answered has closed."""
        state = step.after
        if state.phase != "live":
            return
        clock = state.clock
        if clock is not None and clock.key not in self._waits[-1:]:
            require(clock.key not in self._waits, f"the wait {clock.key} was there before")
            self._waits.append(clock.key)
        if isinstance(step.command, Choose | ChooseSecretly):
            seat = step.command.seat
            found = match.decisions(seat)
            self._see(match, found)
            if state.paused_at is None and step.command.decision not in {d.id for d in found}:
                self._closed.add(step.command.decision)
        wait = match.wait()
        self._see(match, () if wait is None else wait.pending)

    def ended(self, match: AnyRun) -> None:
        """Nothing is open once a game has ended."""
        for seat in match.state.seats:
            require(not match.decisions(seat), "open after the end")

    def _see(self, match: AnyRun, found: tuple[Decision, ...] | list[Decision]) -> None:
        for d in found:
            what = (d.kind, d.seat, d.subject, d.optional, d.secret)
            require(d.id not in self._closed, f"{d.id} is open again")
            require(self._known.setdefault(d.id, what) == what, f"{d.id} is another decision now")
            if not d.optional:
                ids = option_ids(d)
                same = self._options.setdefault((d.id, self.changing(match, d)), ids) == ids
                require(same, f"the options of {d.id} changed while it was open")

    def changing(self, match: Any, decision: Decision) -> Hashable:  # noqa: ANN401 (a game of any kind)
        """What may change the options of a decision while it is open."""
        del match, decision
        return None


class Offers:
    """An option is offered exactly when ``decide`` accepts it.

    ``rate``: at how many of the steps; ``most``: how many options of a decision are tried there.
    That what is not offered is refused is tried by the illegal commands. There too a worker that
    wakes when it is told to finds something to do.
    """

    def __init__(self, rng: Random, rate: float, most: int) -> None:
        self.rng, self.rate, self.most = rng, rate, most

    def accepted(self, match: AnyRun, step: RunStep) -> None:
        """Try options on the side."""
        if step.after.phase != "live" or self.rng.random() >= self.rate:
            return
        for seat in step.after.seats:
            for decision in match.decisions(seat):
                self._try(match, decision)
        self._wake(match)

    def ended(self, match: AnyRun) -> None:
        """Nothing is offered any more."""

    def _wake(self, match: AnyRun) -> None:
        """At the hour at which a worker is woken its command runs, and not a moment before."""
        state, wake = match.state, match.table.wake_at(match.state)
        if state.clock is None or wake is None:
            return
        if state.pauses_held.running is not None:
            self._end_pause(match, wake)
            return
        asked = {d.seat for d in match.pending() if not match.is_gone(d.seat)}
        if any(state.seats[n].bot for n in asked):
            return
        command = TimeOut(key=state.clock.key)
        self._on_waking(match, command, wake)
        if asked:
            match.refuse(command, WORKER, (TableCode.NOT_DUE_YET,), wake - 1)

    def _end_pause(self, match: AnyRun, wake: TimestampMs) -> None:
        """What the worker gives at that hour ends the players' pause."""
        early, command = (pausing.overdue(match.state, at) for at in (wake - 1, wake))
        require(early is None, f"a worker gives {early} before the pause is over")
        if command is None:
            raise PropertyBroken("a worker woke for the end of a pause, and gives no command")
        after = fold(match.table, self._on_waking(match, command, wake), match.state)
        require(after.paused_at is None, f"the players' pause goes on after {command}")
        match.refuse(command, WORKER, (TableCode.NOT_DUE_YET,), wake - 1)

    def _on_waking(self, match: AnyRun, command: Command, wake: TimestampMs) -> list[Event]:
        try:
            return match.attempt(command, WORKER, wake)
        except Rejected as refusal:
            raise PropertyBroken(f"a worker woke for nothing: {refusal}") from None

    def _try(self, match: AnyRun, decision: Decision) -> None:
        clock = match.state.clock
        late = clock is not None and match.now > clock.due and not decision.optional
        now = clock.due if clock is not None and late else match.now
        leaves = [option.id for option in decision.options if not option.branch]
        chosen = self.rng.sample(leaves, min(self.most, len(leaves)))
        branches = [option for option in decision.options if option.branch]
        if branches:
            chosen.append(random_leaf(self.rng, branches, match.below(decision)))
        for option in chosen:
            command = choice(decision, option)
            actor = match.actor(decision.seat)
            try:
                first = match.attempt(command, actor, now)
            except Rejected as refusal:
                require(holds=False, text=f"offered, but refused: {command}: {refusal}")
                continue
            require(first, f"offered, but without effect: {command}")
            again = match.attempt(command, actor, now)
            require(first == again, f"the same command made other events: {command}")
