"""What mattered in a game: which rooms were entered, acted and killed, what was used (pure).

It reads a whole log, secrets included, and folds it on the way: what an event means is a matter of
where everything stood just before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from events.kernel import Event
from games.room25 import EVENTS, ROOM25
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.board import lines_through
from games.room25.model.cards import MADNESS, MOVEMENTS
from games.room25.model.catalogue import ROOM_KINDS
from games.room25.model.state import State

ON_EVENT: Final = frozenset(
    {
        "acid",
        "burning",
        "control",
        "flooded",
        "illusion",
        "key",
        "mirror",
        "moving",
        "paranoia",
        "regeneration",
        "room25",
        "secrets",
        "shredder",
        "timer",
        "trap",
        "tunnel",
        "vortex",
    }
)
"""Rooms whose effect an event tells; every other one has acted once somebody has entered it."""


class Chronicle(Struct, frozen=True):
    """One game in figures: how it ended, and how often each thing happened in it.

    ``entered``, ``fired`` and ``killed`` count by room kind; ``used`` by action, ability, card,
    order or power; ``there`` are the kinds of the composition.
    """

    outcome: str
    winners: int
    turns: int
    deaths: int
    score: int | None
    there: frozenset[str]
    entered: Mapping[str, int]
    fired: Mapping[str, int]
    killed: Mapping[str, int]
    used: Mapping[str, int]

    @property
    def success(self) -> bool:
        """Whether players got the better of the complex and its guards, or one team of another."""
        return self.outcome in {"prisoners", "players", "players_partial", "team"}


class _Watch:
    """The counters, and what each event adds to them."""

    def __init__(self) -> None:
        self.entered, self.fired = Counter[str](), Counter[str]()
        self.killed, self.used = Counter[str](), Counter[str]()

    def kind(self, s: State, cell: str | None) -> str:
        """The kind of the room on a cell, in truth."""
        return (s.grid[cell].kind or "") if cell else ""

    def moved(self, s: State, e: ev.CharacterMoved) -> None:
        """Somebody entered a room, perhaps because another one sent it there."""
        self.entered[self.kind(s, e.cell)] += 1
        if e.cause in {"tunnel", "vortex"}:
            self.fired[e.cause] += 1
        if e.cause == "robot":
            self.used["robot: push"] += 1

    def eliminated(self, _: State, e: ev.CharacterEliminated) -> None:
        """Somebody died, of a room or of something else."""
        if e.cause in ROOM_KINDS:
            self.killed[e.cause] += 1
            self.fired[e.cause] += 1

    def swapped(self, _: State, e: ev.TilesSwapped) -> None:
        """Two tiles changed places."""
        if e.cause in ROOM_KINDS:
            self.fired[e.cause] += 1

    def shifted(self, s: State, e: ev.LineShifted) -> None:
        """A line moved, by a room or by an action; a hacker need not stand in it."""
        if e.cause == "room":
            self.fired["control"] += 1
        elif e.cause == "action" and s.actor is not None:
            cell = s.characters[s.actor].cell
            if cell is None or e.line not in lines_through(cell):
                self.used["power: hacker"] += 1

    def armed(self, s: State, e: ev.FloodArmed) -> None:
        """A deadline was set."""
        self.fired[self.kind(s, s.characters[e.character].cell)] += 1

    def spent(self, s: State, e: more.AdrenalineChanged) -> None:
        """Adrenaline was used, or a mirror took it."""
        if e.adrenaline == "spent" and s.phase == "adrenaline" and s.actor == e.character:
            self.used["adrenaline"] += 1
        elif self.kind(s, s.characters[e.character].cell) == "mirror":
            self.fired["mirror"] += 1

    def cancelled(self, s: State, e: more.ProgramCancelled) -> None:
        """A mirror took a programme."""
        self.fired[self.kind(s, s.characters[e.character].cell)] += 1

    def special(self, _: State, e: more.SpecialUsed) -> None:
        """An ability was used."""
        self.used[f"{e.character}: {e.option.split(':')[0]}"] += 1

    def robot(self, s: State, e: more.RobotPlaced) -> None:
        """A robot came into play, or went on."""
        self.used["robot: move" if s.robots[e.robot] else "robot: placed"] += 1

    def card(self, _: State, e: more.CardDrawn) -> None:
        """A card was drawn."""
        kind = "movement" if e.card in MOVEMENTS else MADNESS.get(e.card, "penalty")
        self.used[f"card: {kind}"] += 1

    def power(self, s: State, e: more.PowerUsed) -> None:
        """A revealed guard used its power."""
        self.used[f"power: {s.characters[e.character].role}"] += 1

    def traitor(self, _: State, __: more.TokenReplaced) -> None:
        """A traitor changed its programme."""
        self.used["power: traitor"] += 1

    def count(self, what: str) -> Callable[[State, Any], None]:
        """Count an event as the effect of a room."""

        def note(_: State, __: Event) -> None:
            self.fired[what] += 1

        return note

    def use(self, what: str) -> Callable[[State, Any], None]:
        """Count an event as something used."""

        def note(_: State, __: Event) -> None:
            self.used[what] += 1

        return note

    def action(self, _: State, e: ev.ActionRevealed) -> None:
        """An action token was turned up."""
        self.used[f"action: {e.token}"] += 1

    def shown(self, _: State, e: ev.RoleRevealed) -> None:
        """A guard showed itself."""
        if e.cause == "own":
            self.used["guard shows itself"] += 1


def chronicle(log: Sequence[Event]) -> Chronicle:
    """The figures of a finished game of Room 25 from its whole log."""
    w = _Watch()
    notes: dict[type[Event], Callable[[State, Any], None]] = {
        ev.CharacterMoved: w.moved,
        ev.CharacterEliminated: w.eliminated,
        ev.TilesSwapped: w.swapped,
        ev.LineShifted: w.shifted,
        ev.FloodArmed: w.armed,
        ev.TrapArmed: w.count("trap"),
        ev.EscapeAttempted: w.count("room25"),
        ev.AlarmRaised: w.use("alarm"),
        ev.ColorClaimed: w.use("claim"),
        ev.ActionRevealed: w.action,
        ev.RoleRevealed: w.shown,
        more.AdrenalineChanged: w.spent,
        more.ProgramCancelled: w.cancelled,
        more.SpecialUsed: w.special,
        more.RobotPlaced: w.robot,
        more.CardDrawn: w.card,
        more.PowerUsed: w.power,
        more.TokenReplaced: w.traitor,
        more.KeyTurned: w.count("key"),
        more.CharacterReturned: w.count("regeneration"),
        more.ParanoiaBegan: w.count("paranoia"),
        more.TurnsCut: w.count("timer"),
        more.RolePeeked: w.count("secrets"),
    }
    state = ROOM25.initial()
    for event in log:
        if not isinstance(event, EVENTS):
            continue
        note = notes.get(type(event))
        if note is not None:
            note(state, event)
        state = ROOM25.evolve(state, event)
    return _told(state, w)


def _told(state: State, w: _Watch) -> Chronicle:
    """The figures, once the log has been read."""
    if state.end is None:
        raise ValueError("the game is not over")
    always = {k: n for k, n in w.entered.items() if k not in ON_EVENT}
    return Chronicle(
        outcome=state.end.outcome,
        winners=len(state.end.winners),
        turns=state.turn,
        deaths=len(state.dead),
        score=state.end.score,
        there=frozenset(k for k, n in state.composition.items() if n),
        entered=w.entered,
        fired=always | w.fired,
        killed=w.killed,
        used=w.used,
    )
