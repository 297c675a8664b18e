"""Why special abilities and cards are no use on something: each reason in a position, or none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import Decision
from games.contract import Unavailable
from games.room25.model.agenda import Ask
from games.room25.model.reasons import Why
from games.room25.model.state import State
from games.room25.rules.unavailable import unavailable
from tests.games.begun import situation
from tests.games.room25.reasons import TILES, placed, position, reason, sealed, why, with_others


@pytest.mark.parametrize(
    ("victim", "lock", "code"),
    [
        ({"cell": "r2c3"}, False, None),
        ({"cell": "r2c3"}, True, Why.LOCKED),
        ({"cell": "r2c3", "hidden": True}, False, Why.HIDDEN),
        ({"cell": "r2c2"}, False, Why.NOT_ADJACENT),
        ({"cell": "r3c3"}, False, Why.NOT_ADJACENT),
    ],
)
def test_somebody_says_why_they_cannot_be_summoned(
    victim: Mapping[str, Any], code: str | None, *, lock: bool
) -> None:
    """§6.1."""
    state = placed(position(), max=victim, kevin={"cell": "r3c2"})
    here = replace(state.grid["r3c3"], lock=lock)
    state = replace(state, grid={**state.grid, "r3c3": here})
    told = pointed_at(state, "jennifer")
    for name, expected in {"max": code, "franck": Why.ELIMINATED}.items():
        assert why(told, ability="summon", character=name) == expected
    assert {each.about for each in told} == {"summon"}


def pointed_at(state: State, character: str) -> tuple[Unavailable, ...]:
    """What a special ability cannot be used on; also where it has no use, and nobody is asked."""
    ask = Ask(kind="special_choice", character=character, id="t3-1-asked")
    decision = Decision(id=ask.id, kind=ask.kind, seat=1, options=(), subject=character)
    return unavailable(replace(state, agenda=(*state.agenda, ask)), decision, ())


def test_somebody_says_why_and_where_they_cannot_be_carried() -> None:
    """R130: both must be able to enter."""
    state = position(seals=("r0c1",))
    codes = {"r1c2": None, "r0c1": Why.SEALED, "r2c2": Why.NOT_ADJACENT, "r1c1": Why.START}
    for cell, code in codes.items():
        about = {"ability": "carry", "character": "kevin", "cell": cell}
        assert reason(state, "special_choice", about) == code
    jennifer = {"ability": "carry", "character": "jennifer"}
    assert reason(state, "special_choice", jennifer) == Why.ELSEWHERE
    state = placed(state, jennifer={"cell": "r1c1", "hidden": True})
    assert reason(state, "special_choice", jennifer) == Why.HIDDEN


def test_where_nobody_can_be_carried_each_says_that_there_is_no_way() -> None:
    state = position(seals=("r0c1", "r1c0", "r1c2", "r2c1"))
    told = pointed_at(state, "max")
    assert why(told, ability="carry", character="kevin") == Why.NO_WAY


def test_a_robot_says_why_it_cannot_be_sabotaged_or_ordered_about() -> None:
    """§6.1, R64."""
    four = {name: {"seat": seat} for seat, name in enumerate(("sarah", "kevin", "max", "alice"), 1)}
    cast = {name: {**given, "cell": "r1c1"} for name, given in four.items()}
    state = situation("cooperation", 4, "ultimate", characters=cast, phase="programming")
    state = replace(state, robots=("r1c1", "r3c3", None))
    codes = {1: None, 2: Why.ROBOT_ELSEWHERE, 3: Why.NOT_IN_PLAY}
    for robot, code in codes.items():
        about: Mapping[str, object] = {"ability": "sabotage_robot", "robot": robot}
        assert reason(state, "special_choice", about, character="sarah") == code
    far = {"ability": "hack_robot", "robot": 1, "move": "r4c4"}
    assert reason(state, "special_choice", far, character="kevin") == Why.NOT_ADJACENT


def by(ability: str, **given: object) -> Mapping[str, object]:
    """A meaning as reasons of abilities have it."""
    return {"ability": ability, **given}


@pytest.mark.parametrize(
    ("cell", "reactivates", "locks"),
    [
        ("r0c1", Why.NOT_SEALED, Why.FACE_DOWN),
        ("r1c0", Why.NOT_SEALED, Why.LOCK_THERE),
        ("r1c2", None, Why.SEALED),
        ("r2c1", Why.NOT_SEALED, None),
        ("r1c1", Why.NOT_ADJACENT, None),
        ("r2c2", Why.NOT_ADJACENT, Why.OUT_OF_REACH),
    ],
)
def test_a_room_says_of_each_of_two_abilities_why_it_is_no_use_there(
    cell: str, reactivates: str | None, locks: str | None
) -> None:
    """§6.1, R100."""
    state = sealed(with_others("emmett", "kevin", "max", "alice", tiles=TILES), "r1c2")
    for ability, code in {"reactivate": reactivates, "lock": locks}.items():
        about = by(ability, cell=cell)
        assert reason(state, "special_choice", about, character="emmett") == code


def test_a_sealed_room_with_somebody_in_it_stays_so_and_the_centre_has_no_lock() -> None:
    """§6.1, R100."""
    state = sealed(with_others("emmett", "kevin", "max", "alice", tiles=TILES), "r1c2")
    state = placed(state, kevin={"cell": "r1c2"})
    told = pointed_at(state, "emmett")
    assert why(told, ability="reactivate", cell="r1c2") == Why.OCCUPIED
    told = pointed_at(placed(state, emmett={"cell": "r2c3"}), "emmett")
    assert why(told, ability="lock", cell="r2c2") == Why.BLUE_ROOM


def test_where_no_lock_is_left_none_is_put_anywhere() -> None:
    state = with_others("emmett", "kevin", "max", "alice")
    told = pointed_at(replace(state, locks=0), "emmett")
    assert why(told, ability="lock", cell="r1c2") == Why.NO_LOCK


def test_a_room_says_why_it_changes_places_with_no_other() -> None:
    """R99: Kevin swaps two of those round his own."""
    state = placed(with_others("kevin", "emmett", "max", "alice"), kevin={"cell": "r1c2"})
    codes = {"r0c2": None, "r1c3": None, "r2c2": Why.BLUE_ROOM, "r1c2": Why.NOT_ADJACENT}
    for cell, code in codes.items():
        about = by("hack_building", first=cell)
        assert reason(state, "special_choice", about, character="kevin") == code
    state = placed(state, kevin={"cell": "r0c0"})
    key = replace(state.grid["r0c1"], kind="key")
    told = pointed_at(replace(state, grid={**state.grid, "r0c1": key}), "kevin")
    assert why(told, ability="hack_building", first="r1c0") == Why.ALONE


def test_who_imitates_says_it_of_each_ability_that_is_near() -> None:
    """§6.1, R130: nobody is carried by an imitation of their own trick."""
    state = sealed(with_others("bruce", "max", "emmett", "jennifer"), "r0c1")
    state = placed(state, jennifer={"cell": "r1c2"})
    codes = {
        "max": (Why.SAME_TRICK, Why.NOT_ADJACENT),
        "emmett": (None, Why.NOT_ADJACENT),
        "jennifer": (Why.ELSEWHERE, None),
    }
    for name, (carried, summoned) in codes.items():
        for ability, code in {"carry": carried, "summon": summoned}.items():
            about = by(ability, character=name)
            assert reason(state, "special_choice", about, character="bruce") == code
    about = by("reactivate", cell="r0c1")
    assert reason(state, "special_choice", about, character="bruce") is None
    assert {each.about for each in pointed_at(state, "bruce")} == {"summon", "carry", "reactivate"}


# --- cards ---


@pytest.mark.parametrize(
    ("cell", "pushed", "scattered", "carried"),
    [
        ("r2c1", None, None, None),
        ("r0c1", Why.NOT_YELLOW, Why.NOT_YELLOW, Why.NOT_YELLOW),
        ("r1c0", None, None, Why.LOCKED),
        ("r1c2", Why.SEALED, None, Why.SEALED),
        ("r1c1", Why.START, Why.START, Why.START),
        ("r4c4", Why.NOT_ADJACENT, Why.NOT_ADJACENT, Why.NOT_ADJACENT),
    ],
)
def test_a_room_says_why_no_card_brings_anybody_there(
    cell: str, pushed: str | None, scattered: str | None, carried: str | None
) -> None:
    """§6.4, R138, R139: Emmett enters a locked room, and those with him do not."""
    tiles = {
        "r2c1": "jail",
        "r1c0": {"kind": "mirror", "lock": True},
        "r1c2": "vortex",
        "r0c1": {"kind": "empty", "face": "down"},
    }
    state = sealed(with_others("emmett", "kevin", "max", "alice", tiles=tiles), "r1c2")
    codes = {"card_push": pushed, "card_scatter": scattered, "card_carry": carried}
    for kind, code in codes.items():
        assert reason(state, kind, {"cell": cell}, character="emmett") == code


def test_somebody_says_why_they_are_not_pushed_in_place_of_an_android() -> None:
    """R137."""
    state = with_others("alice", "kevin", "max", "emmett", tiles={"r2c1": "jail"})
    state = placed(state, max={"hidden": True}, emmett={"cell": "r3c3"})
    codes = {"kevin": None, "max": Why.HIDDEN, "emmett": Why.ELSEWHERE}
    for name, code in codes.items():
        about = {"character": name}
        assert reason(state, "card_push_other", about, character="alice") == code
    about = {"character": "kevin", "cell": "r1c2"}
    assert reason(state, "card_push_other", about, character="alice") == Why.NOT_YELLOW


def test_a_robot_says_why_it_is_not_called_nor_ordered_again() -> None:
    """§6.4, R66."""
    state = with_others("kevin", "max", "alice", "emmett")
    state = replace(state, robots=("r1c1", "r3c3", None))
    for robot, code in {1: None, 2: None, 3: Why.NOT_IN_PLAY}.items():
        assert reason(state, "card_robot", {"robot": robot}, character="kevin") == code
    again: Mapping[str, Any] = {"character": "kevin", "about": ("0", "alice")}
    reasons: Mapping[str, Mapping[str, object]] = {
        Why.OTHER_ROBOT: {"robot": 2},
        Why.REFUSED: {"robot": 1, "push": "alice"},
        Why.NOT_ADJACENT: {"robot": 1, "push": "max", "cell": "r4c4"},
    }
    for why_not, about in reasons.items():
        assert reason(state, "robot_order_again", about, **again) == why_not


def test_a_room_says_why_a_card_puts_no_lock_there() -> None:
    """§6.4, R100: a card reaches the rooms that the question names."""
    state = sealed(with_others("kevin", "max", "alice", "emmett", tiles=TILES), "r1c2")
    codes = {"r0c1": Why.FACE_DOWN, "r2c1": None, "r1c2": Why.SEALED, "r3c3": Why.OUT_OF_REACH}
    around = {"character": "kevin", "about": ("r0c1", "r1c2", "r2c1")}
    for kind in ("card_lock", "card_lock_target"):
        for cell, code in codes.items():
            assert reason(state, kind, {"cell": cell}, **around) == code


def test_a_room_says_why_a_panic_swaps_it_with_no_other() -> None:
    """§6.4: two of which one is occupied, if there is such a pair."""
    state = placed(with_others("kevin", "max", "alice", "emmett"))
    codes = {"r1c1": None, "r1c2": None, "r2c2": Why.BLUE_ROOM, "r4c4": Why.DESERTED}
    for cell, code in codes.items():
        assert reason(state, "card_swap", {"first": cell}, character="kevin") == code
    keys = {cell: replace(state.grid[cell], kind="key") for cell in ("r3c4", "r4c3")}
    state = replace(state, grid={**state.grid, **keys})
    assert reason(state, "card_swap", {"first": "r4c4"}, character="kevin") == Why.ALONE
