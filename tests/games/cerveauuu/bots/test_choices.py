"""What the house bot does in positions in which it is plain what is best (§12.9)."""

from __future__ import annotations

import pytest

from events.kernel import Decision, Option
from games.cerveauuu.bots import Steady, trying
from games.cerveauuu.bots.discarding import keeping
from games.cerveauuu.bots.mind import Mind
from games.cerveauuu.deck import CARDS
from games.cerveauuu.rules.context import Grids
from games.cerveauuu.scenarios.bases import open_board
from tests.games.cerveauuu.bots.seats import SEED, answer
from tests.games.cerveauuu.scenes import Scene, scene

FAR = "zB 8,0"
"""Somebody for the other seat, who is in nobody's way."""


# --- goes ---


def test_it_bites_who_stands_alone() -> None:
    found = scene(f"h1 4,4; zA 3,4; {FAR}")
    assert answer(found, "A", "go") == "z01.attack-h01"


def test_it_walks_up_to_bite() -> None:
    found = answer(scene(f"h1 4,4; zA 1,4; {FAR}"), "A", "go")
    assert found.startswith("z01.r")
    assert found.endswith(".attack-h01")


def test_it_spares_a_pair_that_would_beat_it() -> None:
    """S52: the second human joins, and one zombie loses."""
    found = scene("h1 0,0; h2 1,0; zA 0,1; zB 0,8", map=open_board(2, 9))
    assert "attack" not in answer(found, "A", "go")


def test_two_of_its_zombies_bite_a_pair() -> None:
    """Each has both next to it, so neither human helps the other."""
    found = scene("h1 0,0; h2 1,0; zA 0,1; zA2 1,1; zB 0,8", map=open_board(2, 9))
    assert ".attack-" in answer(found, "A", "go")


def test_it_counts_on_no_human_that_is_blocked() -> None:
    """S54."""
    found = scene("h1 0,0; h2 1,0 blocked; zA 0,1; zB 0,8", map=open_board(2, 9))
    assert ".attack-" in answer(found, "A", "go")


def test_out_of_reach_it_comes_nearer() -> None:
    found = answer(scene(f"h1 8,8; zA 0,8; {FAR}"), "A", "go")
    assert found == "z01.r8c4.end"


def test_it_raises_a_zombie_to_go_on_with() -> None:
    """c120 on a zombie that is blocked, if the card is lost otherwise."""
    hand = " ".join(sorted(CARDS, key=keeping)[-3:])
    found = scene(f"h1 8,8; zA 0,0; zA2 7,8 blocked; {FAR}", hands={"A": f"c120 {hand}"})
    assert answer(found, "A", "go") == "play.k1.z02"


def test_a_card_that_it_may_keep_it_keeps() -> None:
    found = scene(f"h1 8,8; zA 0,0; zA2 7,8 blocked; {FAR}", hands={"A": "c120"})
    assert answer(found, "A", "go").startswith("z01")


# --- fights ---


def fight(hands: dict[str, str], pieces: str = "") -> Scene:
    """S51: a zombie of A attacks one human; window C is open."""
    return scene(f"h1 4,4; zA 3,4; {FAR}{pieces}", hands=hands).go("A", "zA.attack-h1")


def test_it_saves_the_victim_of_another() -> None:
    """c044 gives the human a point and the tie."""
    assert answer(fight({"B": "c044"}), "B", "respond") == "play.k1.h01"


def test_it_shoots_the_zombie_that_would_eat() -> None:
    assert answer(fight({"B": "c031"}), "B", "respond") == "play.k1.h01.z01"


def test_it_does_not_spoil_its_own_meal() -> None:
    assert answer(fight({"A": "c044"}), "A", "respond") == "pass"


def test_it_wins_back_what_another_has_turned() -> None:
    found = fight({"A": "c052", "B": "c044"}).play("B", "k1.h1")
    assert answer(found, "A", "respond") == "play.k1.z01"


