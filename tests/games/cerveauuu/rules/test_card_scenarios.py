"""The scenarios of §10 that are about cards, as far as cards alone decide them."""

from __future__ import annotations

import copy

from events.draw import Draw
from events.kernel import Actor, Context, Event, Seat, Viewer, Working, redact
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts.evolve import evolve
from games.cerveauuu.model.state import Modifier, Panic, State
from games.cerveauuu.rules import combat, timeline
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.drawing import draw_one, draw_phase
from games.cerveauuu.rules.effects import resolve
from games.cerveauuu.rules.plays import may_play, read_play
from games.cerveauuu.rules.stats import banned, seat_stat, stat, tie
from games.cerveauuu.rules.windows import carry_out_dooms
from tests.games.cerveauuu.board.boards import open_map
from tests.games.cerveauuu.rules.staging import (
    GRIDS,
    batch,
    grid_of,
    lay,
    offered,
    play_card,
    then,
)

O9 = open_map(9, 9)
BITE = "h01@r4c4 z01@r4c3:1"
"""S51: zA next to h1."""


def reads(state: State, piece: str, name: str) -> int:
    return stat(state, grid_of(state), piece, name)  # type: ignore[arg-type]  # any stat's name


def bite(pieces: str = BITE, seats: int = 2, **hands: str) -> State:
    """S51 in window C; hands by seat, as ``b="c046"``."""
    fight = "z01 > h01"
    dealt = {"abc".index(seat) + 1: each for seat, each in hands.items()}
    return lay(pieces, map_=O9, window="C", fight=fight, hands=dealt, seats=seats)


def winner(state: State) -> str | None:
    """The side of the provisional result."""
    return combat.balance_of(state, grid_of(state)).winner


def closed(state: State) -> State:
    """The position once window C has closed: dooms, then the result."""
    play = batch(state)
    carry_out_dooms(play)
    combat.decide(play)
    return play.state


def drawn(state: State) -> State:
    play = batch(state)
    draw_phase(play)
    return play.state


def deck(state: State, cards_: str) -> State:
    state.deck = tuple(cards_.split())
    state.deck_size = len(state.deck)
    return state


# --- draws and end-credits ---


def test_s20_an_end_credits_card_acts_and_is_replaced() -> None:
    state = drawn(deck(lay(BITE, map_=O9, seats=3), "c003 c043 c044 c045 c046 c047 c048"))
    assert state.credits == ("c003",)
    assert reads(state, "h01", "move") == 5
    assert state.hands[1] == {1: "c043", 2: "c044"}


def test_s21_who_does_not_replace_has_one_card_less() -> None:
    state = deck(lay(BITE, map_=O9, seats=3), "c003 c043 c044 c045 c046 c047 c048")
    state.replacing = {**state.replacing, 1: False}
    assert drawn(state).hands[1] == {1: "c043"}


def test_s22_the_last_end_credits_card_ends_the_game_at_once() -> None:
    state = drawn(deck(lay(BITE, map_=O9, in_credits="c001"), "c003 c043 c044 c045"))
    assert state.end is not None
    assert state.hands == {1: {}, 2: {}}
    assert state.deck == ("c043", "c044", "c045")


def test_s23_a_directors_cut_takes_the_credits_back() -> None:
    state = lay(BITE, map_=O9, hands={1: "c135"})
    state = deck(state, "c003 c043 c044 c045")
    play = batch(state)
    draw_one(play, 1)
    assert reads(play.state, "h01", "move") == 5
    done = play_card(play.state, 1, "play.k1")
    assert done.state.credits == ()
    assert reads(done.state, "h01", "move") == 6
    assert done.state.deck_size == 3
    shuffled = [event for event in done.events if isinstance(event, ev.DeckShuffled)]
    assert [event.cards for event in shuffled] == [done.state.deck]
    assert sorted(done.state.deck or ()) == ["c003", "c044", "c045"]


def test_s24_a_sequel_needs_one_card_more() -> None:
    state = lay(BITE, map_=O9, hands={1: "c136"}, in_credits="c001")
    play = batch(play_card(deck(state, "c003 c002"), 1, "play.k1").state)
    play.state.replacing = {1: False, 2: False}
    draw_one(play, 1)
    assert play.state.end is None
    draw_one(play, 1)
    assert play.state.end is not None


# --- fights ---


