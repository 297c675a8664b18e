"""House bots: pure functions from what a seat sees to an option (pure).

A bot gets the view of its own seat and nothing else, so it cannot know what a player in its place
would not. Its chance comes from ``seed``, made of the secret game key, the seat and the decision:
nobody can foresee a bot's choice, and once the key is published anybody can redo it.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from typing import Final

from events.draw import Draw
from events.kernel import Decision, Seat
from games.table_state import TableState

Bot = Callable[[TableState, Decision, str], str]
"""``bot(view, decision, seed)`` is the id of one of the decision's options.

``view`` is the table as the bot's seat sees it, ``decision`` blocks the game, ``seed`` is 64
hexadecimal digits. The same arguments give the same option, always.
"""

_SEED_DOMAIN = b"room25/bot/1\x00"


def bot_seed(game_key: str, seat: Seat, decision: str) -> str:
    """The seed of one choice: HMAC-SHA-256(game key, ``room25/bot/1`` 00 || ``s<seat>/<id>``)."""
    message = _SEED_DOMAIN + f"s{seat}/{decision}".encode()
    return hmac.digest(bytes.fromhex(game_key), message, "sha256").hex()


def random_bot(view: TableState, decision: Decision, seed: str) -> str:  # noqa: ARG001 (it is blind)
    """Any option, all equally likely.

    Raises:
        ValueError: the decision is voluntary (to resign, to reveal oneself): never taken by chance.
    """
    if decision.optional:
        raise ValueError(f"a voluntary act is not left to chance: {decision.kind}")
    return Draw(bytes.fromhex(seed)).choice(decision.options, decision.id).id


BOTS: Final[Mapping[str, Bot]] = {"random": random_bot}
"""The house bots by the name under which a host seats them."""
