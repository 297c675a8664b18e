"""What the fields of events hold, in the terms of ``vocabulary``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.kernel import Event
from games.room25 import EVENTS
from games.table_events import (
    TABLE_EVENTS,
    InvitationDeclined,
    InvitationWithdrawn,
    PlayerInvited,
    SeatLeft,
    SeatReadied,
    SeatTaken,
    TableOpened,
)
from replay.scenario.option_words import OPTION_FORMS, POWER_FORMS, WAIT_FORMS

EVENT_TYPES: Final[Mapping[str, type[Event]]] = {
    str(kind.__struct_config__.tag): kind for kind in (*TABLE_EVENTS, *EVENTS)
}
"""Every type of event by the word that events name it by."""

BEFORE: Final = frozenset(
    {
        TableOpened,
        PlayerInvited,
        InvitationWithdrawn,
        InvitationDeclined,
        SeatTaken,
        SeatLeft,
        SeatReadied,
    }
)
"""What has happened before the game begins: no check sees it."""


class Formed(Struct, frozen=True):
    """Text that has one of these forms (see ``option_words``), and what such text is called."""

    what: str
    forms: tuple[str, ...]


class Table(Struct, frozen=True):
    """An object whose keys and values are words of their own terms; ``values`` None: anything."""

    keys: str
    values: Words | None = None


class Facts(Struct, frozen=True):
    """An object whose members are each words of a term; members that are not named are anything."""

    of: Mapping[str, Words]


ANYTHING: Final = None
"""Text, times and switches, of which only the type can be wrong."""

Words = str | Formed | Table | Facts
"""A term by its name, also for each part of a list; or how an object is made of terms."""

COMMON: Final[Mapping[str, Words | None]] = {
    **dict.fromkeys(("seat", "winners"), "seat"),
    **dict.fromkeys(("character", "order", "dead", "limited"), "character"),
    **dict.fromkeys(("cell", "first", "second", "moved_from"), "cell"),
    **dict.fromkeys(("kind", "kinds"), "room"),
    **dict.fromkeys(("card", "cards", "discard"), "card"),
    **dict.fromkeys(("turn", "last_turn"), "turn"),
    **dict.fromkeys(("token", "tokens", "stack"), "action"),
    **dict.fromkeys(
        (
            "asked",
            "count",
            "entry",
            "epoch",
            "from_version",
            "locks",
            "score",
            "since",
            "stacked",
            "strikes",
            "tile",
            "to_version",
            "until",
        ),
        "number",
    ),
    "line": "line",
    "way": "direction",
    "axis": "axis",
    "color": "colour",
    "outcome": "outcome",
    "role": "role",
    "roles": "role tile",
    "robot": "robot index",
    "round": "round",
    "slot": "slot",
    "mode": "mode",
    "rulebook": "rulebook",
    "options": Table("option"),
    "composition": Table("room", "number"),
    "markers": Table("line", "direction"),
    **dict.fromkeys(("reason", "at", "key", "now", "drawn", "stays", "agenda"), ANYTHING),
    **dict.fromkeys(("office", "account", "eyes"), ANYTHING),
}
"""What a field holds by its name, in whatever event."""

FIGURE: Final = Facts(
    {
        "id": "character",
        "seat": "seat",
        "team": "team",
        "tokens": "action",
        "adrenaline": "adrenaline",
        "spares": "number",
    }
)
FIGURE_FACTS: Final = Facts(
    {
        "cell": "cell",
        "trap": "turn",
        "flood": "turn",
        "lost": "action",
        "used": "action",
        "adrenaline": "adrenaline",
        "acted": "number",
        "entry": "number",
        "spares": "number",
    }
)
TILE_FACTS: Final = Facts({"axis": "axis", "reminders": "seat"})

OWN: Final[Mapping[tuple[str, str], Words | None]] = {
    ("game-began", "figures"): FIGURE,
    ("game-began", "robots"): "number",
    ("complex-laid", "shown"): Table("cell", "room"),
    ("situation-set", "figures"): Table("character", FIGURE_FACTS),
    ("situation-set", "tiles"): Table("cell", TILE_FACTS),
    ("situation-set", "robots"): "cell",
    ("situation-set", "shown"): "card",
    ("situation-set", "room25_revealed"): ANYTHING,
    ("situation-set", "key_activated"): ANYTHING,
    ("clues-closed", "cells"): Table("seat", "clue cell"),
    ("clue-chosen", "cell"): "clue cell",
    ("program-submitted", "adrenaline"): ANYTHING,
    ("program-shown", "adrenaline"): ANYTHING,
    ("programming-closed", "actions"): Table("character", "number"),
    ("programming-closed", "adrenaline"): "character",
    ("adrenaline-changed", "adrenaline"): "adrenaline",
    ("token-replaced", "tokens"): "slot's action",
    ("action-lost", "token"): "lost action",
    ("action-revealed", "slot"): "slot or third action",
    ("action-penalised", "slot"): "slot or none",
    ("flood-armed", "due"): "turn",
    ("clock-started", "due"): "number",
    ("time-extended", "due"): "number",
    ("table-resumed", "due"): "number",
    ("special-used", "option"): Formed("use of an ability", OPTION_FORMS["special_choice"]),
    ("power-used", "option"): Formed("use of a guard's power", POWER_FORMS),
    ("clock-started", "key"): Formed("wait", WAIT_FORMS),
    ("table-closed", "reason"): "end",
    ("table-closed", "cause"): ANYTHING,
    ("character-moved", "cause"): "cause of character-moved",
    ("tiles-swapped", "cause"): "cause of tiles-swapped",
    ("line-shifted", "cause"): "cause of line-shifted",
    ("role-revealed", "cause"): "cause of role-revealed",
    ("character-eliminated", "cause"): "cause of character-eliminated",
}
"""What a field holds where its name alone does not tell."""


def words_of(tag: str, field: str) -> Words | None:
    """What a field of an event holds; None: only its type can be wrong.

    Raises:
        KeyError: nobody has said so yet.
    """
    return OWN[tag, field] if (tag, field) in OWN else COMMON[field]


class Field(Struct, frozen=True):
    """A field of an event: its type, and what stands for it where an event leaves it out.

    ``default`` is NODEFAULT for a field that is always written, or that may be somebody's secret.
    """

    type: Any
    default: Any


def _fields(kind: type[Event]) -> dict[str, Field]:
    found = {}
    for field in msgspec.structs.fields(kind):
        default = field.default
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        if default is msgspec.UNSET:
            default = msgspec.NODEFAULT
        found[field.encode_name] = Field(field.type, plain(default))
    return found


def plain(value: object) -> Any:  # noqa: ANN401 (JSON)
    """A value as an event's JSON says it."""
    if value is msgspec.NODEFAULT:
        return value
    return msgspec.json.decode(msgspec.json.encode(value))


EVENT_FIELDS: Final[Mapping[str, Mapping[str, Field]]] = {
    tag: _fields(kind) for tag, kind in EVENT_TYPES.items()
}
"""The fields of each type of event."""
