"""What must hold after every accepted command, whatever game it is."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from events.kernel import Decision, Rejected
from games.contract import Wait
from games.room25.facts.events import AgendaSet
from games.room25.model.agenda import AnyFrame, Ask, Enter, TakeAction
from games.room25.model.catalogue import GUARD, GUARD_IDENTITIES, PRISONER, ROOM_KINDS
from games.room25.model.state import State
from games.table.checks import TableCode
from games.table.events import Choose, ChooseSecretly, TimeOut
from simulator.room25.run import Run
from simulator.run import WORKER, RunStep, choice, option_ids, require


class SomebodyWakes:
    """A live game always waits for somebody, and somebody will wake up for it."""

    def accepted(self, match: Run, step: RunStep) -> None:
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
        require(state.clock.key == wait.key, "the clock runs for something else")
        require(state.clock.since <= state.clock.due, "a deadline before its beginning")
        require(wait.key, "a wait without a name")
        self._wake(match, step)
        self._pending(state.play, wait)

    def ended(self, match: Run) -> None:
        """A game that nobody played ended by §4.10, at its last turn."""
        if match.plan.style != "absent":
            return
        state, result = match.play, match.state.result
        require(result is not None and result.reason == "finished", "nobody played: no end")
        # Madness kills without anybody's doing.
        whole = state.turn == state.last_turn or state.options.get("madness") is True
        require(whole, "nobody played: an end before the last turn")
        expected = {"guards", "complex"} if state.mode == "suspicion" else {"complex"}
        outcome = "" if result is None else result.outcome
        require(outcome in expected, f"nobody played: {outcome}")

    def _wake(self, match: Run, step: RunStep) -> None:
        state = step.after
        wake, paused = match.table.wake_at(state), state.paused_at is not None
        require((wake is None) == paused, "nobody would wake up for a live game")
        if wake is not None and state.clock is not None:
            require(state.clock.since <= wake <= state.clock.due + 250, "woken at a wrong time")

    def _pending(self, state: State, wait: Wait) -> None:
        for d in wait.pending:
            ids = option_ids(d)
            require(len(ids) > 1, f"{d.id} asks with {len(ids)} options")
            require(len(set(ids)) == len(ids), f"{d.id} has one option twice")
            require(d.default in ids, f"the default of {d.id} is not offered")
            require(not d.optional, f"{d.id} is optional and yet waited for")
            c = state.characters.get(d.subject or "")
            require(c is None or (c.alive and c.seat == d.seat), f"{d.id} asks the wrong one")


class StableDecisionIds:
    """A decision's id says one thing for ever, and is never used again.

    Its options stay while it is open, but for a prototype's guard who shows itself meanwhile and
    has its power at once (R25).
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, ...]] = {}
        self._closed: set[str] = set()
        self._options: dict[tuple[str, frozenset[str]], list[str]] = {}
        self._waits: list[str] = []

    def accepted(self, match: Run, step: RunStep) -> None:
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

    def ended(self, match: Run) -> None:
        """Nothing is open once a game has ended."""
        for seat in match.state.seats:
            require(not match.decisions(seat), "open after the end")

    def _see(self, match: Run, found: tuple[Decision, ...] | list[Decision]) -> None:
        for d in found:
            what = (d.kind, d.seat, d.subject, d.optional, d.secret)
            require(d.id not in self._closed, f"{d.id} is open again")
            require(self._known.setdefault(d.id, what) == what, f"{d.id} is another decision now")
            if not d.optional:
                ids = option_ids(d)
                same = self._options.setdefault((d.id, _shown(match.play, d)), ids) == ids
                require(same, f"the options of {d.id} changed while it was open")


def _shown(state: State, decision: Decision) -> frozenset[str]:
    """Whose showing gives a decision other options: its own guard's (R25), any in D15 (H18)."""
    shown = frozenset(name for name, c in state.characters.items() if c.role_public)
    return shown if decision.kind == "secrets_target" else shown & {decision.subject or ""}


