"""Why something cannot be chosen: each reason in a position, and none where it can be chosen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import Decision, Option
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.rules.context import Grids
from games.cerveauuu.rules.unavailable import ASKED, BELOW
from games.cerveauuu.scenarios.bases import open_board
from games.contract import Unavailable
from games.trees import parts_of
from simulator.cerveauuu.bare_game import BareGame
from simulator.cerveauuu.reasons import EXPECTED, expected, flaw_of, offered
from tests.games.cerveauuu.scenes import Scene, cell_id, scene, seat_of

GRIDS = Grids()

GUIDE = Path(__file__).parents[3] / "docs" / "clients.md"

HOUSE = """\
+-+-+-+-+-+-+-+
|. . .|a a a|.|
+     +     + +
|. . .|a a a|.|
+     +     + +
|. . .Da a a|.|
+     +     + +
|. . .|a a a|.|
+-+-+-+-+-+-+-+
"""


def told(at: Scene, letter: str, kind: str, *path: str) -> tuple[Unavailable, ...]:
    """What a level lacks; its list has no flaw."""
    game, state, decision = at.sitting.game, at.state, at.asked(letter, kind)
    parts = tuple(map(at.option, path))

    def below(name: str) -> Sequence[Option]:
        return game.branch(state, decision, parts_of(name))

    level = below(".".join(parts)) if parts else decision.options
    assert level, f"there is no branch {path}"
    found = game.unavailable(state, decision, parts)
    every = expected(state, GRIDS.of(state), decision, parts)
    assert flaw_of(every, offered(level, below), found) is None
    return found


def why(at: Scene, letter: str, kind: str, path: str, **meaning: str) -> str | None:
    """The code for what has one meaning, in the words of scenes; None: it is offered."""
    ((name, text),) = meaning.items()
    value: Any = text if name == "card" else at.option(text)
    value = [value] if name == "invited" else int(value[1:]) if name == "seat" else value
    found = told(at, letter, kind, *filter(None, path.split(".")))
    return next((each.code for each in found if each.meaning == {name: value}), None)


# --- zombies and their ways ---


@pytest.mark.parametrize(
    ("piece", "code"),
    [
        ("zA", None),
        ("zA2", Why.ACTIVATED),
        ("zA3", Why.BLOCKED),
        ("zB", Why.NOT_OWN),
        ("h1", Why.NOT_A_ZOMBIE),
    ],
)
def test_a_piece_says_why_it_has_no_go(piece: str, code: str | None) -> None:
    """§4.6."""
    at = scene("h1 8,8; zA 0,0; zA2 0,2 activated; zA3 0,4 blocked; zB 0,6")
    assert why(at, "A", "go", "", piece=piece) == code


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("3,0", None),
        ("4,0", Why.START),
        ("5,0", Why.OCCUPIED),
        ("2,0", Why.IMPASSABLE),
        ("7,0", Why.IN_THE_WAY),
        ("11,0", Why.TOO_FAR),
        ("1,0", Why.SHUT_OFF),
    ],
)
def test_a_cell_says_why_a_zombie_cannot_go_there(cell: str, code: str | None) -> None:
    """§2.4, §2.5, §4.7: it passes no operational piece."""
    lane = open_board(12, 1)
    at = scene("h1 5,0; zA 4,0", map=lane, cells={cell_id("2,0"): "impassable"})
    assert why(at, "A", "go", "zA", cell=cell) == code


def test_a_wall_is_between_and_some_places_are_shut_off() -> None:
    """§2.3."""
    at = scene("h1 0,0; zA 2,0", map=HOUSE)
    assert why(at, "A", "go", "zA", cell="3,0") == Why.WALL
    assert why(at, "A", "go", "zA", cell="3,2") is None
    assert why(at, "A", "go", "zA", cell="5,3") == Why.TOO_FAR
    assert why(at, "A", "go", "zA", cell="6,0") == Why.SHUT_OFF


def test_who_has_gone_all_its_steps_goes_no_further() -> None:
    """§4.7.1: each level says it from where the zombie has come to."""
    at = scene("h1 8,8; zA 0,0")
    assert why(at, "A", "go", "zA", cell="5,0") == Why.TOO_FAR
    assert why(at, "A", "go", "zA.2,0", cell="4,0") is None
    assert why(at, "A", "go", "zA.4,0", cell="5,0") == Why.NO_STEPS


def test_a_piece_says_why_it_cannot_be_attacked() -> None:
    """§4.7, §5.5: one next to it that is not doomed, from where it would stop."""
    at = scene("h1 5,4; h2 8,8; zA 4,4; zB 4,3")
    assert why(at, "A", "go", "zA", attack="h1") is None
    assert why(at, "A", "go", "zA", attack="zB") is None
    assert why(at, "A", "go", "zA", attack="h2") == Why.NOT_ADJACENT
    assert why(at, "A", "go", "zA.3,4", attack="h1") == Why.NOT_ADJACENT
    doomed = {**at.state.pieces, "h01": replace(at.piece("h1"), doomed=True)}
    at.sitting.truth.pieces = doomed
    assert why(at, "A", "go", "zA", attack="h1") == Why.DOOMED


def test_a_path_that_is_planned_anew_says_the_same() -> None:
    """§4.7.3: from where the mover stands, and from where it would rest."""
    at = scene("h1 5,0; h2 8,8; zA 0,0", hands={"A": "c082"}).go("A", "zA.4,0.attack-h1")
    at.play("A", "k1.2.zA")
    assert why(at, "A", "replan", "", cell="8,7") == Why.TOO_FAR
    assert why(at, "A", "replan", "", attack="h1") == Why.NOT_ADJACENT
    assert why(at, "A", "replan", "4,0", attack="h1") is None
    assert why(at, "A", "replan", "4,0", cell="4,0") == Why.START


def test_a_piece_says_why_it_cannot_support_and_then_why_it_eats_nobody() -> None:
    """§4.8.3."""
    at = scene(
        "h1 4,4; h2 8,0; zA 3,4; zA2 4,3; zA3 5,4 attacked; zA4 4,5 blocked; zB 0,0; zB2 8,8"
    )
    at.go("A", "zA.attack-h1").quiet()
    codes = {
        "zA": Why.IN_FIGHT,
        "zA2": None,
        "zA3": Why.ATTACKED,
        "zA4": Why.BLOCKED,
        "zB": Why.NOT_ADJACENT,
        "h1": Why.NOT_A_ZOMBIE,
        "h2": Why.NOT_A_ZOMBIE,
    }
    assert {name: why(at, "A", "support", "", invited=name) for name in codes} == codes
    shares = told(at, "A", "support", "zA2")
    assert {each.meaning["human"] for each in shares} == {"h01"}
    assert {each.about for each in shares} == {"share"}
    assert {each.meaning["eater"]: each.code for each in shares} == {
        at.option(name): Why.NOT_A_ZOMBIE if name.startswith("h") else Why.NOT_INVITED
        for name in ("h1", "h2", "zA3", "zA4", "zB", "zB2")
    }


# --- wandering and the beginning ---


def test_a_human_says_why_it_does_not_wander() -> None:
    """§4.5."""
    shut_in = "h5 0,8; h6 1,8; h7 0,7; h8 1,7"
    at = scene(f"h1 4,4; h2 6,6 moved; h3 2,2 blocked; zA 8,0; {shut_in}", stage="wandering")
    codes = {"h1": None, "h2": Why.MOVED, "h3": Why.BLOCKED, "zA": Why.NOT_A_HUMAN}
    codes["h5"] = Why.NO_WAY
    assert {name: why(at, "A", "wander_turn", "", piece=name) for name in codes} == codes
    assert why(at, "A", "wander_turn", "h1", cell="4,5") is None
    assert why(at, "A", "wander_turn", "h1", cell="4,6") == Why.TOO_FAR


def test_the_batch_says_the_same_of_its_humans() -> None:
    """§4.5.2."""
    at = scene("h1 4,4; h2 4,5; zA 8,0; zB 8,8", stage="wandering", options={"wander_goes": 0})
    assert why(at, "A", "wander_batch", "", cell="4,5") == Why.OCCUPIED
    assert why(at, "A", "wander_batch", "", cell="3,4") is None
    assert why(at, "A", "wander_batch", "", cell="0,0") == Why.TOO_FAR


def test_a_cell_says_why_nothing_is_placed_there() -> None:
    """§3.4, §3.5."""
    game = BareGame(2, {"first_chief": 1}).begin()
    at = Scene(game, {})
    assert why(at, "A", "place_human", "", cell="0,0") == Why.BORDER
    assert why(at, "A", "place_human", "", cell="5,5") is None
    game.choose(at.asked("A", "place_human"), cell_id("5,5"))
    assert why(at, "B", "place_human", "", cell="5,5") == Why.OCCUPIED
    at.until(lambda decision: decision.kind == "place_zombie")
    assert why(at, "A", "place_zombie", "", cell="5,5") == Why.NOT_BORDER


# --- cards ---


@cache
def table() -> Scene:
    """A go of A's with a firearm that reaches 4 cells, on a board with nothing to hide behind."""
    return scene("h1 4,4; h2 0,8 blocked; zA 5,4; zB 4,8; zB2 8,8", hands={"A": "c032 c043 c093"})


