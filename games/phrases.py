"""The phrases of a game's intercom: which there are, and what each may be aimed at (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

Aim = Literal["nothing", "place", "seat"]
"""What a phrase is aimed at: nothing, a place on the board, or the player of a seat."""


def _no_place(_: Any, __: str) -> bool:  # noqa: ANN401 (any game's state)
    return False


def _never(_: Any) -> bool:  # noqa: ANN401 (any game's state)
    return False


class Phrasebook(Struct, frozen=True, kw_only=True, eq=False):
    """What players of a game can say to each other, and when.

    ``aims`` are the kinds of targets that each phrase may have, by its id; a phrase may be said
    without a target if ``nothing`` is among them. ``has_place`` and ``is_silenced`` are given the
    game's state, and may go by what everybody knows of it only: whether a place is on the board,
    and whether nobody may talk now.
    """

    aims: Mapping[str, tuple[Aim, ...]] = {}
    has_place: Callable[[Any, str], bool] = _no_place
    is_silenced: Callable[[Any], bool] = _never
