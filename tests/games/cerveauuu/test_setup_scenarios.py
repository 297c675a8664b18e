"""Setup, draws and end-credits (§3, §4.2): S02-S05, S19-S24, S89, S102."""

from __future__ import annotations

from collections import Counter

import pytest

from events.kernel import Rejected
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.model.state import State
from simulator.cerveauuu.bare_game import BareGame
from tests.games.cerveauuu.scenes import scene


def set_up(sitting: BareGame) -> list[tuple[str, int]]:
    """Everybody places at random; kind and seat of each decision."""
    asked = []
    while sitting.truth.round == 0:
        (decision,) = sitting.pending()
        asked.append((decision.kind, decision.seat))
        sitting.choose(decision, "random")
    return asked


def test_s02_two_players_place_twenty_humans_and_six_zombies_in_turn() -> None:
    asked = set_up(BareGame(2, {"first_chief": 1}).begin())
    assert asked == [("place_human", n % 2 + 1) for n in range(20)] + [
        ("place_zombie", n % 2 + 1) for n in range(6)
    ]


def test_s03_five_players_place_thirty_two_humans_and_fifteen_zombies() -> None:
    sitting = BareGame(5, {"first_chief": 1}).begin()
    placed = Counter(set_up(sitting))
    assert [placed["place_human", seat] for seat in sitting.seats] == [7, 7, 6, 6, 6]
    assert sum(placed["place_zombie", seat] for seat in sitting.seats) == 15
    assert len(set(sitting.truth.colours.values())) == 5


def test_s04_a_human_is_placed_neither_on_the_border_nor_on_a_taken_cell() -> None:
    sitting = BareGame(2, {"first_chief": 1}).begin()
    (decision,) = sitting.pending()
    assert not sitting.game.offers(sitting.truth, decision, "r5c0")
    sitting.choose(decision, "r5c5")
    (decision,) = sitting.pending()
    assert not sitting.game.offers(sitting.truth, decision, "r5c5")
    assert sitting.pending() == (decision,)


def test_s05_a_cell_by_chance_is_recorded() -> None:
    sitting = BareGame(2).begin()
    (decision,) = sitting.pending()
    assert decision.default == "random"
    sitting.choose(decision, "random")
    state: State = sitting.game.initial()
    for event in sitting.events:
        state = sitting.game.evolve(state, event)
    assert state.pieces == sitting.truth.pieces
    assert len(state.pieces) == 1


def drawn(sitting: BareGame) -> list[int]:
    """Whose draws there were, in order."""
    return [event.seat for event in sitting.events if isinstance(event, cards.CardDrawn)]


def test_s19_each_seat_draws_all_its_cards_before_the_next() -> None:
    table = scene("h1 4,4; zA 0,0", seats=3, stage="draw")
    assert drawn(table.sitting)[:6] == [1, 1, 2, 2, 3, 3]


def test_s20_an_end_credits_card_takes_effect_and_is_replaced() -> None:
    table = scene("h1 4,4; zA 0,0", stage="draw", deck="c003 c054 c055 c060 c061")
    assert table.state.credits == ("c003",)
    assert table.stat("h1", "move") == 5
    assert table.hand("A") == ["c054", "c055"]


def test_s21_a_seat_may_do_without_the_replacement() -> None:
    table = scene(
        "h1 4,4; zA 0,0", stage="draw", deck="c003 c054 c055 c060", replacing={"A": False}
    )
    assert table.hand("A") == ["c054"]
    assert table.hand("B") == ["c055", "c060"]


def test_s22_the_last_credits_end_the_game_at_once() -> None:
    table = scene("h1 4,4; zA 0,0", stage="draw", credits=("c001",), deck="c003 c054 c055")
    assert table.state.end is not None
    assert (table.hand("A"), table.hand("B")) == ([], [])


def test_s23_a_directors_cut_takes_an_end_credits_card_back() -> None:
    table = scene("h1 4,4; zA 0,0", stage="pre_zombies", credits=("c003",), hands={"A": "c135"})
    assert table.stat("h1", "move") == 5
    before = table.state.deck_size
    table.play("A", "k1")
    assert table.state.credits == ()
    assert table.stat("h1", "move") == 6
    assert table.state.deck_size == before + 1
    assert table.happened(ev.DeckShuffled)[-1].size == before + 1


def test_s24_a_sequel_needs_one_more_end_credits_card() -> None:
    table = scene(
        "h1 4,4; zA 0,0",
        stage="pre_zombies",
        credits=("c003",),
        hands={"A": "c136"},
        deck="c001 c054 c002 c055",
        chief=2,
    )
    table.play("A", "k1").on_to("go")
    assert table.state.credits_need == 3
    while table.state.end is None:
        table.sitting.choose(table.sitting.pending()[0], str(table.sitting.pending()[0].default))
    assert table.state.credits == ("c003", "c001", "c002")
    assert table.hand("A") == ["c054"]


def test_s89_colours_go_to_who_asks_first_and_others_get_the_first_free_one() -> None:
    sitting = BareGame(3)
    game, opening = sitting.game, sitting.opening
    taken = {1: game.cast(opening, {}, 1, ("purple",))}
    with pytest.raises(Rejected) as refusal:
        game.cast(opening, taken, 2, ("purple",))
    assert refusal.value.code == "colour-taken"
    taken[2] = game.cast(opening, taken, 2, ("orange",))
    taken[3] = game.cast(opening, taken, 3, ())
    assert taken == {1: ("purple",), 2: ("orange",), 3: ("green",)}


def test_s102_end_credits_are_spread_one_to_a_part() -> None:
    deck = list(BareGame(2, {"credits": "spread"}).begin().truth.deck or ())
    assert sorted(deck) == sorted(CARDS)
    for size in (17, 18) * 4:
        part, deck = deck[:size], deck[size:]
        assert sum(CARDS[card].type == "end_credits" for card in part) == 1