def hand(at: Scene, letter: str, kind: str, card: str, path: str = "play") -> str | None:
    """The code for a card of a hand, which two levels tell alike."""
    code = why(at, letter, kind, "", card=card)
    if path in {option.id for option in at.asked(letter, kind).options}:
        assert why(at, letter, kind, path, card=card) == code
    return code


def test_a_card_says_why_it_is_not_played() -> None:
    """§5.2a, b."""
    at = scene("h1 4,4; zA 0,0; zB 4,8", hands={"A": "c032 c043 c093 c113"})
    assert hand(at, "A", "go", "c032") is None
    assert hand(at, "A", "go", "c043") == Why.WINDOW
    assert hand(at, "A", "go", "c093") == Why.NO_AIM
    assert hand(at, "A", "go", "c113") == Why.NO_AIM
    far = scene("h1 0,0; zA 8,0; zB 8,8", hands={"A": "c032"})
    assert hand(far, "A", "go", "c032") == Why.NO_PLAY


def test_a_card_of_a_type_that_is_barred_says_so() -> None:
    """§5.2e, f."""
    at = scene("h1 4,4; zA 5,4; zB 4,8", hands={"A": "c024 c032 c025"})
    at.go("A", "play.k1")
    at.quiet()
    assert hand(at, "A", "go", "c032") == Why.BANNED
    assert hand(at, "A", "go", "c025") == Why.MEDIA_LOCKED