def test_it_stakes_a_point_on_a_fight_that_is_won() -> None:
    """c089."""
    assert answer(fight({"A": "c089"}), "A", "respond") == "play.k1.z01"


def test_a_card_that_turns_nothing_stays_in_hand() -> None:
    """c055 takes one of nothing that matters: the humans win already."""
    found = scene(f"h1 4,4; h2 4,5; zA 3,4; {FAR}", hands={"B": "c055"})
    found.go("A", "zA.attack-h1")
    assert answer(found, "B", "respond") == "pass"


# --- movements ---


@pytest.mark.parametrize(("card", "play"), [("c109", "play.k1.0.z01"), ("c072", "play.k1.0.z01")])
def test_it_stops_who_is_on_its_way_to_eat(card: str, play: str) -> None:
    found = scene(f"h1 5,4; zA 1,4; {FAR}", hands={"B": card})
    found.go("A", "zA.4,4.attack-h1")
    assert answer(found, "B", "respond") == play


def test_it_lets_walk_who_attacks_nobody() -> None:
    found = scene(f"h1 8,8; zA 1,4; {FAR}", hands={"B": "c109"}).go("A", "zA.4,4.end")
    assert answer(found, "B", "respond") == "pass"


def test_it_lets_walk_who_will_lose() -> None:
    found = scene(f"h1 5,4; h2 6,4; h3 5,5; zA 1,4; {FAR}", hands={"B": "c109"})
    found.go("A", "zA.4,4.attack-h1")
    assert answer(found, "B", "respond") == "pass"


def test_stuck_it_bites_whom_it_can() -> None:
    found = scene(f"h1 5,4; h2 1,3; zA 1,4; {FAR}", hands={"B": "c083"})
    found.go("A", "zA.4,4.attack-h1").play("B", "k1.0.zA")
    assert answer(found, "A", "replan") == "attack-h02"


def test_it_puts_a_zombie_where_most_humans_are_near() -> None:
    """Five steps count; of equal places the one from which it is not seen."""
    found = scene(f"h1 4,0; h2 4,8; h3 5,8; zA 8,4; {FAR}", stage="zombies")
    grid = Grids().of(found.state)
    near = {cell: _in_reach(found, cell) for cell in range(grid.size) if grid.border(cell)}
    decision = Decision(
        id="r0-1-place_zombie-s1",
        kind="place_zombie",
        seat=1,
        options=(Option("random"), *(Option(grid.cell_id(cell)) for cell in near)),
    )
    game = found.sitting.game
    chosen = Steady(game.branch).answer(found.sitting.views[1], decision, SEED)
    assert near[grid.cell_of(chosen)] == max(near.values())
    assert len(set(near.values())) > 1


def _in_reach(found: Scene, cell: int) -> int:
    grid = Grids().of(found.state)
    distances = grid.distances(cell)
    return sum(distances[grid.cell_of(human.cell)] <= 5 for human in found.state.humans())


# --- what would have to be discarded, and what is changed ---

GOOD = "c031 c072 c109"
"""Three cards that are better than c118, and which one may keep."""


def test_before_the_panic_it_plays_what_it_would_have_to_discard() -> None:
    """c118 belongs there and nowhere else."""
    found = scene(f"h1 4,4; zA 3,4; {FAR}", hands={"A": f"c118 {GOOD}"}, stage="panic")
    assert answer(found, "A", "respond").startswith("play.k1.0.h01")


def test_before_the_panic_it_keeps_what_it_may_keep() -> None:
    found = scene(f"h1 4,4; zA 3,4; {FAR}", hands={"A": "c118 c031 c072"}, stage="panic")
    assert answer(found, "A", "respond") == "pass"


def test_what_can_be_played_at_the_end_of_the_round_waits_for_it() -> None:
    card = next(
        name
        for name, card in CARDS.items()
        if {"panic", "end_round"} <= set(card.when) and keeping(name) <= 1
    )
    found = scene(f"h1 4,4; zA 3,4; {FAR}", hands={"A": f"{card} {GOOD}"}, stage="panic")
    assert answer(found, "A", "respond") == "pass"


