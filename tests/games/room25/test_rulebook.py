"""The rulebooks as data (§1, §2): boxes, compositions, modes, options."""

from __future__ import annotations

from collections import Counter

import pytest

from events.kernel import Rejected
from games.room25 import RULEBOOKS, Code
from games.room25.model.catalogue import BASIC_ACTIONS, COLORS, DEFAULT_ORDER, ROOM_KINDS
from games.room25.model.characters import CHARACTERS
from games.room25.model.rulebook import Composition, Mode, Rulebook
from games.room25.opening.setup import CUSTOM
from games.room25.tags import TAGS
from games.room25.words import WORDS
from games.words import ENGLISH
from tests.games.begun import opening

COMPOSITIONS = [
    pytest.param(rulebook, name, composition, id=f"{rulebook.id}-{name}")
    for rulebook in RULEBOOKS.values()
    for name, composition in rulebook.compositions.items()
]
MODES = [
    pytest.param(rulebook, mode, id=f"{rulebook.id}-{mode.id}")
    for rulebook in RULEBOOKS.values()
    for mode in rulebook.modes.values()
]


def test_the_rules_of_each_rulebook_have_a_tag_of_their_own() -> None:
    assert TAGS.keys() == RULEBOOKS.keys()
    assert len(set(TAGS.values())) == len(TAGS)


BOXES = {
    "prototype": (
        "central room25 10×empty vision moving control secrets vortex 2×jail 2×cold 2×dark"
        " 2×condemned 2×acid 2×burning 2×mortal illusion"
    ),
    "first_edition": (
        "central room25 8×empty vision moving control 2×tunnel 2×vortex 2×jail 2×cold 2×dark"
        " 2×acid 2×trap 2×flooded 2×mortal illusion"
    ),
    "ultimate": (
        "central room25 key 8×empty vision moving control 3×tunnel regeneration 2×robot"
        " 2×vortex 2×jail 2×cold 2×dark 2×pivoting 2×mac mirror jamming"
        " 2×acid 2×trap 2×flooded 2×mortal 2×shredder paranoia timer illusion"
    ),
}
"""What lies in each box (§1.1, with R6 for the Chamber of Secrets)."""


@pytest.mark.parametrize(("rulebook", "name", "composition"), COMPOSITIONS)
def test_a_composition_has_25_rooms_out_of_the_box(
    rulebook: Rulebook, name: str, composition: Composition
) -> None:
    """§2.1."""
    assert name in rulebook.options["composition"].values
    assert sum(composition.rooms.values()) + sum(composition.fill.values()) == 25
    assert composition.rooms["central"] == composition.rooms["room25"] == 1
    assert all(0 < n <= rulebook.box[kind] for kind, n in composition.rooms.items())
    assert composition.modes
    assert set(composition.modes) <= set(rulebook.modes)


@pytest.mark.parametrize(("rulebook", "mode"), MODES)
def test_a_mode_is_whole(rulebook: Rulebook, mode: Mode) -> None:
    assert rulebook.modes[mode.id] is mode
    assert mode.id in rulebook.compositions[mode.default_composition].modes
    assert set(mode.turns) == set(mode.seats) == set(mode.per_seat)
    assert set(mode.options) <= set(rulebook.options)
    assert set(mode.roles) <= set(mode.seats)
    most = max(n * mode.per_seat[n] for n in mode.seats)
    assert most <= len(CHARACTERS)
    for seats, (prisoners, guards) in mode.roles.items():
        assert seats <= prisoners + guards <= seats + 1
        assert prisoners >= 2


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_a_rulebook_is_whole(rulebook: Rulebook) -> None:
    assert set(rulebook.box) <= set(ROOM_KINDS)
    assert set(rulebook.outer) <= set(rulebook.box)
    assert len(rulebook.outer) <= 12
    assert CUSTOM in rulebook.options["composition"].values
    for rule in rulebook.options.values():
        assert rule.default is None or rule.default in rule.values


@pytest.mark.parametrize(("rulebook", "copies"), BOXES.items(), ids=BOXES)
def test_a_box_holds_so_many_copies(rulebook: str, copies: str) -> None:
    """§1.1, and R6 for the Chamber of Secrets."""
    named = [each.rpartition("×") for each in copies.split()]
    box = {kind: int(n or 1) for n, _, kind in named}
    assert dict(RULEBOOKS[rulebook].box) == box
    if rulebook == "ultimate":
        assert dict(RULEBOOKS["bga"].box) == box
        assert sum(box.values()) == 47


