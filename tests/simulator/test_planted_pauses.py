"""Pauses by agreement in random games: they tell no secret, and a table that errs is found."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import TimestampMs
from games.room25 import RULES
from games.room25.model.catalogue import GUARD, GUARD_IDENTITIES
from games.table import decider as table_module
from games.table import pausing
from games.table.pause_events import PauseBegan, PauseDeclined, ResumptionAgreed
from games.table.state import TableState
from simulator.agreed_pauses import may_pause, pause
from simulator.chance import chance
from simulator.plans import BOT
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