def test_s62_both_sides_win_ties_and_the_last_card_decides() -> None:
    state = play_card(bite(a="c115", b="c046"), 2, "play.k1.h01").state
    assert winner(state) == "defenders"
    state = play_card(state, 1, "play.k1.z01").state
    assert winner(state) == "attackers"


def test_s63_without_its_privilege_a_zombie_wins_nothing() -> None:
    state = play_card(bite(b="c057"), 2, "play.k1.h01").state
    assert winner(state) is None
    assert closed(state).pieces.keys() == {"h01", "z01"}


def test_s64_s65_a_rifle_at_close_range_and_a_vest() -> None:
    shot = play_card(bite(a="c071", b="c032"), 2, "play.k1.h01.z01").state
    assert closed(shot).pieces.keys() == {"h01"}
    saved = play_card(shot, 1, "play.k1.z01").state
    after = closed(saved)
    assert after.scores[1] == 1
    assert after.pieces.keys() == {"z01", "z02"}


def test_s66_a_stray_bullet_leaves_nothing_to_eat() -> None:
    state = bite(f"{BITE} h02@r4c8", b="c042")
    after = closed(play_card(state, 2, "play.k1.h02.h01").state)
    assert after.pieces.keys() == {"h02", "z01"}
    assert after.scores == {1: 0, 2: 0}


def test_s67_a_human_that_drives_off_leaves_the_fight() -> None:
    state = play_card(bite(b="c059"), 2, "play.k1.h01.r4c8").state
    assert winner(state) is None


def test_s70_s71_the_captain_of_the_pom_pom_squad() -> None:
    cheered = play_card(bite(a="c089", b="c044"), 1, "play.k1.z01").state
    assert closed(cheered).scores[1] == 2
    beaten = closed(play_card(cheered, 2, "play.k1.h01").state)
    assert beaten.scores[1] == -1
    assert "z01" not in beaten.pieces
    assert beaten.triggers == ()


# --- windows ---


def test_s69_no_card_comes_before_the_floor() -> None:
    path = "z01:r4c1 z01:r4c2 z01:r4c3 z01:r4c4"
    state = lay(
        "h01@r4c5 z01@r4c0:1",
        map_=O9,
        window="M",
        path=path,
        hands={2: "c109", 3: "c072"},
        seats=3,
    )
    state = play_card(state, 2, "play.k1.2.z01").state
    assert state.pieces["z01"].cell == "r4c2"
    assert not offered(state, 3, "play.k1.1.z01")
    assert play_card(state, 3, "play.k1.2.z01").state.pieces["z01"].blocked


def test_s76_one_card_for_each_player_and_piece() -> None:
    state = bite(a="c082 c112", b="c055")
    state.window = None
    state = play_card(state, 1, "play.k1.z01").state
    state.window = bite().window
    assert not offered(state, 1, "play.k2.z01")
    assert offered(state, 2, "play.k1.z01")


def test_s77_nobody_aims_at_what_is_blocked_but_shot_flies_wide() -> None:
    pieces = "h01@r4c4 z01@r4c5:1!b z02@r4c6:1"
    state = lay(pieces, map_=O9, hands={2: "c031 c033"})
    assert not offered(state, 2, "play.k1.h01.z01")
    state = lay(pieces.replace("!b", ""), map_=O9, hands={2: "c033"})
    after = play_card(state, 2, "play.k1.h01.z02").state
    assert after.pieces["z01"].blocked


def test_s78_one_media_card_a_round() -> None:
    state = play_card(lay(hands={1: "c024", 2: "c025"}), 1, "play.k1").state
    assert not offered(state, 2, "play.k1")
    assert offered(then(state, ev.RoundEnded()), 2, "play.k1")


def test_s79_new_weather_ends_the_old() -> None:
    state = play_card(lay(BITE, map_=O9, hands={1: "c009", 2: "c013"}), 1, "play.k1").state
    assert reads(state, "h01", "sight") == 3
    state = play_card(state, 2, "play.k1").state
    assert state.piles == {1: ("c009",), 2: ()}
    assert reads(state, "h01", "sight") == 99
    assert reads(state, "z01", "combat") == 2
    assert state.weather is not None
    assert state.weather.card == "c013"


