"""The games that a program can play, the types that their streams are made of, and their rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from events.codec import Registry
from events.kernel import Event
from games.bots import BOTS, VOLUNTEERS, Bot, Volunteer
from games.contract import Game
from games.room25 import EVENTS, ROOM25
from games.table import TABLE_RULES, Table
from games.table_events import TABLE_COMMANDS, TABLE_EVENTS
from games.table_state import TableState


class Shelf:
    """Games by id, with all that a shell needs round them.

    Args:
        games: the games by id.
        events: the event types of all these games; the table's own are added.
        bots: the house bots by name.
        volunteers: what bots do unasked, by the bot's name.

    ``table`` is the decider, ``registry`` knows every stored type.
    """

    def __init__(
        self,
        games: Mapping[str, Game[Any]],
        events: tuple[type[Event], ...],
        bots: Mapping[str, Bot] = BOTS,
        volunteers: Mapping[str, Volunteer] = VOLUNTEERS,
    ) -> None:
        self.bots = bots
        self.volunteers = volunteers
        self.table = Table(games, frozenset(bots))
        self.registry = Registry((*TABLE_EVENTS, *events), TABLE_COMMANDS)

    def rules_for(self, game: str, rulebook: str) -> str | None:
        """What a batch records of the rules: the table's tag and the rulebook's; None: unknown.

        Replaying a command is promised to give the recorded events under the very tags that its
        batch records (``docs/decisions/0005-rules-are-versioned-by-hand.md``).
        """
        found = self.table.games.get(game)
        tag = None if found is None else found.rules.get(rulebook)
        return None if tag is None else f"{TABLE_RULES} {tag}"

    def rules_of(self, state: TableState) -> str:
        """The same for a table that has been opened.

        Raises:
            LookupError: nobody plays that here.
        """
        rules = self.rules_for(state.game, state.rulebook)
        if rules is None:
            raise LookupError(f"no rules for {state.game} by {state.rulebook}")
        return rules


@cache
def house_shelf() -> Shelf:
    """The games of this service, made once for each process."""
    return Shelf({ROOM25.id: ROOM25}, EVENTS)
