"""The situation with which tests of the scenario format begin."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

FOUR: Json = {
    "emmett": {"seat": 1, "role": "prisoner", "cell": "r1c2"},
    "kevin": {"seat": 2, "role": "prisoner", "cell": "r1c2"},
    "franck": {"seat": 3, "role": "prisoner"},
    "jennifer": {"seat": 4, "role": "guard"},
}
"""The characters: two prisoners in one room, another one, and a guard."""

GIVEN: Json = {"characters": FOUR, "tiles": {"r0c2": {"kind": "mortal", "face": "down"}}}
"""These, and a mortal room face down beside the two."""
