"""Each primitive by itself, where it does something and where it finds nothing to do (§7)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts import zombie_events as more
from games.cerveauuu.model.language import (
    AddPoints,
    All,
    Ban,
    Block,
    ChangeCombatants,
    Chosen,
    DrawCards,
    DropCards,
    Effect,
    FlagCell,
    Flee,
    HaltMovement,
    Kill,
    LookAtHand,
    Lure,
    MakeReady,
    ModifyStat,
    Near,
    Pieces,
    PlacePiece,
    RaiseCreditsNeed,
    ReturnCredits,
    Save,
    Seats,
    SetEdges,
    SetTie,
    Spawn,
    TakeCard,
    TakeSteps,
    Trigger,
    Unblock,
)
from games.cerveauuu.model.state import ArmedTrigger, Panic, Piece, State
from games.cerveauuu.rules.acts import CardAct
from games.cerveauuu.rules.effects import apply, fire
from games.cerveauuu.scenarios.bases import open_board
from tests.games.cerveauuu.rules.staging import Done, batch, lay, offered, play_card, then

ONE = Chosen(1)
EVERYBODY = All(Pieces("X"))
O9 = open_board(9, 9)


def after(
    state: State,
    effect: Effect,
    *slots: str,
    step: str | None = None,
    dropped: tuple[int, ...] = (),
) -> Done:
    """An effect by itself, of a card of seat 1."""
    play = batch(state)
    card = CARDS["c001"]
    apply(CardAct(play, card, 1, 0, slots=slots, step=step, dropped=dropped), effect)
    return Done(play.state, tuple(play.work.events))


def nothing(state: State, effect: Effect, *slots: str) -> bool:
    """Whether an effect makes no event at all."""
    return not after(state, effect, *slots).events


# --- pieces ---


def test_block_and_unblock_change_only_who_is_not_so_yet() -> None:
    state = lay("h01@r3c2 h02@r3c3!b")
    assert after(state, Block(EVERYBODY)).events == (ev.PieceBlocked(piece="h01"),)
    assert after(state, Unblock(EVERYBODY)).events == (ev.PieceUnblocked(piece="h02"),)


def test_a_piece_that_is_gone_is_passed_over() -> None:
    assert nothing(lay("h01@r3c2"), Block(ONE), "h09")


@pytest.mark.parametrize("save", [Save(ONE, "card"), Save(ONE, "any"), Save(ONE, "melee")])
def test_a_protection_wards_off_what_it_names(save: Save) -> None:
    state = lay("h01@r3c2 h02@r3c3!d")
    saved = after(after(state, save, "h01").state, save, "h02").state
    from_cards = save.cause != "melee"
    assert saved.pieces["h02"].doomed != from_cards
    assert after(saved, Kill(ONE), "h01").state.pieces["h01"].doomed != from_cards
    assert saved.pieces["h01"].protections == (save.cause,)


def test_who_is_doomed_is_not_doomed_again() -> None:
    assert nothing(lay("h01@r3c2!d"), Kill(ONE), "h01")


def test_kill_takes_all_that_an_area_catches_blocked_ones_too() -> None:
    state = lay("h01@r3c2 h02@r3c3!b z01@r2c4:1 z02@r3c5:1")
    done = after(state, Kill(Near(1, 2, Pieces("X"))), "h01")
    assert [p.id for p in done.state.pieces.values() if p.doomed] == ["h02", "z01"]


def test_ready_is_for_who_has_acted() -> None:
    state = lay("z01@r3c4:1!a z02@r3c5:1")
    assert after(state, MakeReady(EVERYBODY)).events == (ev.ZombieReadied(piece="z01"),)


def test_halt_is_for_the_mover_and_once() -> None:
    state = lay("z01@r3c4:1 z02@r3c8:1", window="M", path="z01:r3c5")
    halted = after(state, HaltMovement(ONE), "z01")
    assert halted.events == (more.MovementHalted(),)
    assert nothing(state, HaltMovement(ONE), "z02")
    assert nothing(halted.state, HaltMovement(ONE), "z01")
    assert nothing(lay("z01@r3c4:1"), HaltMovement(ONE), "z01")


@pytest.mark.parametrize(
    ("spawn", "came"),
    [
        (Spawn("human", 1), Piece("h08", "r0c0")),
        (Spawn("zombie_blocked", 1), Piece("z03", "r0c0", controller=1, blocked=True)),
        (Spawn("zombie_ready", 1), Piece("z03", "r0c0", controller=1)),
    ],
)
def test_who_comes_gets_the_next_number(spawn: Spawn, came: Piece) -> None:
    state = lay("h07@r3c2 z02@r3c5:2")
    assert after(state, spawn, "r0c0").state.pieces[came.id] == came


def test_a_combatant_joins_the_side_of_slot_1_and_only_once() -> None:
    state = lay("h01@r3c3 h02@r6c0 z01@r3c4:1 z02@r0c0:1", window="C", fight="z01 > h01")
    joined = after(state, ChangeCombatants(Chosen(2), "join"), "h01", "h02")
    assert joined.state.fight is not None
    assert joined.state.fight.defenders == ("h01", "h02")
    assert joined.state.fight.exempt == {"h02": "r6c0"}
    assert nothing(joined.state, ChangeCombatants(Chosen(2), "join"), "h01", "h02")
    attacker = after(state, ChangeCombatants(Chosen(2), "join"), "z01", "z02").state
    assert attacker.fight is not None
    assert attacker.fight.attackers == ("z01", "z02")
    assert nothing(state, ChangeCombatants(Chosen(2), "join"), "h02", "z02")
    assert nothing(state, ChangeCombatants(ONE, "leave"), "h02")
    assert nothing(lay("h01@r3c3"), ChangeCombatants(ONE, "leave"), "h01")


# --- movement by cards ---


def test_a_step_of_none_leaves_a_piece_where_it_is() -> None:
    state = lay("h01@r3c2")
    assert not after(state, TakeSteps(ONE, 2), "h01", step="r3c2").events


def test_a_step_goes_the_canonical_shortest_way() -> None:
    """First parents, breadth first, N before E before the diagonals (§5.7)."""
    done = after(lay("h01@r4c4", map_=O9), TakeSteps(ONE, 3), "h01", step="r3c6")
    assert done.events == (ev.PieceMoved(piece="h01", path=("r4c5", "r3c6"), cause="step"),)


def test_steps_keep_to_the_passing_rules_of_their_kind() -> None:
    """A human may jump a human but no operational zombie; a zombie jumps who is out of action."""
    lane = open_board(6, 1)
    state = lay("h01@r0c0 h02@r0c1", map_=lane, hands={1: "c062 c087"}, window="O")
    assert offered(state, 1, "play.k1.h01.r0c2")
    assert not offered(state, 1, "play.k1.h01.r0c1")
    state = lay("h01@r0c0 z01@r0c1:1", map_=lane, hands={1: "c062"})
    assert not offered(state, 1, "play.k1.h01.r0c2")
    for mark, legal in (("", False), ("!b", True), ("!d", True)):
        state = lay(f"z01@r0c0:1 h01@r0c1{mark}", map_=lane, hands={1: "c087"})
        assert offered(state, 1, "play.k1.z01.r0c2") == legal


def test_a_step_leads_out_of_an_impassable_cell_and_clears_the_mark() -> None:
    """§2.5: the first step goes by the stored sides, and it cannot stay."""
    state = lay("h01@r3c3!l", hands={1: "c132"})
    state = then(state, ev.CellFlagged(cell="r3c3", flag="impassable", lasts="lasting"))
    assert not offered(state, 1, "play.k1.h01.r3c3")
    out = play_card(state, 1, "play.k1.h01.r3c4").state.pieces["h01"]
    assert (out.cell, out.must_leave) == ("r3c4", False)


def test_a_piece_is_placed_through_walls_and_need_not_leave_any_more() -> None:
    state = lay("h01@r3c3!l")
    state = then(state, ev.CellFlagged(cell="r3c3", flag="impassable", lasts="lasting"))
    done = after(state, PlacePiece(ONE, 2), "h01", "r1c2")
    assert done.state.pieces["h01"].cell == "r1c2"
    assert not done.state.pieces["h01"].must_leave


def test_who_is_out_of_action_neither_flees_nor_follows() -> None:
    for mark in ("b", "d"):
        state = lay(f"h01@r0c3!{mark} z01@r0c0:1", map_=open_board(9, 1))
        assert nothing(state, Flee(ONE, 3), "h01")
        assert nothing(state, Lure(ONE, 3, 2), "h01", "r0c8")


def test_nobody_flees_from_what_it_does_not_see_or_need_not_fear() -> None:
    assert nothing(lay("h01@r0c3", map_=open_board(9, 1)), Flee(ONE, 3), "h01")
    assert nothing(lay("h01@r0c3 z01@r0c0:1!b", map_=open_board(9, 1)), Flee(ONE, 3), "h01")
    assert nothing(lay("z01@r0c3:1 z02@r0c0:1", map_=open_board(9, 1)), Flee(ONE, 3), "z01")


def test_humans_flee_one_after_the_other_by_id() -> None:
    state = lay("h01@r0c4 h02@r0c3 z01@r0c0:1", map_=open_board(9, 1))
    done = after(state, Flee(All(Pieces("H")), 2))
    assert [(p.id, p.cell) for p in done.state.humans()] == [("h01", "r0c6"), ("h02", "r0c5")]


def test_a_runner_that_is_lured_onto_another_goes_back_along_its_whole_run() -> None:
    """§2.4: the path is that of the whole movement."""
    state = lay("h01@r0c3 h02@r0c4 z01@r0c0:1", map_=open_board(9, 1), window="P")
    state.panic = Panic(queue=(), runner="h01", taken=1, trail=("r0c2", "r0c3"))
    done = after(state, Lure(ONE, 1, 2), "h01", "r0c8")
    assert done.events == (ev.PieceMoved(piece="h01", path=("r0c4", "r0c3"), cause="lure"),)
    assert done.state.panic is not None
    assert done.state.panic.trail == ("r0c2", "r0c3", "r0c4", "r0c3")


def test_a_lure_that_leads_no_nearer_moves_nobody() -> None:
    assert nothing(lay("h01@r1c2"), Lure(ONE, 2, 2), "h01", "r1c2")
    assert nothing(lay("h01@r4c6"), Lure(ONE, 3, 2), "h01", "r4c4")


# --- the board ---


def test_an_edge_keeps_the_earlier_changes_under_the_latest() -> None:
    """§4.11.2: when the round ends it shows the latest that remains."""
    state = lay()
    for effect in (SetEdges(ONE, "door_closed", "lasting"), SetEdges(ONE, "door_open", "round")):
        state = after(state, effect, "r2c3e").state
    assert state.edges == {"r2c3e": (("door_closed", "lasting"), ("door_open", "round"))}


def test_who_stands_where_the_ground_gives_way_is_doomed_unless_safe() -> None:
    """§2.5; one that is already to die stays so."""
    for mark, doomed, leaves in (("", True, False), ("!s", False, True), ("!d", True, False)):
        state = lay(f"h01@r3c3{mark}")
        piece = after(state, FlagCell(1, "impassable", "round"), "r3c3").state.pieces["h01"]
        assert (piece.doomed, piece.must_leave) == (doomed, leaves)
    state = lay("h01@r3c3")
    assert not after(state, FlagCell(1, "opaque", "round"), "r3c3").state.pieces["h01"].doomed


def test_ground_that_has_given_way_cannot_do_so_again() -> None:
    state = lay("h01@r3c3!l")
    state = then(state, ev.CellFlagged(cell="r3c3", flag="impassable", lasts="round"))
    done = after(state, FlagCell(1, "impassable", "lasting"), "r3c3")
    assert not done.state.pieces["h01"].doomed
    assert done.state.cells["r3c3"] == (("impassable", "round"), ("impassable", "lasting"))


def test_who_is_saved_from_a_fight_alone_is_still_to_die_on_its_cell() -> None:
    state = lay("h01@r3c3!d")
    state = then(state, ev.CellFlagged(cell="r3c3", flag="impassable", lasts="round"))
    assert not after(state, Save(ONE, "melee"), "h01").state.pieces["h01"].must_leave
    assert after(state, Save(ONE, "any"), "h01").state.pieces["h01"].must_leave


# --- hands, deck, scores ---


def test_several_seats_draw_in_seat_order_from_the_player() -> None:
    state = lay(seats=3)
    play = batch(state)
    apply(CardAct(play, CARDS["c001"], 2, 0), DrawCards(Seats("everyone"), 2))
    drawn = [event.seat for event in play.work.events if isinstance(event, cards.CardDrawn)]
    assert drawn == [2, 2, 3, 3, 1, 1]


def test_an_empty_deck_gives_nothing() -> None:
    state = lay()
    state.deck = ()
    assert nothing(state, DrawCards(Seats("me"), 3))


def test_who_holds_fewer_cards_drops_fewer() -> None:
    state = lay(hands={1: "c043", 2: "c044 c045", 3: ""}, seats=3)
    done = after(state, DropCards(Seats("everyone"), 2))
    assert done.state.hands == {1: {}, 2: {}, 3: {}}
    assert done.state.piles == {1: ("c043",), 2: ("c044", "c045"), 3: ()}
    assert len(done.events) == 2


def test_cards_dropped_by_choice_are_those_sent_with_the_play() -> None:
    state = lay(hands={1: "c043 c044 c045"})
    done = after(state, DropCards(Seats("me"), 2), dropped=(1, 3))
    assert done.events == (cards.CardsDropped(seat=1, cards={1: "c043", 3: "c045"}),)


def test_nothing_is_taken_from_or_seen_in_an_empty_hand() -> None:
    assert nothing(lay(), TakeCard(ONE), "s2")
    assert nothing(lay(), LookAtHand(ONE), "s2")


def test_a_card_that_is_taken_is_two_events_for_its_two_owners() -> None:
    done = after(lay(hands={1: "c044 c045", 2: "c043"}), TakeCard(ONE), "s2")
    assert done.events == (
        cards.CardTaken(seat=2, number=1, taker=1, taker_number=3, card="c043"),
        cards.CardReceived(seat=1, number=3, card="c043"),
    )


def test_a_look_shows_the_cards_by_number() -> None:
    done = after(lay(hands={2: "c043 c044"}), LookAtHand(ONE), "s2")
    assert done.events == (cards.HandSeen(seat=1, owner=2, cards={1: "c043", 2: "c044"}),)


def test_points_may_be_taken() -> None:
    assert after(lay(), AddPoints(Seats("others"), -2)).state.scores == {1: 0, 2: -2}


def test_credits_that_are_not_in_play_do_not_return() -> None:
    assert nothing(lay(), ReturnCredits())


def test_the_latest_credits_return() -> None:
    done = after(lay(in_credits="c001 c003"), ReturnCredits())
    assert done.state.credits == ("c001",)
    assert sorted(done.state.deck or ()) == sorted((*(lay().deck or ()), "c003"))


def test_the_need_for_credits_grows() -> None:
    assert after(lay(seats=4), RaiseCreditsNeed(1)).state.credits_need == 5


# --- readings and triggers ---


def test_what_finds_nobody_leaves_no_modifier() -> None:
    state = lay()
    assert nothing(state, ModifyStat(Near(1, 2, Pieces("H")), "move", 1, "round"), "r3c3")
    assert nothing(state, SetTie(ONE, "win", "round"), "h09")
    assert nothing(state, Trigger("wins", ONE, Block(ONE)), "h09")


def test_own_and_other_of_an_area_are_those_of_who_played_it() -> None:
    area = All(Pieces("Z", ("other",)))
    state = lay("h01@r0c0 z01@r3c4:1 z02@r3c6:2")
    (event,) = after(state, ModifyStat(area, "move", 1, "lasting")).events
    assert isinstance(event, cards.ModifierAdded)
    assert (event.modifier.area, event.modifier.seat) == (area.pieces, 1)


def test_a_ban_names_its_type() -> None:
    done = after(lay(), Ban("vehicle", "weather"))
    assert [(each.type, each.lasts) for each in done.state.bans] == [("vehicle", "weather")]


def cheering() -> State:
    """Seat 1 cheers z01 for a victory, seat 2 h01, and seat 3, whose z01 is now, for a bite."""
    hands = {1: "c089", 2: "c047", 3: "c026"}
    pieces = "h01@r3c3 z01@r3c4:1"
    state = lay(pieces, window="C", fight="z01 > h01", hands=hands, seats=3)
    state = play_card(state, 1, "play.k1.z01").state
    state = play_card(state, 2, "play.k1.h01").state
    state.pieces = {**state.pieces, "z01": replace(state.pieces["z01"], controller=3)}
    return play_card(state, 3, "play.k1.z01").state


def fired(state: State, won: set[str], lost: set[str], eaters: set[str]) -> Done:
    play = batch(state)
    fire(play, won, lost, eaters)
    return Done(play.state, tuple(play.work.events))


def test_what_waits_for_a_result_happens_once_in_the_order_of_play() -> None:
    """§4.9.8."""
    done = fired(cheering(), {"z01"}, {"h01"}, {"z01"})
    happened = [type(event) for event in done.events]
    assert happened == [cards.TriggerFired, ev.ScoreChanged] * 2
    assert done.state.scores == {1: 1, 2: 0, 3: 1}
    assert [(each.when, each.seat) for each in done.state.triggers] == [("loses", 1), ("wins", 2)]
    assert not fired(done.state, {"z01"}, {"h01"}, {"z01"}).events


def test_who_loses_pays_and_the_victor_draws() -> None:
    done = fired(cheering(), {"h01"}, {"z01"}, set())
    assert done.state.scores == {1: -1, 2: 0, 3: 0}
    assert len(done.state.hands[2]) == 1


def test_without_a_result_nothing_fires() -> None:
    assert not fired(cheering(), set(), set(), set()).events


def test_a_trigger_waits_for_this_fight_in_window_c_and_else_for_the_round() -> None:
    for window, lasts in (("C", "combat"), ("Z", "round")):
        state = lay("z01@r3c4:1", window=window)
        done = after(state, Trigger("eats", ONE, AddPoints(Seats("me"), 1)), "z01")
        assert [each.lasts for each in done.state.triggers] == [lasts]


def test_what_waits_for_a_fight_ends_with_it_and_nothing_else_does() -> None:
    """§4.9.8; the weather changes meanwhile, too."""
    state = lay("z01@r3c4:1")
    for window in ("C", "Z"):
        armed = lay("z01@r3c4:1", window=window)
        done = after(armed, Trigger("eats", ONE, AddPoints(Seats("me"), 1)), "z01").state
        state.triggers = (*state.triggers, *done.triggers)
    assert [each.lasts for each in state.triggers] == ["combat", "round"]
    clear = then(state, cards.EffectsEnded(lasts="weather", card="c013"))
    assert [each.lasts for each in clear.triggers] == ["combat", "round"]
    over = then(clear, cards.EffectsEnded(lasts="combat"))
    assert [each.lasts for each in over.triggers] == ["round"]


def test_a_trigger_that_is_none_is_refused() -> None:
    state = lay("z01@r3c4:1")
    state.triggers = (
        ArmedTrigger(
            card="c043",
            effect=0,
            seat=1,
            when="wins",
            pieces=("z01",),
            slots=("z01",),
            lasts="round",
        ),
    )
    with pytest.raises(TypeError):
        fired(state, {"z01"}, set(), set())


def test_a_view_that_does_not_know_a_hand_or_the_deck_resolves_nothing() -> None:
    view = lay(hands={2: "c043"}, in_credits="c001")
    view.hands, view.deck = {1: {}, 2: {1: None}}, None
    with pytest.raises(ValueError, match="hand"):
        after(view, LookAtHand(ONE), "s2")
    with pytest.raises(ValueError, match="deck"):
        after(view, ReturnCredits())
