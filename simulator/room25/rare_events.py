"""Rare ends and situations that a long run must have met, each found by the rules in here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from events.kernel import Event
from games.room25.editions.endings import teams
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.catalogue import is_guard
from games.room25.model.state import State
from games.room25.rules.context import mode_of
from simulator.room25.run import Run

CHAIN: Final = 4
"""Events of one action that make a chain: a step, an illusion's swap and entry, and one more."""

CAUSES: Final = {"room": "control"}
AFTER: Final = ("moving", "tunnel", "vortex", "vision", "control")
"""Where an illusion may lead, as the causes of events have it."""

MARKS: Final = (
    "escape before the last turn",
    "escape on the last turn",
    "escape refused, Room 25 wraps round",
    "escape refused for want of the key",
    "escape given to another team",
    "escape of several teams at once",
    "escape with a guard inside",
    "escape by adrenaline",
    "prisoners win with one missing",
    "cooperation with points",
    "solo won by three",
    "team with a dead member escapes",
    "team eliminated by resigning",
    "role shown by own will",
    "role shown by death",
    "role shown by masks",
    "role shown by last_turn",
    "role shown by the chain of the dead",
    "both guards dead",
    "guards win though one is dead",
    "the dead leave the track",
    "chain of rooms",
    "chain from an illusion through moving",
    "chain from an illusion through tunnel",
    "chain from an illusion through vortex",
    "chain from an illusion through control",
    "chain from an illusion through vision",
    "chain from an illusion into Room 25",
    "free guard acts",
    "action lost",
    "adrenaline acts",
    "adrenaline lost",
    "token drawn from a stack",
    "talk blocked by a room",
    "talk blocked by a card",
    "Emmett enters a locked room",
    "Emmett's locks go with him",
    "Alice spared by a penalty",
    "Alice spared by a rewind",
    "Alice refuses a robot",
    "Jennifer refuses Bruce",
    "somebody hidden dies",
    "a control moves two steps",
    "a control moves two steps and out",
    "a robot turns Room 25 up",
    "a robot turns a flooded room up",
    "a robot pushes to death",
    "a card concerns the entrant",
    "the discard is shuffled again",
    "a movement card is ignored",
    "the dead return and one is a guard",
    "paranoia ends by an empty stack",
    "paranoia ends by a step",
    "paranoia ends by sabotage",
    "scenario played to an end",
    "everybody absent",
)
"""Rare ends and situations, each found by the rules in here or in ``notes``."""


def marks_of(match: Run) -> list[str]:
    """The rare things about the course and the end of a game; ``notes`` finds the rest."""
    result = match.state.result
    state: State = match.play
    marks = _of_events(match.log)
    if state.end is not None:
        marks += _of_end(match, state)
    if match.state.scenario and result is not None and result.reason == "finished":
        marks.append("scenario played to an end")
    if match.state.seats and all(s.absent for s in match.state.seats.values()):
        marks.append("everybody absent")
    guards = [c for c in state.characters.values() if is_guard(c.role)]
    if len(guards) > 1 and not any(c.alive for c in guards):
        marks.append("both guards dead")
    chained = (sum(_is_shown_dead(e) for e in step.events) > 1 for step in match.steps)
    if any(chained):
        marks.append("role shown by the chain of the dead")
    return [*marks, *_chains(match.log)]


def _is_shown_dead(event: Event) -> bool:
    return isinstance(event, ev.RoleRevealed) and event.cause == "death"


def _of_events(log: Sequence[Event]) -> list[str]:
    marks = []
    turn = last = 0
    order: tuple[str, ...] = ()
    free: set[str] = set()
    for e in log:
        if isinstance(e, ev.GameBegan | ev.SituationSet | ev.AlarmRaised | more.TurnsCut):
            last = e.last_turn
        elif isinstance(e, ev.RoleRevealed):
            if e.cause != "scenario":
                marks.append(f"role shown by {'own will' if e.cause == 'own' else e.cause}")
        elif isinstance(e, ev.CharacterEliminated):
            marks += ["team eliminated by resigning"] * (e.cause == "resigned")
        elif isinstance(e, ev.ActionLost):
            marks.append("adrenaline lost" if e.token == "adrenaline" else "action lost")  # noqa: S105 (a token of the game)
        elif isinstance(e, ev.GuardFreed):
            free.add(e.character)
        elif isinstance(e, ev.ActionRevealed):
            marks += _of_action(e, free)
        elif isinstance(e, ev.EscapeAttempted):
            when = "on" if turn == last else "before"
            out = "refused, Room 25 wraps round" if e.outcome is None else f"{when} the last turn"
            marks.append(f"escape {out}")
        if isinstance(e, ev.TurnBegan):
            marks += ["the dead leave the track"] * (len(e.order) < len(order))
        if isinstance(e, ev.TurnBegan | ev.SituationSet):
            turn, order = e.turn, e.order
    return marks


