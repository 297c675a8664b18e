"""Room 25 as the table plays it: the ``Game`` of ``games.contract`` (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from events.draw import Draw
from events.kernel import Decision, Rejected, Seat, Viewer, Working
from games.contract import (
    Asked,
    Halt,
    JsonValue,
    Outcome,
    Roster,
    Rules,
    TableOpening,
    Wait,
    WaitClass,
)
from games.room25.editions.finishes import SIDES, finishes
from games.room25.facts import events as ev
from games.room25.facts.evolve import RECORDERS, evolve
from games.room25.model.agenda import Ask, Clues, Programs
from games.room25.model.codes import Code
from games.room25.model.state import State
from games.room25.opening.casting import cast
from games.room25.opening.setup import complete_options, mode_wished, set_up
from games.room25.opening.situation import situation_cast
from games.room25.opening.situation_laying import arranged, lay_situation, read_situation
from games.room25.rules.choices import CHOICES
from games.room25.rules.context import Play
from games.room25.rules.engine import AskedDecisions, run
from games.room25.rules.optional_actions import do_voluntary, voluntary, voluntary_of
from games.room25.rules.phrases import PHRASES
from games.room25.rules.programming import (
    ProgramHalts,
    ProgramOptions,
    choose_clue,
    choose_program,
    clue_decision,
    clue_id,
    is_programming,
    program_decision,
    program_id,
)
from games.room25.rules.resignation import withdraw
from games.room25.rules.unavailable import unavailable
from games.room25.tags import TAGS
from games.trees import OptionTrees


class Room25(OptionTrees[State]):
    """Room 25 in all its rulebooks; it remembers the options that it has worked out lately."""

    def __init__(self) -> None:
        self._asked = AskedDecisions()
        self._programs = ProgramOptions()
        self._halts = ProgramHalts()

    def initial(self) -> State:
        """The state before the game has begun."""
        return State()

    def copy(self, state: State) -> State:
        """A private copy; parts are immutable."""
        return replace(state)  # ``copy.copy`` would look for a way first

    recorders: Final = RECORDERS
    evolve = staticmethod(evolve)

    def open(self, requested: TableOpening) -> TableOpening:
        """Check and complete what a host asks for.

        Raises:
            Rejected: a code of ``games.room25.model.codes``.
        """
        rulebook, mode = mode_wished(requested)
        options = complete_options(requested, rulebook, mode)
        opening = replace(requested, options=options)
        if requested.situation is None:
            return opening
        return replace(opening, key=read_situation(opening).seed)

    def cast(
        self,
        opening: TableOpening,
        taken: Mapping[Seat, tuple[str, ...]],
        seat: Seat,
        requested: tuple[str, ...],
    ) -> tuple[str, ...]:
        """The characters of a seat."""
        if opening.situation is not None:
            return situation_cast(opening, seat)
        return cast(opening, taken, seat, requested)

    def begin(self, work: Working[State], roster: Roster) -> None:
        """Set the game up, or lay out the scenario, and run to the first decision."""
        play = Play(work)
        if roster.opening.situation is None:
            set_up(play, roster)
        else:
            lay_situation(play, roster)
        run(play)

    def arranged(self, draw: Draw, situation: Mapping[str, JsonValue]) -> Draw:
        """The draws of a batch, with the paranoia stacks that a situation has laid out."""
        return arranged(draw, situation)

    def choose(self, work: Working[State], decision: Decision, option: str) -> None:
        """Carry out an option and run to the next decision.

        Raises:
            Rejected: unknown-decision; the table asks only for decisions that are open.
        """
        play = Play(work)
        state, seat = work.state, decision.seat
        top = None if _is_idle(state) else state.agenda[-1]
        if decision.optional and top is not None:
            # Mostly nothing follows, but a role shown may leave one answer to a question (H18).
            do_voluntary(play, decision, option)
        elif isinstance(top, Clues) and decision.id == clue_id(seat):
            choose_clue(play, seat, option)
        elif isinstance(top, Programs) and decision.id == program_id(state, decision.subject):
            choose_program(play, decision.subject or "", option)
        elif isinstance(top, Ask) and top.id == decision.id:
            play.pop()
            CHOICES[top.kind].resolve(play, top, option)
        else:
            raise Rejected(Code.UNKNOWN_DECISION, "this decision is not open")
        run(play)

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

    def find(self, state: State, seat: Seat, decision: str) -> Decision | None:
        """The decision of that id; only what might be it is worked out."""
        if _is_idle(state):
            return None
        found = next((d for d in self._blocking(state, seat, decision) if d.id == decision), None)
        return found or voluntary_of(state, seat, decision)

    def is_secret(self, state: State, decision: str) -> bool:
        """Whether a decision that is open asks for a secret choice."""
        if _is_idle(state):
            return False
        top = state.agenda[-1]
        if isinstance(top, Programs):
            prefix = program_id(state, "")
            return decision.startswith(prefix) and decision[len(prefix) :] in state.characters
        if isinstance(top, Clues):
            return any(decision == clue_id(seat) for seat in state.seats())
        return isinstance(top, Ask) and top.id == decision and CHOICES[top.kind].secret

    def _blocking(self, state: State, seat: Seat, only: str | None = None) -> list[Decision]:
        """The blocking decisions of a seat, perhaps without those of other ids than ``only``."""
        top = state.agenda[-1]
        if isinstance(top, Clues):
            return [clue_decision(state, seat)] if seat in state.seats() else []
        if isinstance(top, Programs):
            whose = None if only is None else only.removeprefix(program_id(state, ""))
            return [
                program_decision(state, c, self._programs)
                for c in state.characters.values()
                if c.seat == seat and whose in (None, c.id) and is_programming(state, c)
            ]
        if isinstance(top, Ask) and state.characters[top.character].seat == seat:
            return [self._asked.decision(state, top)]
        return []

    def halt(self, state: State) -> Halt | None:
        """What the game waits for, in short."""
        if _is_idle(state):
            return None
        top = state.agenda[-1]
        if isinstance(top, Programs):
            return self._halts.of(state)
        if isinstance(top, Clues):
            seats = (seat for seat in state.seats() if seat not in state.clues)
            return Halt(
                "clue",
                "programming",
                tuple(Asked(clue_id(seat), seat, "starting_clue") for seat in seats),
            )
        if isinstance(top, Ask):
            asked = Asked(top.id, state.characters[top.character].seat, top.kind, top.character)
            return Halt(top.id, "decision", (asked,))
        return Halt("", "decision", ())

    def wait(self, state: State) -> Wait | None:
        """What the game waits for."""
        halt = self.halt(state)
        if halt is None:
            return None
        found = (d for seat in state.seats() for d in self._blocking(state, seat) if not d.answered)
        return Wait(halt.key, halt.wait, tuple(found))

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
        for character in state.characters.values():  # asked for each player of each move
            if character.seat == seat:
                return Viewer(kind="seat", seat=seat, team=character.team)
        return Viewer(kind="seat", seat=seat)


def _is_idle(state: State) -> bool:
    """Before the beginning and after the end nothing can be chosen."""
    return state.end is not None or not state.agenda


def _is_out(state: State, seat: Seat) -> bool:
    """Whether all characters of a seat are dead."""
    own = [c for c in state.characters.values() if c.seat == seat]
    return bool(own) and not any(c.alive for c in own)


ROOM25: Final = Room25()

WAITS: Final[Mapping[str, WaitClass]] = {
    "programming": WaitClass(default_s=120),
    "decision": WaitClass(default_s=60),
}
"""Secret choices that all make at once, and all others, each of which holds up the game."""

RULES: Final = Rules(
    id="room25",
    decider=ROOM25,
    events=ev.EVENTS,
    tags=TAGS,
    rejections=frozenset(Code),
    waits=WAITS,
    phrases=PHRASES,
    is_out=_is_out,
    sides=SIDES,
    finishes=finishes,
    unavailable=unavailable,
)
"""All that decides, and all that an archive of rules holds of the game."""
