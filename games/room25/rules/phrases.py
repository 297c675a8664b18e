"""What players of Room 25 can say to each other (R71; pure)."""

from __future__ import annotations

from typing import Final

from games.phrases import Aim, Phrasebook
from games.room25.model.board import CELLS
from games.room25.model.meanings import talk_is_blocked
from games.room25.model.state import State

_CELLS: Final = frozenset(CELLS)
_PLACE: Final[tuple[Aim, ...]] = ("place",)
_SEAT: Final[tuple[Aim, ...]] = ("seat",)
_ALL_OR_ONE: Final[tuple[Aim, ...]] = ("nothing", "seat")


def _has_place(_: State, place: str) -> bool:
    return place in _CELLS


def _is_silenced(state: State) -> bool:
    return talk_is_blocked(state)


PHRASES: Final = Phrasebook(
    aims={
        "safe_here": _PLACE,
        "stay_away": _PLACE,
        "meet_there": _PLACE,
        "accuse": _SEAT,
        "believe": _SEAT,
        "trust_me": _ALL_OR_ONE,
        "follow_me": _ALL_OR_ONE,
        "thanks": _ALL_OR_ONE,
        "sorry": _ALL_OR_ONE,
        "laugh": ("nothing",),
        "gasp": ("nothing",),
    },
    has_place=_has_place,
    is_silenced=_is_silenced,
)
"""Nobody talks while a jamming room is occupied, or a jamming card lies open."""
