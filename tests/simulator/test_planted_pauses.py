"""Pauses by agreement in random games: they tell no secret, and a table that errs is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import Command, Context, Event, Seat, TimestampMs
from games.room25 import RULES
from games.room25.model.catalogue import GUARD, GUARD_IDENTITIES
from games.table import decider as table_module
from games.table import pausing
from games.table.checks import TableCode
from games.table.events import TimeOut
from games.table.pause_events import (
    EndPause,
    PauseBegan,
    PauseDeclined,
    ProposePause,
    ResumptionAgreed,
    VoteOnPause,
)
from games.table.state import TableState
from simulator.agreed_pauses import may_pause, pause
from simulator.chance import chance
from simulator.plans import BOT
from simulator.properties import Offers
from simulator.room25.driver import play
from simulator.room25.interference import Interference
from simulator.room25.plans import plan_of
from simulator.room25.run import Run
from simulator.run import DIRECTOR, PropertyBroken, Watched
from tests.simulator.planting import Patch, caught, seeds

SEEDS = seeds([("first_edition", "suspicion"), ("ultimate", "suspicion")], 6)
GROUPS = [("first_edition", "suspicion"), ("ultimate", "cooperation")]


def test_a_pause_that_nobody_ends_is_found(monkeypatch: Patch) -> None:
    honest = table_module.Table.wake_at

    def wake_at(table: table_module.Table, state: TableState) -> TimestampMs | None:
        return None if state.paused_at is not None else honest(table, state)

    monkeypatch.setattr(table_module.Table, "wake_at", wake_at)
    assert "end the players' pause" in caught("waiting", seeds(GROUPS))


def test_a_pause_that_begins_without_everybody_is_found(monkeypatch: Patch) -> None:
    honest = pausing.with_a_say
    monkeypatch.setattr(pausing, "with_a_say", lambda *given: honest(*given)[:-1])
    assert "refused" in caught("waiting", seeds(GROUPS))


def _with_pauses(seed: int, is_out: Any) -> Run:
    """The game of a seed, with a pause by agreement wherever one may be."""
    table = Watched({RULES.id: replace(RULES, is_out=is_out)}, frozenset({BOT}))
    match = Run(plan_of(seed), table)
    for step in play(match.plan).steps:
        if step.refusal is None and match.state.phase in {"none", "open", "live"}:
            match.now = max(match.now, step.now)
            if match.state.phase == "live" and match.state.paused_at is None and match.now % 3 == 0:
                agreeing = may_pause(match)
                if agreeing:
                    pause(match, agreeing, DIRECTOR)
                break
            match.give(step.command, step.actor)
    return match


def _faulty(state: Any, seat: int) -> bool:
    """The planted fault: it looks at a role that nobody may know."""
    own = [c for c in state.characters.values() if c.seat == seat]
    return any(c.role == GUARD or c.role in GUARD_IDENTITIES for c in own)


@pytest.mark.parametrize("is_out", [RULES.is_out, _faulty], ids=["as it is", "planted"])
def test_who_is_asked_tells_no_secret(is_out: Any) -> None:
    matches = [_with_pauses(seed, is_out) for seed in SEEDS]

    def look() -> None:
        for seed, match in zip(SEEDS, matches, strict=True):
            Interference(chance("twins", seed), most=20).ended(match)

    if is_out is RULES.is_out:
        kinds = {type(event) for match in matches for event in match.log}
        assert {PauseBegan, PauseDeclined, ResumptionAgreed} <= kinds
        look()
    else:
        with pytest.raises(PropertyBroken, match="can tell"):
            look()


def _agreed() -> Run:
    """A game up to a pause that its players have agreed on, and that still runs."""
    for match in map(Run, map(plan_of, SEEDS)):
        for step in play(match.plan).steps:
            if step.refusal is None:
                match.now = max(match.now, step.now)
                match.give(step.command, step.actor)
            people = may_pause(match) if match.state.phase == "live" else ()
            if people and match.state.paused_at is None:
                _agree(match, people)
                return match
    raise AssertionError("in none of these games may anybody pause")


def _agree(match: Run, people: Sequence[Seat]) -> None:
    match.give(ProposePause(seat=people[0], minutes=5), match.actor(people[0]))
    for seat in people[1:]:
        match.give(VoteOnPause(seat=seat, vote="agree"), match.actor(seat))


def _wakes(match: Run) -> None:
    """Let the oracle of offers look at the last step."""
    Offers(chance("offers", match.plan.seed), 1, 20).accepted(match, match.steps[-1])


def test_an_agreed_pause_is_ended_at_its_hour_by_what_the_worker_gives() -> None:
    match = _agreed()
    _wakes(match)
    last = match.steps[-1]
    assert last.command == EndPause(pause=1)
    assert last.refusal is not None
    assert last.refusal[0] == TableCode.NOT_DUE_YET


def _of_another_pause(state: TableState, now: TimestampMs) -> EndPause | None:
    running = state.pauses_held.running
    return None if running is None or now < running.until else EndPause(pause=2)


def _of_the_clock(state: TableState, now: TimestampMs) -> TimeOut | None:
    running, clock = state.pauses_held.running, state.clock
    return None if not running or not clock or now < running.until else TimeOut(key=clock.key)


@pytest.mark.parametrize(
    ("gives", "complaint"),
    [
        (_of_another_pause, "woke for nothing: .*nothing-due"),
        (_of_the_clock, "woke for nothing: .*paused"),
        (lambda *_: None, "gives no command"),
        (lambda state, _: EndPause(pause=state.pauses_held.begun), "before the pause is over"),
    ],
    ids=["of another pause", "of the clock", "nothing", "at once"],
)
def test_a_worker_that_does_not_end_the_pause_at_its_hour_is_found(
    monkeypatch: Patch, gives: Callable[..., Command | None], complaint: str
) -> None:
    match = _agreed()
    monkeypatch.setattr(pausing, "overdue", gives)
    with pytest.raises(PropertyBroken, match=complaint):
        _wakes(match)


def test_a_pause_that_goes_on_after_its_end_is_found(monkeypatch: Patch) -> None:
    match = _agreed()
    monkeypatch.setattr(pausing, "resumption", lambda *_: PauseDeclined(seat=1))
    with pytest.raises(PropertyBroken, match="pause goes on"):
        _wakes(match)


def test_a_pause_that_may_be_ended_a_moment_too_early_is_found(monkeypatch: Patch) -> None:
    honest = Watched.decide

    def decide(
        table: Watched, command: Command, state: TableState, context: Context
    ) -> list[Event]:
        return honest(table, command, state, replace(context, now=context.now + 1))

    match = _agreed()
    monkeypatch.setattr(Watched, "decide", decide)
    with pytest.raises(PropertyBroken, match="accepted, but should be"):
        _wakes(match)
