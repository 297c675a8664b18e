"""The words that a scenario may use: those of the game, and those of its own table (pure).

A check of what must not be would hold for a word that does not exist, so every word of a scenario
is looked up here. Each sort of words is a term; ``docs/scenarios.md`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, get_args

from games.room25.decider import RULES
from games.room25.editions import RULEBOOKS
from games.room25.model.board import AXIS, CELLS, CENTRE, CLUE_CELLS, LINE_WAYS, STEPS
from games.room25.model.cards import ALL_CARDS
from games.room25.model.catalogue import (
    BASIC_ACTIONS,
    COLORS,
    GUARD,
    PRISONER,
    ROOM_KINDS,
    SPECIAL,
    kinds_with,
)
from games.room25.model.characters import CHARACTERS
from games.room25.model.rulebook import Rulebook
from games.room25.opening.situation import Situation
from games.room25.rules.choices import CHOICES
from games.room25.rules.programming import ADRENALINE
from games.room25.scenarios.checks import Phase
from games.room25.words import WORDS
from games.scenarios import Range, Term, Vocabulary
from games.words import ENGLISH, named

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


def _pairs(distance: int) -> tuple[str, ...]:
    """Two cells that are so many steps apart, each pair once, as ``r0c0:r0c1``."""
    return tuple(
        f"{a}:{b}" for a in CELLS for b in CELLS if a < b and _steps_between(a, b) == distance
    )


def _steps_between(a: str, b: str) -> int:
    return abs(int(a[1]) - int(b[1])) + abs(int(a[3]) - int(b[3]))


_OTHERS: Final = tuple(cell for cell in CELLS if cell != CENTRE)

GAME_TERMS: Final[Mapping[str, Term | Range]] = {
    "cell": Term("cell", CELLS, "`r0c0` to `r4c4`"),
    "other cell": Term(
        "cell other than the Central Room's", _OTHERS, "`r0c0` to `r4c4`, but not `r2c2`"
    ),
    "clue cell": Term("cell next to the Central Room", CLUE_CELLS),
    "neighbours": Term(
        "pair of adjacent cells, the first one first",
        _pairs(1),
        "two adjacent cells, such as `r0c0:r0c1` and `r0c0:r1c0`",
    ),
    "pair": Term(
        "pair of cells with a neighbour in common, the first one first",
        _pairs(2),
        "two cells with a neighbour in common, such as `r0c0:r0c2` and `r0c1:r1c0`",
    ),
    "line": Term("movable line", tuple(LINE_WAYS)),
    "direction": Term("direction", tuple(STEPS)),
    "shift": Term(
        "shift", tuple(f"{line}:{way}" for line, ways in LINE_WAYS.items() for way in ways)
    ),
    "axis": Term("axis", tuple(dict.fromkeys(AXIS.values()))),
    "colour": Term("colour", COLORS),
    "basic action": Term("basic action", BASIC_ACTIONS),
    "phase": Term("phase", get_args(Phase)),
    "outcome": Term(
        "outcome", tuple(sorted(map(named, WORDS.section(ENGLISH, "outcome", game=RULES.id))))
    ),
    "end": Term("way to close a table", ("finished", "abandoned", "annulled", "cancelled")),
    "adrenaline": Term("state of adrenaline", get_args(Adrenaline)),
    "decision": Term("kind of decision", DECISION_KINDS),
    "problem": Term(
        "problem", tuple(sorted(map(named, WORDS.section(ENGLISH, "problem", game=RULES.id))))
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


def vocabulary(rulebooks: Sequence[str], seats: int, given: Situation | None) -> Vocabulary:
    """The terms of one table: its seats, who is in play, and what its rulebooks have.

    Where there is no such rulebook, they are those of all.
    """
    books = [RULEBOOKS[name] for name in rulebooks if name in RULEBOOKS]
    books = books or list(RULEBOOKS.values())
    owners = _owners(given)
    options = dict.fromkeys(_flat(book.options for book in books))
    return Vocabulary(
        terms={**GAME_TERMS, **_own_terms(books, seats, owners)},
        owners=owners,
        values={option: _values_of(option, books) for option in options},
    )


def _own_terms(
    books: Sequence[Rulebook], seats: int, owners: Mapping[str, int]
) -> dict[str, Term | Range]:
    tokens = _tokens(books)
    robots = max(book.robots for book in books)
    numbers = tuple(f"robot{n + 1}" for n in range(robots))
    roles = [PRISONER, *_flat(book.identities or (GUARD,) for book in books)]
    teams = ("all", "A", "B", "C", *(f"seat{n + 1}" for n in range(seats)))
    names = owners or _flat(book.characters for book in books)
    cards = ALL_CARDS if any(kinds_with("draws") & book.box.keys() for book in books) else ()
    return {
        "seat": Range("seat of this table", 1, seats),
        "character": Term("character in play", _in_order(names, [c.id for c in CHARACTERS])),
        "room": Term("room of its rulebooks", _in_order(_flat(b.box for b in books), ROOM_KINDS)),
        "role": Term("role", tuple(dict.fromkeys(roles))),
        "role tile": Term("role", tuple(dict.fromkeys([*roles, GUARD]))),
        "team": Term("team", teams),
        "action": Term("action", tokens),
        "slot's action": Term("action", ("", *tokens)),
        "lost action": Term("action", (*tokens, ADRENALINE)),
        "card": Term("card", cards, "`M01` to `M32`, `P1` to `P7`, `Z01` to `Z19`"),
        "robot": Term("robot", numbers),
        "robot number": Range("robot", 1, robots),
        "robot index": Range("robot, counted from 0", 0, robots - 1),
        "mode": Term("mode", tuple(dict.fromkeys(_flat(book.modes for book in books)))),
        "option": Term("option", tuple(dict.fromkeys(_flat(b.options for b in books)))),
    }


def _tokens(books: Sequence[Rulebook]) -> tuple[str, ...]:
    special = any("specials" in book.options for book in books)
    return (*BASIC_ACTIONS, *((SPECIAL,) if special else ()))


def _values_of(option: str, books: Sequence[Rulebook]) -> tuple[object, ...]:
    """What an option of a table may be; nothing where that is not a matter of a few values."""
    rules = [book.options[option] for book in books if option in book.options]
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
