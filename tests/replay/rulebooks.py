"""The rulebooks as the service tells them, for auditors who have nothing else."""

from __future__ import annotations

import json
from functools import cache

import msgspec

from games.game_registry import installed_games
from tests.replay.auditor import Json


@cache
def book(game: str, rulebook: str) -> Json:
    """What ``GET /v1/rulebooks/{rulebook}`` answers."""
    told = installed_games().games[game].published.rulebook(rulebook, "en")
    found: Json = json.loads(msgspec.json.encode(told))
    return found
