"""Attack, support and combat (§4.8, §4.9): S51-S67, S70, S71, S88, S96."""

from __future__ import annotations

import pytest

from games.cerveauuu.facts import zombie_events as more
from tests.games.cerveauuu.board.boards import HALL
from tests.games.cerveauuu.scenes import Scene, scene

FAR = "; h9 8,8; zA9 0,8"
"""So that game and round go on when the others are eaten and have fought."""

PAIR = "zA 3,4; h1 4,4" + FAR


def fought(pieces: str, attacker: str = "zA", target: str = "h1", letter: str = "A") -> Scene:
    return scene(pieces).go(letter, f"{attacker}.attack-{target}").quiet()


def winner(table: Scene) -> str | None:
    """Who has won the fight."""
    (event,) = table.happened(more.FightResolved)
    found: str | None = event.winner
    return found


def provisional(table: Scene) -> str | None:
    """Who would win now."""
    assert table.state.fight is not None
    return table.state.fight.winner


def test_s51_a_zombie_eats_a_lone_human() -> None:
    table = fought(PAIR)
    eaten = table.on("4,4")
    assert eaten is not None
    assert (eaten.controller, eaten.blocked) == (1, True)
    assert (table.score("A"), len(table.hand("A"))) == (1, 1)


def test_s52_a_human_beside_helps() -> None:
    table = fought("zA 3,4; h1 4,4; h2 4,5")
    assert table.gone("zA")
    assert (table.score("A"), table.on("4,4")) == (0, table.piece("h1"))


def test_s53_a_pinned_human_stays_out() -> None:
    table = scene("zA 3,4; h1 4,4; h2 4,5; zB 5,6").go("A", "zA.attack-h1")
    assert table.gone("h1")
    assert not table.gone("h2")
    assert winner(table) == "attackers"


def test_s54_a_blocked_human_stays_out() -> None:
    assert winner(fought("zA 3,4; h1 4,4; h2 4,5 blocked" + FAR)) == "attackers"


THREE = "h1 4,4; h2 3,5; zA 3,4; zB 5,3"


def test_s55_supporters_share_the_victims() -> None:
    table = scene(THREE + FAR).go("A", "zA.attack-h1")
    table.choose("A", "support", "zB.h1-zA.h2-zB").choose("B", "consent", "accept").quiet()
    assert winner(table) == "attackers"
    assert (table.score("A"), table.score("B")) == (1, 1)
    assert (len(table.hand("A")), len(table.hand("B"))) == (1, 1)
    new = (table.on("4,4"), table.on("3,5"))
    assert [(p.controller, p.blocked) for p in new if p] == [(1, True), (2, True)]
    assert table.piece("zB").attacked


def test_s56_a_supporter_that_declines_twice_is_untouched() -> None:
    table = scene(THREE).go("A", "zA.attack-h1")
    for _ in range(2):
        table.choose("A", "support", "zB.h1-zA.h2-zB").choose("B", "consent", "decline")
    assert table.gone("zA")
    assert not table.piece("zB").attacked


def test_s57_a_second_pass_brings_a_third_human() -> None:
    table = scene(THREE + "; h3 6,2").go("A", "zA.attack-h1")
    table.choose("A", "support", "zB.h1-zA.h2-zB").choose("B", "consent", "accept").quiet()
    assert table.gone("zA")
    assert table.gone("zB")
    assert winner(table) == "defenders"


def test_s58_who_has_attacked_does_not_support_but_who_has_passed_does() -> None:
    table = scene("zA 3,4; zA2 5,4 activated; zB 4,5 attacked activated; h1 4,4" + FAR)
    table.go("A", "zA.attack-h1")
    assert table.level("A", "support") == ["none", "z02"]


def test_s59_nobody_bites_diagonally_through_a_door() -> None:
    table = scene("zB 2,1; zA 2,2; h1 3,2; h9 6,4", map=HALL, chief=2)
    assert not table.offers("B", "go", "zB.attack-h1")
    table.go("B", "zB.end").go("A", "zA.attack-h1")
    assert winner(table) == "attackers"