def test_s80_no_shot_in_a_thunderstorm() -> None:
    state = lay("h01@r4c4 z01@r4c6:1", map_=O9, hands={1: "c014", 2: "c031 c071"})
    assert offered(state, 2, "play.k1.h01.z01")
    state = play_card(state, 1, "play.k1").state
    assert not offered(state, 2, "play.k1.h01.z01")
    assert offered(state, 2, "play.k2.h01")


def test_s81_who_is_saved_from_a_sinkhole_must_leave_it() -> None:
    state = lay("z01@r4c4:1", map_=O9, hands={1: "c130", 2: "c124"})
    sunk = play_card(state, 2, "play.k1.r4c4").state
    assert sunk.pieces["z01"].doomed
    assert not sunk.pieces["z01"].must_leave
    saved = play_card(sunk, 1, "play.k1.z01").state
    assert saved.pieces["z01"].must_leave
    assert not saved.pieces["z01"].doomed


def test_s82_a_door_slams_in_front_of_the_mover() -> None:
    state = lay(
        "z01@r7c3:1",
        map_="default20",
        window="M",
        path="z01:r6c3 z01:r5c3 z01:r4c3",
        hands={2: "c122"},
    )
    after = play_card(state, 2, "play.k1.1.r5c3s").state
    assert after.pieces["z01"].cell == "r6c3"
    grid = grid_of(after)
    assert not grid.adjacent(grid.cell_of("r6c3"), grid.cell_of("r5c3"))
    assert after.activation is not None
    assert after.activation.rest == ("r5c3", "r4c3")


# --- readings ---


def test_s93_who_was_in_the_building_keeps_the_colonels_drill() -> None:
    state = lay("h01@r10c4 h02@r12c0", map_="default20", hands={1: "c108"})
    state = play_card(state, 1, "play.k1.h").state
    state = then(state, ev.PieceMoved(piece="h01", path=("r12c0",), cause="step"))
    state = then(state, ev.PieceMoved(piece="h02", path=("r10c4",), cause="step"))
    assert [reads(state, name, "combat") for name in ("h01", "h02")] == [2, 1]


def test_s94_the_rain_is_read_where_a_movement_starts() -> None:
    state = lay("z01@r7c3:1", map_="default20", hands={1: "c010"})
    state = play_card(state, 1, "play.k1").state
    assert reads(state, "z01", "move") == 3
    inside = then(state, ev.PieceMoved(piece="z01", path=("r9c3",), cause="step"))
    assert reads(inside, "z01", "move") == 4


def panicking(state: State) -> State:
    """The position with the plan that its humans really have."""
    grid = grid_of(state)
    state.panic = Panic(queue=timeline.queue_of(state, grid))
    steps = timeline.plan_steps(grid, timeline.plan_of(state, grid))
    return then(state, ev.PlanMade(steps=steps))


def ends(state: State, option: str) -> tuple[str, ...]:
    """Where h1 and h2 end after seat 2's card."""
    assert offered(state, 2, option)
    play = batch(state)
    played = read_play(state, 2, option)
    assert play.state.window is not None
    assert played.anchor is not None
    play.emit(timeline.steps_to(play.state, play.grid, play.state.window, played.anchor))
    resolve(play, played)
    plan = timeline.plan_of(play.state, play.grid)
    play.emit(ev.PlanMade(steps=timeline.plan_steps(play.grid, plan)))
    play.emit(timeline.all_steps(play.state, play.grid, play.state.window))
    return tuple(play.state.pieces[name].cell for name in ("h01", "h02"))


def test_s95_a_card_in_mid_run_and_one_for_who_is_still_to_run() -> None:
    pieces = "h01@r0c3 h02@r0c9 z01@r0c0:1"
    state = lay(pieces, map_=open_map(12, 1), window="P", hands={2: "c118 c083"})
    state = panicking(state)
    assert state.window is not None
    assert [step.piece for step in state.window.timeline] == ["h01"] * 5 + ["h02"] * 2
    assert ends(state, "play.k1.5.h01") == ("r0c11", "r0c10")
    assert ends(state, "play.k2.5.h02") == ("r0c8", "r0c9")


# --- who knows what ---


def folded(view: State, seat: Seat, happened: tuple[Event, ...]) -> State:
    """A seat's view after events, as it may read them."""
    view = copy.copy(view)
    for event in happened:
        view = evolve(view, redact(event, Viewer(kind="seat", seat=seat)))
    return view


