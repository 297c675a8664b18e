"""The game's own checks: each of their facts can be claimed, and a false claim is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
import pytest
from msgspec import UNSET

from games.cerveauuu.decider import RULES
from games.registry import GAMES
from games.scenarios import Check
from replay.scenario import performance
from replay.scenario.dialect import Dialect
from replay.scenario.engine import EngineTable
from replay.scenario.judging import CheckMoment, judge
from replay.scenario.performance import perform
from replay.scenario.tables import ScenarioTable
from tests.scenario_files import of_game

OWN = GAMES[RULES.id].scenarios.checks
ABOUT = {"id", "seat", "at", "first", "second", "viewer", "parts", "top", "then"}
"""What a check is about, or brings along; all else is claimed of it."""


def falsified(check: Check) -> Iterator[tuple[str, Check]]:
    """The check with one of its claims turned into another."""
    for name in check.__struct_fields__:
        value = getattr(check, name)
        if value is not UNSET and name not in ABOUT:
            yield name, msgspec.structs.replace(check, **{name: other_than(value)})


def other_than(value: object) -> object:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case Mapping():
            return {**value, "another": 1}
        case tuple():
            return (*value, "another")
        case _:
            return "another"


def test_a_claim_that_is_turned_round_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the files claim is claimed otherwise at the same moment."""
    untried = {(kind, name) for kind in OWN for name in {*kind.__struct_fields__} - ABOUT}
    held: list[Check] = []

    def both_ways(
        check: Check, table: ScenarioTable, moment: CheckMoment, dialect: Dialect
    ) -> str | None:
        complaint = judge(check, table, moment, dialect)
        if complaint is None and isinstance(check, tuple(OWN)):
            for name, false in falsified(check):
                untried.discard((type(check), name))
                held.extend([false] if judge(false, table, moment, dialect) is None else [])
        return complaint

    monkeypatch.setattr(performance, "judge", both_ways)
    for _, scenario in of_game(RULES.id):
        perform(scenario, EngineTable)
    assert held == []
    assert " ".join(sorted(f"{kind.__name__}.{name}" for kind, name in untried)) == ""
