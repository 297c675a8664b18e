"""Whose account a request is about."""

from __future__ import annotations

import re
from typing import Final

from service.contract.bodies import PLAYER_ID
from service.http.principals import Principal
from service.http.problems import Refused

_PLAYER: Final = re.compile(PLAYER_ID)


def require_player_id(requested: str) -> str:
    """The id of a player, whether or not there is such a player.

    Raises:
        Refused: player-not-found, if it is none.
    """
    if not _PLAYER.fullmatch(requested):
        raise Refused("player-not-found", "player not found")
    return requested


def owner_of(caller: Principal, requested: str | None) -> str:
    """The player whose account the caller manages: by default the caller.

    Raises:
        Refused: not-your-account, player-not-found.
    """
    if requested is not None and requested != caller.player and not caller.has("admin"):
        raise Refused("not-your-account", "this account belongs to another player")
    return require_player_id(requested or caller.player)
