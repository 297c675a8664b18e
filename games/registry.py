"""Which games there are (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.package import GamePackage
from games.room25.package import GAME as ROOM25

GAMES: Final[Mapping[str, GamePackage]] = {ROOM25.rules.id: ROOM25}
"""Every game by its id."""

DEFAULT_GAME: Final = ROOM25.rules.id
"""The game of a table that names none: for ever the first game there was."""
