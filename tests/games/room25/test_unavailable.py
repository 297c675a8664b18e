"""Why something cannot be chosen: each reason in a position, and none where it can be chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from games.contract import Unavailable
from games.room25 import ROOM25, RULES
from games.room25.model.reasons import Why
from games.room25.model.state import Program, State
from games.room25.rules.choices import CHOICES
from games.room25.rules.unavailable import ASKED, AT_ANY_TIME, CHOSEN_AT_ONCE
from simulator.room25.reasons import EXPECTED, flaw_of
from tests.games.begun import situation
from tests.games.room25.reasons import ALL, asked, placed, position, reason, sealed, why


@pytest.mark.parametrize(
    ("cell", "code", "tiles"),
    [
        ("r1c2", None, {}),
        ("r1c1", Why.START, {}),
        ("r4c4", Why.NOT_ADJACENT, {}),
        ("r2c2", Why.NOT_ADJACENT, {}),
        ("r0c1", Why.SEALED, {}),
        ("r1c2", Why.LOCKED, {"r1c2": {"kind": "empty", "lock": True}}),
        ("r1c2", None, {"r1c1": {"kind": "pivoting", "axis": "horizontal"}}),
        ("r2c1", Why.NO_CORRIDOR, {"r1c1": {"kind": "pivoting", "axis": "horizontal"}}),
        ("r1c2", Why.CONFINED, {"r1c1": "jail"}),
        ("r0c0", Why.NOT_ADJACENT, {"r1c1": "jail"}),
    ],
)
@pytest.mark.parametrize("kind", ["move_target", "killer_step"])
def test_a_room_says_why_nobody_moves_there(
    kind: str, cell: str, code: str | None, tiles: dict[str, Any]
) -> None:
    """§4.5, §5.2."""
    # Beside the cell somebody stands, so that there is a way out of it.
    state = position({"jennifer": {"cell": "r2c1"}}, ("r0c0", "r0c1"), tiles=tiles)
    assert reason(state, kind, {"cell": cell}) == code


@pytest.mark.parametrize(
    ("cell", "code", "tiles"),
    [
        ("r1c2", None, {}),
        ("r1c1", Why.FACE_UP, {}),
        ("r0c1", Why.FACE_UP, {}),
        ("r4c4", Why.NOT_ADJACENT, {}),
        ("r1c2", None, {"r1c1": {"kind": "pivoting", "axis": "horizontal"}}),
        ("r2c1", Why.NO_CORRIDOR, {"r1c1": {"kind": "pivoting", "axis": "horizontal"}}),
    ],
)
def test_a_room_says_why_nobody_looks_there(
    cell: str, code: str | None, tiles: dict[str, Any]
) -> None:
    """§4.5."""
    down = {where: {"kind": "empty", "face": "down"} for where in ("r1c2", "r2c1", "r1c0")}
    assert reason(position(tiles={**down, **tiles}), "look_target", {"cell": cell}) == code


@pytest.mark.parametrize(
    ("line", "way", "code", "anywhere"),
    [
        ("row1", "left", None, None),
        ("row1", "right", Why.MOVED_AGAINST, Why.MOVED_AGAINST),
        ("col1", "up", None, None),
        ("row3", "left", Why.OTHER_LINE, None),
        ("col4", "up", Why.OTHER_LINE, Why.MOVED_AGAINST),
    ],
)
def test_an_arrow_says_why_its_line_does_not_move(
    line: str, way: str, code: str | None, anywhere: str | None
) -> None:
    """§4.5, §7.2; from the Control Chamber every line is one's own (D9)."""
    state = position(markers={"row1": "left", "col4": "down"})
    assert reason(state, "control_target", {"line": line, "way": way}) == code
    assert reason(state, "control_room", {"line": line, "way": way}) == anywhere


def test_a_figure_says_why_nobody_pushes_it() -> None:
    """§4.5, R32; and of whom can be pushed, where to."""
    state = position(seals=("r1c2",))
    _, _, told = asked(state, "push_target")
    assert why(told, character="kevin") is None
    assert why(told, character="kevin", cell="r0c1") is None
    assert why(told, character="kevin", cell="r1c2") == Why.SEALED
    assert why(told, character="kevin", cell="r4c4") == Why.NOT_ADJACENT
    assert why(told, character="jennifer") == Why.ELSEWHERE
    assert why(told, character="franck") == Why.ELIMINATED
    state = position({"jennifer": {"cell": "r1c1"}})
    invisible = replace(state.characters["kevin"], hidden=True)
    state = replace(state, characters={**state.characters, "kevin": invisible})
    assert reason(state, "push_target", {"character": "kevin"}) == Why.HIDDEN


