"""Support, shares and who eats in the end (§4.8, §4.9.6)."""

from __future__ import annotations

from games.cerveauuu.facts import zombie_events as more
from tests.games.cerveauuu.scenes import Scene, scene

CROWD = "zA 3,4; zA2 3,3; zB 5,3; h1 4,4; h2 8,8; zA9 0,8"


def attacked(pieces: str = CROWD, **changes: object) -> Scene:
    return scene(pieces, **changes).go("A", "zA.attack-h1")  # type: ignore[arg-type]


def test_a_consent_may_be_replaced_until_all_are_in() -> None:
    table = scene("zA 3,4; zB 5,3; zC 5,5; h1 4,4; h2 8,8; zA9 0,8", seats=3)
    table.go("A", "zA.attack-h1").choose("A", "support", "zB-zC.h1-zB")
    table.choose("B", "consent", "decline").choose("B", "consent", "accept")
    assert table.waits_for() == [("C", "consent")]
    table.choose("C", "consent", "accept")
    assert (table.score("A"), table.score("B")) == (0, 1)


def test_who_has_consented_is_known_to_all_once_everybody_has_answered() -> None:
    table = scene("zA 3,4; zB 5,3; zC 5,5; h1 4,4; h2 8,8; zA9 0,8", seats=3)
    table.go("A", "zA.attack-h1").choose("A", "support", "zB-zC.h1-zB")
    table.choose("B", "consent", "decline")
    fight = table.sitting.views[0].fight
    assert fight is not None
    assert fight.consents == {2: None}
    table.choose("C", "consent", "accept")
    (judged,) = table.happened(more.ConsentsJudged)
    fight = table.sitting.views[0].fight
    assert fight is not None
    assert fight.consents == judged.accepts == {2: False, 3: True}


def test_the_zombie_of_who_has_resigned_never_consents() -> None:
    table = scene("zA 3,4; zB 5,3; zC 8,0; h1 4,4; h2 8,8; zA9 0,8", seats=3)
    table.sitting.resign(2)
    table.go("A", "zA.attack-h1").choose("A", "support", "zB.h1-zB")
    assert table.waits_for() == [("A", "support")]


def test_behind_a_part_that_nobody_offers_lies_nothing() -> None:
    table = attacked("zA 3,4; zA2 3,3; zB 5,3; h1 4,4; h2 4,5; h9 8,8; zA9 0,8")
    assert table.state.fight is not None
    assert table.state.fight.defenders == ("h01", "h02")
    second = table.level("A", "support", "zA2", "h1-zA2")
    assert second == ["z02.h01-z02.h02-z01", "z02.h01-z02.h02-z02"]
    for wrong in ("h1-zB", "h2-zA2", "h1"):
        assert table.level("A", "support", "zA2", wrong) == []


def test_if_the_eater_has_left_the_principal_eats() -> None:
    table = attacked(hands={"B": "c114 c054"}).choose("A", "support", "zA2.h1-zA2")
    table.play("B", "k1.zA2").quiet()
    (eaten,) = table.happened(more.HumanEaten)
    assert eaten.eater == "z01"


def test_against_a_zombie_nothing_is_shared() -> None:
    table = scene("zA 3,4; zA2 3,3; zB 4,4; zB2 5,5; h1 8,8; zA9 0,8").go("A", "zA.attack-zB")
    assert table.level("A", "support") == ["none", "z02", "z04", "z02-z04"]
    assert table.offers("A", "support", "zA2")
    table.choose("A", "support", "zA2")
    assert table.gone("zB")
    assert table.score("A") == 0


def test_who_leaves_its_place_leaves_the_fight() -> None:
    table = attacked("zA 3,4; h1 4,4; h2 4,5; h9 8,8; zA9 0,8", hands={"A": "c132 c054"})
    assert table.state.fight is not None
    assert table.state.fight.totals == (1, 2)
    table.play("A", "k1.h2.5,6")
    assert table.state.fight.defenders == ("h01",)
    assert (table.state.fight.totals, table.state.fight.winner) == ((1, 1), "attackers")


def test_who_joins_by_card_needs_nobody_beside_it_while_it_stays() -> None:
    table = attacked(
        "zA 3,4; h1 4,4; h2 5,4; zB 6,4; zB2 6,5; h9 8,8; zA9 0,8", hands={"B": "c103 c054"}
    )
    table.play("B", "k1.h1.h2")
    assert table.state.fight is not None
    assert table.state.fight.defenders == ("h01", "h02")


def test_a_provisional_result_counts_who_would_be_dead() -> None:
    table = attacked(
        "zA 3,4; h1 4,4; h2 4,5; h9 8,8; zA9 0,8", hands={"B": "c054", "A": "c042 c055"}
    )
    table.play("A", "k1.h9.h2")
    fight = table.state.fight
    assert fight is not None
    assert table.piece("h2").doomed
    assert (fight.totals, fight.winner) == ((1, 1), "attackers")
