"""Cerveauuu! as the table plays it: the ``Game`` of ``games.contract`` (pure)."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from events.draw import Draw
from events.kernel import Decision, Event, Option, Rejected, Seat, Viewer, Working
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts.evolve import RECORDERS, evolve
from games.cerveauuu.model.agenda import AnyFrame
from games.cerveauuu.model.codes import Code
from games.cerveauuu.model.state import State
from games.cerveauuu.opening.options import checked, colour
from games.cerveauuu.opening.setup import set_up
from games.cerveauuu.opening.situation import lay_situation, read_situation
from games.cerveauuu.rules import ending
from games.cerveauuu.rules.asking import OpenQuestion
from games.cerveauuu.rules.context import Grids, Play
from games.cerveauuu.rules.engine import SEALED, answer, asking_of, questions_of, run
from games.cerveauuu.rules.levels import Levels
from games.cerveauuu.rules.phrases import PHRASES
from games.cerveauuu.rules.plays import PLAY, offers_play
from games.cerveauuu.rules.unavailable import unavailable
from games.cerveauuu.rules.voiding import void_answers
from games.cerveauuu.rules.windows import RESPOND
from games.cerveauuu.rules.yields import choose_yield, yield_options
from games.cerveauuu.tags import TAGS
from games.contract import (
    Asked,
    Halt,
    JsonValue,
    Outcome,
    Roster,
    Rules,
    TableOpening,
    Unavailable,
    Wait,
    WaitClass,
)
from games.trees import OptionTrees, parts_of

YIELD: Final = "yield"
CREDITS_DRAW: Final = "credits_draw"
REPLACE: Final = "replace"
STOP: Final = "stop"


class Cerveauuu(OptionTrees[State]):
    """Cerveauuu!; it remembers boards and levels of options that it has worked out lately."""

    def __init__(self) -> None:
        self._grids = Grids()
        self._levels = Levels(self._grids)

    def initial(self) -> State:
        """The state before the game has begun."""
        return State()

    def copy(self, state: State) -> State:
        """A private copy; parts are immutable."""
        return copy.copy(state)

    recorders: Final = RECORDERS
    evolve = staticmethod(evolve)

    def open(self, requested: TableOpening) -> TableOpening:
        """Check and complete what a host asks for.

        Raises:
            Rejected: a code of ``games.cerveauuu.model.codes``.
        """
        opening = checked(requested)
        if opening.situation is None:
            return opening
        return replace(opening, key=read_situation(opening).seed)

    def cast(
        self,
        opening: TableOpening,  # noqa: ARG002 (all tables have the same colours)
        taken: Mapping[Seat, tuple[str, ...]],
        seat: Seat,  # noqa: ARG002 (and so have all seats)
        requested: tuple[str, ...],
    ) -> tuple[str, ...]:
        """The colour of a seat.

        Raises:
            Rejected: unknown-colour or colour-taken.
        """
        return (colour(taken, requested),)

    def begin(self, work: Working[State], roster: Roster) -> None:
        """Set the game up and run to the first decision."""
        play = Play(work, self._grids)
        if roster.opening.situation is None:
            set_up(play, roster)
        else:
            lay_situation(play, roster)
        run(play)

    def arranged(self, draw: Draw, situation: Mapping[str, JsonValue]) -> Draw:  # noqa: ARG002
        """The draws of a batch; a situation lays its deck out once and for all."""
        return draw

    def choose(self, work: Working[State], decision: Decision, option: str) -> None:
        """Carry out an option and run to the next decision.

        Raises:
            Rejected: unknown-decision; the table asks only for decisions that are open.
        """
        play = Play(work, self._grids)
        if decision.kind == YIELD:
            choose_yield(play, decision.seat, option)
        elif decision.kind == CREDITS_DRAW:
            play.emit(cards.ReplacementChosen(seat=decision.seat, replace=option == REPLACE))
        else:
            frame, question = self._asked(work.state, decision)
            answer(play, frame, question, option)
        run(play)

    def _asked(self, state: State, decision: Decision) -> tuple[AnyFrame, OpenQuestion]:
        for question in self._questions(state):
            if question.id == decision.id and question.seat == decision.seat:
                return state.agenda[-1], question
        raise Rejected(Code.UNKNOWN_DECISION, "this decision is not open")

    def withdraw(self, work: Working[State], seat: Seat) -> None:
        """A player has resigned (§4.11, C71)."""
        play = Play(work, self._grids)
        play.emit(ev.SeatWithdrew(seat=seat))
        if len(play.state.active()) == 1:
            play.emit(ending.last_standing(play.state))
        run(play)

    def settle(self, work: Working[State]) -> None:
        """Record the agenda if the batch has changed it."""
        state, before = work.state, work.before
        if before is None or (state.agenda, state.asked) != (before.agenda, before.asked):
            work.emit(ev.AgendaSet(agenda=state.agenda, asked=state.asked))

    # --- decisions ---

    def decisions(self, state: State, seat: Seat) -> list[Decision]:
        """What a seat must or may choose now."""
        return [*self._blocking(state, seat), *_standing(state, seat)]

    def find(self, state: State, seat: Seat, decision: str) -> Decision | None:
        """The decision of that id; only what might be it is worked out."""
        found = next(self._blocking(state, seat, decision), None)
        return found or next((d for d in _standing(state, seat) if d.id == decision), None)

    def branch(self, state: State, decision: Decision, path: tuple[str, ...]) -> tuple[Option, ...]:
        """The options below a branch of an open decision; empty: there is no such branch."""
        if decision.optional:
            return ()
        frame, question = self._asked(state, decision)
        return self._options(state, frame, question, path)

    def offers(self, state: State, decision: Decision, option: str) -> bool:
        """Whether ``option`` is the id of a leaf of an open decision."""
        parts = parts_of(option)
        if parts[0] == PLAY and not decision.optional:
            frame, question = self._asked(state, decision)
            first = self._options(state, frame, question, ())
            listed = any(each.id == PLAY for each in first)
            return listed and offers_play(state, self._grids.of(state), decision.seat, parts)
        return super().offers(state, decision, option)

    def unavailable(
        self, state: State, decision: Decision, path: tuple[str, ...]
    ) -> tuple[Unavailable, ...]:
        """What an open decision does not offer on a level, with the reasons."""
        if decision.optional:
            return ()
        _, question = self._asked(state, decision)
        return unavailable(state, self._grids.of(state), question, path)

    def is_secret(self, state: State, decision: str) -> bool:
        """Whether a decision that is open asks for a secret choice."""
        return any(q.id == decision and q.sealed for q in self._questions(state))

    def is_kept(self, state: State, decision: str) -> bool:
        """Whether a decision that is open asks for an answer to a window (§5.3)."""
        return any(q.id == decision and q.kind == RESPOND for q in self._questions(state))

    def void(self, events: Sequence[Event]) -> frozenset[int]:
        """The answers behind the one that counted, and those that nobody has judged (§5.3.3)."""
        return void_answers(events)

    def _questions(self, state: State) -> tuple[OpenQuestion, ...]:
        if _is_idle(state):
            return ()
        return questions_of(state, self._grids.of(state), state.agenda[-1])

    def _blocking(self, state: State, seat: Seat, only: str | None = None) -> Iterator[Decision]:
        """The blocking decisions of a seat, perhaps only the one of an id."""
        for question in self._questions(state):
            if question.seat == seat and only in {None, question.id}:
                yield self._decision(state, state.agenda[-1], question)

    def _decision(self, state: State, frame: AnyFrame, question: OpenQuestion) -> Decision:
        grid = self._grids.of(state)
        return Decision(
            id=question.id,
            kind=question.kind,
            seat=question.seat,
            options=self._options(state, frame, question, ()),
            subject=question.subject,
            default=asking_of(frame).default(state, grid, frame, question),
            secret=question.sealed,
            answered=question.answered,
            kept=True if question.kind == RESPOND else UNSET,
        )

    def _options(
        self, state: State, frame: AnyFrame, question: OpenQuestion, path: tuple[str, ...]
    ) -> tuple[Option, ...]:
        return self._levels.below(state, frame, question, path)

    def halt(self, state: State) -> Halt | None:
        """What the game waits for, in short."""
        if _is_idle(state):
            return None
        frame = state.agenda[-1]
        asked = tuple(
            Asked(q.id, q.seat, q.kind, q.subject) for q in self._questions(state) if not q.answered
        )
        sealed = SEALED.get(type(frame))
        if sealed is not None:
            return Halt(sealed.key(state, frame), "response", asked)
        return Halt(asked[0].id, "decision", asked)

    def wait(self, state: State) -> Wait | None:
        """What the game waits for."""
        halt = self.halt(state)
        if halt is None:
            return None
        frame = state.agenda[-1]
        pending = (
            self._decision(state, frame, q) for q in self._questions(state) if not q.answered
        )
        return Wait(halt.key, halt.wait, tuple(pending))

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended; all scores are in its last event."""
        end = state.end
        return None if end is None else Outcome(reason=end.outcome, winners=end.winners)

    def turn(self, state: State) -> int:
        """The running round."""
        return state.round

    def viewer(self, _: State, seat: Seat) -> Viewer:
        """Nobody shares secrets."""
        return Viewer(kind="seat", seat=seat)


