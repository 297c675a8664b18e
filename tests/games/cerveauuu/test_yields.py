"""Standing orders to pass (§5.6)."""

from __future__ import annotations

from tests.games.cerveauuu.scenes import Scene, scene


def table_of(hands: dict[str, str]) -> Scene:
    return scene("zA 3,4; zA2 0,0; zB 8,0; h1 4,4; h2 8,8", hands=hands)


def test_for_a_go_it_ends_with_the_go() -> None:
    table = table_of({"B": "c054"}).choose("B", "yield", "go")
    table.go("A", "zA.attack-h1")
    assert table.waits_for() == [("B", "go")]
    assert 2 not in table.state.yields


def test_outside_a_go_it_ends_with_the_window() -> None:
    table = scene("zA 3,4; h1 4,4", stage="pre_zombies", hands={"B": "c054 c055"})
    table.choose("B", "yield", "go")
    assert table.waits_for() == [("A", "go")]
    assert table.state.yields == {}


def test_until_the_next_go_of_its_own() -> None:
    table = table_of({"B": "c054"}).choose("B", "yield", "my_go")
    table.go("A", "zA2.1,0.end")
    assert table.waits_for() == [("B", "go")]
    assert table.state.yields == {}


def test_uninvolved_is_asked_where_its_own_zombie_is() -> None:
    table = table_of({"B": "c054 c055"}).choose("B", "yield", "uninvolved")
    table.go("A", "zA2.1,0.end")
    assert table.waits_for() == [("B", "go")]
    table.go("B", "zB.7,0.end")
    assert table.waits_for() == [("B", "respond")]


def test_a_deep_yield_is_not_suspended() -> None:
    table = table_of({"A": "c112 c055", "B": "c054"}).choose("B", "yield", "round-deep")
    table.go("A", "zA.attack-h1").play("A", "k1.zA")
    assert table.waits_for() == [("A", "respond")]


def test_while_its_seat_is_asked_it_is_the_answer() -> None:
    table = table_of({"A": "c055", "B": "c054"}).go("A", "zA.attack-h1")
    assert table.waits_for() == [("B", "respond"), ("A", "respond")]
    table.choose("B", "yield", "round")
    assert table.waits_for() == [("A", "respond")]


def test_it_can_be_taken_back() -> None:
    table = table_of({"B": "c054"}).choose("B", "yield", "round").choose("B", "yield", "none")
    table.go("A", "zA.attack-h1")
    assert table.waits_for() == [("B", "respond")]


def test_a_new_order_after_a_card_holds_in_the_same_window() -> None:
    table = table_of({"A": "c112 c055", "B": "c054"}).choose("B", "yield", "round")
    table.go("A", "zA.attack-h1").play("A", "k1.zA")
    assert ("B", "respond") in table.waits_for()
    table.choose("B", "yield", "round")
    assert table.waits_for() == [("A", "respond")]


def test_uninvolved_is_asked_once_a_card_names_its_own_zombie() -> None:
    for named, asked in (("zB", True), ("h1", False)):
        hands = {"A": "c071 c055", "B": "c054"}
        table = scene("zA 3,4; zB 8,0; h1 4,4", stage="pre_zombies", hands=hands)
        table.choose("B", "yield", "uninvolved-deep").play("A", f"k1.{named}")
        assert (("B", "respond") in table.waits_for()) == asked
