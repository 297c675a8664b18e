"""The texts of the games as the page tells them: cells have the names that its boards give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.cerveauuu.telling.texts import CerveauuuTexts
from games.room25.telling.texts import Room25Texts
from games.texts import Texts


def _name(cell: str) -> str:
    """What the page's boards call a cell: A1 and not r0c0."""
    row, column = cell[1:].split("c")
    return f"{chr(ord('A') + int(column))}{int(row) + 1}"


TEXTS: Final[Mapping[str, Texts]] = {
    "room25": Room25Texts(_name),
    "cerveauuu": CerveauuuTexts(_name),
}
