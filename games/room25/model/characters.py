"""The characters of the box: what each has and can do, by meaning (§1.3, §6.1, R10; data).

The rules never ask who somebody is. They ask what somebody has (``meanings.has``), and find the
answer in the sheets below: a character that combines what others have is one more sheet. What a new
ability does is a handler in ``rules.abilities``; what a new panic does, one in ``rules.panics``.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

Skill = Literal[
    "summon",
    "invisibility",
    "carry",
    "reactivate",
    "lock",
    "sabotage_room",
    "sabotage_robot",
    "hack_building",
    "hack_robot",
    "vitality",
    "mimic",
]
"""An ability that is used by the special action, at tables that play with special abilities."""

Passive = Literal["android", "pin"]
"""An ability that takes no action, at the same tables.

``android``: one may refuse to be pushed by a robot, and no penalty strikes. ``pin``: one may enter
locked rooms, and all locks go with one's death.
"""

Quirk = Literal["composed", "locksmith"]
"""What cards see in somebody, at every table that has cards.

``composed``: neither a rewind nor somebody else's panic takes one along. ``locksmith``: one says
which lock is moved when none is in supply.
"""

Panic = Literal["exhaust", "summon", "swap", "lock", "carry", "sabotage", "scatter"]
"""What a panic card makes of a first player: see ``rules.panics``."""

Meaning = Skill | Passive | Quirk


class CharacterSheet(Struct, frozen=True, kw_only=True):
    """A character: its duo, the shape of its base, and what it has.

    ``skills`` in the order of their options; ``spares`` are the empty tiles in hand (§3.7);
    ``panic`` None: it keeps its head. ``later``: it is not in the first edition's box.
    """

    id: str
    duo: int
    shape: str
    skills: tuple[Skill, ...]
    passive: tuple[Passive, ...] = ()
    quirks: tuple[Quirk, ...] = ()
    panic: Panic | None = None
    spares: int = 0
    later: bool = False


CHARACTERS: Final[tuple[CharacterSheet, ...]] = (
    CharacterSheet(
        id="emmett",
        duo=1,
        shape="square",
        skills=("reactivate", "lock"),
        passive=("pin",),
        quirks=("locksmith",),
        panic="lock",
    ),
    CharacterSheet(
        id="kevin",
        duo=1,
        shape="square",
        skills=("hack_building", "hack_robot"),
        panic="swap",
    ),
    CharacterSheet(
        id="franck",
        duo=2,
        shape="round",
        skills=("vitality",),
        panic="exhaust",
    ),
    CharacterSheet(
        id="jennifer",
        duo=2,
        shape="round",
        skills=("summon",),
        panic="summon",
    ),
    CharacterSheet(
        id="max",
        duo=3,
        shape="cross",
        skills=("carry",),
        panic="carry",
    ),
    CharacterSheet(
        id="alice",
        duo=3,
        shape="cross",
        skills=("invisibility",),
        passive=("android",),
        quirks=("composed",),
    ),
    CharacterSheet(
        id="sarah",
        duo=4,
        shape="square",
        skills=("sabotage_room", "sabotage_robot"),
        panic="sabotage",
        spares=2,
        later=True,
    ),
    CharacterSheet(
        id="bruce",
        duo=4,
        shape="round",
        skills=("mimic",),
        panic="scatter",
        spares=1,
        later=True,
    ),
)
"""All characters, in canonical order."""

SHEETS: Final[dict[str, CharacterSheet]] = {sheet.id: sheet for sheet in CHARACTERS}

SIX: Final = tuple(sheet.id for sheet in CHARACTERS if not sheet.later)
"""The six of the first edition's box, which every rulebook has."""

EVERYBODY: Final = tuple(SHEETS)

SET_ASIDE: Final = sum(sheet.spares for sheet in CHARACTERS)
"""Empty tiles that a random composition leaves in the box for those who have spares (R5b)."""


def owns(name: str, meaning: Meaning) -> bool:
    """Whether the sheet of a character has something; nobody owns anything under another name."""
    sheet = SHEETS.get(name)
    return sheet is not None and (
        meaning in sheet.skills or meaning in sheet.passive or meaning in sheet.quirks
    )


def may_hide(name: str) -> bool:
    """Whether a character has a hidden token: of its own, or to imitate who has (§4.1.6)."""
    return owns(name, "invisibility") or owns(name, "mimic")