class Offers:
    """An option is offered exactly when ``decide`` accepts it.

    ``rate``: at how many of the steps; ``most``: how many options of a decision are tried there.
    That what is not offered is refused is tried by the illegal commands. There too a worker that
    wakes when it is told to finds something to do.
    """

    def __init__(self, rng: Random, rate: float, most: int) -> None:
        self.rng, self.rate, self.most = rng, rate, most

    def accepted(self, match: Run, step: RunStep) -> None:
        """Try options on the side."""
        if step.after.phase != "live" or self.rng.random() >= self.rate:
            return
        for seat in step.after.seats:
            for decision in match.decisions(seat):
                self._try(match, decision)
        self._wake(match)

    def ended(self, match: Run) -> None:
        """Nothing is offered any more."""

    def _wake(self, match: Run) -> None:
        """At the hour at which a worker is woken the time-out runs, and not a moment before."""
        clock, wake = match.state.clock, match.table.wake_at(match.state)
        asked = {d.seat for d in match.pending() if not match.is_gone(d.seat)}
        if clock is None or wake is None or any(match.state.seats[n].bot for n in asked):
            return
        command = TimeOut(key=clock.key)
        try:
            match.attempt(command, WORKER, wake)
        except Rejected as refusal:
            require(holds=False, text=f"a worker woke for nothing: {refusal}")
        if asked:
            match.refuse(command, WORKER, (TableCode.NOT_DUE_YET,), wake - 1)

    def _try(self, match: Run, decision: Decision) -> None:
        clock = match.state.clock
        late = clock is not None and match.now > clock.due and not decision.optional
        now = clock.due if clock is not None and late else match.now
        options = decision.options
        for option in self.rng.sample(options, min(self.most, len(options))):
            command = choice(decision, option.id)
            actor = match.actor(decision.seat)
            try:
                first = match.attempt(command, actor, now)
            except Rejected as refusal:
                require(holds=False, text=f"offered, but refused: {command}: {refusal}")
                continue
            require(first, f"offered, but without effect: {command}")
            again = match.attempt(command, actor, now)
            require(first == again, f"the same command made other events: {command}")


class Frames:
    """The agenda is public: it never holds what somebody may not know."""

    def accepted(self, match: Run, step: RunStep) -> None:
        """Look at the agenda that a batch records."""
        events = step.events
        for event in events:
            if isinstance(event, AgendaSet):
                require(event is last_agenda(events), "two agendas in one batch")
                self._look(match.play, event)

    def ended(self, match: Run) -> None:
        """Nothing is left to do."""
        if match.state.result is not None and match.state.result.reason == "finished":
            require(not match.play.agenda, "the game is over, its agenda is not")

    def _look(self, state: State, event: AgendaSet) -> None:
        shown = {tile.kind for tile in state.grid.values() if tile.up}
        hidden = (set(ROOM_KINDS) - shown) | {GUARD, PRISONER, *GUARD_IDENTITIES}
        hidden |= set(state.deck or ())
        for frame in event.agenda:
            require(not isinstance(frame, TakeAction), "a token waits on the agenda")
            found = hidden & set(_words(msgspec.to_builtins(_without_causes(frame))))
            require(not found, f"the agenda says {sorted(found)}")


def _without_causes(frame: AnyFrame) -> AnyFrame:
    """A frame without what says how somebody is moved: some causes are called like rooms."""
    if isinstance(frame, Enter):
        return replace(frame, cause="")
    if isinstance(frame, Ask) and frame.about == ("robot",):
        return replace(frame, about=())
    return frame


def last_agenda(events: tuple[Any, ...]) -> AgendaSet | None:
    """The agenda that a batch leaves behind."""
    return next((e for e in reversed(events) if isinstance(e, AgendaSet)), None)


def _words(value: Any) -> Iterator[str]:  # noqa: ANN401 (JSON, whatever is in it)
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _words(part)
