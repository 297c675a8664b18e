"""Which games there are, as rules alone: what a rules archive holds (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.cerveauuu import RULES as CERVEAUUU
from games.contract import Rules
from games.room25 import RULES as ROOM25

RULES: Final[Mapping[str, Rules]] = {game.id: game for game in (ROOM25, CERVEAUUU)}
"""The rules of every game by its id."""