def test_whom_every_way_is_closed_to_is_pushed_nowhere() -> None:
    """§5.2: the only room beside them that is open to one is locked to the other."""
    tiles = {"r1c2": {"kind": "empty", "lock": True}}
    state = position(seals=("r0c1", "r1c0", "r2c1"), tiles=tiles)
    state = replace(state, robots=("r1c1", None))
    _, _, told = asked(state, "robot_order")
    assert why(told, robot=1, push="max") == Why.NO_WAY
    assert why(told, robot=1, push="jennifer") == Why.ELSEWHERE
    assert why(told, robot=1, move="r0c1") == Why.SEALED
    assert why(told, robot=1, move="r1c2") is None
    assert why(told, robot=2) == Why.NOT_IN_PLAY


def test_a_robot_pushes_nobody_out_of_a_blue_room() -> None:
    """§6.3."""
    state = replace(position(cast={"max": {"cell": "r2c2"}}), robots=("r2c2", None))
    meaning = {"robot": 1, "push": "max"}
    assert reason(state, "robot_order", meaning, character="kevin") == Why.BLUE


def test_rooms_that_ask_say_what_does_not_lie_right() -> None:
    """§5.4, R48, D15."""
    state = position(tiles={"r1c1": "tunnel", "r0c0": "tunnel"})
    tunnel = state.grid["r0c0"]
    more = {"r0c4": replace(tunnel, seal=True), "r3c1": replace(tunnel, up=False)}
    state = replace(state, grid={**state.grid, **more})
    for kind in ("vision_target", "moving_target", "illusion_target"):
        assert reason(state, kind, {"cell": "r0c0"}) == Why.FACE_UP
    ask = {"group": ("max",), "cell": "r1c1"}
    codes = {"r1c1": Why.START, "r0c0": None, "r0c4": Why.SEALED, "r3c1": Why.NO_TUNNEL}
    for cell, code in codes.items():
        assert reason(state, "tunnel_target", {"cell": cell}, **ask) == code


def test_no_role_is_seen_that_is_ones_own_or_known_or_of_the_dead() -> None:
    """D15."""
    state = position()
    shown = replace(state.characters["kevin"], role_public=True)
    state = replace(state, characters={**state.characters, "kevin": shown})
    codes = {"max": Why.OWN, "kevin": Why.ROLE_PUBLIC, "franck": Why.ELIMINATED, "jennifer": None}
    for name, code in codes.items():
        assert reason(state, "secrets_target", {"character": name}) == code


def test_an_action_says_why_it_cannot_be_taken() -> None:
    """R14, D6, §6.4."""
    state = position(cast={"max": {"lost": ("push",), "used": ("look",), "cell": "r2c2"}})
    codes = {"look": Why.USED, "push": Why.LOST, "move": None, "control": None}
    for token, code in codes.items():
        assert reason(state, "free_action", {"token": token}) == code
    for token in ("push", "control"):  # nothing is pushed or shifted from the Central Room
        assert reason(state, "adrenaline_action", {"token": token}) == Why.NO_AIM
    assert reason(state, "adrenaline_action", {"token": "move"}) is None


def program(state: State) -> tuple[Unavailable, ...]:
    """What the first seat cannot programme."""
    (decision,) = (d for d in ROOM25.decisions(state, 1) if d.kind == "program")
    told = RULES.unavailable(state, decision, ())
    assert flaw_of(state, decision, told) is None
    return told


def test_a_programme_says_what_does_not_go_into_it() -> None:
    """§4.3.2, R22, R58, R68."""
    assert why(program(position(cast={"max": {"lost": ("push",)}})), token="push") == Why.LOST
    spent = program(position(cast={"max": {"adrenaline": "spent"}}))
    assert why(spent, adrenaline=True) == Why.SPENT
    ready = {"max": {"adrenaline": "available"}}
    assert program(position(cast=ready)) == ()
    cold = program(position(cast=ready, tiles={"r1c1": "cold"}))
    assert why(cold, adrenaline=True) == Why.CHILLED
    stack = {"max": {"adrenaline": "available", "stack": ("move", "look", "push", "control")}}
    drawn = program(position(cast=stack, tiles={"r1c1": "paranoia"}))
    assert {each.code for each in drawn} == {Why.DRAWN}
    assert why(drawn, adrenaline=True) is None


def test_the_first_clue_is_beside_the_centre() -> None:
    """§4.1.7."""
    cast = {name: {"seat": seat} for seat, name in enumerate(ALL, 1)}
    state = situation("cooperation", 4, characters=cast, phase="clue", turn=1)
    (decision,) = (d for d in ROOM25.decisions(state, 2) if not d.optional)
    told = RULES.unavailable(state, decision, ())
    assert flaw_of(state, decision, told) is None
    assert {each.code for each in told} == {Why.NOT_A_CLUE}


# --- the powers of guards ---


