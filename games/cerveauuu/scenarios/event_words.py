"""What the fields of the game's events hold, in the terms of ``vocabulary`` (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from games.cerveauuu.facts.events import EVENTS
from games.cerveauuu.scenarios.option_words import OPTION_FORMS
from games.scenarios import Formed, Keyed, Members, Words

ANYTHING: Final = None
"""Text, times and switches, of which only the type can be wrong."""

ANSWER: Final = Formed("answer to a window", OPTION_FORMS["respond"])
STROLL: Final = Formed("place to wander to", OPTION_FORMS["wander_batch"])

COMMON: Final[Mapping[str, Words | None]] = {
    **dict.fromkeys(("seat", "seats", "winners", "chief", "owner", "taker", "controller"), "seat"),
    **dict.fromkeys(("card", "cards", "credits"), "card"),
    **dict.fromkeys(
        ("piece", "pieces", "queue", "attack", "target", "designated", "killed"), "piece"
    ),
    **dict.fromkeys(("zombie", "zombies", "principal", "eater", "supporters"), "zombie"),
    "human": "human",
    **dict.fromkeys(("cell", "path"), "cell"),
    "edge": "edge",
    **dict.fromkeys(
        (
            "anchor",
            "asked",
            "credits_need",
            "need",
            "number",
            "numbers",
            "size",
            "taker_number",
            "to",
            "totals",
        ),
        "number",
    ),
    "version": "version",
    "points": "points",
    "round": "turn",
    "phase": "phase",
    "lasts": "duration",
    "rulebook": "rulebook",
    "mode": "mode",
    "options": Keyed("option"),
    "outcome": "outcome",
    "side": "side",
    "winner": "side",
    "choice": ANSWER,
    "piles": Keyed("seat", "card"),
    "scores": Keyed("seat", "points"),
    "played": Keyed("seat", "number"),
    "replacing": Keyed("seat"),
    "share": Keyed("human", "zombie"),
    **dict.fromkeys(
        (
            "accepts",
            "agenda",
            "blocked",
            "by_card",
            "map",
            "media",
            "media_lock",
            "must_leave",
            "replace",
            "stopped",
            "undoomed",
            "weather",
        ),
        ANYTHING,
    ),
}
"""What a field holds by its name, in whatever event of the game."""

BAN: Final = Members({"card": "card", "type": "card type", "lasts": "duration"})
ARMED: Final = Members(
    {
        "card": "card",
        "effect": "number",
        "seat": "seat",
        "when": "trigger",
        "pieces": "piece",
        "lasts": "duration",
    }
)

OWN: Final[Mapping[tuple[str, str], Words | None]] = {
    ("game-began", "colours"): Keyed("seat", "colour"),
    ("situation-set", "pieces"): Members(
        {"id": "piece", "cell": "cell", "controller": "seat", "touched_by": "seat"}
    ),
    ("situation-set", "weather"): Members({"card": "card", "seat": "seat"}),
    ("situation-set", "bans"): BAN,
    ("piece-appeared", "cause"): "cause of piece-appeared",
    ("piece-moved", "cause"): "cause of piece-moved",
    ("piece-saved", "cause"): "cause of piece-saved",
    ("piece-lost", "cause"): "cause of piece-lost",
    ("steps-taken", "cells"): Keyed("piece", "cell"),
    ("steps-taken", "moved"): "human",
    ("steps-taken", "panic"): Members(
        {"queue": "human", "runner": "human", "taken": "number", "seen": "zombie", "trail": "cell"}
    ),
    ("plan-made", "steps"): "piece or cell",
    ("edge-changed", "state"): "edge state",
    ("cell-flagged", "flag"): "cell flag",
    ("yield-chosen", "order"): Members({"kind": "kind of order"}),
    ("window-opened", "kind"): "window",
    ("window-opened", "trigger"): "seat",
    ("version-began", "trigger"): "seat",
    ("version-began", "order"): "seat",
    ("version-began", "passed"): Keyed("seat", "pass"),
    ("cards-dropped", "cards"): Keyed("number", "card"),
    ("hand-seen", "cards"): Keyed("number", "card"),
    ("discards-judged", "cards"): Keyed("seat", Keyed("number", "card")),
    ("modifier-added", "modifier"): Members(
        {"card": "card", "stat": "stat", "lasts": "duration", "pieces": "piece", "seats": "seat"}
    ),
    ("ban-added", "ban"): BAN,
    ("trigger-armed", "trigger"): ARMED,
    ("trigger-fired", "trigger"): ARMED,
    ("batch-dealt", "humans"): Keyed("human", "seat"),
    ("batch-dealt", "asked"): "human",
    ("batch-answered", "choice"): STROLL,
    ("batch-judged", "choices"): Keyed("human", STROLL),
    ("batch-judged", "paths"): Keyed("human", "cell"),
    ("support-proposed", "proposal"): Members(
        {"invited": "zombie", "share": Keyed("human", "zombie")}
    ),
    ("consents-judged", "accepts"): Keyed("seat"),
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
