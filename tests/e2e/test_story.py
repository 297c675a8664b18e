"""What the log tells of a game: what a later sentence says as well is left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import pytest
from playwright.sync_api import Page

from tests.e2e.folding import Call, Json, caller, golden, lines

CLAIM: Final = {"type": "color-claimed", "seat": 2, "cell": "r1c1", "color": "red"}
PHRASE: Final = {"type": "phrase-said", "seat": 2, "phrase": "trust"}
SLOT: Final = {"type": "slot-began", "character": "alice", "round": 1}
NEXT_SLOT: Final = {"type": "slot-began", "character": "bruce", "round": 1}
LOOK: Final = {"type": "action-revealed", "character": "alice", "slot": 1, "token": "look"}
PUSH: Final = {"type": "action-revealed", "character": "alice", "slot": 1, "token": "push"}
CONTROL: Final = {"type": "action-revealed", "character": "alice", "slot": 1, "token": "control"}
PEEKED: Final = {"type": "room-peeked", "seat": 1, "cell": "r1c1"}
PUSHED: Final = {"type": "character-moved", "character": "bruce", "cell": "r1c1", "cause": "push"}
SHIFTED: Final = {"type": "line-shifted", "line": "row1", "way": "left", "cause": "action"}
SHIFTED_BY_ROOM: Final = {**SHIFTED, "cause": "room"}
LOCKS: Final = {"type": "special-used", "character": "emmett", "option": "lock:r1c1"}
LOCKED: Final = {"type": "room-locked", "cell": "r1c1"}
LOCKED_ELSEWHERE: Final = {"type": "room-locked", "cell": "r1c2"}
MOVES_A_LOCK: Final = {**LOCKS, "option": "lock:r1c1:r4c4"}
LOCK_MOVED: Final = {**LOCKED, "moved_from": "r4c4"}
HACKS: Final = {"type": "special-used", "character": "bruce", "option": "hack_building:r1c1:r1c2"}
HACKED: Final = {"type": "tiles-swapped", "first": "r1c1", "second": "r1c2", "cause": "hack"}
SWAPPED: Final = {**HACKED, "cause": "moving"}
CLOSED: Final = {"type": "programming-closed", "actions": {}}

ACTIVATED: Final = {"type": "zombie-activated", "zombie": "z01", "path": ["r1c2", "r1c3"]}
BITES: Final = {"type": "zombie-activated", "zombie": "z01", "path": [], "attack": "h01"}
STEPS: Final = {"type": "steps-taken", "to": 2, "cells": {"z01": "r1c3"}}
HALFWAY: Final = {"type": "steps-taken", "to": 1, "cells": {"z01": "r1c2"}}
OPENED: Final = {"type": "window-opened", "number": 3, "kind": "move", "trigger": 1}
PASSED: Final = {"type": "version-judged"}
ANSWER: Final = {"type": "answer-given", "seat": 1}
CARD: Final = {"type": "card-played", "seat": 1, "number": 1, "card": "rifle", "choice": "k1"}
ATTACK: Final = {"type": "attack-began", "principal": "z01", "target": "h01"}
WEIGHED: Final = {"type": "fight-weighed", "totals": [1, 1], "winner": "attackers"}
RESOLVED: Final = {"type": "fight-resolved", "winner": "attackers", "killed": ["h01"]}
REPELLED: Final = {"type": "fight-resolved", "winner": "defenders", "killed": ["z01"]}
EATEN: Final = {"type": "human-eaten", "seat": 1, "human": "h01", "eater": "z01", "zombie": "z02"}
LOST: Final = {"type": "piece-lost", "piece": "z01", "cause": "melee"}


def programme(seat: int, *tokens: str) -> Json:
    """A seat hands in a programme, which one sees who gets its ``tokens``."""
    seen = {"tokens": list(tokens)} if tokens else {}
    return {"type": "program-submitted", "seat": seat, "character": f"c{seat}", **seen}


ROOM25: Final[list[tuple[str, Sequence[Json], Sequence[Json]]]] = [
    ("an action and what comes of it", [SLOT, LOOK, PEEKED], [PEEKED]),
    ("a push", [SLOT, PUSH, PUSHED], [PUSHED]),
    ("a line", [SLOT, CONTROL, SHIFTED], [SHIFTED]),
    ("a line that a room moves", [CONTROL, SHIFTED_BY_ROOM], [CONTROL, SHIFTED_BY_ROOM]),
    ("a lock", [SLOT, LOCKS, LOCKED], [SLOT, LOCKS]),
    ("a lock from elsewhere", [MOVES_A_LOCK, LOCK_MOVED, SLOT], [MOVES_A_LOCK, SLOT]),
    ("a lock by a card", [LOCKED], [LOCKED]),
    ("a lock of which less was said", [LOCKS, LOCK_MOVED], [LOCKS, LOCK_MOVED]),
    ("another lock", [LOCKS, LOCKED_ELSEWHERE], [LOCKS, LOCKED_ELSEWHERE]),
    ("a hack", [HACKS, HACKED], [HACKS]),
    ("a swap by a room", [HACKS, HACKED, SWAPPED], [HACKS, SWAPPED]),
    ("talk does not come between", [LOOK, CLAIM, PHRASE, PEEKED], [CLAIM, PHRASE, PEEKED]),
    ("an action that is yet to do", [SLOT, LOOK], [LOOK]),
    ("another's action", [NEXT_SLOT, LOOK], [NEXT_SLOT, LOOK]),
    ("a slot in which nothing is done", [SLOT, NEXT_SLOT], [NEXT_SLOT]),
    ("programmes that are in", [programme(1), programme(2), CLOSED], [CLOSED]),
    (
        "one's own programme, whoever is the last",
        [programme(1), programme(2, "look"), programme(3), CLOSED],
        [programme(2, "look"), CLOSED],
    ),
    ("programmes that are awaited", [programme(1), programme(2)], [programme(1), programme(2)]),
]
CERVEAUUU: Final[list[tuple[str, Sequence[Json], Sequence[Json]]]] = [
    ("a window that is open", [ACTIVATED, OPENED, ANSWER], [ACTIVATED, OPENED]),
    ("a window of which nothing comes", [ACTIVATED, OPENED, ANSWER, PASSED, STEPS], [STEPS]),
    ("a card", [ACTIVATED, OPENED, PASSED, CARD, STEPS], [ACTIVATED, CARD, STEPS]),
    ("a way that is cut short", [ACTIVATED, HALFWAY], [ACTIVATED, HALFWAY]),
    ("an attack from where one stands", [BITES, ATTACK], [ATTACK]),
    ("a fight", [ATTACK, WEIGHED, WEIGHED, RESOLVED, EATEN], [ATTACK, EATEN]),
    ("a fight that is lost", [WEIGHED, REPELLED, LOST], [REPELLED, LOST]),
    ("a fight with a card in it", [WEIGHED, CARD, RESOLVED], [WEIGHED, CARD, RESOLVED]),
    ("a phrase beside a window", [OPENED, PHRASE], [OPENED, PHRASE]),
]
EXAMPLES: Final = [
    pytest.param(game, happened, told, id=name)
    for game, examples in (("room25", ROOM25), ("cerveauuu", CERVEAUUU))
    for name, happened, told in examples
]
PASSING: Final = {"phase-began", "window-opened", "version-judged"}
"""What there is to know of Cerveauuu! until something comes of it."""


@pytest.fixture
def fold(modules: Page) -> Call:
    """Calls a function of pages/fold.js."""
    return caller(modules)


@pytest.mark.parametrize(("game", "happened", "told"), EXAMPLES)
def test_a_story_leaves_out_what_is_said_again(
    fold: Call, game: str, happened: Sequence[Json], told: Sequence[Json]
) -> None:
    assert [happened[place] for place in fold("story", game, happened)] == told


@pytest.mark.parametrize("stem", ["cerveauuu-2", "cerveauuu-3-absent", "cerveauuu-4-resign"])
def test_nothing_that_passes_stays_in_a_story(fold: Call, stem: str) -> None:
    events = [json.loads(line)["event"] for line in lines(golden(stem))]
    told = [events[place]["type"] for place in fold("story", "cerveauuu", events)]
    assert PASSING.isdisjoint(told)
    assert {each["type"] for each in events} >= PASSING


ECHOES: Final = {("lock", "room-locked"), ("hack_building", "tiles-swapped")}
"""What abilities do that their own sentence says."""


def echoes(told: Sequence[Json]) -> set[tuple[str, str]]:
    """Which of these a story tells twice."""
    pairs = ((one.get("option", "").split(":")[0], two["type"]) for one, two in pairwise(told))
    return ECHOES & set(pairs)


def test_what_an_ability_does_is_told_once(fold: Call) -> None:
    events = [json.loads(line)["event"] for line in lines(golden("ultimate-S-172"))]
    assert echoes(events) == ECHOES
    assert echoes([events[place] for place in fold("story", "room25", events)]) == set()
