"""Faults in what is told of things that are not offered: each is caught by an oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from games.contract import Unavailable
from games.room25.model.agenda import Ask
from games.room25.model.catalogue import color_of
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
    """Of a room that is not offered, whether it is green, also if it is face-down."""
    for each in told:
        cell = each.meaning.get("cell")
        kind = None if cell is None else state.grid[cell].kind
        green = kind is not None and color_of(kind) == "green"
        yield replace(each, code=Why.SEALED if green else each.code)


def leaves_one_out(_: State, told: Told) -> Told:
    """The first has no reason."""
    next(told, None)
    yield from told


def says_one_twice(_: State, told: Told) -> Told:
    """The first has two."""
    for each in islice(told, 1):
        yield from (each, each)
    yield from told


def calls_everything_sealed(state: State, told: Told) -> Told:
    """What is offered has a reason as well."""
    del told
    yield from (Unavailable({"cell": cell}, Why.SEALED) for cell in state.grid)


def leaves_out_what_it_is_about(_: State, told: Told) -> Told:
    """The words of the kind are to do for every ability."""
    return (replace(each, about="") for each in told)


SUSPECTS = partial(near, ("prototype", "suspicion"), "vision")
ABLE = partial(near, ("ultimate", "cooperation"), "tunnel", options={"specials": True})
"""Games in which special abilities are used, as long as all live."""


@pytest.mark.parametrize(
    ("oracle", "kind"),
    [
        ("interference", "move_target"),
        ("decisions from views", "move_target"),
        ("decisions from views", "special_choice"),
    ],
)
def test_a_reason_that_tells_what_is_hidden(oracle: str, kind: str, monkeypatch: Patch) -> None:
    plant(monkeypatch, kind, tells_what_is_hidden)
    games = ABLE if kind == "special_choice" else SUSPECTS
    said = caught_in(oracle, games(laps=40))
    assert "can tell rooms" in said or "other reasons" in said


@pytest.mark.parametrize("fault", [leaves_one_out, says_one_twice, calls_everything_sealed])
@pytest.mark.parametrize("kind", ["move_target", "look_target"])
def test_what_is_expected_has_no_reason_or_too_many(
    kind: str, fault: Fault, monkeypatch: Patch
) -> None:
    plant(monkeypatch, kind, fault)
    games = near(("prototype", "suspicion"), "vision", laps=4)
    assert "is offered" in caught_in("reasons", games)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (leaves_one_out, "is offered False"),
        (says_one_twice, "is offered False"),
        (leaves_out_what_it_is_about, "has no words"),
    ],
)
def test_an_ability_has_no_reason_or_too_many_or_is_not_named(
    fault: Fault, said: str, monkeypatch: Patch
) -> None:
    plant(monkeypatch, "special_choice", fault)
    assert said in caught_in("reasons", ABLE(laps=10))


def test_a_predicate_of_which_options_are_not_made_is_noticed(monkeypatch: Patch) -> None:
    """Whoever finds no fault with a room that an ability does not reach."""
    for name in ("why_no_lock", "why_not_reactivated"):
        monkeypatch.setattr(unavailable, name, lambda *_: None)
    monkeypatch.setattr(unavailable, "why_no_building_hacked", lambda *_: lambda _: None)
    assert "is offered False, with reasons []" in caught_in("reasons", ABLE(laps=10))


@pytest.mark.parametrize("kind", ["place_reminder", "claim_color"])
def test_what_nobody_is_asked_for_has_no_reasons(kind: str, monkeypatch: Patch) -> None:
    at_any_time: dict[str, Any] = unavailable.AT_ANY_TIME  # type: ignore[assignment]
    monkeypatch.setitem(at_any_time, kind, lambda *_: iter(()))
    games = near(("prototype", "suspicion"), "vision", laps=4)
    assert "is offered False" in caught_in("reasons", games)
