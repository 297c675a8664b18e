"""The oracle of attendance catches a table that counts strikes, absence or returns otherwise.

Each test breaks the table in one way and plays games until the fault bites. That the same games
pass with the table as it is stands in ``test_planted_faults``.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from events.kernel import Decision, Seat
from games.table import decider as table_module
from games.table.attendance import own_decisions
from games.table.events import SeatReturned, SeatWentAbsent
from games.table.state import RECORDERS, SeatState, TableState
from simulator.room25.plans import GROUPS
from tests.simulator.planting import Patch, caught, seeds
from tests.simulator.staging import complaint

SUSPICION = [("first_edition", "suspicion")]
SOLO = [("prototype", "solo"), ("first_edition", "solo")]


@pytest.mark.parametrize("groups", [SUSPICION, SOLO], ids=["suspicion", "solo"])
def test_every_time_out_is_a_strike(groups: list[tuple[str, str]], monkeypatch: Patch) -> None:
    monkeypatch.setattr(table_module, "strikes_after", lambda place, _, __: place.strikes + 1)
    assert "of attendance" in caught("attendance", seeds(groups))


def test_what_comes_before_the_first_turn_is_a_turn_of_its_own(monkeypatch: Patch) -> None:
    monkeypatch.setattr(table_module, "turn_missed", lambda running: running)
    assert "of attendance" in caught("attendance", seeds(SUSPICION))


def test_a_scenario_shows_it_at_once(monkeypatch: Patch) -> None:
    monkeypatch.setattr(table_module, "turn_missed", lambda running: running)
    assert "of attendance" in complaint("X-H19B")
    assert complaint("X-H19A") == ""


def test_an_act_is_no_return(monkeypatch: Patch) -> None:
    monkeypatch.setattr(table_module, "must_return", lambda _: False)
    assert "of attendance" in caught("attendance", seeds(GROUPS))


def test_giving_up_is_a_return(monkeypatch: Patch) -> None:
    honest = table_module.Table._resign

    def resign(table: table_module.Table, work: Any, game: Any, seat: Seat) -> None:
        if work.state.seats[seat].strikes:
            work.emit(SeatReturned(seat=seat))
        honest(table, work, game, seat)

    assert complaint("X-H19F") == ""
    monkeypatch.setattr(table_module.Table, "_resign", resign)
    assert "of attendance" in complaint("X-H19F")


def test_a_return_forgets_which_turn_was_missed(monkeypatch: Patch) -> None:
    recorders: dict[Any, Any] = RECORDERS
    honest = recorders[SeatReturned]

    def returned(state: TableState, event: Any) -> None:
        honest(state, event)
        place = replace(state.seats[event.seat], missed_turn=UNSET)
        state.seats = {**state.seats, event.seat: place}

    monkeypatch.setitem(recorders, SeatReturned, returned)
    assert "of attendance" in caught("attendance", seeds(SUSPICION))


def test_nobody_is_ever_absent(monkeypatch: Patch) -> None:
    recorders: dict[Any, Any] = RECORDERS
    monkeypatch.setitem(recorders, SeatWentAbsent, lambda _, __: None)
    assert "absent by mistake" in caught("attendance", seeds(SUSPICION))


@pytest.mark.parametrize("kind", ["too few", "too many"])
def test_a_return_is_offered_otherwise(kind: str, monkeypatch: Patch) -> None:
    def own(seat: Seat, place: SeatState) -> list[Decision]:
        if kind == "too few":
            return own_decisions(seat, place if place.absent else replace(place, strikes=0))
        return own_decisions(seat, replace(place, strikes=1))

    monkeypatch.setattr(table_module, "own_decisions", own)
    assert "offered to return" in caught("attendance", seeds(SUSPICION))