def test_s99_who_has_looked_at_a_hand_follows_its_cards() -> None:
    state = lay(hands={1: "c086", 2: "c001 c043 c002 c003 c031", 3: "c106 c044 c045"}, seats=4)
    state.hands = {**state.hands, 2: {2: "c043", 5: "c031"}}
    views = {}
    for seat in state.seats:
        views[seat] = copy.copy(state)
        views[seat].hands = {
            owner: hand if owner == seat else dict.fromkeys(hand)
            for owner, hand in state.hands.items()
        }
    looked = play_card(state, 1, "play.k1.s2")
    taking = Play(Working(evolve, copy.copy(looked.state), lucky(5)), GRIDS)
    resolve(taking, read_play(looked.state, 3, "play.k1.s2"))
    happened = (*looked.events, *taking.work.events)
    known = {seat: folded(view, seat, happened).hands[3].get(4) for seat, view in views.items()}
    assert known == {1: "c031", 2: "c031", 3: "c031", 4: None}
    assert folded(views[1], 1, happened).hands[2] == {2: "c043"}
    assert folded(views[4], 4, happened).hands[2] == {2: None}


def lucky(number: int) -> Context:
    """A batch in which chance takes just this card of k2 and k5."""
    for seed in range(100):
        draw = Draw(bytes([seed]))
        if draw.choice([2, 5], "c106/take") == number:
            return Context(now=0, actor=Actor("worker", "test"), draw=Draw(bytes([seed])))
    raise AssertionError("no seed of a hundred takes it")


def test_s100_a_door_that_was_boarded_up_is_a_wall() -> None:
    state = lay(map_="default20", hands={1: "c074 c073 c076"})
    state = play_card(state, 1, "play.k1.r5c3s").state
    assert grid_of(state).stored(grid_of(state).edge_of("r5c3s")) == "wall"
    state = play_card(state, 1, "play.k2.m").state
    assert grid_of(state).stored(grid_of(state).edge_of("r5c3s")) == "wall"
    state = play_card(state, 1, "play.k3.r5c3s").state
    assert grid_of(state).stored(grid_of(state).edge_of("r5c3s")) == "breach"


def test_s97_feeding_frenzy_is_not_for_the_mover() -> None:
    state = lay("z01@r4c0:1 z02@r0c0:1!a", map_=O9, window="M", path="z01:r4c1", hands={1: "c113"})
    assert not offered(state, 1, "play.k1.1.z01")
    after = play_card(state, 1, "play.k1.1.z02").state
    assert after.pieces["z02"].ready


def test_s101_a_lured_human_goes_round_a_zombie() -> None:
    state = lay("h01@r1c4 z01@r1c3:1", map_=open_map(7, 3), hands={1: "c065"})
    done = play_card(state, 1, "play.k1.r1c0")
    moved = [event for event in done.events if isinstance(event, ev.PieceMoved)]
    assert [event.path for event in moved] == [("r2c3", "r2c2", "r2c1")]


# --- the order of effects, and their end ---


def test_a_game_that_ends_in_the_middle_of_a_card_ends_at_once() -> None:
    """§4.1: B draws nothing any more."""
    state = lay(BITE, map_=O9, hands={1: "c022"}, in_credits="c001")
    after = play_card(deck(state, "c003 c043 c044"), 1, "play.k1").state
    assert after.end is not None
    assert after.hands == {1: {}, 2: {}}
    assert after.played[1] == 1


def test_a_fight_is_fought_out_before_the_credits_roll() -> None:
    """S96, as far as the card goes: the test for the end waits."""
    state = deck(bite(b="c021"), "c003 c043")
    state.credits = ("c001",)
    after = play_card(state, 2, "play.k1.s1").state
    assert after.end is None
    assert after.credits == ("c001", "c003")


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


def test_s98_a_chainsaw_is_nothing_to_play_in_window_m() -> None:
    state = lay("h01@r3c2 z01@r3c5:2", window="M", path="z01:r3c4", hands={2: "c043"})
    assert not may_play(state, grid_of(state), 2)


def test_a_card_published_by_its_play_is_told_with_all_that_it_names() -> None:
    """§5.3.4."""
    state = lay("h01@r3c2 z01@r3c5:2", hands={1: "c031"})
    played = play_card(state, 1, "play.k1.h01.z01").events[0]
    assert played == cards.CardPlayed(
        seat=1, number=1, card="c031", choice="play.k1.h01.z01", designated=("h01", "z01")
    )
