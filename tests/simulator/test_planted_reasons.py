"""Faults in what is told of things that are not offered: each is caught by an oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.contract import Unavailable
from games.room25.model.agenda import Ask
from games.room25.model.reasons import Why
from games.room25.model.state import State
from games.room25.rules import unavailable
from tests.simulator.planting import Patch, caught_in, near

Told = Iterator[Unavailable]
Fault = Callable[[State, Told], Told]


def plant(patch: Patch, kind: str, fault: Fault) -> None:
    """Have the reasons of a kind of question told otherwise."""
    asked: dict[str, Any] = unavailable.ASKED  # type: ignore[assignment]
    honest = asked[kind]

    def told(state: State, ask: Ask) -> Told:
        return fault(state, honest(state, ask))

    patch.setitem(asked, kind, told)


def tells_what_is_hidden(state: State, told: Told) -> Told:
    """Of a face-down room that cannot be entered, whether it would kill."""
    for each in told:
        deadly = state.grid[each.meaning["cell"]].kind == "mortal"
        yield Unavailable(each.meaning, Why.SEALED if deadly else each.code)


def leaves_one_out(_: State, told: Told) -> Told:
    """The first has no reason."""
    next(told)
    yield from told


def says_one_twice(_: State, told: Told) -> Told:
    """The first has two."""
    first = next(told)
    yield from (first, first, *told)


def calls_everything_sealed(state: State, told: Told) -> Told:
    """What is offered has a reason as well."""
    del told
    yield from (Unavailable({"cell": cell}, Why.SEALED) for cell in state.grid)


@pytest.mark.parametrize("oracle", ["interference", "decisions from views"])
def test_a_reason_that_tells_what_is_hidden(oracle: str, monkeypatch: Patch) -> None:
    plant(monkeypatch, "move_target", tells_what_is_hidden)
    said = caught_in(oracle, near(("prototype", "suspicion"), "vision", laps=40))
    assert "can tell rooms" in said or "other reasons" in said


@pytest.mark.parametrize("fault", [leaves_one_out, says_one_twice, calls_everything_sealed])
@pytest.mark.parametrize("kind", ["move_target", "look_target"])
def test_what_is_expected_has_no_reason_or_too_many(
    kind: str, fault: Fault, monkeypatch: Patch
) -> None:
    plant(monkeypatch, kind, fault)
    games = near(("prototype", "suspicion"), "vision", laps=4)
    assert "is offered" in caught_in("reasons", games)


@pytest.mark.parametrize("kind", ["place_reminder", "claim_color"])
def test_what_nobody_is_asked_for_has_no_reasons(kind: str, monkeypatch: Patch) -> None:
    at_any_time: dict[str, Any] = unavailable.AT_ANY_TIME  # type: ignore[assignment]
    monkeypatch.setitem(at_any_time, kind, lambda *_: iter(()))
    games = near(("prototype", "suspicion"), "vision", laps=4)
    assert "is offered False" in caught_in("reasons", games)
