"""Which games there are (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.cerveauuu.package import GAME as CERVEAUUU
from games.package import GamePackage
from games.room25.package import GAME as ROOM25

GAMES: Final[Mapping[str, GamePackage]] = {game.rules.id: game for game in (ROOM25, CERVEAUUU)}
"""Every game by its id."""

DEFAULT_GAME: Final = ROOM25.rules.id
"""The game of a table that names none: for ever the first game there was."""