def test_a_card_is_told_of_in_windows_and_in_turns_of_wandering_too() -> None:
    at = scene("h1 4,4; zA 0,0; zB 4,8", hands={"A": "c043"}, stage="wandering")
    assert hand(at, "A", "wander_turn", "c043") == Why.WINDOW
    at = scene("h1 5,0; zA 0,0", hands={"A": "c043"}).go("A", "zA.4,0.end")
    assert hand(at, "A", "respond", "c043") == Why.WINDOW


def test_a_piece_says_why_it_does_not_fill_a_slot() -> None:
    """§5.2b-d, §6."""
    at = table()
    assert why(at, "A", "go", "play.k1", piece="h1") is None
    assert why(at, "A", "go", "play.k1", piece="zA") == Why.NOT_A_HUMAN
    assert why(at, "A", "go", "play.k1", piece="h2") == Why.BLOCKED
    assert why(at, "A", "go", "play.k1.h1", piece="h1") == Why.NOT_A_ZOMBIE
    assert why(at, "A", "go", "play.k1.h1", piece="zB") is None
    assert why(at, "A", "go", "play.k3", piece="h1") == Why.NOT_BLOCKED
    near = scene("h1 2,1; h2 0,0; zA 3,1; zB 2,3; zB2 6,3", map=HOUSE, hands={"A": "c032"})
    assert why(near, "A", "go", "play.k1.h1", piece="zA") == Why.OUT_OF_SIGHT
    assert why(near, "A", "go", "play.k1.h1", piece="zB") is None
    assert why(table(), "A", "go", "play.k1.h1", piece="zB2") is None
    far = scene("h1 0,4; zA 4,4; zB 5,4", hands={"A": "c032"})
    assert why(far, "A", "go", "play.k1.h1", piece="zB") == Why.OUT_OF_RANGE


def test_a_human_with_nothing_to_shoot_at_leads_nowhere() -> None:
    at = scene("h1 0,4; h2 8,8; zA 3,4", hands={"A": "c032"})
    assert why(at, "A", "go", "play.k1", piece="h1") is None
    assert why(at, "A", "go", "play.k1", piece="h2") == Why.LEADS_NOWHERE


