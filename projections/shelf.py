"""The games that a program can play, the types that their streams are made of, and their rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from events.codec import Registry
from events.kernel import Event
from games.bots import BOTS, VOLUNTEERS, Bot, Volunteer
from games.contract import Game
from games.room25 import EVENTS, ROOM25
from games.table import Table
from games.table_events import TABLE_COMMANDS, TABLE_EVENTS

RULES: Final = "room25/1"
"""The tag of the rules by which this program judges, raised by hand with every change of what
``decide`` does (``docs/decisions/0005-rules-are-versioned-by-hand.md``). Replaying a command is
promised to give the recorded events under the very tag that its batch records.
"""


class Shelf:
    """Games by id, with all that a shell needs round them.

    Args:
        games: the games by id.
        events: the event types of all these games; the table's own are added.
        bots: the house bots by name.
        rules: the tag of the rules.
        volunteers: what bots do unasked, by the bot's name.

    ``table`` is the decider, ``registry`` knows every stored type, ``rules`` is the tag that
    each batch records.
    """

    def __init__(
        self,
        games: Mapping[str, Game[Any]],
        events: tuple[type[Event], ...],
        bots: Mapping[str, Bot] = BOTS,
        rules: str = RULES,
        volunteers: Mapping[str, Volunteer] = VOLUNTEERS,
    ) -> None:
        self.bots = bots
        self.volunteers = volunteers
        self.table = Table(games, frozenset(bots))
        self.registry = Registry((*TABLE_EVENTS, *events), TABLE_COMMANDS)
        self.rules = rules


@cache
def house_shelf() -> Shelf:
    """The games of this service, made once for each process."""
    return Shelf({ROOM25.id: ROOM25}, EVENTS)
