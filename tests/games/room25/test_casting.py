"""Who may play whom (§4.1.2, R10): duos, teams, and no wish that shuts somebody out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.kernel import Rejected
from games.contract import TableOpening
from games.room25 import ROOM25, RULEBOOKS, Code
from games.room25.model.characters import CHARACTERS
from tests.games.begun import Cast, cast_all, opening

DUO = {c.id: c.duo for c in CHARACTERS}
TABLES = [
    (rulebook.id, mode.id, seats)
    for rulebook in RULEBOOKS.values()
    for mode in rulebook.modes.values()
    for seats in mode.seats
]


def check(wish: TableOpening, cast: Cast) -> None:
    """The rules on a full table, in other words than the engine's."""
    mode = RULEBOOKS[wish.rulebook].modes[wish.mode]
    names = [name for own in cast.values() for name in own]
    assert len(set(names)) == len(names) == wish.seats * mode.per_seat[wish.seats]
    assert set(names) <= set(RULEBOOKS[wish.rulebook].characters)
    if mode.duos and mode.per_seat[wish.seats] == 2:
        assert all(DUO[a] == DUO[b] for a, b in cast.values())
    if mode.team_casting:
        sides = [
            [DUO[name] for seat in cast if seat % 2 == side for name in cast[seat]]
            for side in (0, 1)
        ]
        if wish.seats == 4:
            assert [len(set(side)) for side in sides] == [1, 1]
        else:
            assert [sorted(side) for side in sides] == [[1, 2, 3], [1, 2, 3]]


@given(st.data())
def test_whatever_the_first_ones_wish_everybody_finds_a_character(data: st.DataObject) -> None:
    """No dead end: wishes are granted or refused so that the table can always fill."""
    rulebook, mode, seats = data.draw(st.sampled_from(TABLES))
    wish = opening(mode, seats, rulebook)
    known = RULEBOOKS[rulebook].characters
    cast: Cast = {}
    for seat in data.draw(st.permutations(range(1, seats + 1))):
        names = data.draw(st.lists(st.sampled_from(known), max_size=4, unique=True))
        try:
            cast[seat] = ROOM25.cast(wish, cast, seat, tuple(names))
        except Rejected as refusal:
            assert refusal.code in {Code.CHARACTER_TAKEN, Code.CHARACTER_NOT_ALLOWED}  # noqa: PT017 (either refusal is fine; what follows is the test)
            cast[seat] = ROOM25.cast(wish, cast, seat, ())
        else:
            assert cast[seat][: len(names)] == tuple(names)
    check(wish, cast)


@pytest.mark.parametrize(("rulebook", "mode", "seats"), TABLES)
def test_without_wishes_the_first_free_ones_are_taken(rulebook: str, mode: str, seats: int) -> None:
    """In canonical order, but for duos that are teams: their halves sit every other seat."""
    wish = opening(mode, seats, rulebook)
    cast = cast_all(wish)
    check(wish, cast)
    book = RULEBOOKS[rulebook]
    taken = [name for seat in sorted(cast) for name in cast[seat]]
    apart = book.modes[mode].team_casting and seats == 4
    first = ("emmett", "franck", "kevin", "jennifer") if apart else book.characters[: len(taken)]
    assert taken == list(first)


def test_half_a_wish_for_a_duo_brings_the_other_half() -> None:
    wish = opening("competition", 2)
    assert ROOM25.cast(wish, {}, 1, ("alice",)) == ("alice", "max")
    assert ROOM25.cast(wish, {}, 1, ("kevin",)) == ("kevin", "emmett")


def test_a_team_mate_gets_the_other_half_of_the_duo() -> None:
    wish = opening("team", 4)
    assert ROOM25.cast(wish, {1: ("jennifer",)}, 3, ()) == ("franck",)
    assert ROOM25.cast(wish, {1: ("jennifer",)}, 2, ()) == ("emmett",)
