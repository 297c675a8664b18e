"""A situation of Room 25 in which nobody talks."""

from __future__ import annotations

from typing import Any, Final

HUSH: Final[dict[str, Any]] = {
    "characters": {
        "alice": {"seat": 1, "cell": "r1c2"},
        "emmett": {"seat": 2},
        "kevin": {"seat": 1},
        "franck": {"seat": 2},
    },
    "tiles": {"r1c2": {"kind": "jamming", "face": "up"}},
    "turn": 1,
}
"""Somebody stands in a jamming room."""
