"""What must hold after every accepted command, whatever game it is."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

import msgspec

from events.kernel import Decision, Rejected, fold
from games.contract import Wait
from games.room25.agenda import Act
from games.room25.board import CELLS, CENTRE
from games.room25.catalogue import GUARD, PRISONER, ROOM_KINDS
from games.room25.editions import RULEBOOKS
from games.room25.events import AgendaSet
from games.room25.state import Character, State
from games.table import Code
from games.table_events import Choose, ChooseSecretly, TimeOut
from ops.fuzzing.match import WORKER, Match, Step, choice, option_ids, require

BATCH_MAX: Final = 160
"""A batch never has more events: 64, then at most what follows from one choice."""


class Conservation:
    """Rooms, figures and tokens are neither lost nor made (§3, §5, §7)."""

    def accepted(self, match: Match, step: Step) -> None:
        """Look at the position after a command."""
        require(len(step.events) <= BATCH_MAX, f"a batch of {len(step.events)} events")
        state: State = step.after.play
        if not state.grid:
            return
        before: State = step.before.play
        if state.grid is not before.grid or state.characters is not before.characters:
            self._rooms(state)
            self._figures(match, state)
        self._turns(match, before, state)

    def ended(self, match: Match) -> None:
        """The whole log, folded at once, gives the same end."""
        require(fold(match.table, match.log) == match.state, "the log does not give the state")

    def _rooms(self, state: State) -> None:
        tiles = list(state.grid.values())
        require(tuple(state.grid) == CELLS, "the cells are not the 25, row-major")
        require(sorted(t.id for t in tiles) == list(range(len(CELLS))), "tile ids are not unique")
        kinds = [t.kind or "" for t in tiles]
        counts = {kind: kinds.count(kind) for kind in set(kinds)}
        require(counts == dict(state.composition), "the rooms are not the ones laid out")
        centre = state.grid[CENTRE]
        require(centre.kind == "central" and centre.up, "the Central Room is not in the middle")
        for t in tiles:
            require(not t.seal or (t.up and t.kind == "flooded"), f"a seal on {t.kind}")
            require(not t.reminders or not t.up, "a reminder on a face-up room")
        reminders = [seat for t in tiles for seat in t.reminders]
        require(len(set(reminders)) == len(reminders), "a seat has two reminders on the table")
        shown = any(t.kind == "room25" and t.up for t in tiles)
        require(state.room25_revealed or not shown, "Room 25 is face-up, yet not revealed")

    def _figures(self, match: Match, state: State) -> None:
        dead = {name for name, c in state.characters.items() if not c.alive}
        require(sorted(state.dead) == sorted(dead), "the list of the dead is not who is dead")
        living = {c.id for c in state.living()}
        require(living | dead == set(state.characters), "somebody living is not on the track")
        for c in state.characters.values():
            self._figure(match, state, c)

    def _figure(self, match: Match, state: State, c: Character) -> None:
        if not c.alive:
            gone = c.cell is None and c.program is None and c.trap is None and c.flood is None
            require(gone, f"{c.id} is dead and still has something on the board")
            return
        require(c.cell in state.grid, f"{c.id} lives nowhere")
        tile = state.grid[c.cell or ""]
        require(tile.up, f"{c.id} stands on a face-down room")
        trapped = c.trap is None or (c.trap.tile == tile.id and tile.kind == "trap")
        require(trapped, f"{c.id} has a trap elsewhere")
        require(c.flood is None or tile.seal, f"{c.id} drowns on dry land")
        if tile.kind in {"acid", "flooded"} and match.state.phase != "none":
            alone = len(state.occupants(c.cell or "")) == 1
            require(alone, f"two live in one {tile.kind} room")

    def _turns(self, match: Match, before: State, state: State) -> None:
        most = RULEBOOKS[state.rulebook].modes[state.mode].turns[match.plan.seats]
        require(before.turn <= state.turn, "a turn ran backwards")
        require(state.turn <= state.last_turn <= most, "a turn after the last one")
        if before.last_turn:
            require(state.last_turn <= before.last_turn, "the game became longer")


class Waiting:
    """A live game always waits for somebody, and somebody will wake up for it."""

    def accepted(self, match: Match, step: Step) -> None:
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

    def ended(self, match: Match) -> None:
        """A game that nobody played ended by §4.10, at its last turn."""
        if match.plan.style != "absent":
            return
        state, result = match.play, match.state.result
        require(result is not None and result.reason == "finished", "nobody played: no end")
        require(state.turn == state.last_turn, "nobody played: an end before the last turn")
        expected = {"guards", "complex"} if state.mode == "suspicion" else {"complex"}
        outcome = "" if result is None else result.outcome
        require(outcome in expected, f"nobody played: {outcome}")

    def _wake(self, match: Match, step: Step) -> None:
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
            c = state.characters.get(d.character or "")
            require(c is None or (c.alive and c.seat == d.seat), f"{d.id} asks the wrong one")


class Names:
    """A decision's id says one thing for ever, and is never used again."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, ...]] = {}
        self._closed: set[str] = set()
        self._options: dict[str, list[str]] = {}
        self._waits: list[str] = []

    def accepted(self, match: Match, step: Step) -> None:
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
            self._see(found)
            if state.paused_at is None and step.command.decision not in {d.id for d in found}:
                self._closed.add(step.command.decision)
        wait = match.wait()
        self._see(() if wait is None else wait.pending)

    def ended(self, match: Match) -> None:
        """Nothing is open once a game has ended."""
        for seat in match.state.seats:
            require(not match.decisions(seat), "open after the end")

    def _see(self, found: tuple[Decision, ...] | list[Decision]) -> None:
        for d in found:
            what = (d.kind, d.seat, d.character, d.optional, d.secret)
            require(d.id not in self._closed, f"{d.id} is open again")
            require(self._known.setdefault(d.id, what) == what, f"{d.id} is another decision now")
            if not d.optional:
                ids = option_ids(d)
                same = self._options.setdefault(d.id, ids) == ids
                require(same, f"the options of {d.id} changed while it was open")