def test_the_first_box_holds_32_rooms_of_the_colours_of_its_reviews() -> None:
    """§1.1, R4: five kinds green, four yellow, five red."""
    box = RULEBOOKS["first_edition"].box
    assert sum(box.values()) == 32
    assert Counter(ROOM_KINDS[kind].color for kind in box) == {
        "blue": 2,
        "green": 5,
        "yellow": 4,
        "red": 5,
    }


@pytest.mark.parametrize(
    ("name", "colors"),
    [("suspicion", (2, 9, 5, 9)), ("beginner", (2, 10, 6, 7)), ("open", (2, 8, 7, 8))],
)
def test_the_first_compositions_by_colour(name: str, colors: tuple[int, ...]) -> None:
    """R4: blue, green, yellow, red."""
    rooms = RULEBOOKS["first_edition"].compositions[name].rooms
    counts = Counter({"blue": 0})
    for kind, n in rooms.items():
        counts[ROOM_KINDS[kind].color] += n
    assert tuple(counts[c] for c in ("blue", "green", "yellow", "red")) == colors


def test_turns_of_the_first_edition() -> None:
    """§2 row 2."""
    turns = {
        mode.id: set(mode.turns.values()) for mode in RULEBOOKS["first_edition"].modes.values()
    }
    assert turns == {
        "suspicion": {10},
        "competition": {10},
        "team": {10},
        "cooperation": {8},
        "solo": {8},
    }


def test_players_of_the_first_edition() -> None:
    """§2 rows 1 and 3: seats and characters each."""
    modes = RULEBOOKS["first_edition"].modes
    assert {m.id: dict(m.per_seat) for m in modes.values()} == {
        "suspicion": {4: 1, 5: 1, 6: 1},
        "cooperation": {2: 2, 3: 2, 4: 1, 5: 1, 6: 1},
        "competition": {2: 2, 3: 2},
        "team": {4: 1, 6: 1},
        "solo": {1: 4},
    }


def test_words_of_the_catalogue() -> None:
    assert BASIC_ACTIONS == ("look", "move", "push", "control")
    assert DEFAULT_ORDER == ("look", "push", "control", "move", "special")
    assert set(COLORS) == {room.color for room in ROOM_KINDS.values()}
    assert all(room.id == kind for kind, room in ROOM_KINDS.items())
    names = {kind: WORDS.word(ENGLISH, f"room25/room.{kind}.name") for kind in ROOM_KINDS}
    assert (names["mac"], names["secrets"]) == ("M.A.C. Room", "Chamber of Secrets")
    assert len(set(names.values())) == len(names)
    assert sorted(c.duo for c in CHARACTERS[:6]) == [1, 1, 2, 2, 3, 3]
    assert {c.duo: c.shape for c in CHARACTERS[:6]} == {1: "square", 2: "round", 3: "cross"}


def test_a_composition_of_ones_own_may_say_none_of_a_kind() -> None:
    """§2.1, D20."""
    rooms = {**RULEBOOKS["first_edition"].compositions["suspicion"].rooms, "tunnel": 0}
    wish = opening("suspicion", 4, composition=CUSTOM, rooms=rooms)
    assert wish.options["rooms"] == rooms
    with pytest.raises(Rejected, match="composition"):
        opening("suspicion", 4, composition=CUSTOM, rooms={**rooms, "tunnel": -1, "empty": 7})


@pytest.mark.parametrize(
    "change",
    [
        {"central": 0, "empty": 7},
        {"room25": 0, "empty": 7},
        {"central": 0, "room25": 0, "empty": 8},
        {"empty": 7},
        {"empty": 5},
        {"key": 1, "empty": 5},
    ],
    ids=str,
)
def test_a_composition_of_ones_own_has_25_rooms_a_centre_and_an_exit(
    change: dict[str, int],
) -> None:
    """§2.1, custom: each of these is missed alone, and no other rule refuses it."""
    rooms = {**RULEBOOKS["first_edition"].compositions["suspicion"].rooms}
    assert rooms["empty"] == 6
    assert opening("suspicion", 4, composition=CUSTOM, rooms=rooms).options["rooms"] == rooms
    with pytest.raises(Rejected) as refusal:
        opening("suspicion", 4, composition=CUSTOM, rooms={**rooms, **change})
    assert refusal.value.code == Code.BAD_COMPOSITION
