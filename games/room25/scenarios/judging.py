"""Whether the game's own checks hold, by the JSON of what their viewer sees (pure)."""

from __future__ import annotations

from typing import Any, Final, assert_never

from msgspec import UNSET

from games.room25.scenarios.checks import (
    CharacterCheck,
    GameCheck,
    OwnCheck,
    RolesCheck,
    RoomsCheck,
    TileCheck,
)
from games.scenarios import Json, differences

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


def judge(check: OwnCheck, play: Json) -> str | None:
    """None if the check holds, else what is the case instead."""
    match check:
        case GameCheck():
            return differences(check, play, ("viewer",))
        case CharacterCheck():
            return _character(check, play)
        case TileCheck():
            return _tile(check, play)
        case RoomsCheck():
            return _rooms(check, play)
        case RolesCheck():
            return _roles(check, play)
        case _:
            assert_never(check)


def _character(check: CharacterCheck, play: Json) -> str | None:
    raw = play["characters"].get(check.id)
    if raw is None:
        return "there is no such character"
    return differences(check, _facts_of(raw), ("viewer", "id"))


def _tile(check: TileCheck, play: Json) -> str | None:
    raw = play["grid"].get(check.at)
    if raw is None:
        return "there is no such cell"
    return differences(check, {**TILE_DEFAULTS, **raw}, ("viewer", "at"))


def _rooms(check: RoomsCheck, play: Json) -> str | None:
    tiles = {cell: {**TILE_DEFAULTS, **raw} for cell, raw in play["grid"].items()}
    found = [
        cell
        for cell, tile in tiles.items()
        if check.kind in {UNSET, tile["kind"]} and check.up in {UNSET, tile["up"]}
    ]
    good = (
        check.count in {UNSET, len(found)}
        and (check.cells is UNSET or sorted(check.cells) == sorted(found))
        and (check.within is UNSET or set(found) <= set(check.within))
    )
    return None if good else f"they lie at {', '.join(found) or 'no cell'}"


def _roles(check: RolesCheck, play: Json) -> str | None:
    found = [raw for raw in play["characters"].values() if _facts_of(raw)["role"] == check.role]
    return None if len(found) == check.count else f"there are {len(found)}"


def _facts_of(raw: Json) -> dict[str, Any]:
    """A character with all its facts, as a check names them."""
    facts = {**CHARACTER_DEFAULTS, **raw}
    facts["trap"] = facts["trap"] is not None
    if facts["program"] is not None:
        facts["program"] = facts["program"].get("tokens")
    return facts
