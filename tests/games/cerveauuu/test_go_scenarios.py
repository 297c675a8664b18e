"""The zombie phase (§4.6, §4.7): S42-S50, S81, S82, S94, S97, S104."""

from __future__ import annotations

import pytest

from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import zombie_events as more
from tests.games.cerveauuu.board.boards import HALL, open_map
from tests.games.cerveauuu.scenes import Scene, scene

DEFAULT = "default20"


def windows(table: Scene) -> list[str]:
    """The kinds of all windows so far."""
    return [event.kind for event in table.happened(cards.WindowOpened)]


def test_s42_four_steps_at_most_and_not_over_a_human() -> None:
    table = scene("zA 0,0; h1 2,0")
    assert table.offers("A", "go", "zA.4,4.end")
    assert not table.offers("A", "go", "zA.5,5.end")
    assert not table.offers("A", "go", "zA.1,0.2,0.end")
    assert not table.offers("A", "go", "zA.2,0.end")


def test_s43_a_blocked_human_may_be_passed_but_is_no_place_to_stop() -> None:
    table = scene("zA 0,0; h1 1,0 blocked")
    assert not table.offers("A", "go", "zA.1,0.end")
    table.go("A", "zA.2,0.end")
    assert table.happened(more.ZombieActivated)[0].path == ("r0c1", "r0c2")


def test_s44_no_diagonal_through_a_door() -> None:
    table = scene("zA 2,1; h1 6,4", map=HALL, stage="pre_zombies", hands={"B": "c105"})
    table.play("B", "k1.zA").quiet()
    assert table.stat("zA", "move") == 1
    assert not table.offers("A", "go", "zA.3,2.end")
    assert table.offers("A", "go", "zA.2,2.end")


def test_s45_an_attack_without_a_step_opens_window_c_alone() -> None:
    table = scene("zA 3,4; h1 4,4", hands={"B": "c054"}).go("A", "zA.attack-h1")
    assert windows(table) == ["combat"]
    assert table.waits_for() == [("B", "respond")]


def test_s46_who_has_attacked_is_not_activated_again() -> None:
    table = scene("zA 3,4; zA2 8,8; h1 4,4; h2 0,0", deck="c054 c055 c060").go("A", "zA.attack-h1")
    assert table.on("4,4") is not None
    assert table.level("A", "go") == ["z02", "down"]


def test_s47_goes_pass_over_who_has_no_ready_zombie() -> None:
    table = scene("zA 0,0; zB 8,0; zB2 8,2; zB3 8,4; h1 4,4")
    for letter, zombie in (("A", "zA"), ("B", "zB"), ("B", "zB2"), ("B", "zB3")):
        assert table.waits_for() == [(letter, "go")]
        table.go(letter, f"{zombie}.end")
    assert [event.seat for event in table.happened(more.GoBegan)[:4]] == [1, 2, 2, 2]


def test_s48_who_has_stood_down_may_support() -> None:
    table = scene("zA 3,3; zA2 0,0; zA3 0,2; zB 5,4; h1 4,4").go("A", "down")
    table.go("B", "zB.attack-h1")
    assert table.level("B", "support") == ["none", "z01"]


def test_s49_a_trailing_seat_swaps_once_a_round() -> None:
    table = scene(
        "zA 0,0; zB 8,8; h1 4,4", scores={"A": 1, "B": 2}, hands={"A": "c054"}, deck="c055 c060"
    )
    table.go("A", "swap.k1")
    assert table.hand("A") == ["c055"]
    assert table.state.piles[1] == ("c054",)
    assert table.state.played[1] == 0
    table.go("B", "zB.end")
    assert table.piece("zA").ready
    assert "swap" not in table.level("A", "go")


def test_s50_with_equal_scores_nobody_swaps() -> None:
    table = scene("zA 0,0; h1 4,4", hands={"A": "c054"})
    assert not table.offers("A", "go", "swap.k1")


def sunk() -> Scene:
    """The ground gives way below zA, which is saved."""
    table = scene(
        "zA 0,4; zB 8,8; h1 4,4", stage="pre_zombies", hands={"B": "c124", "A": "c130 c054"}
    )
    table.play("B", "k1.0,4")
    assert table.piece("zA").doomed
    return table.play("A", "k1.zA").quiet()


@pytest.mark.parametrize("choice", ["zA.end", "down"])
def test_s81_a_saved_zombie_that_stays_on_an_impassable_cell_is_removed(choice: str) -> None:
    table = sunk()
    assert table.piece("zA").must_leave
    table.go("A", choice)
    assert table.gone("zA")


def test_s81_a_first_step_out_keeps_it() -> None:
    table = sunk().go("A", "zA.0,5.end").quiet()
    assert table.at("zA") == "0,5"
    assert not table.piece("zA").must_leave


def test_s82_a_door_slams_in_the_middle_of_a_path() -> None:
    table = scene("zA 3,7; h1 18,18", map=DEFAULT, hands={"B": "c122"})
    table.go("A", "zA.3,6.3,5.3,4.end").play("B", "k1.1.S:3,5")
    assert table.at("zA") == "3,6"
    assert table.waits_for() == [("A", "replan")]
    reached = [cell for cell in table.level("A", "replan") if cell.startswith("r")]
    assert "r6c6" in reached  # three steps
    assert "r6c7" not in reached
    table.choose("A", "replan", "keep")
    assert table.at("zA") == "3,6"


def test_s94_move_is_read_where_it_starts() -> None:
    table = scene("zA 3,7; h1 18,18", map=DEFAULT, weather={"card": "c010", "seat": 2})
    assert table.offers("A", "go", "zA.3,8.3,9.3,10.end")
    assert table.stat("zA", "move") == 3
    assert not table.offers("A", "go", "zA.3,8.3,9.3,10.2,10.end")


def test_s97_the_mover_is_not_spent_yet() -> None:
    table = scene("zA 0,0; zA2 8,8 activated; h1 4,4", hands={"A": "c113"})
    table.go("A", "zA.1,0.end")
    assert table.level("A", "respond", "play", "k1") == ["play.k1.0", "play.k1.1"]
    assert table.offers("A", "respond", "play.k1.0.zA2")
    assert not table.offers("A", "respond", "play.k1.0.zA")
    table.play("A", "k1.0.zA2")
    assert table.piece("zA2").ready


def test_s104_a_path_by_way_of_a_cell() -> None:
    table = scene("zA 4,4; h1 8,8", map=open_map(9, 9))
    assert table.level("A", "go")[0] == "z01"
    assert "z01.r4c4" not in table.level("A", "go", "zA")
    assert table.offers("A", "go", "zA.end")
    assert table.offers("A", "go", "zA.2,2.3,4.end")
    assert not table.offers("A", "go", "zA.1,1.3,3.end")
