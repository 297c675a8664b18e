"""Room 25 as the table plays it: the ``Game`` of ``games.contract`` (pure)."""

from __future__ import annotations

import copy
from collections.abc import Mapping

from msgspec.structs import replace

from events.kernel import Decision, Event, Rejected, Seat, Viewer, Working
from games.contract import Opening, Outcome, Roster, Wait
from games.room25 import events as ev
from games.room25.agenda import Ask, Clues, Programs
from games.room25.casting import cast
from games.room25.choices import CHOICES
from games.room25.codes import Code
from games.room25.engine import asked_decision, run
from games.room25.evolve import evolve
from games.room25.play import Play
from games.room25.programming import (
    choose_clue,
    choose_program,
    clue_decision,
    is_programming,
    program_decision,
)
from games.room25.setup import complete_options, mode_wished, set_up
from games.room25.situation import situation_cast
from games.room25.situation_laying import lay_situation, read_situation
from games.room25.state import State
from games.room25.voluntary import do_voluntary, voluntary
from games.room25.withdrawal import withdraw


class Room25:
    """Room 25 in all its rulebooks."""

    id = "room25"

    def initial(self) -> State:
        """The state before the game has begun."""
        return State()

    def copy(self, state: State) -> State:
        """A private copy; parts are immutable."""
        return copy.copy(state)

    def evolve(self, state: State, event: Event) -> State:
        """Fold one event."""
        return evolve(state, event)

    def open(self, wish: Opening) -> Opening:
        """Check and complete what a host asks for.

        Raises:
            Rejected: a code of ``games.room25.codes``.
        """
        rulebook, mode = mode_wished(wish)
        options = complete_options(wish, rulebook, mode)
        opening = replace(wish, options=options)
        if wish.situation is None:
            return opening
        return replace(opening, key=read_situation(opening).seed)

    def cast(
        self,
        opening: Opening,
        taken: Mapping[Seat, tuple[str, ...]],
        seat: Seat,
        wish: tuple[str, ...],
    ) -> tuple[str, ...]:
        """The characters of a seat."""
        if opening.situation is not None:
            return situation_cast(opening, seat)
        return cast(opening, taken, seat, wish)

    def begin(self, work: Working[State], roster: Roster) -> None:
        """Set the game up, or lay out the scenario, and run to the first decision."""
        play = Play(work)
        if roster.opening.situation is None:
            set_up(play, roster)
        else:
            lay_situation(play, roster)
        run(play)

    def choose(self, work: Working[State], seat: Seat, decision: str, option: str) -> None:
        """Carry out an option and run to the next decision.

        Raises:
            Rejected: unknown-decision; the table asks only for decisions that are open.
        """
        play = Play(work)
        found = next((d for d in self._blocking(work.state, seat) if d.id == decision), None)
        if found is None:
            self._choose_voluntary(play, seat, decision, option)
            return
        top = work.state.agenda[-1]
        if isinstance(top, Clues):
            choose_clue(play, seat, option)
        elif isinstance(top, Programs):
            choose_program(play, found.character or "", option)
        elif isinstance(top, Ask):
            play.pop()
            CHOICES[top.kind].resolve(play, top, option)
        run(play)

    def _choose_voluntary(self, play: Play, seat: Seat, decision: str, option: str) -> None:
        open_now = [] if _is_idle(play.state) else voluntary(play.state, seat)
        found = next((d for d in open_now if d.id == decision), None)
        if found is None:
            raise Rejected(Code.UNKNOWN_DECISION, "this decision is not open")
        do_voluntary(play, found, option)

    def withdraw(self, work: Working[State], seat: Seat) -> None:
        """A player has resigned (R19)."""
        play = Play(work)
        withdraw(play, seat)
        run(play)

    def settle(self, work: Working[State]) -> None:
        """Record the agenda if the batch has changed it."""
        state, before = work.state, work.before
        if before is None or (state.agenda, state.asked) != (before.agenda, before.asked):
            work.emit(ev.AgendaSet(agenda=state.agenda, asked=state.asked))

    def decisions(self, state: State, seat: Seat) -> list[Decision]:
        """What a seat must or may choose now."""
        if _is_idle(state):
            return []
        return [*self._blocking(state, seat), *voluntary(state, seat)]

    def _blocking(self, state: State, seat: Seat) -> list[Decision]:
        if _is_idle(state):
            return []
        top = state.agenda[-1]
        if isinstance(top, Clues):
            return [clue_decision(state, seat)] if seat in state.seats() else []
        if isinstance(top, Programs):
            mine = [c for c in state.of_seat(seat) if is_programming(state, c)]
            return [program_decision(state, c) for c in mine]
        if isinstance(top, Ask) and state.characters[top.character].seat == seat:
            return [asked_decision(state, top)]
        return []

    def wait(self, state: State) -> Wait | None:
        """What the game waits for."""
        if _is_idle(state):
            return None
        top = state.agenda[-1]
        pending = tuple(
            d for seat in state.seats() for d in self._blocking(state, seat) if not d.answered
        )
        if isinstance(top, Clues):
            return Wait("clue", "programming", pending)
        if isinstance(top, Programs):
            return Wait(f"t{state.turn}-program", "programming", pending)
        return Wait(top.id if isinstance(top, Ask) else "", "decision", pending)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        end = state.end
        if end is None:
            return None
        return Outcome(reason=end.outcome, winners=end.winners, score=end.score)

    def turn(self, state: State) -> int:
        """The running turn."""
        return state.turn

    def viewer(self, state: State, seat: Seat) -> Viewer:
        """No mode of this game's editions shares secrets inside a team (§4.11)."""
        members = state.of_seat(seat)
        return Viewer(kind="seat", seat=seat, team=members[0].team if members else None)


def _is_idle(state: State) -> bool:
    """Before the beginning and after the end nothing can be chosen."""
    return state.end is not None or not state.agenda


ROOM25 = Room25()
