"""What occurred over a run: a run that never reaches a rare end proves nothing about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from events.kernel import Event
from games.room25 import Code as Rule
from games.room25 import events as ev
from games.room25.catalogue import GUARD
from games.room25.endings import teams
from games.room25.state import State
from games.table import Code
from games.table_events import TABLE_EVENTS, Choose, ChooseSecretly
from ops.fuzzing.illegal import UNKNOWN_GAME
from ops.fuzzing.match import Match

LEAST: Final = 20
"""How often each thing must have occurred."""

CHAIN: Final = 4
"""Events of one action that make a chain: a step, an illusion's swap and entry, and one more."""

CAUSES: Final = {"room": "control"}
AFTER: Final = ("moving", "tunnel", "vortex", "vision", "control")
"""Where an illusion may lead, as the causes of events have it."""

OUTCOMES: Final = (
    "suspicion prisoners",
    "suspicion guards",
    "suspicion complex",
    "cooperation players",
    "cooperation players_partial",
    "cooperation complex",
    "competition team",
    "competition draw",
    "competition complex",
    "team team",
    "team draw",
    "team complex",
    "solo players",
    "solo complex",
    "any abandoned",
    "any annulled",
)

# With two tunnels the way is clear: whither (D10) is asked from the third one on.
DECISIONS: Final = (
    "starting_clue",
    "program",
    "look_target",
    "move_target",
    "push_target",
    "control_target",
    "delay_single",
    "free_action",
    "vision_target",
    "moving_target",
    "illusion_target",
    "control_room",
    "reveal_guard",
    "place_reminder",
    "claim_color",
    "return",
    "resign",
)

MARKS: Final = (
    "escape before the last turn",
    "escape on the last turn",
    "escape refused, Room 25 wraps round",
    "escape given to another team",
    "escape of several teams at once",
    "escape with a guard inside",
    "prisoners win with one missing",
    "team wins as the last alive",
    "team wins inside at the end",
    "team with a dead member escapes",
    "team eliminated by resigning",
    "role shown by own will",
    "role shown by death",
    "role shown by masks",
    "role shown by the chain of the dead",
    "both guards dead",
    "guards win though one is dead",
    "death by mortal",
    "death by acid",
    "death by trap",
    "death by flooded",
    "chain of rooms",
    "chain from an illusion through moving",
    "chain from an illusion through tunnel",
    "chain from an illusion through vortex",
    "chain from an illusion through control",
    "chain from an illusion through vision",
    "chain from an illusion into Room 25",
    "free guard acts",
    "action lost",
    "scenario played to an end",
    "everybody absent",
)
"""Rare ends and situations, each found by the rules in ``marks_of``."""


def things() -> dict[str, tuple[str, ...]]:
    """All that must occur, by heading."""
    types = (*TABLE_EVENTS, *ev.BASIC_EVENTS)
    return {
        "event": tuple(str(kind.__struct_config__.tag) for kind in types),
        "outcome": OUTCOMES,
        "refusal": (*map(str, Code), *map(str, Rule), UNKNOWN_GAME),
        "decision": DECISIONS,
        "mark": MARKS,
    }


class Census:
    """Counts over many games; two of them add up."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.games = 0
        self.events = 0

    def add(self, match: Match) -> None:
        """Count a game that has ended."""
        self.games += 1
        self.events += len(match.log)
        counts = self.counts
        counts.update(("event", str(type(e).__struct_config__.tag)) for e in match.log)
        for step in match.steps:
            if step.refusal is not None:
                counts["refusal", step.refusal[0]] += 1
            elif isinstance(step.command, Choose | ChooseSecretly):
                counts["decision", kind_of(step.command.decision)] += 1
        result = match.state.result
        if result is not None:
            mode = match.plan.mode if result.reason == "finished" else "any"
            counts["outcome", f"{mode} {result.outcome}"] += 1
        counts.update(("refusal", code) for code in match.asides)
        counts.update(("mark", mark) for mark in set(marks_of(match)))

    def update(self, other: Census) -> None:
        """Take another run's counts in."""
        self.counts.update(other.counts)
        self.games += other.games
        self.events += other.events

    def missing(self) -> list[str]:
        """What occurred less than ``LEAST`` times."""
        return [
            f"{heading} {name}: {self.counts[heading, name]}"
            for heading, names in things().items()
            for name in names
            if self.counts[heading, name] < LEAST
        ]

    def table(self) -> str:
        """Everything counted, expected things first, strangers after them."""
        lines = [f"{self.games:,} games, {self.events:,} events"]
        for heading, names in things().items():
            strangers = sorted({n for h, n in self.counts if h == heading} - set(names))
            lines += [f"{heading}s"]
            lines += [f"  {self.counts[heading, n]:>9,}  {n}" for n in (*names, *strangers)]
        return "\n".join(lines)


