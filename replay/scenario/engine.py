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
    Event,
    Rejected,
    Viewer,
    fold,
    redact,
)
from games import table_events as ev
from games.contract import TimeControl, Unasked
from games.room25 import ROOM25
from games.table import GRACE_MS, Table
from games.table_state import TableState
from replay.scenario.format import Scenario
from replay.scenario.tables import Happened, Json, OpenDecision, Refused, Settled

NOON: Final = 1_700_000_000_000
"""When every scenario is played, in milliseconds."""

HOST: Final = Actor("player", "host")
RULES: Final = Table({ROOM25.id: ROOM25})


def player_at(seat: int) -> Actor:
    """Who sits there."""
    return Actor("player", f"player-{seat}")


class EngineTable:
    """A table that lives in memory: its events, and the state folded from them."""

    full_at_end = False

    def __init__(self) -> None:
        self.state = RULES.initial()
        self.log: list[Event] = []
        self.begun = 0
        self.now = NOON
        self._unasked: list[Settled] = []

    def open(self, scenario: Scenario, rulebook: str, number: int) -> None:
        """Open the table under a key made of the scenario's id, and seat everybody."""
        key = self.key(scenario, number)
        given = UNSET if scenario.given is None else msgspec.to_builtins(scenario.given)
        self.give(
            ev.OpenTable(
                game=ROOM25.id,
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
            wish = scenario.characters[seat - 1] if scenario.characters else ()
            self.give(ev.TakeSeat(seat=seat, characters=wish), player_at(seat))
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
                answered=d.answered,
            )
            for d in RULES.decisions(self.state, seat)
        ]

    def choose(self, seat: int, decision: str, option: str) -> None:
        """Give the seat's command, secretly where the decision is secret.

        Raises:
            Refused: with the engine's code.
        """
        found = next((d for d in RULES.decisions(self.state, seat) if d.id == decision), None)
        kind = ev.ChooseSecretly if found is not None and found.secret else ev.Choose
        self.give(kind(seat=seat, decision=decision, option=option), player_at(seat))

    def let_time_pass(self) -> None:
        """Move the clock past the deadline and run the time-out."""
        clock = self.state.clock
        if clock is None:
            raise ValueError("no time is running")
        self.now = clock.due + GRACE_MS
        self.give(ev.TimeOut(key=clock.key), Actor("worker", "clock"))

    def unasked(self) -> Sequence[Settled]:
        """What the engine has settled by itself."""
        return self._unasked

    def close(self) -> None:
        """Nothing has to be closed: the engine shows everything at any time."""

    def view(self, viewer: str, at: int | None = None) -> Json:
        """Fold what the viewer may read."""
        looking = self._viewer(viewer)
        state: TableState = fold(RULES, (redact(event, looking) for event in self.log[:at]))
        seen: Json = _as_json(state)
        return seen

    def events(self, viewer: str) -> Sequence[Happened]:
        """The redacted events since the game began."""
        looking = self._viewer(viewer)
        return [
            Happened(version, _as_json(redact(event, looking)))
            for version, event in enumerate(self.log[self.begun :], self.begun + 1)
        ]

    def _viewer(self, name: str) -> Viewer:
        if name in {"public", "full"}:
            return PUBLIC if name == "public" else FULL
        return ROOM25.viewer(self.state.play, int(name.removeprefix("seat:")))

    def key(self, scenario: Scenario, number: int) -> str:
        """The game key: made of the scenario's id, and other at each try."""
        return hashlib.sha256(f"{scenario.id}/{number}".encode()).hexdigest()

    def give(self, command: Command, actor: Actor) -> None:
        """Execute a command now.

        Raises:
            Refused: with the engine's code.
        """
        context = Context(now=self.now, actor=actor, draw=Draw(RULES.seed(self.state)))
        try:
            work = RULES.carry_out(command, self.state, context)
        except Rejected as rejected:
            raise Refused(rejected.code, rejected.detail) from None
        for event in work.events:
            self.state = RULES.evolve(self.state, event)
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
