"""How facts are written into the state's immutable parts (pure)."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import UnsetType
from msgspec.structs import replace

from games.room25.board import Cell
from games.room25.state import State

V = TypeVar("V")


def known(value: V | UnsetType) -> V | None:
    """The value of a field, or None if this viewer may not know it."""
    return None if isinstance(value, UnsetType) else value


def change(s: State, name: str, **facts: Any) -> None:  # noqa: ANN401 (fields of Character)
    """Change facts of a character."""
    s.characters = {**s.characters, name: replace(s.characters[name], **facts)}


def tile(s: State, where: Cell, **facts: Any) -> None:  # noqa: ANN401 (fields of Tile)
    """Change facts of the tile on a cell."""
    s.grid = {**s.grid, where: replace(s.grid[where], **facts)}
