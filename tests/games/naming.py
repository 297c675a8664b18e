"""The ids that belong to Room 25, gathered from its package: what its words are called by."""

from __future__ import annotations

from typing import Final, get_args

from games.room25 import EVENTS, RULEBOOKS, RULES
from games.room25.model.cards import ALL_CARDS, MADNESS
from games.room25.model.catalogue import (
    BASIC_ACTIONS,
    GUARD,
    GUARD_IDENTITIES,
    PRISONER,
    ROOM_KINDS,
    SPECIAL,
)
from games.room25.model.characters import EVERYBODY, Passive, Skill
from games.room25.model.codes import Code
from games.room25.rules.programming import ADRENALINE
from games.room25.scenarios.checks import Phase
from games.room25.scenarios.vocabulary import DECISION_KINDS
from games.table.events import TABLE_EVENTS

TABLE_DECISIONS: Final = frozenset({"return", "resign"})
"""The kinds of decisions that every table has."""

TABLE_TYPES: Final = frozenset(str(kind.__struct_config__.tag) for kind in TABLE_EVENTS)
"""The types of events that every table has."""

OWN_IDS: Final = frozenset(
    {
        *RULEBOOKS,
        *(mode for book in RULEBOOKS.values() for mode in book.modes),
        *(option for book in RULEBOOKS.values() for option in book.options),
        *ROOM_KINDS,
        *(PRISONER, GUARD, *GUARD_IDENTITIES),
        *EVERYBODY,
        *(*BASIC_ACTIONS, SPECIAL, ADRENALINE),
        *(*get_args(Skill), *get_args(Passive)),
        *(*ALL_CARDS, *MADNESS.values()),
        *(str(kind.__struct_config__.tag) for kind in EVENTS),
        *(set(DECISION_KINDS) - TABLE_DECISIONS),
        *get_args(Phase),
        *RULES.waits,
        *map(str, Code),
    }
)
"""Rulebooks, modes, options, rooms, roles, characters, actions, abilities, cards, types of events,
kinds of decisions, phases, classes of waits and rejections."""


def own_parts(key: str) -> set[str]:
    """The ids of Room 25 that a message key names behind its first part."""
    return {part for part in key.split(".")[1:] if part in OWN_IDS}