def test_a_piece_is_named_once_by_a_card_and_once_a_round_by_a_seat() -> None:
    """§5.2d."""
    at = scene("h1 4,4; h2 5,5; h3 3,3; zA 0,0; zB 8,8", hands={"A": "c042"})
    pieces = {**at.state.pieces, "h03": replace(at.piece("h3"), touched_by=(1,))}
    at.sitting.truth.pieces = pieces
    assert why(at, "A", "go", "play.k1.h1", piece="h1") == Why.CHOSEN
    assert why(at, "A", "go", "play.k1", piece="h3") == Why.TOUCHED


def test_whose_a_zombie_is_is_said() -> None:
    """§7."""
    at = scene("h1 4,4; zA 0,0; zB 8,8", hands={"A": "c068 c105 c113 c021"})
    assert why(at, "A", "go", "play.k1", piece="zB") == Why.NOT_OWN
    assert why(at, "A", "go", "play.k2", piece="zA") == Why.OWN
    assert why(at, "A", "go", "play.k4", seat="A") == Why.OWN_SEAT
    spent = scene("h1 4,4; zA 0,0; zA2 0,2 activated; zB 8,8", hands={"A": "c113"})
    assert why(spent, "A", "go", "play.k1", piece="zA") == Why.NOT_SPENT
    assert why(spent, "A", "go", "play.k1", piece="zA2") is None


def test_who_moves_and_who_fights_is_said() -> None:
    """§7, and at anchors where a card cannot be played (§5.2g)."""
    at = scene("h1 5,0; zA 0,0; zB 8,8", hands={"A": "c109 c037"}).go("A", "zA.4,0.end")
    assert why(at, "A", "respond", "play.k1.2", piece="zB") == Why.NOT_MOVING
    anchors = [each for each in told(at, "A", "respond", "play", "k2") if "anchor" in each.meaning]
    assert [each.meaning["anchor"] for each in anchors] == [0, 1, 2, 3]
    assert {each.code for each in anchors} == {Why.NO_PLAY}
    pieces = "h1 4,4; h2 0,8; zA 3,4; zA2 4,3; zB 8,8"
    at = scene(pieces, hands={"A": "c050 c114"}).go("A", "zA.attack-h1")
    at.choose("A", "support", "zA2.h1-zA")
    assert why(at, "A", "respond", "play.k1", piece="h2") == Why.NOT_FIGHTING
    assert why(at, "A", "respond", "play.k2", piece="zA") == Why.NOT_SUPPORTING
    assert why(at, "A", "respond", "play.k2", piece="zA2") is None


def test_a_place_says_why_it_does_not_fill_a_slot() -> None:
    """§7."""
    at = scene("h1 1,1; zA 0,0; zB 0,3", map=HOUSE, hands={"A": "c063 c078 c079 c097 c096"})
    assert why(at, "A", "go", "play.k1.h1", cell="4,1") is None
    assert why(at, "A", "go", "play.k1.h1", cell="0,1") == Why.OUTDOORS
    assert why(at, "A", "go", "play.k2", cell="4,1") == Why.INDOORS
    assert why(at, "A", "go", "play.k2", cell="0,0") == Why.OCCUPIED
    assert why(at, "A", "go", "play.k3.h1", cell="4,1") == Why.OUT_OF_RANGE
    assert why(at, "A", "go", "play.k4", cell="1,2") == Why.NOT_BORDER
    assert why(at, "A", "go", "play.k5.2,1", cell="0,1") == Why.NOT_ADJACENT


def test_an_edge_says_why_it_does_not_fill_a_slot() -> None:
    """C74."""
    at = scene("h1 1,1; zA 0,0; zB 0,3", map=HOUSE, hands={"A": "c076 c123 c075"})
    door, wall = "E:2,2", "E:2,1"
    assert why(at, "A", "go", "play.k1", edge=wall) is None
    assert why(at, "A", "go", "play.k1", edge=door) == Why.NOT_A_WALL
    at = scene(
        "h1 1,1; zA 0,0; zB 0,3",
        map=HOUSE,
        hands={"A": "c123 c122"},
        edges={"r0c2e": "door_closed"},
    )
    assert why(at, "A", "go", "play.k1", edge=wall) == Why.NOT_A_DOOR
    assert why(at, "A", "go", "play.k1", edge=door) == Why.DOOR_OPEN
    assert why(at, "A", "go", "play.k1", edge="E:2,0") is None
    assert why(at, "A", "go", "play.k2", edge="E:2,0") == Why.DOOR_CLOSED
    assert why(at, "A", "go", "play.k2", edge=door) is None