def _of_action(e: ev.ActionRevealed, free: set[str]) -> Iterator[str]:
    if e.character in free:
        yield "free guard acts"
    if e.drawn:
        yield "token drawn from a stack"
    if e.slot == 3:  # noqa: PLR2004 (the third action)
        yield "adrenaline acts"


# --- ends ---


def _of_end(match: Run, state: State) -> list[str]:
    """What is rare about an end: who was missing, who pushed, how it was won or lost."""
    if state.end is None:
        return []
    escape = next((e for e in reversed(match.log) if isinstance(e, ev.EscapeAttempted)), None)
    escaped = escape if escape is not None and escape.outcome is not None else None
    inside = {c.id for c in state.characters.values() if _is_inside(state, c.cell)}
    if state.mode == "suspicion":
        return list(_of_suspicion(state, inside, escaped=escaped is not None))
    if state.mode in {"competition", "team"}:
        return list(_of_rivals(state, escaped))
    return list(_of_together(state, inside))


def _of_together(state: State, inside: set[str]) -> Iterator[str]:
    outcome = "" if state.end is None else state.end.outcome
    if state.end is not None and state.end.score:
        yield "cooperation with points"
    if state.mode == "solo" and outcome == "players" and len(inside) < len(state.characters):
        yield "solo won by three"


def manner_of(match: Run) -> str:
    """By what a game was decided: an escape, deaths, or time (§4.10)."""
    state: State = match.play
    escape = next((e for e in reversed(match.log) if isinstance(e, ev.EscapeAttempted)), None)
    if escape is not None and escape.outcome is not None:
        return "escape"
    return "deaths" if mode_of(state).end_now(state) is not None else "time"


def _of_suspicion(state: State, inside: set[str], *, escaped: bool) -> Iterator[str]:
    guards = {c.id for c in state.characters.values() if is_guard(c.role)}
    if escaped and guards & inside:
        yield "escape with a guard inside"
    if escaped and set(state.characters) - guards - inside:
        yield "prisoners win with one missing"
    won = state.end is not None and state.end.outcome == "guards"
    if won and any(not state.characters[name].alive for name in guards):
        yield "guards win though one is dead"


def _of_rivals(state: State, escape: ev.EscapeAttempted | None) -> Iterator[str]:
    if state.end is None:
        return
    if escape is None:
        return
    mine = state.characters[escape.character].team
    theirs = {c.team for c in state.characters.values() if c.seat in state.end.winners}
    if mine not in theirs:
        yield "escape given to another team"
    if len(theirs) > 1:
        yield "escape of several teams at once"
    if any(not c.alive for team in theirs for c in teams(state)[team]):
        yield "team with a dead member escapes"


def _is_inside(state: State, where: str | None) -> bool:
    return where is not None and state.grid[where].kind == "room25"


# --- chains of rooms ---


def _chains(log: Iterable[Event]) -> list[str]:
    """Rooms that lead to rooms within one action, however many choices lie between."""
    marks = []
    causes: list[str] = []
    for e in log:
        if isinstance(e, ev.SlotBegan | ev.ActionRevealed):
            causes = []
        elif isinstance(e, ev.CharacterMoved | ev.TilesSwapped | ev.LineShifted):
            causes.append(CAUSES.get(e.cause, e.cause))
        elif isinstance(e, ev.RoomPeeked):
            causes.append("vision")
        elif isinstance(e, ev.RoomRevealed) and e.kind == "room25" and "illusion" in causes:
            marks.append("chain from an illusion into Room 25")
        else:
            continue
        marks += [f"chain from an illusion through {b}" for a, b in _last(causes) if b in AFTER]
        if len(causes) >= CHAIN and "illusion" in causes:
            marks.append("chain of rooms")
    return marks


def _last(causes: Sequence[str]) -> list[tuple[str, str]]:
    """What an illusion has just led to."""
    return [(a, b) for a, b in pairwise(causes[-2:]) if a == "illusion"]