def _is_idle(state: State) -> bool:
    """Before the beginning and after the end nothing can be chosen."""
    return state.end is not None or not state.agenda


def _standing(state: State, seat: Seat) -> Iterator[Decision]:
    """What a seat may choose at any time (§5.6, C14)."""
    if _is_idle(state) or seat not in state.active():
        return
    yield Decision(
        id=f"yield-s{seat}", kind=YIELD, seat=seat, options=yield_options(), optional=True
    )
    yield Decision(
        id=f"credits-draw-s{seat}",
        kind=CREDITS_DRAW,
        seat=seat,
        options=(Option(REPLACE), Option(STOP)),
        optional=True,
    )


CERVEAUUU: Final = Cerveauuu()

WAITS: Final[Mapping[str, WaitClass]] = {
    "response": WaitClass(default_s=12, strikes="wait"),
    "decision": WaitClass(default_s=45, strikes="wait"),
}
"""Sealed answers that all give at the same time, and all others; each missed one counts (§5.8)."""

RULES: Final = Rules(
    id="cerveauuu",
    decider=CERVEAUUU,
    events=ev.EVENTS,
    tags=TAGS,
    rejections=frozenset(Code),
    waits=WAITS,
    phrases=PHRASES,
    finishes=ending.finishes,
    unavailable=CERVEAUUU.unavailable,
)
"""All that decides, and all that an archive of rules holds of the game."""
