"""What a card changes, for how long, and how it is read (§2.8, §4.1, §5.3.4, §7)."""

from __future__ import annotations

import pytest

from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts.zombie_events import FightEnded, FightResolved
from games.cerveauuu.model.language import Duration
from games.cerveauuu.model.state import Modifier, State
from games.cerveauuu.rules.combat import decide
from games.cerveauuu.rules.drawing import draw_one
from games.cerveauuu.rules.stats import banned, seat_stat, stat, tie
from games.cerveauuu.scenarios.bases import open_board
from tests.games.cerveauuu.rules.staging import (
    batch,
    grid_of,
    lay,
    play_card,
    then,
)

O9 = open_board(9, 9)
BITE = "h01@r4c4 z01@r4c3:1"
"""S51: zA next to h1."""


def reads(state: State, piece: str, name: str) -> int:
    return stat(state, grid_of(state), piece, name)  # type: ignore[arg-type]  # any stat's name


def deck(state: State, cards_: str) -> State:
    state.deck = tuple(cards_.split())
    state.deck_size = len(state.deck)
    return state


def test_a_game_that_ends_in_the_middle_of_a_card_ends_at_once() -> None:
    """§4.1: B draws nothing any more."""
    state = lay(BITE, map_=O9, hands={1: "c022"}, in_credits="c001")
    after = play_card(deck(state, "c003 c043 c044"), 1, "play.k1").state
    assert after.end is not None
    assert after.hands == {1: {}, 2: {}}
    assert after.played[1] == 1


def test_whoever_steps_through_a_fight_sees_its_result_until_it_ends() -> None:
    """§4.9.4: the result is what the event says, whatever was to be expected before."""
    state = then(lay(BITE, map_=O9, fight="z01 > h01"), FightResolved(winner="attackers"))
    assert state.fight is not None
    assert state.fight.winner == "attackers"
    assert then(state, FightEnded()).fight is None


def test_what_lasts_a_round_ends_with_it_and_what_is_lasting_does_not() -> None:
    """§4.11.2: readings, bans, edges and cells."""
    state = lay("h01@r3c2 z01@r3c4:1", hands={1: "c082 c024 c098 c077 c073 c016"})
    for option in ("k1.h01", "k2", "k3.a", "k4.r0c0", "k5.b", "k6"):
        state = play_card(state, 1, f"play.{option}").state
    assert reads(state, "h01", "move") == 8
    assert banned(state, "firearm")
    state = then(state, ev.RoundEnded())
    grid = grid_of(state)
    assert reads(state, "h01", "move") == 6
    assert not banned(state, "firearm")
    assert grid.stored(grid.edge_of("r2c3e")) == "door_open"
    assert grid.stored(grid.edge_of("r4c5e")) == "door_open"
    assert not grid.opaque
    assert reads(state, "h01", "sight") == 2


def test_modifiers_add_up_from_the_latest_base_and_never_fall_below_nothing() -> None:
    """§2.8."""
    state = lay("h01@r3c2 h02@r1c2 z01@r3c4:1")
    state.modifiers = (
        Modifier(card="a", stat="move", lasts="round", value=2, pieces=("h01",)),
        Modifier(card="b", stat="move", lasts="round", value=5, absolute=True, pieces=("h01",)),
        Modifier(card="c", stat="move", lasts="round", value=3, absolute=True, pieces=("h01",)),
        Modifier(card="d", stat="move", lasts="round", value=-1, pieces=("h01",)),
        Modifier(card="e", stat="combat", lasts="round", value=-4, pieces=("h01",)),
    )
    assert reads(state, "h01", "move") == 4
    assert reads(state, "h01", "combat") == 0
    assert reads(state, "h02", "move") == 6


def test_an_area_catches_who_comes_later_and_a_building_does_not() -> None:
    """C67."""
    state = lay("h01@r1c2", hands={1: "c011 c108 c097"})
    state = play_card(state, 1, "play.k1").state
    state = play_card(state, 1, "play.k2.a").state
    state = play_card(state, 1, "play.k3.r0c0").state
    state = then(state, ev.PieceMoved(piece="h02", path=("r2c2",), cause="step"))
    assert reads(state, "h02", "move") == 4
    assert [reads(state, name, "combat") for name in ("h01", "h02")] == [2, 1]


def test_only_what_was_for_the_fight_ends_with_it_and_with_a_weather_only_what_it_did() -> None:
    """§2.8, §4.9.8, §5.3.4."""
    state = lay("h01@r1c2")
    state.modifiers = (
        Modifier(card="c043", stat="combat", lasts="combat", value=3, pieces=("h01",)),
        Modifier(card="c082", stat="move", lasts="round", value=2, pieces=("h01",)),
        Modifier(card="c013", stat="combat", lasts="weather", value=1, pieces=("h01",)),
        Modifier(card="c014", stat="move", lasts="weather", value=1, pieces=("h01",)),
    )
    over = then(state, cards.EffectsEnded(lasts="combat"))
    assert [each.card for each in over.modifiers] == ["c082", "c013", "c014"]
    clear = then(over, cards.EffectsEnded(lasts="weather", card="c013"))
    assert [each.card for each in clear.modifiers] == ["c082", "c014"]


@pytest.mark.parametrize(("lasts", "ended"), [("combat", 1), ("round", 0)])
def test_a_fight_that_is_decided_ends_what_was_for_it_and_says_so_only_then(
    lasts: Duration, ended: int
) -> None:
    """§4.9.8."""
    state = lay(BITE, map_=O9, fight="z01 > h01")
    weapon = Modifier(card="c043", stat="combat", lasts=lasts, value=3, pieces=("h01",))
    state.modifiers = (weapon,)
    play = batch(state)
    decide(play)
    assert sum(isinstance(event, cards.EffectsEnded) for event in play.work.events) == ended
    assert play.state.modifiers == (() if ended else (weapon,))


def test_a_privilege_is_lost_outdoors_only_as_long_as_one_stands_there() -> None:
    """c015: the area is read anew."""
    state = play_card(lay("z01@r3c4:1", hands={1: "c015"}), 1, "play.k1").state
    assert tie(state, grid_of(state), "z01").deprived
    state = then(state, ev.PieceMoved(piece="z01", path=("r2c3",), cause="step"))
    assert not tie(state, grid_of(state), "z01").deprived


def test_limits_of_seats_are_read_with_all_that_changes_them() -> None:
    state = deck(lay("h01@r0c0", seats=3), "c005 c007 c043")
    play = batch(state)
    draw_one(play, 2)
    assert [seat_stat(play.state, seat, "draws") for seat in (1, 2, 3)] == [3, 3, 3]
    assert [seat_stat(play.state, seat, "hand") for seat in (1, 2, 3)] == [2, 2, 2]
    assert play.state.hands[2] == {1: "c043"}


def test_a_number_of_a_hand_is_never_given_again() -> None:
    """§2.9."""
    state = play_card(lay(hands={1: "c043 c133"}), 1, "play.k2").state
    assert list(state.hands[1]) == [1, 3, 4]


def test_a_card_published_by_its_play_is_told_with_all_that_it_names() -> None:
    """§5.3.4."""
    state = lay("h01@r3c2 z01@r3c5:2", hands={1: "c031"})
    played = play_card(state, 1, "play.k1.h01.z01").events[0]
    assert played == cards.CardPlayed(
        seat=1, number=1, card="c031", choice="play.k1.h01.z01", designated=("h01", "z01")
    )
