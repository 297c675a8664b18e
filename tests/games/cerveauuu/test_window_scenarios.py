"""Windows and cards (§5): S68, S69, S72-S80, S93, S98-S101, S103."""

from __future__ import annotations

from events.kernel import redact
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.rules.context import Grids
from simulator.cerveauuu.bare_game import viewer
from tests.games.cerveauuu.board.boards import open_map
from tests.games.cerveauuu.scenes import Scene, scene

WALK = "zA 0,4; h1 5,4; zA9 8,8"


def stumbled(hands: dict[str, str]) -> Scene:
    """Zombie zA stumbles at anchor 2 on its way to h1."""
    table = scene(WALK, seats=3, hands=hands).go("A", "zA.4,4.attack-h1")
    return table.play("B", "k1.2.zA")


def test_s68_a_stumble_ends_the_path_where_it_happens() -> None:
    table = stumbled({"B": "c109 c054"})
    assert table.at("zA") == "2,4"
    window = table.state.window
    assert window is not None
    assert (window.version, window.floor) == (2, 2)
    assert len(window.timeline) == 2
    table.quiet()
    assert table.state.fight is None
    assert not table.piece("zA").attacked


def test_s69_no_card_reaches_behind_the_floor() -> None:
    table = stumbled({"B": "c109", "C": "c072"})
    assert not table.offers("C", "respond", "play.k1.1.zA")
    table.play("C", "k1.2.zA")
    assert table.piece("zA").blocked


def test_s72_answers_are_judged_together() -> None:
    table = scene(WALK, seats=3, hands={"A": "c054", "B": "c109 c055", "C": "c072"})
    table.go("A", "zA.4,4.end")
    table.answer("C", "play.k1.0.zA").answer("A", "pass")
    assert table.happened(cards.VersionJudged) == []
    assert [seat for seat, _ in table.waits_for()] == ["B"]
    table.answer("B", "play.k1.2.zA")
    (judged,) = table.happened(cards.VersionJudged)
    assert (judged.seat, judged.card) == (2, "c109")
    assert table.hand("C") == ["c072"]
    window = table.state.window
    assert window is not None
    assert window.order == (3, 1, 2)
    public = [redact(event, viewer(0)) for event in table.happened(cards.AnswerGiven)]
    assert all(not isinstance(event.choice, str) for event in public)


def test_s73_a_play_waits_for_all_answers() -> None:
    table = scene(WALK, seats=3, hands={"A": "c054", "B": "c109", "C": "c072"})
    table.go("A", "zA.4,4.end").answer("B", "play.k1.2.zA")
    assert table.happened(cards.CardPlayed) == []
    table.answer("C", "play.k1.0.zA")
    assert table.happened(cards.CardPlayed) == []
    table.answer("A", "pass")
    assert [event.card for event in table.happened(cards.CardPlayed)] == ["c109"]


def test_s75_a_card_suspends_a_yield_for_its_window_alone() -> None:
    table = scene("zA 3,4; zA2 0,0; h1 4,4; h2 8,8", hands={"A": "c112 c054", "B": "c055"})
    table.choose("B", "yield", "round").go("A", "zA.attack-h1")
    assert table.waits_for() == [("A", "respond")]
    table.play("A", "k1.zA")
    assert ("B", "respond") in table.waits_for()
    table.quiet().go("A", "zA2.1,0.end")
    assert table.waits_for() == [("A", "respond")]


def test_s76_one_card_for_each_player_and_piece_in_a_round() -> None:
    table = scene("zA 2,4; h1 4,4; h2 8,8", hands={"A": "c082 c112", "B": "c055"})
    table.go("A", "zA.3,4.attack-h1").play("A", "k1.0.zA")
    table.choose("A", "replan", "keep").quiet()
    assert not table.offers("A", "respond", "play.k2.zA")
    table.play("B", "k1.zA")
    assert table.state.fight is not None
    assert table.state.fight.totals == (0, 1)


def test_s77_a_blocked_piece_is_not_designated_but_caught() -> None:
    table = scene(
        "zA 3,4 blocked; zC 3,5; h1 5,5; h2 8,8; zB 8,0",
        seats=3,
        stage="pre_zombies",
        hands={"B": "c031 c033"},
    )
    assert not table.offers("B", "respond", "play.k1.h1.zA")
    assert table.offers("B", "respond", "play.k2.h1.zC")
    table.play("B", "k2.h1.zC").quiet()
    assert table.gone("zC")
    assert table.piece("zA").blocked