class Offers:
    """An option is offered exactly when ``decide`` accepts it.

    ``rate``: at how many of the steps; ``most``: how many options of a decision are tried there.
    That what is not offered is refused is tried by the illegal commands. There too a worker that
    wakes when it is told to finds something to do.
    """

    def __init__(self, rng: Random, rate: float, most: int) -> None:
        self.rng, self.rate, self.most = rng, rate, most

    def accepted(self, match: Match, step: Step) -> None:
        """Try options on the side."""
        if step.after.phase != "live" or self.rng.random() >= self.rate:
            return
        for seat in step.after.seats:
            for decision in match.decisions(seat):
                self._try(match, decision)
        self._wake(match)

    def ended(self, match: Match) -> None:
        """Nothing is offered any more."""

    def _wake(self, match: Match) -> None:
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
            match.refuse(command, WORKER, (Code.NOT_DUE_YET,), wake - 1)

    def _try(self, match: Match, decision: Decision) -> None:
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

    def accepted(self, match: Match, step: Step) -> None:
        """Look at the agenda that a batch records."""
        events = step.events
        for event in events:
            if isinstance(event, AgendaSet):
                require(event is last_agenda(events), "two agendas in one batch")
                self._look(match.play, event)

    def ended(self, match: Match) -> None:
        """Nothing is left to do."""
        if match.state.result is not None and match.state.result.reason == "finished":
            require(not match.play.agenda, "the game is over, its agenda is not")

    def _look(self, state: State, event: AgendaSet) -> None:
        shown = {tile.kind for tile in state.grid.values() if tile.up}
        hidden = (set(ROOM_KINDS) - shown) | {GUARD, PRISONER}
        for frame in event.agenda:
            require(not isinstance(frame, Act), "a token waits on the agenda")
        found = hidden & set(_words(msgspec.to_builtins(event.agenda)))
        found -= {"illusion", "vortex", "tunnel"}  # causes of entries, shown as they happen
        require(not found, f"the agenda says {sorted(found)}")


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
