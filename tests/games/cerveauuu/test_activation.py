"""What cards make of a movement under way (§2.4, §4.7)."""

from __future__ import annotations

from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import zombie_events as zombies
from tests.games.cerveauuu.scenes import Scene, scene


def on_the_way(hands: dict[str, str], pieces: str = "zA 0,4; h1 5,4; zA9 8,8; h9 8,0") -> Scene:
    """ZA goes four cells east and attacks h1."""
    return scene(pieces, hands=hands).go("A", "zA.4,4.attack-h1")


def test_who_is_blocked_on_an_occupied_cell_goes_back_to_a_free_one() -> None:
    table = on_the_way({"B": "c072 c054"}, "zA 0,4; h1 5,4; h2 2,4 blocked; zA9 8,8")
    table.play("B", "k1.2.zA")
    assert table.at("zA") == "1,4"
    table.quiet()
    assert table.at("zA") == "1,4"
    assert not table.piece("zA").attacked


def test_a_blocked_mover_that_is_unblocked_plans_anew() -> None:
    table = on_the_way({"B": "c072 c054", "A": "c120 c055"})
    table.play("B", "k1.2.zA")
    assert table.waits_for() == [("A", "respond"), ("B", "respond")]
    table.play("A", "k1.2.zA")
    assert table.waits_for() == [("A", "replan")]
    assert [event.stopped for event in table.happened(zombies.MovementStopped)] == [True, False]
    table.choose("A", "replan", "keep").quiet()
    assert table.at("zA") == "4,4"


def test_a_card_of_the_window_is_no_answer_to_who_plans_anew() -> None:
    """§5.7: only what can be walked to is offered."""
    table = on_the_way({"B": "c072 c054", "A": "c120 c082"})
    table.play("B", "k1.2.zA")
    assert table.offers("A", "respond", "play.k2.2.h9")
    table.play("A", "k1.2.zA")
    assert table.waits_for() == [("A", "replan")]
    for anchor in range(5):
        assert not table.offers("A", "replan", f"play.k2.{anchor}.h9")


def test_a_halted_mover_may_attack_somebody_else() -> None:
    table = on_the_way({"B": "c109 c054"}, "zA 0,4; h1 5,4; h2 2,5; zA9 8,8")
    table.play("B", "k1.2.zA")
    assert set(table.level("A", "replan")) == {"keep", "end", "attack-h02"}
    table.choose("A", "replan", "attack-h2").quiet().quiet()
    assert table.gone("h2")


def test_keep_is_cut_back_to_the_last_free_cell_of_what_is_still_legal() -> None:
    table = on_the_way({"B": "c081 c078"}, "zA 0,4; h1 5,4; h2 2,4 blocked; zA9 8,8")
    table.play("B", "k2.1.3,4")
    keep = table.asked("A", "replan").options[0]
    assert keep.id == "keep"
    assert keep.meaning == {"path": [], "attack": None}
    table.choose("A", "replan", "keep").quiet()
    assert table.at("zA") == "1,4"


def test_a_new_path_has_the_steps_that_are_left() -> None:
    table = on_the_way({"A": "c087 c054"})
    table.play("A", "k1.1.zA.3,4")
    assert table.at("zA") == "3,4"
    assert table.offers("A", "replan", "6,4.end")  # three steps left, those of the card are free
    assert not table.offers("A", "replan", "7,4.end")
    table.choose("A", "replan", "4,5.attack-h1").quiet().quiet()
    assert table.gone("h1")


def test_a_card_that_changes_nothing_for_the_mover_lets_the_declaration_stand() -> None:
    table = on_the_way({"B": "c024 c054"})
    table.play("B", "k1.1")
    assert table.waits_for() == [("B", "respond")]
    table.quiet()
    assert table.at("zA") == "4,4"


def test_the_mover_that_plays_itself_is_asked_anew() -> None:
    table = on_the_way({"A": "c024 c054"})
    table.play("A", "k1.1")
    assert table.waits_for() == [("A", "replan")]


def test_an_attack_that_came_to_nothing_is_none() -> None:
    table = on_the_way({"B": "c062 c054"})
    table.play("B", "k1.4.h1.8,4")
    assert table.waits_for() == [("B", "respond")]  # nothing is left to choose
    table.quiet()
    assert table.state.fight is None
    assert not table.piece("zA").attacked
    assert [event.kind for event in table.happened(cards.WindowOpened)] == ["movement"]


def test_a_killed_mover_dies_when_the_window_closes() -> None:
    table = on_the_way({"B": "c032 c054"}, "zA 0,4; h1 5,4; zA9 8,8")
    table.play("B", "k1.3.h1.zA")
    assert table.at("zA") == "3,4"
    table.quiet()
    assert table.gone("zA")
    assert table.waits_for() == [("A", "go")]


def test_who_is_blocked_beside_its_target_attacks_nobody() -> None:
    table = on_the_way({"B": "c072 c054"})
    table.play("B", "k1.4.zA")
    table.quiet()
    assert table.at("zA") == "4,4"
    assert table.state.fight is None
    assert table.at("h1") == "5,4"
    assert not table.piece("zA").attacked
