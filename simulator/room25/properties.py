"""What must hold after every accepted command of Room 25, beside what holds in any game."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from events.kernel import Decision
from games.room25.facts.events import AgendaSet
from games.room25.model.agenda import AnyFrame, Ask, Enter, TakeAction
from games.room25.model.catalogue import GUARD, GUARD_IDENTITIES, PRISONER, ROOM_KINDS
from games.room25.model.state import State
from simulator import properties
from simulator.room25.run import Run
from simulator.run import RunStep, require


class SomebodyAliveWakes(properties.SomebodyWakes):
    """A live game always waits for somebody alive, and somebody will wake up for it."""

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

    def asked(self, match: Run, decision: Decision) -> None:
        """A character is asked by its own player, while it lives."""
        c = match.play.characters.get(decision.subject or "")
        right = c is None or (c.alive and c.seat == decision.seat)
        require(right, f"{decision.id} asks the wrong one")
        require(len(decision.options) > 1, f"{decision.id} asks with one option")


class StableIdsOfQuestions(properties.StableDecisionIds):
    """The same, but for a guard who shows itself and has its power at once (R25)."""

    def changing(self, match: Run, decision: Decision) -> Hashable:
        """Which guards have shown themselves."""
        return _shown(match.play, decision)


def _shown(state: State, decision: Decision) -> frozenset[str]:
    """Whose showing gives a decision other options: its own guard's (R25), any in D15 (H18)."""
    shown = frozenset(name for name, c in state.characters.items() if c.role_public)
    return shown if decision.kind == "secrets_target" else shown & {decision.subject or ""}


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
