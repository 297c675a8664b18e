"""Seats: who sits beside whom, whose go it is, and how each of them ends (§1, §4.6, §4.12)."""

from __future__ import annotations

import msgspec

from games.cerveauuu.decider import RULES
from games.cerveauuu.facts.zombie_events import GoBegan, GoEnded
from games.cerveauuu.model.state import Ending, State
from games.cerveauuu.opening.options import MOST_SEATS, VALUES
from games.contract import Finish
from tests.games.cerveauuu.scenes import scene

THREE = State(seats=(1, 2, 3), chief=2)


def test_seats_follow_one_another_clockwise() -> None:
    assert [THREE.left_of(seat) for seat in THREE.seats] == [2, 3, 1]
    assert [THREE.right_of(seat) for seat in THREE.seats] == [3, 1, 2]
    assert THREE.order() == (2, 3, 1)


def test_the_last_seat_of_the_largest_table_may_be_the_first_chief() -> None:
    assert VALUES["first_chief"] == tuple(range(MOST_SEATS + 1))


def test_a_go_that_is_over_is_nobodys() -> None:
    found = scene("h1 8,8; zA 0,0; zB 0,8").go("A", "zA.1,0.end").quiet()
    second = found.state.go
    found.go("B", "zB.1,8.end").quiet()
    assert (second, found.state.go) == (2, None)
    assert [each.seat for each in found.happened(GoBegan)] == [1, 2]
    assert len(found.happened(GoEnded)) == 2


def test_who_has_resigned_comes_last_and_nobody_before_the_end() -> None:
    scores, played = {1: 5, 2: 2, 3: 2}, {1: 9, 2: 1, 3: 4}
    running = State(seats=(1, 2, 3), scores=scores, played=played, dormant=(1,))
    assert RULES.finishes(running) == {}
    over = msgspec.structs.replace(running, end=Ending("most_cinematic", (3,)))
    assert RULES.finishes(over) == {
        1: Finish(party="seat-1", rank=3),
        2: Finish(party="seat-2", rank=2),
        3: Finish(party="seat-3", rank=1),
    }
