"""House bots: pure functions from what a seat sees to an option (pure).

A bot gets the view of its own seat and nothing else, so it cannot know what a player in its place
would not. Its chance comes from ``seed``, made of the secret game key, the seat and the decision:
nobody can foresee a bot's choice, and once the key is published anybody can redo it.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from events.draw import Draw
from events.kernel import Decision, Seat
from games.room25 import bots as room25
from games.table_state import TableState

Bot = Callable[[TableState, Decision, str], str]
"""``bot(view, decision, seed)`` is the id of one of the decision's options.

``view`` is the table as the bot's seat sees it, ``decision`` blocks the game, ``seed`` is 64
hexadecimal digits. The same arguments give the same option, always.
"""

Volunteer = Callable[[TableState, Sequence[Decision], str], tuple[str, str] | None]
"""``volunteer(view, decisions, seed)`` is a voluntary act as (decision, option), or None.

``decisions`` are the seat's open optional ones. It is asked before the bot is asked for anything
that blocks the game, again and again until it wants nothing more.
"""

_SEED_DOMAIN = b"parlour/bot/1\x00"


def bot_seed(game_key: str, seat: Seat, decision: str) -> str:
    """The seed of one choice: HMAC-SHA-256(game key, ``parlour/bot/1`` 00 || ``s<seat>/<id>``)."""
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


_STEADY: Final[Mapping[str, Bot]] = {"room25": room25.steady}
_STEADY_VOLUNTEERS: Final[Mapping[str, Volunteer]] = {"room25": room25.volunteer}
"""Playing well is a matter of the game, so each game brings its own."""


def steady_bot(view: TableState, decision: Decision, seed: str) -> str:
    """What the game on the table thinks sensible.

    Raises:
        LookupError: the game has no such bot.
        ValueError: the decision is voluntary.
    """
    return _STEADY[view.game](view, decision, seed)


def steady_volunteer(
    view: TableState, decisions: Sequence[Decision], seed: str
) -> tuple[str, str] | None:
    """What the game on the table thinks worth doing unasked.

    Raises:
        LookupError: the game has no such bot.
    """
    return _STEADY_VOLUNTEERS[view.game](view, decisions, seed)


BOTS: Final[Mapping[str, Bot]] = {"random": random_bot, "steady": steady_bot}
"""The house bots by the name under which a host seats them."""

VOLUNTEERS: Final[Mapping[str, Volunteer]] = {"steady": steady_volunteer}
"""The house bots that act of their own accord too."""