def kind_of(decision: str) -> str:
    """The kind of a decision by its id."""
    parts = decision.split("-")
    head = {"clue": "starting_clue", "reveal": "reveal_guard", "claim": "claim_color"}
    head |= {"reminder": "place_reminder", "return": "return", "resign": "resign"}
    if parts[0] in head:
        return head[parts[0]]
    return "program" if parts[1] == "program" else "_".join(parts[2:])


# --- marks ---


def marks_of(match: Match) -> list[str]:
    """The rare things that happened in a game."""
    result = match.state.result
    state: State = match.play
    marks = _of_events(match.log)
    if state.end is not None:
        marks += _of_end(match, state)
    if match.state.scenario and result is not None and result.reason == "finished":
        marks.append("scenario played to an end")
    if match.state.seats and all(s.absent for s in match.state.seats.values()):
        marks.append("everybody absent")
    guards = [c for c in state.characters.values() if c.role == GUARD]
    if len(guards) > 1 and not any(c.alive for c in guards):
        marks.append("both guards dead")
    chained = (sum(_is_shown_dead(e) for e in step.events) > 1 for step in match.steps)
    if any(chained):
        marks.append("role shown by the chain of the dead")
    return marks + _chains(match.log)


def _is_shown_dead(event: Event) -> bool:
    return isinstance(event, ev.RoleRevealed) and event.cause == "death"


def _of_events(log: Sequence[Event]) -> list[str]:
    marks = []
    turn = last = 0
    free: set[str] = set()
    for e in log:
        if isinstance(e, ev.GameBegan | ev.SituationSet | ev.AlarmRaised):
            last = e.last_turn
        elif isinstance(e, ev.RoleRevealed):
            if e.cause != "scenario":
                marks.append(f"role shown by {'own will' if e.cause == 'own' else e.cause}")
        elif isinstance(e, ev.CharacterEliminated):
            resigned = e.cause == "resigned"
            marks.append("team eliminated by resigning" if resigned else f"death by {e.cause}")
        elif isinstance(e, ev.ActionLost):
            marks.append("action lost")
        elif isinstance(e, ev.GuardFreed):
            free.add(e.character)
        elif isinstance(e, ev.ActionRevealed) and e.character in free:
            marks.append("free guard acts")
        elif isinstance(e, ev.EscapeAttempted):
            when = "on" if turn == last else "before"
            out = "refused, Room 25 wraps round" if e.outcome is None else f"{when} the last turn"
            marks.append(f"escape {out}")
        if isinstance(e, ev.TurnBegan | ev.SituationSet):
            turn = e.turn
    return marks


def _of_end(match: Match, state: State) -> list[str]:
    """What is rare about an end: who was missing, who pushed, how a team won."""
    escape = next((e for e in reversed(match.log) if isinstance(e, ev.EscapeAttempted)), None)
    escaped = escape is not None and escape.outcome is not None
    inside = {c.id for c in state.characters.values() if _is_inside(state, c.cell)}
    winners = [] if state.end is None else list(state.end.winners)
    if state.mode == "suspicion":
        guards = {c.id for c in state.characters.values() if c.role == GUARD}
        prisoners = set(state.characters) - guards
        marks = ["escape with a guard inside"] if escaped and guards & inside else []
        marks += ["prisoners win with one missing"] if escaped and prisoners - inside else []
        won = state.end is not None and state.end.outcome == "guards"
        dead = any(not state.characters[name].alive for name in guards)
        return marks + (["guards win though one is dead"] if won and dead else [])
    if state.mode not in {"competition", "team"} or state.end is None:
        return []
    if escape is None or not escaped:
        how = "inside at the end" if inside else "as the last alive"
        return [f"team wins {how}"] if state.end.outcome == "team" else []
    mine = state.characters[escape.character].team
    theirs = {c.team for c in state.characters.values() if c.seat in winners}
    marks = ["escape given to another team"] if mine not in theirs else []
    marks += ["escape of several teams at once"] if len(theirs) > 1 else []
    dead = any(not c.alive for team in theirs for c in teams(state)[team])
    return marks + (["team with a dead member escapes"] if dead else [])


def _is_inside(state: State, where: str | None) -> bool:
    return where is not None and state.grid[where].kind == "room25"


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
