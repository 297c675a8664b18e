"""Cards in the panic, and wandering (§4.4, §4.5): S35-S41, S95."""

from __future__ import annotations

from games.cerveauuu.facts import zombie_events as more
from tests.games.cerveauuu.board.boards import open_map
from tests.games.cerveauuu.scenes import Scene, scene

STREET = "h1 8,1; zA 5,1"


def test_s35_superglue_stops_a_human_at_its_anchor() -> None:
    table = scene(STREET, map="default20", stage="panic", hands={"B": "c083"})
    table.play("B", "k1.2.h1")
    assert table.at("h1") == "10,1"
    assert table.piece("h1").moved


def test_s36_who_no_longer_sees_a_zombie_does_not_run() -> None:
    table = scene(STREET + "; h2 1,1", map="default20", stage="panic", hands={"B": "c031 c054"})
    assert table.state.window is not None
    assert table.state.window.timeline
    table.play("B", "k1.0.h2.zA")
    assert table.state.window.timeline == ()
    assert table.piece("zA").doomed
    table.quiet()
    assert table.gone("zA")
    assert not table.piece("h1").moved
    assert {"h01", "h02"} <= set(table.level("A", "wander_turn"))


def test_s37_who_must_stay_indoors_has_had_its_move() -> None:
    table = scene(
        "h1 4,5; zA 2,2; h2 8,1; zB 10,1", map="default20", stage="panic", hands={"A": "c019"}
    )
    table.play("A", "k1.0").quiet()
    assert table.at("h1") == "4,5"
    assert table.piece("h1").moved
    assert table.at("h2") != "8,1"


def corridor() -> Scene:
    return scene(
        "h1 3,0; h2 9,0; zA 0,0", map=open_map(12, 1), stage="panic", hands={"B": "c118 c083"}
    )


def test_s95_second_wind_lets_a_human_jump_on() -> None:
    table = corridor().play("B", "k1.5.h1").quiet()
    assert (table.at("h1"), table.at("h2")) == ("11,0", "10,0")


def test_s95_superglue_holds_the_second_human() -> None:
    table = corridor().play("B", "k2.5.h2").quiet()
    assert (table.at("h1"), table.at("h2")) == ("8,0", "9,0")
    assert table.piece("h2").moved


NINE = "; ".join(f"h{n} {n - 1},0" for n in range(1, 10))


def test_s38_three_turns_each_then_the_rest_is_dealt() -> None:
    table = scene(NINE, stage="wandering")
    for human, letter in zip(range(1, 7), "ABABAB", strict=True):
        assert table.waits_for() == [(letter, "wander_turn")]
        table.choose(letter, "wander_turn", f"h{human}.{human - 1},1")
    dealt = table.happened(more.BatchDealt)[0].humans
    assert dealt == {"h07": 1, "h08": 2, "h09": 1}


def test_s39_passes_in_a_row_end_the_turns() -> None:
    table = scene(NINE, stage="wandering")
    table.choose("A", "wander_turn", "pass").choose("B", "wander_turn", "pass")
    assert len(table.happened(more.BatchDealt)[0].humans) == 9


def test_s40_of_two_that_want_one_cell_the_first_in_seat_order_gets_it() -> None:
    table = scene("h1 3,4; h2 5,4; zA 0,0", stage="wandering", options={"wander_goes": 0})
    table.choose("B", "wander_batch", "4,4")
    assert table.at("h2") == "5,4"
    table.choose("A", "wander_batch", "4,4")
    assert (table.at("h1"), table.at("h2")) == ("4,4", "5,4")
    assert (table.piece("h1").moved, table.piece("h2").moved) == (True, False)


def test_s41_who_has_moved_is_not_offered() -> None:
    table = scene("h1 3,4 moved; h2 5,4; zA 0,0", stage="wandering")
    assert table.level("A", "wander_turn") == ["h02", "pass"]
    assert not table.offers("A", "wander_turn", "h1.3,5")


def passing() -> Scene:
    """h2 runs first and passes over h1 in its third step (S27)."""
    return scene(
        "h1 3,0; h2 2,0; zA 0,0; h3 8,0 blocked",
        map=open_map(10, 1),
        stage="panic",
        hands={"B": "c110 c054", "A": "c093 c055"},
    )


def test_who_is_blocked_in_passing_over_another_goes_back_at_once() -> None:
    table = passing().play("B", "k1.1.h2")
    assert table.at("h2") == "2,0"
    assert table.state.window is not None
    assert table.state.window.floor == 1
    table.quiet()
    assert (table.at("h2"), table.piece("h2").moved) == ("2,0", True)
    assert table.at("h1") == "9,0"


def test_who_is_helped_up_at_the_same_anchor_runs_on_with_the_steps_it_has_left() -> None:
    table = passing().play("B", "k1.1.h2").play("A", "k1.1.h2").quiet()
    assert table.at("h2") == "7,0"
    assert table.at("h1") == "9,0"