def test_the_step_of_a_card_says_where_it_cannot_end() -> None:
    """C79."""
    at = scene("h1 4,4; zA 5,4; zB 8,8", hands={"A": "c131"})
    assert why(at, "A", "go", "play.k1.h1", cell="4,4") is None
    assert why(at, "A", "go", "play.k1.h1", cell="5,4") == Why.OCCUPIED
    assert why(at, "A", "go", "play.k1.h1", cell="4,8") == Why.TOO_FAR


def test_a_card_is_not_dropped_with_itself() -> None:
    """§5.2h: all others may be."""
    at = scene("h1 4,4; zA 0,0; zB 8,8", hands={"A": "c040 c043"})
    assert told(at, "A", "go", "play", "k1", "zB") == (
        Unavailable({"dropped": ["k1"]}, Why.PLAYED),
    )


# --- the whole ---


def test_nothing_is_told_of_standing_orders_nor_behind_what_is_no_branch() -> None:
    at = table()
    game, state = at.sitting.game, at.state
    for decision in game.decisions(state, seat_of("A")):
        if decision.optional:
            assert game.unavailable(state, decision, ()) == ()
    go = at.asked("A", "go")
    for path in ("zB", "zA.r8c8", "h1", "down", "play.k9", "play.k2", "play.k1.h2", "play.k1.zA"):
        assert game.unavailable(state, go, parts_of(at.option(path))) == (), path


def test_nothing_is_told_behind_what_is_no_share() -> None:
    at = scene("h1 4,4; zA 3,4; zA2 4,3; zB 0,0").go("A", "zA.attack-h1").quiet()
    support = at.asked("A", "support")
    for path in ("zB", "zA2.h1-zB", "zA2.h1-zA", "none"):
        found = at.sitting.game.unavailable(at.state, support, parts_of(at.option(path)))
        assert found == (), path


def test_a_view_of_somebody_else_tells_nothing_of_a_hand() -> None:
    at = table()
    view = at.sitting.views[seat_of("B")]
    asked: Decision = at.asked("A", "go")
    found = at.sitting.game.unavailable(view, asked, ())
    assert found
    assert all("card" not in each.meaning for each in found)


def test_every_kind_that_says_so_is_expected_to() -> None:
    assert set(ASKED) == set(EXPECTED)
    assert set(BELOW) <= set(ASKED)


def test_of_cards_to_discard_and_to_change_all_are_offered() -> None:
    """§4.6, §4.11: nothing is told of them, nor of yes and no."""
    at = scene("h1 4,4; zA 0,0; zB 4,8", hands={"A": "c032 c043"}, scores={"A": 0, "B": 5})
    assert told(at, "A", "go", "swap") == ()
    assert {"discard", "consent"} & set(ASKED) == set()


def flaws() -> list[tuple[str, tuple[Unavailable, ...]]]:
    """What a list may have wrong."""
    right = told(table(), "A", "go", "zA")
    there = Unavailable({"cell": cell_id("6,4")}, Why.TOO_FAR)
    return [
        ("is offered False", right[1:]),
        ("is offered False", (*right, right[0])),
        ("is offered True", (*right, there)),
        ("nobody expects", (*right, Unavailable({"cell": "r9c9"}, Why.TOO_FAR))),
        ("are no codes", (replace(right[0], code="because"), *right[1:])),
    ]


@pytest.mark.parametrize(("text", "wrong"), flaws())
def test_a_list_with_a_flaw_is_found(text: str, wrong: tuple[Unavailable, ...]) -> None:
    at = table()
    decision = at.asked("A", "go")
    path = (at.option("zA"),)
    level = at.sitting.game.branch(at.state, decision, path)
    every = expected(at.state, GRIDS.of(at.state), decision, path)
    assert text in (flaw_of(every, offered(level, lambda _: ()), wrong) or "")


def test_the_guide_lists_every_code_and_every_kind_that_says_so() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    _, _, rest = guide.partition("#### In Cerveauuu!\n")
    listed, _, _ = rest.partition("\n## ")
    assert re.findall(r"^\| `([a-z-]+)` \|", listed, re.MULTILINE) == sorted(Why)
    assert [kind for kind in ASKED if f"`{kind}`" not in listed] == []
