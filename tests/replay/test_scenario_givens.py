"""The givens of a scenario: those of all rulebooks fit the format, and one refuses the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jsonschema
import msgspec
import pytest

from events.kernel import Rejected
from games.contract import TableOpening
from games.room25 import ROOM25
from games.room25.opening.situation import Situation
from tests.replay.situations import FOUR, GIVEN, Json
from tests.scenario_files import whole_form


def _with(name: str = "emmett", **facts: Any) -> Json:
    return {"characters": {**FOUR, name: {**FOUR.get(name, {"seat": 1}), **facts}}}


FEATURES: Mapping[str, Json] = {
    "eight characters": _with("bruce", seat=8),
    "robots (S-186)": GIVEN | {"robots": ["r1c1", "r3c3"]},
    "a locked tile (S-060)": GIVEN | {"tiles": {"r3c1": {"kind": "empty", "lock": True}}},
    "a corridor (S-106)": GIVEN | {"tiles": {"r1c2": {"kind": "pivoting", "axis": "vertical"}}},
    "a sealed shredder (S-101)": GIVEN | {"tiles": {"r1c2": {"kind": "shredder", "seal": True}}},
    "a sealed condemned room (S-212)": GIVEN
    | {"tiles": {"r1c2": {"kind": "condemned", "seal": True}}},
    "the top of the deck (S-095)": GIVEN | {"deck": ["P1", "Z07"]},
    "an empty deck and its discard (S-204)": GIVEN
    | {"deck": [], "deck_rest": False, "discard": ["M01", "M02"]},
    "a time bomb on the table (S-196)": GIVEN | {"shown": ["Z07"]},
    "adrenaline programmed (S-107)": _with(
        adrenaline="programmed", program=["move", "control"]
    ),
    "adrenaline off (S-251)": _with(adrenaline="none"),
    "hidden (S-160)": _with("alice", seat=1, hidden=True),
    "a paranoia stack (S-112)": _with(stack=["move"]),
    "out of the stack (S-112)": _with(stack=[]),
    "an action lost to a penalty (S-192)": _with(lost=["control"]),
    "no spare left (S-171)": _with("sarah", seat=1, spares=0),
    "no lock in hand (S-168)": _with(locks=0),
    "the key in use (S-072)": GIVEN | {"key_activated": True},
    "Room 25 seen and turned down again (S-136)": GIVEN | {"room25_revealed": True},
    "cold feet (S-030)": _with(cold_next=True),
    "an identity (S-205)": _with("jennifer", identity="hacker", role_public=True),
    "a burning room (S-213)": GIVEN | _with(flood=4) | {"tiles": {"r1c2": "burning"}},
    "a turn brought nearer (S-116)": GIVEN | {"turn": 9, "last_turn": 10},
    "a seed (S-110)": GIVEN | {"seed": "5" * 64},
    "only the named characters (S-156)": {
        "characters": {name: FOUR[name] for name in ("emmett", "jennifer")},
        "only_named": True,
    },
    "returned this turn (S-122)": {
        **_with("kevin", returned=True, cell="r2c2"), "phase": "round_2"
    },
    "a face-down room that all know": GIVEN
    | {"tiles": {"r3c1": {"kind": "flooded", "face": "down", "known": True}}},
    "a paranoia stack to come (S-110)": GIVEN
    | _with(next_stack=["look", "move", "push", "control"])
    | {"tiles": {"r0c0": "paranoia"}},
}  # fmt: skip

OURS = {
    "Room 25 seen and turned down again (S-136)",
    "a turn brought nearer (S-116)",
    "a seed (S-110)",
    "adrenaline off (S-251)",
    "an action lost to a penalty (S-192)",
    "only the named characters (S-156)",
}
"""Givens that a table of the first edition takes as well."""


@pytest.mark.parametrize("what", FEATURES)
def test_the_givens_of_all_rulebooks_can_be_written(what: str) -> None:
    given = FEATURES[what]
    situation = msgspec.convert(given, Situation)
    again = msgspec.convert(msgspec.to_builtins(situation), Situation)
    assert again == situation
    form = {"$defs": whole_form()["$defs"], "$ref": "#/$defs/room25/Situation"}
    assert jsonschema.Draft202012Validator(form).is_valid(given)


@pytest.mark.parametrize("what", FEATURES)
def test_a_rulebook_refuses_what_it_does_not_have(what: str) -> None:
    wish = TableOpening(
        rulebook="first_edition",
        mode="suspicion",
        seats=4,
        options={},
        situation=FEATURES[what],
    )
    if what in OURS:
        ROOM25.open(wish)
        return
    with pytest.raises(Rejected) as rejected:
        ROOM25.open(wish)
    assert rejected.value.code == "impossible-scenario"
