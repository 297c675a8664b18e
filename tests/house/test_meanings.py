"""The rules of Room 25 ask what somebody or some room has, never which it is: ids are data.

Who reads a name in a rule finds a character or a room that cannot be changed, or joined by another,
in its own place.
"""

from __future__ import annotations

import ast

import pytest

from games.room25.model.cards import ALL_CARDS
from games.room25.model.catalogue import GUARD_IDENTITIES, ROOM_KINDS
from games.room25.model.characters import EVERYBODY
from tests.house import tree

FOLDER = "games/room25/"
IDS = frozenset({*EVERYBODY, *GUARD_IDENTITIES, *ALL_CARDS})
DATA = {
    "games/room25/model/characters.py": "the sheets of the characters",
    "games/room25/model/cards.py": "the deck: printed penalties name characters",
    "games/room25/model/catalogue.py": "the powers of the guards, by identity",
    "games/room25/telling/published.py": "an example for readers of the documents",
}
"""Where ids stand, and why."""

ALSO = {"control": "an action", "robot": "a figure"}
"""Ids of rooms that are those of something else as well."""
ROOMS = frozenset(ROOM_KINDS.keys() - ALSO.keys())
ROOM_DATA = {
    "games/room25/model/catalogue.py": "the rooms, with their traits",
    "games/room25/rules/rooms.py": "what each room does to those who enter it",
    "games/room25/editions/": "what lies in the boxes, and where each game ends",
    "games/room25/bots/": "what bots think of a room in particular",
    "games/room25/decider.py": "the game is called like one of its rooms",
    "games/room25/rules/actions.py": "a cause of death, as events tell it",
    "games/room25/rules/turn_structure.py": "a cause of death, as events tell it",
    "games/room25/scenarios/": "causes and fields, as events and situations tell them",
}
"""Where ids of rooms stand, by module or folder, and why."""

MODULES = [n for n in tree.tracked() if n.startswith(FOLDER) and n.endswith(".py")]


def spelled(text: str, ids: frozenset[str] = IDS) -> list[str]:
    """The ids in the string literals of a module, in order; docstrings are no ids."""
    nodes = (node for node in tree.nodes(ast.parse(text)) if isinstance(node, ast.Constant))
    named = sorted((node.lineno, node.value) for node in nodes if node.value in ids)
    return [value for _, value in named]


def test_only_data_spell_the_ids_of_characters_and_cards() -> None:
    spelling = {module for module in MODULES if spelled(tree.read(module) or "")}
    assert spelling == set(MODULES).intersection(DATA)


def test_only_data_spell_the_ids_of_rooms() -> None:
    named = [module for module in MODULES if spelled(tree.read(module) or "", ROOMS)]
    assert [module for module in named if not module.startswith(tuple(ROOM_DATA))] == []


@pytest.mark.parametrize("listed", ROOM_DATA)
def test_who_may_spell_the_ids_of_rooms_does(listed: str) -> None:
    texts = [tree.read(module) or "" for module in MODULES if module.startswith(listed)]
    assert any(spelled(text, ROOMS) for text in texts)


def test_the_rules_are_looked_at() -> None:
    for name in ("moves", "context", "rooms", "robots", "cards", "shifting", "checks", "abilities"):
        assert f"{FOLDER}rules/{name}.py" in MODULES
    assert f"{FOLDER}model/state.py" in MODULES


def test_a_name_in_a_rule_is_found() -> None:
    assert spelled('if character.id == "emmett": pass') == ["emmett"]
    assert spelled('fast = "Z15" in state.shown or {"Z16"}') == ["Z15", "Z16"]
    assert spelled('RULES = {"killer": 1, f"max": 2}') == ["killer", "max"]
    assert spelled('"""What emmett can do."""\nfast = in_force(state, "acceleration")') == []


def test_a_room_in_a_rule_is_found() -> None:
    assert spelled('if shown_kind(tile) == "jail": pass', ROOMS) == ["jail"]
    assert spelled('DEADLY = {"acid", f"shredder"}', ROOMS) == ["acid", "shredder"]
    assert spelled('if shows(tile, "confining") or token == "control": pass', ROOMS) == []
