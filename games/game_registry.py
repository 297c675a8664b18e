"""The games that a program can play, the types that their streams are made of, and their rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.codec import Codec, CodecError, Registry
from events.envelope import Stored
from events.kernel import Event
from events.keys import KeyRing
from games.bots import BOTS, VOLUNTEERS, Bot, Volunteer
from games.contract import Game
from games.registry import GAMES
from games.table import TABLE_RULES, Table
from games.table_events import TABLE_COMMANDS, TABLE_EVENTS, TableOpened
from games.table_state import TableState


class UnknownGame(CodecError):
    """A stream or a record of a game that this program does not play; ``game`` is its id.

    ``people`` are the players who may know of the table if it is private, as far as its first event
    says; None: everybody may, or nothing is said of it.
    """

    def __init__(self, game: str, people: frozenset[str] | None = None) -> None:
        super().__init__(f"this program does not know the game {game!r}")
        self.game = game
        self.people = people


class _Opened(Struct):
    """As much of a first event as says which game it opens, and for whom."""

    type: str
    game: str = ""
    visibility: str = "public"
    host: str = ""
    invited: tuple[str, ...] = ()


class _FirstLine(Struct):
    event: _Opened


_decode_first: Final = msgspec.json.Decoder(_FirstLine).decode
_OPENS: Final = TableOpened.__struct_config__.tag


def game_begun(first: Event | Stored) -> str:
    """The id of the game whose stream begins with ``first``, in full or as it is stored.

    Raises:
        CodecError: it is not the opening of a table.
    """
    return _opened(first).game


def _opened(first: Event | Stored) -> TableOpened | _Opened:
    """How a table was opened.

    Raises:
        CodecError: it was not.
    """
    if isinstance(first, TableOpened):
        return first
    if isinstance(first, Stored):
        try:
            event = _decode_first(first.public).event
        except ValueError as error:  # of whatever msgspec cannot read
            raise CodecError(f"the first event cannot be read: {error}") from error
        if event.type == _OPENS:
            return event
    raise CodecError("the first event does not open a table")


class GameCodecs:
    """The codecs of all games of a shelf, with one key ring (``events.codec.Codecs``)."""

    def __init__(self, registries: Mapping[str, Registry], keys: KeyRing | None) -> None:
        self._codecs = {game: Codec(types, keys) for game, types in registries.items()}

    def of(self, game: str) -> Codec:
        """The codec of a game's streams.

        Raises:
            UnknownGame: nobody plays that here.
        """
        try:
            return self._codecs[game]
        except KeyError:
            raise UnknownGame(game) from None

    def codec_of(self, first: Event | Stored) -> Codec:
        """The codec of a stream that begins with ``first``.

        Raises:
            UnknownGame: nobody plays that here.
            CodecError: it is not the opening of a table.
        """
        opened = _opened(first)
        try:
            return self._codecs[opened.game]
        except KeyError:
            private = opened.visibility == "private"
            people = frozenset({opened.host, *opened.invited}) if private else None
            raise UnknownGame(opened.game, people) from None


class Shelf:
    """Games by id, with all that a shell needs round them.

    Event types belong to a game: two games may have types with the same tag. A stream's first
    event names its game, and what it is made of are the table's own types and those of that game.

    Args:
        games: the games by id.
        bots: the house bots by name.
        volunteers: what bots do unasked, by the bot's name.

    ``table`` is the decider of all these games.

    Raises:
        CodecError: a game's types do not fit together, or beside those of the table.
    """

    def __init__(
        self,
        games: Mapping[str, Game[Any]],
        bots: Mapping[str, Bot] = BOTS,
        volunteers: Mapping[str, Volunteer] = VOLUNTEERS,
    ) -> None:
        self.bots = bots
        self.volunteers = volunteers
        self.table = Table(games, frozenset(bots))
        self._rules = {
            (game, rulebook): f"{TABLE_RULES} {tag}"
            for game, found in games.items()
            for rulebook, tag in found.rules.items()
        }
        self._registries = {
            game: Registry((*TABLE_EVENTS, *found.events), TABLE_COMMANDS)
            for game, found in games.items()
        }

    @cached_property
    def table_types(self) -> Registry:
        """The table's own types alone: all that can be read of a game that is not on the shelf."""
        return Registry(TABLE_EVENTS, TABLE_COMMANDS)  # 24 ms that no service needs

    @property
    def event_types(self) -> tuple[type[Event], ...]:
        """The event types of the table and of all games; of one game no two have the same tag."""
        own = (kind for game in self.table.games.values() for kind in game.events)
        return tuple(dict.fromkeys((*TABLE_EVENTS, *own)))

    def registry(self, game: str) -> Registry:
        """All types that a stream of a game is made of.

        Raises:
            UnknownGame: nobody plays that here.
        """
        try:
            return self._registries[game]
        except KeyError:
            raise UnknownGame(game) from None

    def registry_of(self, first: Event | Stored) -> Registry:
        """All types of a stream that begins with ``first``.

        Raises:
            UnknownGame: nobody plays that here.
            CodecError: it is not the opening of a table.
        """
        return self.registry(game_begun(first))

    def codecs(self, keys: KeyRing | None) -> GameCodecs:
        """The codecs of all games; without ``keys`` they read the public side only."""
        return GameCodecs(self._registries, keys)

    def rules_for(self, game: str, rulebook: str) -> str | None:
        """What a batch records of the rules: the table's tag and the rulebook's; None: unknown.

        Replaying a command is promised to give the recorded events under the very tags that its
        batch records (``docs/decisions/0005-rules-are-versioned-by-hand.md``).
        """
        return self._rules.get((game, rulebook))

    def rules_of(self, state: TableState) -> str:
        """The same for a table that has been opened.

        Raises:
            LookupError: nobody plays that here.
        """
        try:
            return self._rules[state.game, state.rulebook]
        except KeyError:
            raise LookupError(f"no rules for {state.game} by {state.rulebook}") from None


@cache
def house_shelf() -> Shelf:
    """The games of this service, made once for each process."""
    return Shelf(GAMES)