def test_a_play_is_tried_where_its_anchor_lies() -> None:
    """Anchored at 4, c064 moves a zombie on that has come four cells far by then."""
    found = scene(f"h1 8,8; zA 0,0; {FAR}", hands={"A": "c064"}, stage="zombies")
    found.go("A", "zA.4,0.end")
    game = found.sitting.game
    grids, decision = Grids(), found.asked("A", "respond")
    mind = Mind(found.state, grids.of(found.state), decision, SEED, game.branch)
    below = mind.below(("play", "k1", "4", "z01"))
    assert {"r0c4", "r1c5", "r2c6"} <= {str(option.meaning["cell"]) for option in below}
    for option in below:
        trying.try_play(mind, grids, option.id)


def test_behind_everybody_it_changes_a_poor_card() -> None:
    found = scene(f"h1 8,8; zA 0,0; {FAR}", hands={"A": "c031 c077"}, scores={"B": 1})
    assert answer(found, "A", "go") == "swap.k2"


def test_a_good_card_stays() -> None:
    found = scene(f"h1 8,8; zA 0,0; {FAR}", hands={"A": "c031"}, scores={"B": 1})
    assert answer(found, "A", "go").startswith("z01")


def test_a_meal_comes_before_a_card() -> None:
    found = scene(f"h1 4,4; zA 3,4; {FAR}", hands={"A": "c077"}, scores={"B": 1})
    assert answer(found, "A", "go") == "z01.attack-h01"


# --- supports ---

PAIR = "h1 4,4; h2 3,5; zA 3,4; zB 5,3"
"""S55: each of two zombies of two seats stands next to one of the humans, A's to both."""


def test_it_asks_for_help_where_it_cannot_win_alone() -> None:
    found = scene(PAIR).go("A", "zA.attack-h1")
    assert answer(found, "A", "support") == "z02.h01-z01.h02-z02"


def test_it_comes_for_its_share() -> None:
    found = scene(PAIR).go("A", "zA.attack-h1").choose("A", "support", "zB.h1-zA.h2-zB")
    assert answer(found, "B", "consent") == "accept"


def test_it_does_not_come_for_nothing() -> None:
    found = scene(PAIR).go("A", "zA.attack-h1").choose("A", "support", "zB.h1-zA.h2-zA")
    assert answer(found, "B", "consent") == "decline"


def test_it_does_not_come_to_die() -> None:
    """S57: a third human would join, and both zombies die."""
    found = scene(f"{PAIR}; h3 6,2").go("A", "zA.attack-h1")
    found.choose("A", "support", "zB.h1-zA.h2-zB")
    assert answer(found, "B", "consent") == "decline"


# --- the rest ---


def test_it_sends_a_human_into_its_reach() -> None:
    found = scene("h1 6,0; zA 0,0; zB 0,8", stage="wandering")
    assert answer(found, "A", "wander_turn") in {"h01.r0c5", "h01.r1c5"}


def test_it_keeps_the_better_cards() -> None:
    """c031 kills; c099, c077, c081 and c102 do less."""
    found = scene(f"h1 8,8; {FAR}", hands={"A": "c077 c031 c081 c099"}, stage="end_round")
    found.until(lambda d: d.kind == "discard")
    assert "k2" not in answer(found, "A", "discard").split("-")


def test_a_voluntary_act_is_refused() -> None:
    found = scene(f"h1 4,4; zA 3,4; {FAR}")
    game, view = found.sitting.game, found.sitting.views[1]
    optional = next(d for d in game.decisions(view, 1) if d.optional)
    unknown = Decision(id="x", kind="x", seat=1, options=())
    for decision in (optional, unknown):
        with pytest.raises(ValueError, match=r"decision|voluntary"):
            Steady(game.branch).answer(view, decision, SEED)