def test_s78_one_media_card_a_round() -> None:
    table = scene("zA 0,0; h1 4,4", stage="pre_zombies", hands={"A": "c022 c054", "B": "c024 c055"})
    table.play("A", "k1")
    assert not table.offers("B", "respond", "play.k1")
    table.until(lambda d: d.kind == "respond" and table.state.round == 2)
    assert table.offers("B", "respond", "play.k1.0")


def test_s79_new_weather_sends_the_old_to_its_pile() -> None:
    table = scene(
        "zA 0,0; h1 4,4",
        stage="pre_zombies",
        hands={"B": "c013"},
        weather={"card": "c009", "seat": 1},
    )
    assert table.stat("h1", "sight") == 3
    table.play("B", "k1")
    assert table.state.piles[1] == ("c009",)
    assert (table.stat("h1", "sight"), table.stat("zA", "combat")) == (99, 2)


def test_s80_no_shot_in_a_thunderstorm() -> None:
    table = scene(
        "zA 0,0; h1 4,4",
        stage="pre_zombies",
        hands={"B": "c031"},
        weather={"card": "c014", "seat": 1},
    )
    assert table.level("B", "respond") == ["pass"]


def test_s93_a_building_is_read_once() -> None:
    table = scene(
        "h1 3,9; h2 1,9; zA 19,0",
        map="default20",
        stage="pre_zombies",
        hands={"A": "c108 c062", "B": "c131"},
    )
    table.play("A", "k1.h")
    assert (table.stat("h1", "combat"), table.stat("h2", "combat")) == (2, 1)
    table.play("A", "k2.h1.5,9")
    assert table.stat("h1", "combat") == 2


def test_s98_who_cannot_play_is_asked_all_the_same() -> None:
    table = scene(WALK, hands={"B": "c043"}).go("A", "zA.4,4.end")
    assert table.waits_for() == [("B", "respond")]
    assert table.level("B", "respond") == ["pass"]


def test_s99_who_has_looked_follows_a_card() -> None:
    table = scene(
        "zA 0,0; h1 4,4",
        seats=4,
        stage="pre_zombies",
        hands={"A": "c086", "B": "c043 c031", "C": "c106 c054 c055"},
    )
    table.play("A", "k1.B").play("C", "k1.B")
    (taken,) = table.happened(cards.CardTaken)
    card = table.state.hands[3][4]
    assert taken.taker_number == 4
    known = {seat: view.hands[3][4] for seat, view in table.sitting.views.items()}
    assert known == {0: None, 1: card, 2: card, 3: card, 4: None}
    assert CARDS[str(card)].id in {"c043", "c031"}


def edge(table: Scene) -> str:
    """What the door of S100 is now."""
    grid = Grids().of(table.state)
    return grid.stored(grid.edge_of("r5c3s"))


def test_s100_a_boarded_door_is_a_wall() -> None:
    table = scene(
        "zA 19,0; h1 10,10",
        map="default20",
        stage="pre_zombies",
        hands={"A": "c074", "B": "c073 c076"},
    )
    table.play("A", "k1.S:3,5")
    assert edge(table) == "wall"
    table.play("B", "k1.m")
    assert edge(table) == "wall"
    table.play("B", "k2.S:3,5")
    assert edge(table) == "breach"


def test_s101_a_lure_goes_round_a_zombie() -> None:
    table = scene(
        "zA 3,1; h1 4,1", map=open_map(7, 3), stage="pre_zombies", hands={"B": "c065 c054"}
    )
    table.play("B", "k1.0,1")
    assert table.at("h1") == "1,2"
    assert table.happened(ev.PieceMoved)[0].path == ("r2c3", "r2c2", "r2c1")


def test_s103_a_yield_passes_publicly_at_once() -> None:
    table = scene("zA 3,4; h1 4,4; h2 8,8", hands={"A": "c112 c054", "B": "c055"})
    table.choose("B", "yield", "round").go("A", "zA.attack-h1")
    window = table.state.window
    assert window is not None
    assert window.passed == {2: "yield"}
    table.play("A", "k1.zA")
    assert ("B", "respond") in table.waits_for()
