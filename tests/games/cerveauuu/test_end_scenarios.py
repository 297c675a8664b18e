"""The end of the round and of the game (§4.11, §4.12): S83-S87, S90-S92."""

from __future__ import annotations

from typing import Any

from games.cerveauuu.facts import events as ev
from simulator.cerveauuu.bare_game import BareGame
from tests.games.cerveauuu.scenes import Scene, scene


def test_s83_who_lets_its_time_run_out_discards_what_it_held_longest() -> None:
    table = scene(
        "zA 0,0; h1 4,4", stage="end_round", hands={"A": "c054 c055 c060 c061 c063"}
    ).quiet()
    decision = table.asked("A", "discard")
    assert decision.default == "k1-k2"
    assert decision.options[0].id == "k4-k5"
    table.choose("A", "discard", "k1-k2")
    assert table.hand("A")[:3] == ["c060", "c061", "c063"]
    assert table.state.piles[1] == ("c054", "c055")
    assert table.state.played[1] == 0


def test_s84_the_chief_passes_to_the_left_and_the_blocked_get_up() -> None:
    table = scene("zA 0,0 blocked; zB 8,8 blocked; h1 4,4 blocked", stage="end_round")
    table.until(lambda _: table.state.round == 2)
    assert table.state.chief == 2
    assert all(piece.operational for piece in table.state.pieces.values())


def test_s85_a_draw_for_a_victim_may_end_the_game() -> None:
    table = scene("zA 3,4; h1 4,4; h2 0,0", credits=("c001",), deck="c003 c054")
    table.go("A", "zA.attack-h1")
    assert table.state.end is not None
    assert (table.score("A"), table.hand("A")) == (1, ["c054"])  # the test waits, so one more
    assert table.on("4,4") is not None


def over(**more: Any) -> Scene:
    """The last end-credits card is drawn."""
    return scene("zA 0,0; h1 4,4", stage="draw", credits=("c001",), deck="c003", **more)


def test_s86_of_equals_who_has_played_most_cards_wins() -> None:
    table = over(scores={"A": 4, "B": 4}, played={"A": 9, "B": 7})
    assert table.state.end is not None
    assert (table.state.end.outcome, table.state.end.winners) == ("most_cinematic", (1,))


def test_s86_of_equals_in_everything_all_win() -> None:
    table = over(scores={"A": 4, "B": 4}, played={"A": 8, "B": 8})
    assert table.state.end is not None
    assert (table.state.end.outcome, table.state.end.winners) == ("shared", (1, 2))
    (ended,) = table.happened(ev.GameEnded)
    assert (ended.scores, ended.played) == ({1: 4, 2: 4}, {1: 8, 2: 8})


def test_s87_without_zombies_the_rounds_go_on() -> None:
    table = scene("h1 4,4", deck="c054 c055 c060 c061 c063 c064 c065 c066", stage="draw")
    table.until(lambda _: table.state.round == 3)
    assert table.state.phase in {"panic", "wandering"}
    assert len(table.happened(ev.RoundBegan)) == 2
    while table.state.end is None:
        decision = table.sitting.pending()[0]
        table.sitting.choose(decision, str(decision.default))
    assert len(table.state.credits) == 2


def test_s90_the_last_seat_left_has_won() -> None:
    sitting = scene("zA 0,0; h1 4,4", scores={"A": 1, "B": 3}).sitting.resign(2)
    end = sitting.truth.end
    assert end is not None
    assert (end.outcome, end.winners) == ("last_standing", (1,))


def test_s91_who_has_resigned_cannot_win() -> None:
    table = scene(
        "zA 0,0; h1 4,4",
        seats=3,
        scores={"A": 5, "B": 3, "C": 3},
        played={"A": 4, "B": 6, "C": 2},
        credits=("c001", "c002"),
        deck="c003",
    )
    table.sitting.resign(1)
    while table.state.end is None:
        decision = table.sitting.pending()[0]
        table.sitting.choose(decision, str(decision.default))
    assert (table.state.end.outcome, table.state.end.winners) == ("most_cinematic", (2,))


def test_s92_who_has_resigned_does_not_count_for_the_swap() -> None:
    table = scene(
        "zA 0,0; h1 4,4", seats=3, scores={"B": 1}, hands={"A": "c054"}, stage="pre_zombies"
    )
    table.sitting.resign(3)
    table.quiet()
    assert table.offers("A", "go", "swap.k1")


def test_the_go_of_who_resigns_just_ends_and_its_answers_are_void() -> None:
    table = scene("zA 0,0; zB 8,8; h1 4,4", seats=3, hands={"B": "c054"})
    table.sitting.resign(1)
    assert table.waits_for() == [("B", "go")]
    assert not table.piece("zA").activated
    assert table.state.dormant == (1,)


def test_a_sealed_play_of_who_resigns_is_a_pass() -> None:
    table = scene("zA 0,4; h1 5,4; zA9 8,8", seats=3, hands={"A": "c055", "B": "c109", "C": "c054"})
    table.go("A", "zA.4,4.end").answer("B", "play.k1.2.zA")
    table.sitting.resign(2)
    table.quiet()
    assert table.at("zA") == "4,4"
    assert table.hand("B") == ["c109"]


def test_a_game_of_six_ends_when_all_but_one_resign() -> None:
    sitting = BareGame(6).begin()
    for seat in (3, 1, 6, 2, 4):
        sitting.resign(seat)
    assert sitting.truth.end is not None
    assert sitting.truth.end.winners == (5,)
