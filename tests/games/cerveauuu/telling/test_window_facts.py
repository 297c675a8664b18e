"""What a drawing says of the open window: who may answer, and what comes if everybody passes."""

from __future__ import annotations

import pytest

from games.cerveauuu.model.state import State
from games.cerveauuu.telling.drawing import letter
from games.cerveauuu.telling.window_facts import window_facts
from tests.games.cerveauuu.scenes import scene


def facts(state: State) -> list[str]:
    """All that is said of the open window."""
    return list(window_facts(state, letter))


def test_without_a_window_there_is_nothing_to_say() -> None:
    assert facts(scene("h1 4,4; zA 3,4; zB 8,8").state) == []


@pytest.mark.parametrize(
    ("stage", "kind", "outcome"),
    [
        ("panic", "while humans panic", "human 1 runs to r0c8"),
        ("pre_zombies", "before the zombies act", "the zombies begin to act"),
        ("end_round", "before the round ends", "the round ends"),
    ],
)
def test_the_windows_of_a_phase_say_what_follows(stage: str, kind: str, outcome: str) -> None:
    hands = {"A": "c059", "B": "c043"}
    found = scene("h1 4,4; h2 0,8; zA 3,4; zB 8,8", seats=3, hands=hands, stage=stage)
    passes = f"if everybody passes: {outcome}"
    assert facts(found.state) == [f"window 1: {kind}; to answer A, B; passed C (no cards)", passes]
    found.answer("B", "pass")
    line = f"window 1: {kind}; to answer A; answered B; passed C (no cards)"
    assert facts(found.state) == [line, passes]


def test_a_panic_in_which_nobody_runs_is_told_too() -> None:
    found = scene("h1 4,4; zA 3,4 blocked; zB 8,8 blocked", hands={"A": "c059"}, stage="panic")
    assert facts(found.state)[1] == "if everybody passes: nobody runs"


def test_a_movement_says_where_it_leads_until_a_card_asks_its_mover_anew() -> None:
    """Faux pas (c109) stops a zombie; then nobody answers, and nobody knows what follows."""
    hands = {"A": "c059", "B": "c109"}
    found = scene("h1 4,4; h2 3,3; zA 0,4; zB 8,8", hands=hands).go("A", "zA.3,4.attack-h1")
    named = "window 1: while a zombie moves"
    moves = "if everybody passes: zombie 1 goes to r4c3; zombie 1 attacks human 1"
    assert facts(found.state) == [f"{named}; to answer B, A", moves]
    found.play("B", "k1.2.zA")
    assert facts(found.state) == [f"{named}; A chooses how its zombie goes on, then all are asked"]
    found.choose("A", "replan", "keep")
    stays = "if everybody passes: zombie 1 stays where it is"
    assert facts(found.state) == [
        f"{named.replace(':', ', version 2:')}; to answer A; passed B (no cards)",
        stays,
    ]


def test_who_is_to_die_is_told_before_it_happens() -> None:
    """The Rifle (c031) of a human dooms the zombie that comes."""
    hands = {"A": "c059", "B": "c031"}
    found = scene("h1 4,4; zA 0,4; zB 8,8", hands=hands).go("A", "zA.3,4.attack-h1")
    found.play("B", "k1.2.h1.zA")
    assert facts(found.state)[1] == "if everybody passes: zombie 1 goes no farther; zombie 1 dies"


def test_an_attack_without_a_step_has_no_window_of_movement_and_a_fight_tells_its_result() -> None:
    hands = {"A": "c059", "B": "c043"}
    found = scene("h1 4,4; zA 3,4; zB 8,8", hands=hands).go("A", "zA.attack-h1")
    named = "before the fight is decided"
    wins = "if everybody passes: the attackers win"
    assert facts(found.state) == [f"window 1: {named}; to answer B, A", wins]
    found.play("B", "k1.h1")
    loses = "if everybody passes: the defenders win"
    assert facts(found.state)[1] == loses


def test_a_window_on_a_go_says_that_it_goes_on_and_who_passes_by_order() -> None:
    hands = {"A": "c059 c060", "B": "c043"}
    found = scene("h1 4,4; zA 0,4; zB 8,8", hands=hands)
    found.choose("B", "yield", "round")
    found.go("A", "play.k1.h1.4,6")
    assert facts(found.state) == [
        "window 1: on a player’s own go; to answer B, A",
        "if everybody passes: the player whose turn it is goes on",
    ]


def test_a_resigned_seat_and_one_with_an_order_have_passed() -> None:
    hands = {"A": "c059", "B": "c043", "C": "c044"}
    found = scene("h1 4,4; zA 0,4; zB 8,8; zC 8,0", seats=3, hands=hands)
    found.choose("B", "yield", "round")
    found.sitting.resign(3)
    found.go("A", "zA.2,4.end")
    assert facts(found.state)[0].endswith("to answer A; passed B (by standing order), C (resigned)")


def test_who_resigns_while_asked_is_asked_no_more() -> None:
    hands = {"A": "c059", "B": "c043", "C": "c044"}
    found = scene("h1 4,4; zA 0,4; zB 8,8; zC 8,0", seats=3, hands=hands).go("A", "zA.2,4.end")
    assert facts(found.state)[0].endswith("to answer B, C, A")
    found.sitting.resign(2)
    assert facts(found.state)[0].endswith("to answer C, A; passed B (resigned)")


def test_a_window_in_which_the_game_has_ended_says_nothing() -> None:
    """Live helicopter pictures (c021) draw the last end credits."""
    hands = {"A": "c021", "B": "c043"}
    found = scene(
        "h1 4,4; zA 0,4; zB 8,8", hands=hands, stage="pre_zombies", credits=("c001",), deck="c003"
    )
    found.play("A", "k1.B")
    assert found.state.end is not None
    assert facts(found.state) == []


def test_every_view_is_told_the_same() -> None:
    hands = {"A": "c059", "B": "c043"}
    found = scene("h1 4,4; zA 3,4; zB 8,8", hands=hands, stage="panic").answer(
        "A", "play.k1.0.h1.4,4"
    )
    told = {tuple(facts(view)) for view in found.sitting.views.values()}
    assert told == {tuple(facts(found.state))}
