"""What the fields of the game's events hold, in the terms of ``vocabulary`` (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from games.room25.facts.events import EVENTS
from games.room25.scenarios.option_words import OPTION_FORMS, POWER_FORMS
from games.scenarios import Formed, Keyed, Members, Pairing, Words

ALONG: Final = Pairing("shift", "{} never moves {}")
"""A line moves along itself only."""

ANYTHING: Final = None
"""Text, times and switches, of which only the type can be wrong."""

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
            "locks",
            "score",
            "stacked",
            "tile",
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
    "options": Keyed("option"),
    "composition": Keyed("room", "number"),
    "markers": Keyed("line", "direction", ALONG),
    **dict.fromkeys(("now", "drawn", "stays", "agenda"), ANYTHING),
}
"""What a field holds by its name, in whatever event of the game."""

FIGURE: Final = Members(
    {
        "id": "character",
        "seat": "seat",
        "team": "team",
        "tokens": "action",
        "adrenaline": "adrenaline",
        "spares": "number",
    }
)
FIGURE_FACTS: Final = Members(
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
TILE_FACTS: Final = Members({"axis": "axis", "reminders": "seat"})

OWN: Final[Mapping[tuple[str, str], Words | None]] = {
    ("game-began", "figures"): FIGURE,
    ("game-began", "robots"): "number",
    ("complex-laid", "shown"): Keyed("cell", "room"),
    ("situation-set", "figures"): Keyed("character", FIGURE_FACTS),
    ("situation-set", "tiles"): Keyed("cell", TILE_FACTS),
    ("situation-set", "robots"): "cell",
    ("situation-set", "shown"): "card",
    ("situation-set", "room25_revealed"): ANYTHING,
    ("situation-set", "key_activated"): ANYTHING,
    ("clues-closed", "cells"): Keyed("seat", "clue cell"),
    ("clue-chosen", "cell"): "clue cell",
    ("program-submitted", "adrenaline"): ANYTHING,
    ("program-shown", "adrenaline"): ANYTHING,
    ("programming-closed", "actions"): Keyed("character", "number"),
    ("programming-closed", "adrenaline"): "character",
    ("adrenaline-changed", "adrenaline"): "adrenaline",
    ("token-replaced", "tokens"): "slot's action",
    ("action-lost", "token"): "lost action",
    ("action-revealed", "slot"): "slot or third action",
    ("action-penalised", "slot"): "slot or none",
    ("flood-armed", "due"): "turn",
    ("special-used", "option"): Formed("use of an ability", OPTION_FORMS["special_choice"]),
    ("power-used", "option"): Formed("use of a guard's power", POWER_FORMS),
    ("character-moved", "cause"): "cause of character-moved",
    ("tiles-swapped", "cause"): "cause of tiles-swapped",
    ("line-shifted", "cause"): "cause of line-shifted",
    ("role-revealed", "cause"): "cause of role-revealed",
    ("character-eliminated", "cause"): "cause of character-eliminated",
}
"""What a field holds where its name alone does not tell."""


EVENT_WORDS: Final[Mapping[tuple[str, str], Words | None]] = {
    (tag, name): OWN[tag, name] if (tag, name) in OWN else COMMON[name]
    for tag, name in (
        (str(kind.__struct_config__.tag), field.encode_name)
        for kind in EVENTS
        for field in msgspec.structs.fields(kind)
    )
}
"""What every field of every event of the game holds."""
