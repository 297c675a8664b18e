"""Setting up (§4.1): what is dealt, over many seeds, comes out as chance would have it.

The seeds are fixed, so these are no gambles: bounds are five standard deviations wide.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import pytest

from games.room25.facts.events import ComplexLaid, GameBegan, RoleDealt, RolesLeftOver
from games.room25.model.board import CENTRE, EXIT_ZONES, INNER_CELLS
from games.room25.model.catalogue import GUARD, PRISONER
from tests.games.begun import begun, cast_all, many, opening

COUNT = 600
SUSPICION = opening("suspicion", 4)


def evenly(found: Counter[str], names: Iterable[str], count: int) -> None:
    """Each of ``names`` came about equally often, and nothing else came."""
    names = list(names)
    share = 1 / len(names)
    spread = 5 * math.sqrt(count * share * (1 - share))
    assert set(found) == set(names)
    assert all(abs(n - count * share) < spread for n in found.values()), found


def test_room_25_and_the_vision_chamber_lie_anywhere_in_the_exit_zones() -> None:
    """§4.1.4, R3."""
    states = list(many(SUSPICION, COUNT))
    for kind in ("room25", "vision"):
        where = Counter(c for s in states for c, t in s.grid.items() if t.kind == kind)
        evenly(where, EXIT_ZONES, COUNT)


def test_other_rooms_lie_anywhere_but_in_the_middle() -> None:
    """Twelve of the other 22 lie round the centre, ten fill the exit zones."""
    states = list(many(SUSPICION, COUNT))
    inner = Counter(s.grid[c].kind == "illusion" for s in states for c in INNER_CELLS)
    expected = COUNT * 12 / 22
    assert abs(inner[True] - expected) < 5 * math.sqrt(expected)
    where = Counter(
        c for s in states for c, t in s.grid.items() if t.kind == "illusion" and c in INNER_CELLS
    )
    evenly(where, INNER_CELLS, inner[True])


def test_only_the_centre_lies_face_up() -> None:
    for state in many(SUSPICION, 20):
        assert [c for c, tile in state.grid.items() if tile.up] == [CENTRE]
        assert Counter(t.kind for t in state.grid.values()) == Counter(state.composition)


def test_tile_ids_say_where_a_tile_began_and_nothing_else() -> None:
    """R119."""
    for state in many(SUSPICION, 20):
        assert [tile.id for tile in state.grid.values()] == list(range(25))


def test_any_seat_may_be_the_first_player() -> None:
    """R8."""
    first = Counter(s.order[0] for s in many(SUSPICION, COUNT))
    evenly(first, ["emmett", "kevin", "franck", "jennifer"], COUNT)


@pytest.mark.parametrize(
    ("seats", "none", "one", "two"), [(4, 1 / 5, 4 / 5, 0), (5, 0, 1 / 3, 2 / 3), (6, 0, 0, 1)]
)
def test_roles_are_dealt_with_one_left_over_below_six(
    seats: int, none: float, one: float, two: float
) -> None:
    """§2 row 4, R13: nobody knows whether a guard plays."""
    guards = Counter(
        sum(c.role == GUARD for c in s.characters.values())
        for s in many(opening("suspicion", seats), COUNT)
    )
    for number, share in enumerate((none, one, two)):
        spread = 5 * math.sqrt(COUNT * share * (1 - share))
        assert abs(guards[number] - COUNT * share) <= spread


def test_each_seat_is_as_likely_a_guard() -> None:
    states = list(many(opening("suspicion", 6), COUNT))
    guards = Counter(c.id for s in states for c in s.characters.values() if c.role == GUARD)
    assert all(abs(n - COUNT / 3) < 5 * math.sqrt(COUNT * 2 / 9) for n in guards.values())
    assert len(guards) == 6


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_roles_dealt_and_left_over_are_all_there_are(seats: int) -> None:
    for number in range(20):
        state, events = begun(opening("suspicion", seats), f"deal {number}")
        [left] = [e for e in events if isinstance(e, RolesLeftOver)]
        dealt = [str(e.role) for e in events if isinstance(e, RoleDealt)]
        assert len(dealt) == seats
        assert left.count == len(left.roles or ()) == (seats < 6)
        assert sorted([*dealt, *(left.roles or ())]) == sorted(
            [PRISONER] * 4 + [GUARD] * (1 if seats == 4 else 2)
        )
        assert state.undealt == left.roles


@pytest.mark.parametrize(("mode", "seats"), [("cooperation", 2), ("team", 6), ("solo", 1)])
def test_other_modes_deal_no_roles(mode: str, seats: int) -> None:
    state, events = begun(opening(mode, seats), "seed")
    assert not any(isinstance(e, RoleDealt | RolesLeftOver) for e in events)
    assert all(c.role is None for c in state.characters.values())


def test_the_same_seed_deals_the_same_and_another_does_not() -> None:
    assert begun(SUSPICION, "a")[1] == begun(SUSPICION, "a")[1]
    assert begun(SUSPICION, "a")[1] != begun(SUSPICION, "b")[1]


def test_everybody_starts_in_the_middle_with_nothing_done() -> None:
    """§4.1.5."""
    for state in many(opening("cooperation", 6), 3):
        for c in state.characters.values():
            assert (c.cell, c.alive, c.program, c.trap, c.flood) == (CENTRE, True, None, None, None)
            assert c.tokens == ("look", "move", "push", "control")
            assert (c.acted, c.entry, c.stacked, c.spares) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("mode", "seats"),
    [("suspicion", 5), ("cooperation", 3), ("competition", 2), ("competition", 3), ("team", 6)],
)
def test_the_track_runs_clockwise_once_for_each_character_of_a_seat(mode: str, seats: int) -> None:
    """§4.1.3, R9: whoever is first."""
    wish = opening(mode, seats)
    for state in many(wish, 30):
        passes = len(state.order) // seats
        places = [state.characters[name].seat for name in state.order]
        first = places[0]
        clockwise = [(first - 1 + i) % seats + 1 for i in range(seats)]
        assert places == clockwise * passes
        assert sorted(state.order) == sorted(state.characters)
        if mode == "team":
            teams = [state.characters[name].team for name in state.order]
            assert all(a != b for a, b in pairwise(teams))


def test_the_beginning_is_told_before_anything_is_dealt() -> None:
    """The order of events is part of the public form."""
    kinds = [type(e) for e in begun(SUSPICION, "a")[1]]
    assert kinds == [GameBegan, ComplexLaid, *[RoleDealt] * 4, RolesLeftOver]


def test_a_custom_composition_is_what_is_laid() -> None:
    rooms = {"central": 1, "room25": 1, "empty": 8, "tunnel": 2, "jail": 2, "vortex": 2, "dark": 2}
    rooms |= {"cold": 2, "acid": 2, "mortal": 2, "moving": 1}
    wish = opening("suspicion", 4, composition="custom", rooms=rooms)
    for state in many(wish, 5):
        assert Counter(t.kind for t in state.grid.values()) == Counter(rooms)


def test_casting_leaves_nobody_out_in_any_order_of_joining() -> None:
    assert sorted(cast_all(opening("team", 6), [4, 2, 6, 1, 3, 5])) == [1, 2, 3, 4, 5, 6]
