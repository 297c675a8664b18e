"""Playing scenarios against the pure engine: no store, no service, and a clock that stays still."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET

from events.draw import Draw
from events.kernel import (
    FULL,
    PUBLIC,
    Actor,
    Command,
    Context,
    Decision,
    Event,
    Rejected,
    Viewer,
    fold,
    redact,
)
from games.contract import TimeControl, Unasked
from games.game_registry import installed_games
from games.table import events as ev
from games.table.decider import GRACE_MS, Table
from games.table.keeping import handed_in
from games.table.state import TableState
from replay.scenario.format import Scenario
from replay.scenario.tables import Json, OpenDecision, SeenEvent, Settled, TableRefusal

NOON: Final = 1_700_000_000_000
"""When every scenario is played, in milliseconds."""

HOST: Final = Actor("player", "host")
TABLE: Final = installed_games().table
"""The decider for all games."""


def player_at(seat: int) -> Actor:
    """Who sits there."""
    return Actor("player", f"player-{seat}")


class EngineTable:
    """A table that lives in memory: its events, and the state folded from them.

    Scenarios look at the same version again and again, so what was worked out for it is kept, and
    a view is folded on from where it was last seen.

    Args:
        decider: that of the table, for the games that can be played there.
    """

    full_at_end = False

    def __init__(self, decider: Table = TABLE) -> None:
        self.decider = decider
        self.state = decider.initial()
        self.log: list[Event] = []
        self.begun = 0
        self.now = NOON
        self._unasked: list[Settled] = []
        self._pending: dict[int, tuple[int, list[Decision]]] = {}
        self._folded: dict[Viewer, tuple[int, TableState]] = {}
        self._views: dict[Viewer, tuple[int, Json]] = {}
        self._read: dict[Viewer, list[SeenEvent]] = {}

    def open(self, scenario: Scenario, rulebook: str, number: int) -> None:
        """Open the table under a key made of the scenario's id, and seat everybody."""
        key = self.key(scenario, number)
        given = UNSET if scenario.given is None else msgspec.to_builtins(scenario.given)
        self.give(
            ev.OpenTable(
                game=scenario.game.rules.id,
                rulebook=rulebook,
                mode=scenario.mode,
                seats=scenario.seats,
                options=scenario.options,
                time=TimeControl(absent_after=scenario.absent_after),
                key=key,
                situation=given,
            ),
            HOST,
        )
        for seat in range(1, scenario.seats + 1):
            requested = scenario.characters[seat - 1] if scenario.characters else ()
            self.give(ev.TakeSeat(seat=seat, characters=requested), player_at(seat))
        self.begun = next(i for i, e in enumerate(self.log) if isinstance(e, ev.TableStarted))

    def version(self) -> int:
        """The number of the last event."""
        return len(self.log)

    def decisions(self, seat: int) -> list[OpenDecision]:
        """What a seat may choose now."""
        return [
            OpenDecision(
                id=d.id,
                kind=d.kind,
                options=tuple(option.id for option in d.options),
                character=d.subject,
                default=d.default,
                optional=d.optional,
                secret=d.secret,
                answered=d.answered,
            )
            for d in self.pending(seat)
        ]

    def pending(self, seat: int) -> list[Decision]:
        """The same as the engine says it, worked out once for each version."""
        version, known = self._pending.get(seat, (-1, []))
        if version != self.version():
            known = self.decider.decisions(self.state, seat)
            self._pending[seat] = self.version(), known
        return known

    def below(self, seat: int, decision: str, branch: str) -> tuple[str, ...]:
        """The ids of the options below a branch.

        Raises:
            Refused: with the engine's code.
        """
        found = next(d for d in self.pending(seat) if d.id == decision)
        try:
            listed = self.decider.branch(self.state, found, branch)
        except Rejected as rejected:
            raise TableRefusal(rejected.code, rejected.detail) from None
        if not listed:
            raise TableRefusal("option-not-found", "the decision has no option of this id")
        return tuple(option.id for option in listed)

    def choose(self, seat: int, decision: str, option: str) -> None:
        """Give the seat's command, secretly where the decision is secret.

        Raises:
            Refused: with the engine's code.
        """
        found = next((d for d in self.pending(seat) if d.id == decision), None)
        plain = ev.Choose(seat=seat, decision=decision, option=option)
        self.give(plain if found is None else handed_in(found, option), player_at(seat))

    def let_time_pass(self) -> None:
        """Move the clock past the deadline and run the time-out."""
        clock = self.state.clock
        if clock is None:
            raise ValueError("no time is running")
        self.now = clock.due + GRACE_MS
        self.give(ev.TimeOut(key=clock.key), Actor("worker", "clock"))

    def unasked(self) -> Sequence[Settled]:
        """The questions that the engine has settled by itself."""
        return self._unasked

    def close(self) -> None:
        """Nothing has to be closed: the engine shows everything at any time."""

    def view(self, viewer: str, at: int | None = None) -> Json:
        """Fold what the viewer may read; the answer is shared, so nobody changes it."""
        looking = self._viewer(viewer)
        if at is not None:
            past: Json = _as_json(
                fold(self.decider, (redact(event, looking) for event in self.log[:at]))
            )
            return past
        version, seen = self._views.get(looking, (-1, {}))
        if version != self.version():
            seen = _as_json(self._fold_on(looking))
            self._views[looking] = self.version(), seen
        return seen

    def _fold_on(self, viewer: Viewer) -> TableState:
        """What the viewer's state has become; it is this table's own, and folding consumes it."""
        version, state = self._folded.get(viewer, (0, self.decider.initial()))
        for event in self.log[version:]:
            state = self.decider.evolve(state, redact(event, viewer))
        self._folded[viewer] = self.version(), state
        return state

    def events(self, viewer: str) -> Sequence[SeenEvent]:
        """The redacted events since the game began; nobody changes them."""
        looking = self._viewer(viewer)
        read = self._read.setdefault(looking, [])
        for version in range(self.begun + len(read) + 1, self.version() + 1):
            read.append(SeenEvent(version, _as_json(redact(self.log[version - 1], looking))))
        return read

    def _viewer(self, name: str) -> Viewer:
        if name in {"public", "full"}:
            return PUBLIC if name == "public" else FULL
        game = self.decider.games[self.state.game]
        return game.viewer(self.state.play, int(name.removeprefix("seat:")))

    def key(self, scenario: Scenario, number: int) -> str:
        """The game key: derived from the scenario's id, different for each try."""
        return hashlib.sha256(f"{scenario.id}/{number}".encode()).hexdigest()

    def give(self, command: Command, actor: Actor) -> None:
        """Execute a command now.

        Raises:
            Refused: with the engine's code.
        """
        context = Context(now=self.now, actor=actor, draw=Draw(self.decider.seed(self.state)))
        try:
            work = self.decider.carry_out(command, self.state, context)
        except Rejected as rejected:
            raise TableRefusal(rejected.code, rejected.detail) from None
        for event in work.events:
            self.state = self.decider.evolve(self.state, event)
        self._unasked += settled_in(work.asides, self.version())
        self.log += work.events


def settled_in(asides: Sequence[tuple[int, object]], version: int = 0) -> list[Settled]:
    """The questions that nobody was asked, of a batch that came after ``version``."""
    return [
        Settled(
            version=version + count,
            seat=aside.seat,
            kind=aside.kind,
            decision=aside.id,
            option=aside.option,
            character=aside.subject,
        )
        for count, aside in asides
        if isinstance(aside, Unasked)
    ]


def _as_json(value: object) -> Any:  # noqa: ANN401 (JSON)
    return msgspec.json.decode(msgspec.json.encode(value))
