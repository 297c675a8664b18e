"""How facts are written into the state's immutable parts (pure)."""

from __future__ import annotations

from typing import TypeVar

from msgspec import UNSET, UnsetType

from games.room25.model.board import Cell
from games.room25.model.state import Character, State, Tile

V = TypeVar("V")


def known(value: V | UnsetType) -> V | None:
    """The value of a field, or None if this viewer may not know it."""
    return None if value is UNSET else value


def put(s: State, character: Character) -> None:
    """Put a character in the place of what it was."""
    characters = {**s.characters}  # half the time that ``dict`` takes, which is called
    characters[character.id] = character
    s.characters = characters


def lay(s: State, where: Cell, tile: Tile) -> None:
    """Lay a tile on a cell, in the place of what lay there."""
    grid = {**s.grid}
    grid[where] = tile
    s.grid = grid