BITE = "zA 3,4; zB 4,4" + FAR


def test_s60_zombies_alone_are_equal() -> None:
    table = fought(BITE, target="zB")
    assert winner(table) is None
    assert table.piece("zA").attacked


def test_s61_bloodlust_kills_a_zombie_for_nothing() -> None:
    table = scene(BITE, hands={"A": "c112"}).go("A", "zA.attack-zB").play("A", "k1.zA").quiet()
    assert table.gone("zB")
    assert (table.score("A"), table.hand("A"), table.on("4,4")) == (0, [], None)


def test_s62_the_side_of_the_last_card_wins_a_tie_that_both_win() -> None:
    table = scene(PAIR, hands={"A": "c115 c054", "B": "c046"}).go("A", "zA.attack-h1")
    assert provisional(table) == "attackers"
    table.play("B", "k1.h1")
    assert provisional(table) == "defenders"
    table.play("A", "k1.zA")
    assert provisional(table) == "attackers"
    table.quiet()
    assert winner(table) == "attackers"


def test_s63_without_tie_win_nobody_dies() -> None:
    table = scene(PAIR, hands={"B": "c057"}).go("A", "zA.attack-h1").play("B", "k1.h1").quiet()
    assert winner(table) is None
    assert table.piece("zA").attacked
    assert not table.gone("h1")


def test_s64_a_shot_zombie_dies_when_the_window_closes() -> None:
    table = scene(PAIR, hands={"B": "c032 c054"}).go("A", "zA.attack-h1").play("B", "k1.h1.zA")
    assert table.piece("zA").doomed
    table.quiet()
    assert table.gone("zA")
    assert not table.gone("h1")


def test_s65_a_vest_saves_it() -> None:
    table = scene(PAIR, hands={"B": "c032", "A": "c071"}).go("A", "zA.attack-h1")
    table.play("B", "k1.h1.zA").play("A", "k1.zA").quiet()
    assert table.gone("h1")
    assert table.score("A") == 1


def test_s66_a_stray_bullet_takes_the_victim() -> None:
    table = scene("zA 3,4; h1 4,4; h2 4,8", hands={"B": "c042"}).go("A", "zA.attack-h1")
    table.play("B", "k1.h2.h1").quiet()
    assert table.gone("h1")
    assert (table.score("A"), table.on("4,4")) == (0, None)


def test_s67_a_victim_drives_away() -> None:
    table = scene(PAIR, hands={"B": "c059"}).go("A", "zA.attack-h1")
    table.play("B", "k1.h1.8,4").quiet()
    assert table.at("h1") == "8,4"
    assert winner(table) is None
    assert table.piece("zA").attacked


def test_s70_the_pom_pom_captain_loses() -> None:
    table = scene(PAIR, hands={"A": "c089", "B": "c044"}).go("A", "zA.attack-h1")
    table.play("A", "k1.zA").play("B", "k1.h1").quiet()
    assert table.gone("zA")
    assert table.score("A") == -1


def test_s71_the_pom_pom_captain_wins() -> None:
    table = scene(PAIR, hands={"A": "c089"}).go("A", "zA.attack-h1").play("A", "k1.zA").quiet()
    assert table.score("A") == 2


def test_s88_the_last_human_is_eaten_and_counted() -> None:
    table = fought("zA 3,4; h1 4,4")
    assert table.state.end is not None
    assert (table.score("A"), len(table.hand("A"))) == (1, 1)
    assert table.on("4,4") is not None


@pytest.mark.parametrize("card", ["c021"])
def test_s96_a_fight_is_fought_out_though_the_credits_are_complete(card: str) -> None:
    table = scene(
        PAIR, hands={"B": card, "A": "c054"}, credits=("c001",), deck="c003 c060 c061"
    ).go("A", "zA.attack-h1")
    table.play("B", "k1.A")
    assert table.state.end is None
    assert len(table.state.credits) == 2
    table.quiet()
    assert (table.score("A"), len(table.hand("A"))) == (1, 2)
    assert table.state.end is not None
