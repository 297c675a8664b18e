"""The boards and the tables that scenarios begin with, by name (pure)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from games.cerveauuu.board.maps import MAPS
from games.cerveauuu.opening.options import MODE
from games.scenarios import Base

HALL: Final = """\
+-+-+-+-+-+-+-+
|. . .|. . . .|
+     +       +
|. . .|. . . .|
+     +       +
|. . .D. . . .|
+     +       +
|. . .|. . . .|
+     +       +
|. . .|. . . .|
+-+-+-+-+-+-+-+
"""
ELBOW: Final = """\
+-+-+-+-+-+-+-+-+
|. . . . . . . .|
+               +
|# # # # # # # .|
+               +
|# # # # # # # .|
+               +
|# # # # # # # .|
+               +
|# # # # # # # .|
+-+-+-+-+-+-+-+-+
"""

BOARDS: Final[Mapping[str, str]] = {
    **{name: name for name in MAPS},
    "hall": HALL,
    "elbow": ELBOW,
}
"""What a board of this name is in a position: the name of a map, or its text (§2.12)."""

_OPEN: Final = re.compile(r"open-([1-9][0-9]?)x([1-9][0-9]?)")


def board(name: str) -> str | None:
    """The map of a board by its name, or of ``open-<width>x<height>``; None: there is no such."""
    found = _OPEN.fullmatch(name)
    return BOARDS.get(name) if found is None else open_board(int(found[1]), int(found[2]))


def open_board(width: int, height: int) -> str:
    """A board without any inner wall, all of it outdoors."""
    wall = "+" + "-+" * width + "\n"
    row = "|" + " ".join("." * width) + "|\n"
    return wall + f"{row}+{' ' * (2 * width - 1)}+\n" * (height - 1) + row + wall


HARMLESS: Final = (
    *("c060", "c061", "c063", "c064", "c065"),
    *("c066", "c067", "c054", "c055", "c080"),
)
"""What lies on top of the deck unless a scenario says otherwise: nothing that ends a game."""

_CORNERS: Final = ("r0c0", "r8c8", "r0c8", "r8c0")


def _base(seats: int, word: str) -> Base:
    pieces: dict[str, dict[str, Any]] = {"h01": {"cell": "r4c4"}}
    for seat, corner in enumerate(_CORNERS[:seats], 1):
        pieces[f"z{seat:02}"] = {"cell": corner, "seat": seat}
    situation = {"map": open_board(9, 9), "pieces": pieces, "deck": HARMLESS, "stage": "zombies"}
    told = (f"`{name}` on `{piece['cell']}`" for name, piece in pieces.items())
    return Base(
        about=f"{word} players on an open board of 9 × 9 cells",
        told="; ".join(told),
        mode=MODE,
        seats=seats,
        situation=situation,
    )


BASES: Final[Mapping[str, Base]] = {
    f"{word}-players": _base(seats, word) for seats, word in ((2, "two"), (3, "three"), (4, "four"))
}
"""All of them: a board of 9 x 9 cells, no cards in hand, the zombies about to go.

A human stands in the middle and a zombie of each seat in a corner.
"""
