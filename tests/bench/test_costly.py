"""What the costliest commands cost: measured at a table that remembers nothing, held to bars."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest
from msgspec.structs import replace

from bench import costly
from bench.measure import Effort
from events.kernel import Rejected
from games.cerveauuu.facts.events import PlanMade
from simulator.cerveauuu.planning import PLANNING, planning_commands
from simulator.costly import CostlyCommand, cost_ms, fresh
from simulator.registry import SIMULATORS


@cache
def commands() -> tuple[CostlyCommand, ...]:
    """Some of a game: whoever wants more plays on."""
    return tuple(islice(planning_commands(1), 6))


def some(_: int) -> Iterator[CostlyCommand]:
    yield from commands()[:2]


def test_commands_that_plan_a_panic_are_found() -> None:
    assert len(commands()) > 5
    for case in commands():
        assert case.before.seat_count == 6
        assert cost_ms(fresh(PLANNING.rules), case) > 0


def test_a_fresh_table_has_a_game_of_its_own() -> None:
    one, other = fresh(PLANNING.rules), fresh(PLANNING.rules)
    assert one.games["cerveauuu"] is not other.games["cerveauuu"]
    assert PlanMade in PLANNING.rules.events


def test_a_command_that_is_refused_is_not_measured() -> None:
    case = commands()[0]
    with pytest.raises(Rejected):
        cost_ms(fresh(PLANNING.rules), CostlyCommand(case.before, case.command, case.actor, 2**52))


def test_a_bar_that_is_too_low_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted bar that no command can meet, and one that any does."""
    game = SIMULATORS["cerveauuu"]
    planted = replace(PLANNING, commands=some, middle_ms=1e-6, worst_ms=1e6)
    monkeypatch.setattr(costly, "SIMULATORS", {"cerveauuu": replace(game, costly=planted)})
    report = costly.run(Effort(quick=True))
    assert [bar.holds for bar in report.gates[:2]] == [False, True]
    assert report.gates[2].name == "cerveauuu: cold against warm"  # of which no test judges times
