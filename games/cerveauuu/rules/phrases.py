"""What players of Cerveauuu! can say to each other (pure)."""

from __future__ import annotations

import re
from typing import Final

from games.cerveauuu.board.maps import MAPS
from games.cerveauuu.model.state import State
from games.phrases import Aim, Phrasebook

_CELL: Final = re.compile(r"r(0|[1-9][0-9]?)c(0|[1-9][0-9]?)", re.ASCII)
_PLACE: Final[tuple[Aim, ...]] = ("place",)
_ALL_OR_ONE: Final[tuple[Aim, ...]] = ("nothing", "seat")


def _has_place(state: State, place: str) -> bool:
    """Whether a cell is on the map, whose text has a line or column between any two (§2.10)."""
    found = _CELL.fullmatch(place)
    lines = MAPS.get(state.map, state.map).splitlines()
    if found is None or not lines:
        return False
    return int(found[1]) < (len(lines) - 1) // 2 and int(found[2]) < (len(lines[0]) - 1) // 2


PHRASES: Final = Phrasebook(
    aims={
        "hunting_here": _PLACE,
        "keep_out": _PLACE,
        "look_there": _PLACE,
        "watch_them": ("seat",),
        "truce": _ALL_OR_ONE,
        "revenge": ("seat",),
        "well_played": _ALL_OR_ONE,
        "thanks": _ALL_OR_ONE,
        "hungry": ("nothing",),
        "laugh": ("nothing",),
    },
    has_place=_has_place,
)
"""No rule of the game forbids talking."""
