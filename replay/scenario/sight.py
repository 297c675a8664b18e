"""Reading the JSON of a view: the game's parts with the defaults that JSON leaves out."""

from __future__ import annotations

from typing import Any, Final

from replay.scenario.tables import Json

CHARACTER_DEFAULTS: Final[Json] = {
    "alive": True,
    "lost": [],
    "program": None,
    "delayed": False,
    "adrenaline": "none",
    "hidden": False,
    "acted": 0,
    "trap": None,
    "flood": None,
    "role": None,
    "role_public": False,
    "free": False,
    "limited": False,
    "used": [],
    "passed": False,
    "cold_next": False,
    "paranoid": False,
    "leaving": False,
    "stacked": 0,
    "stack": None,
    "drawn": [],
    "spares": 0,
    "returned": False,
    "powered": False,
}
TILE_DEFAULTS: Final[Json] = {
    "kind": None,
    "up": False,
    "seal": False,
    "lock": False,
    "axis": None,
    "reminders": [],
}


def game_of(view: Json) -> Json:
    """The game on the table, without what the table itself knows."""
    game: Json = view["play"]
    return game


def character_of(view: Json, name: str) -> dict[str, Any] | None:
    """A character with all its facts, as a check names them; None if there is none."""
    raw = game_of(view)["characters"].get(name)
    if raw is None:
        return None
    facts = {**CHARACTER_DEFAULTS, **raw}
    facts["trap"] = facts["trap"] is not None
    if facts["program"] is not None:
        facts["program"] = facts["program"].get("tokens")
    return facts


def tile_of(view: Json, cell: str) -> dict[str, Any] | None:
    """A tile with all its facts; None if the complex has no such cell."""
    raw = game_of(view)["grid"].get(cell)
    return None if raw is None else {**TILE_DEFAULTS, **raw}


def tiles_of(view: Json) -> dict[str, dict[str, Any]]:
    """All tiles by cell, row by row."""
    return {cell: {**TILE_DEFAULTS, **raw} for cell, raw in game_of(view)["grid"].items()}
