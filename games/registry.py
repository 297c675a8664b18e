"""Which games there are, as rules alone (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.contract import Game
from games.room25 import ROOM25

GAMES: Final[Mapping[str, Game[Any]]] = {ROOM25.id: ROOM25}
"""Every game of the house by its id."""