def test_an_architect_reads_why_a_room_is_not_turned_down() -> None:
    """R107."""
    state = sealed(position(), "r3c4")
    down = {cell: replace(state.grid[cell], up=False) for cell in ("r4c4", "r4c3")}
    state = replace(state, grid={**state.grid, **down})
    state = placed(state, max={"role": "architect", "role_public": True})
    codes = {
        "r0c0": None,
        "r4c4": Why.FACE_DOWN,
        "r2c2": Why.CENTRE,
        "r3c4": Why.SEALED,
        "r3c3": Why.OCCUPIED,
    }
    for cell, code in codes.items():
        assert reason(state, "look_target", {"hide": cell}) == code
    assert reason(state, "look_target", {"cell": "r4c3"}) is None
    assert reason(state, "look_target", {"cell": "r0c0"}) == Why.FACE_UP


def test_an_action_says_why_it_takes_the_place_of_no_other() -> None:
    """R118: the slot that has been revealed stays, and no action is there twice."""
    state = placed(
        replace(position(), round=2),
        max={"program": Program(tokens=("look", "move")), "lost": ("control",)},
    )
    codes = {
        (1, "push"): Why.REVEALED,
        (2, "push"): None,
        (2, "look"): Why.PROGRAMMED,
        (2, "move"): Why.PROGRAMMED,
        (2, "control"): Why.LOST,
    }
    for (slot, token), code in codes.items():
        assert reason(state, "traitor_change", {"slot": slot, "token": token}) == code


def unasked(state: State, kind: str) -> Mapping[str, str]:
    """The code of each cell of something that the first seat may do unasked."""
    (decision,) = (d for d in ROOM25.decisions(state, 1) if d.kind == kind)
    told = RULES.unavailable(state, decision, ())
    assert flaw_of(state, decision, told) is None
    return {each.meaning["cell"]: each.code for each in told}


def test_a_room_says_why_no_reminder_is_put_there_and_no_colour_said_of_it() -> None:
    """R29, R97: what one has looked at oneself."""
    state = replace(position(), windows=(1,))
    first, second, third = "r4c4", "r4c3", "r4c2"
    down = {cell: replace(state.grid[cell], up=False) for cell in (first, second, third)}
    down[second] = replace(down[second], reminders=(1,))
    state = replace(state, grid={**state.grid, **down})
    up = {cell for cell, tile in state.grid.items() if tile.up}
    reminders = unasked(replace(state, rulebook="prototype"), "place_reminder")
    assert reminders == {**dict.fromkeys(up, Why.FACE_UP), second: Why.MARKED}
    seen = {1: {state.grid[first].id}}
    claims = unasked(replace(state, peeked=seen), "claim_color")
    assert first not in claims
    assert {claims[cell] for cell in up} == {Why.FACE_UP}
    assert set(claims.values()) == {Why.FACE_UP, Why.NOT_LOOKED}


def test_every_kind_that_says_so_is_one_and_no_other_says_anything() -> None:
    assert set(ASKED) <= set(CHOICES)
    assert set(EXPECTED) == {*ASKED, *CHOSEN_AT_ONCE, *AT_ANY_TIME}
    state, decision, told = asked(position(), "pivot_orientation", cell="r1c1")
    assert told == ()
    assert flaw_of(state, decision, told) is None


def test_of_the_other_kinds_everything_is_offered() -> None:
    """Yes and no, now and later, one axis and the other, one of the two who are there."""
    others = {"acid_victim", "android", "card_android", "delay_single", "pivot_orientation"}
    assert set(CHOICES) - set(ASKED) == {*others, "summon_refuse"}


def flaws() -> list[tuple[str, tuple[Unavailable, ...]]]:
    """What a list may have wrong."""
    _, _, told = asked(position(), "move_target")
    return [
        ("is offered False", told[1:]),
        ("is offered False", (*told, told[0])),
        ("is offered True", (*told, Unavailable({"cell": "r1c2"}, Why.SEALED))),
        ("nobody expects", (*told, Unavailable({"cell": "r9c9"}, Why.SEALED))),
        ("are no codes", (replace(told[0], code="because"), *told[1:])),
        ("has no words", (replace(told[0], about="hide"), *told[1:])),
    ]


@pytest.mark.parametrize(("text", "told"), flaws())
def test_a_list_with_a_flaw_is_found(text: str, told: tuple[Unavailable, ...]) -> None:
    state, decision, right = asked(position(), "move_target")
    assert flaw_of(state, decision, right) is None
    assert text in (flaw_of(state, decision, told) or "")


def test_the_guide_lists_every_code_and_every_kind_that_says_so() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "clients.md").read_text(encoding="utf-8")
    _, _, rest = guide.partition("#### In Room 25\n")
    told, _, _ = rest.partition("\n#### ")
    assert re.findall(r"^\| `([a-z-]+)` \|", told, re.MULTILINE) == sorted(Why)
    assert [kind for kind in EXPECTED if f"`{kind}`" not in told] == []
