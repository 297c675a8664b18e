"""House bots: pure functions from what a seat sees to an option (pure).

A bot gets the view of its own seat and nothing else, so it knows no more than a player there would.
Its randomness comes from ``seed``, derived from the secret game key, the seat and the decision:
nobody can predict a bot's choice, and once the key is published anyone can redo it.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from events.draw import Draw
from events.kernel import Decision, Option, Seat
from games.table.state import TableState
from games.trees import parts_of

Bot = Callable[[TableState, Decision, str], str]
"""``bot(view, decision, seed)`` is the id of a leaf of the decision's options.

``view`` is the table as the bot's seat sees it, ``decision`` blocks the game, ``seed`` is 64
hexadecimal digits. The same arguments give the same option, always.
"""

Volunteer = Callable[[TableState, Sequence[Decision], str], tuple[str, str] | None]
"""``volunteer(view, decisions, seed)`` is an optional action as (decision, option), or None.

``decisions`` are the seat's open optional ones. It is called before the bot answers anything that
blocks the game, repeatedly until it returns None.
"""

ListBranch = Callable[[Any, Decision, tuple[str, ...]], Sequence[Option]]
"""``Game.branch`` of a game, which a bot gives ``view.play``: what is below a branch."""

_SEED_DOMAIN = b"parlour/bot/1\x00"


def bot_seed(game_key: str, seat: Seat, decision: str) -> str:
    """The seed of one choice: HMAC-SHA-256(game key, ``parlour/bot/1`` 00 || ``s<seat>/<id>``)."""
    message = _SEED_DOMAIN + f"s{seat}/{decision}".encode()
    return hmac.digest(bytes.fromhex(game_key), message, "sha256").hex()


def no_branches(_: object, __: Decision, ___: tuple[str, ...]) -> tuple[Option, ...]:
    """What is below a branch in games that have none."""
    return ()


def random_bot(
    view: TableState, decision: Decision, seed: str, branch: ListBranch = no_branches
) -> str:
    """Any option; where it is a branch any below it, and so on: on each level all equally likely.

    A game with branches gives its own as ``branch`` (``functools.partial``).

    Raises:
        ValueError: the decision is optional (to resign, to reveal oneself): never left to chance;
            or there is nothing below a branch.
    """
    return any_leaf(view.play, decision, Draw(bytes.fromhex(seed)), branch)


def any_leaf(play: object, decision: Decision, draw: Draw, branch: ListBranch) -> str:
    """The same of the game alone; ``play`` is the view of it that ``branch`` takes.

    Raises:
        ValueError: as ``random_bot``.
    """
    if decision.optional:
        raise ValueError(f"an optional action is not left to chance: {decision.kind}")
    option = draw.choice(decision.options, decision.id)
    while option.branch:
        below = branch(play, decision, parts_of(option.id))
        if not below:
            raise ValueError(f"nothing is listed below a branch of {decision.kind}")
        option = draw.choice(below, f"{decision.id}/{option.id}")
    return option.id


class HouseBot(Struct, frozen=True, eq=False):
    """A house bot of a game: how it chooses, and which optional actions it takes, if any."""

    choose: Bot
    volunteer: Volunteer | None = None
