"""What nobody but its owner may read of a running game, as strings to look for."""

from __future__ import annotations

import json

from tests.e2e.clients import Client


def secrets_of(game: str, players: list[Client]) -> set[str]:
    """The players' tokens, and the salt of everything that only they may open.

    A secret value comes with its salt or not at all: whoever was given a role, a programme or a
    room that was looked at was given its salt in the same line.
    """
    salts = {
        opening["salt"]
        for player in players
        for seat in player.get(f"/games/{game}/decisions")["seats"]
        for line in player.lines(game, f"seat:{seat}")
        for opening in json.loads(line).get("opened", {}).values()
    }
    return salts | {p.token for p in players}


def leaked(secrets: set[str], bytes_: bytes) -> list[str]:
    """The secrets that are among the bytes; of each one its beginning only."""
    return sorted(secret[:6] for secret in secrets if secret.encode() in bytes_)
