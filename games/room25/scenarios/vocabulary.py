"""The words that a scenario may use: those of the game, and those of its own table.

A check of what must not be would hold for a word that does not exist, so every word of a scenario
is looked up here. Each sort of words is a term; ``docs/scenarios.md`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, get_args

from msgspec import Struct

from games.room25 import ROOM25
from games.room25.board import AXIS, CELLS, CENTRE, CLUE_CELLS, LINE_WAYS, STEPS
from games.room25.cards import ALL_CARDS
from games.room25.catalogue import (
    BASIC_ACTIONS,
    CHARACTERS,
    COLORS,
    GUARD,
    PRISONER,
    ROOM_KINDS,
    SPECIAL,
)
from games.room25.choices import CHOICES
from games.room25.editions import RULEBOOKS
from games.room25.programming import ADRENALINE
from games.room25.situation import Situation
from games.words import ENGLISH, named, section
from replay.scenario import format as fm

Adrenaline = Literal["none", "available", "programmed", "spent"]

DECISION_KINDS: Final[tuple[str, ...]] = tuple(
    sorted(
        {
            *CHOICES,
            "starting_clue",
            "program",
            "reveal_guard",
            "place_reminder",
            "claim_color",
            "resign",
            "return",
        }
    )
)
"""Every kind of decision, voluntary acts too."""

CAUSES: Final[Mapping[str, tuple[str, ...]]] = {
    "character-moved": (
        "move",
        "push",
        "vortex",
        "tunnel",
        "illusion",
        "summon",
        "carry",
        "robot",
        "card",
    ),
    "tiles-swapped": ("moving", "illusion", "hack", "card"),
    "line-shifted": ("action", "room", "card"),
    "role-revealed": ("own", "death", "masks", "last_turn", "scenario"),
    "character-eliminated": (
        "acid",
        "trap",
        "flooded",
        "burning",
        "mortal",
        "shredder",
        "timer",
        "time_bomb",
        "resigned",
    ),
}
"""Why it has happened, by the type of the event."""


class Term(Struct, frozen=True):
    """Words of one sort: what one of them is called in a sentence, and which there are."""

    what: str
    words: tuple[str, ...]


class Range(Struct, frozen=True):
    """Numbers of one sort; ``most`` None: there is no largest."""

    what: str
    least: int
    most: int | None = None


def _pairs(distance: int) -> tuple[str, ...]:
    """Two cells that are so many steps apart, each pair once, as ``r0c0:r0c1``."""
    return tuple(
        f"{a}:{b}" for a in CELLS for b in CELLS if a < b and _steps_between(a, b) == distance
    )


def _steps_between(a: str, b: str) -> int:
    return abs(int(a[1]) - int(b[1])) + abs(int(a[3]) - int(b[3]))


_OTHERS: Final = tuple(cell for cell in CELLS if cell != CENTRE)

GAME_TERMS: Final[Mapping[str, Term | Range]] = {
    "cell": Term("cell", CELLS),
    "other cell": Term("cell other than the Central Room's", _OTHERS),
    "clue cell": Term("cell next to the Central Room", CLUE_CELLS),
    "neighbours": Term("pair of adjacent cells, the first one first", _pairs(1)),
    "pair": Term("pair of cells with a neighbour in common, the first one first", _pairs(2)),
    "line": Term("movable line", tuple(LINE_WAYS)),
    "direction": Term("direction", tuple(STEPS)),
    "shift": Term(
        "shift", tuple(f"{line}:{way}" for line, ways in LINE_WAYS.items() for way in ways)
    ),
    "axis": Term("axis", tuple(dict.fromkeys(AXIS.values()))),
    "colour": Term("colour", COLORS),
    "basic action": Term("basic action", BASIC_ACTIONS),
    "phase": Term("phase", get_args(fm.Phase)),
    "outcome": Term(
        "outcome", tuple(sorted(map(named, section(ENGLISH, "outcome", game=ROOM25.id))))
    ),
    "end": Term("way to close a table", ("finished", "abandoned", "annulled", "cancelled")),
    "adrenaline": Term("state of adrenaline", get_args(Adrenaline)),
    "decision": Term("kind of decision", DECISION_KINDS),
    "problem": Term(
        "problem", tuple(sorted(map(named, section(ENGLISH, "problem", game=ROOM25.id))))
    ),
    "rulebook": Term("rulebook", tuple(RULEBOOKS)),
    **{f"cause of {tag}": Term(f"cause of {tag}", words) for tag, words in CAUSES.items()},
    "turn": Range("turn", 1, 100),
    "round": Range("round", 1, 3),
    "slot": Range("slot", 1, 2),
    "slot or none": Range("slot", 0, 2),
    "slot or third action": Range("slot", 1, 3),
    "number": Range("number", 0),
}
"""The terms that are the same at every table."""


class Vocabulary:
    """The terms of one scenario's table: its seats, who is in play, and what its rulebooks have."""

    def __init__(self, scenario: fm.Scenario) -> None:
        books = [RULEBOOKS[name] for name in scenario.rulebooks if name in RULEBOOKS]
        self._books = books or list(RULEBOOKS.values())
        self.owners: Mapping[str, int] = _owners(scenario.given)
        self.seats = scenario.seats
        self.terms: Mapping[str, Term | Range] = {**GAME_TERMS, **self._own_terms()}

    def _own_terms(self) -> dict[str, Term | Range]:
        books = self._books
        tokens = self._tokens()
        numbers = tuple(f"robot{n + 1}" for n in range(self._robots()))
        roles = [PRISONER, *_flat(book.identities or (GUARD,) for book in books)]
        teams = ("all", "A", "B", "C", *(f"seat{n + 1}" for n in range(self.seats)))
        names = self.owners or _flat(book.characters for book in books)
        cards = ALL_CARDS if any("mac" in book.box for book in books) else ()
        return {
            "seat": Range("seat of this table", 1, self.seats),
            "character": Term("character in play", _in_order(names, [c.id for c in CHARACTERS])),
            "room": Term(
                "room of its rulebooks", _in_order(_flat(b.box for b in books), ROOM_KINDS)
            ),
            "role": Term("role", tuple(dict.fromkeys(roles))),
            "role tile": Term("role", tuple(dict.fromkeys([*roles, GUARD]))),
            "team": Term("team", teams),
            "action": Term("action", tokens),
            "slot's action": Term("action", ("", *tokens)),
            "lost action": Term("action", (*tokens, ADRENALINE)),
            "card": Term("card", cards),
            "robot": Term("robot", numbers),
            "robot number": Range("robot", 1, self._robots()),
            "robot index": Range("robot, counted from 0", 0, self._robots() - 1),
            "mode": Term("mode", tuple(dict.fromkeys(_flat(book.modes for book in books)))),
            "option": Term("option", tuple(dict.fromkeys(_flat(b.options for b in books)))),
        }

    def _tokens(self) -> tuple[str, ...]:
        special = any("specials" in book.options for book in self._books)
        return (*BASIC_ACTIONS, *((SPECIAL,) if special else ()))

    def _robots(self) -> int:
        return max(book.robots for book in self._books)

    def values_of(self, option: str) -> tuple[object, ...]:
        """What an option of a table may be; nothing where that is not a matter of a few values."""
        rules = [book.options[option] for book in self._books if option in book.options]
        return tuple(value for rule in rules for value in rule.values)


def _owners(given: Situation | None) -> dict[str, int]:
    return {} if given is None else {name: c.seat for name, c in given.characters.items()}


def _flat(parts: Iterable[Iterable[str]]) -> list[str]:
    return [word for part in parts for word in part]


def _in_order(words: Iterable[str], order: Iterable[str]) -> tuple[str, ...]:
    """Each word once: those that have an order in it, then the others."""
    wanted = dict.fromkeys(words)
    known = [word for word in order if word in wanted]
    return (*known, *(word for word in wanted if word not in known))
