"""The games that a program can play, the types of their streams, and their rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from events.codec import Codec, CodecError, Registry
from events.envelope import Stored
from events.kernel import Event
from events.secrecy import Secrets
from games.bots import HouseBot
from games.package import GamePackage
from games.registry import GAMES
from games.streams import tags_of, types_of
from games.table.decider import Table
from games.table.events import TABLE_EVENTS, TableOpened
from games.table.state import TableState

T = TypeVar("T")


class UnknownGame(CodecError):
    """A stream or a record of a game that this program does not play; ``game`` is its id.

    ``people`` are the players who may know of a private table, according to its first event; None:
    everybody may, or the event does not say.
    """

    def __init__(self, game: str, people: frozenset[str] | None = None) -> None:
        super().__init__(f"this program does not know the game {game!r}")
        self.game = game
        self.people = people


class _Opened(Struct):
    """The part of a first event that says which game it opens, and for whom."""

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
    """The id of the game whose first event is ``first``, decoded or as stored.

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


def _of_game(found: Mapping[str, T], game: str, people: frozenset[str] | None = None) -> T:
    """Look a game up in a mapping.

    Raises:
        UnknownGame: nobody plays that here; ``people`` may know of the table.
    """
    try:
        return found[game]
    except KeyError:
        raise UnknownGame(game, people) from None


class GameCodecs:
    """The codecs of all games of a game registry, with one key ring (``events.codec.Codecs``)."""

    def __init__(self, registries: Mapping[str, Registry], keys: Secrets | None) -> None:
        self._codecs = {game: Codec(types, keys) for game, types in registries.items()}

    def of(self, game: str) -> Codec:
        """The codec of a game's streams.

        Raises:
            UnknownGame: nobody plays that here.
        """
        return _of_game(self._codecs, game)

    def codec_of(self, first: Event | Stored) -> Codec:
        """The codec of a stream that begins with ``first``.

        Raises:
            UnknownGame: nobody plays that here.
            CodecError: it is not the opening of a table.
        """
        opened = _opened(first)
        private = opened.visibility == "private"
        people = frozenset({opened.host, *opened.invited}) if private else None
        return _of_game(self._codecs, opened.game, people)


class GameRegistry:
    """Games by id, with all that a shell needs round them.

    Event types belong to a game: two games may have types with the same tag. A stream's first
    event names its game, and what it is made of are the table's own types and those of that game.

    Args:
        games: the games by id.

    ``table`` is the decider of all these games; ``bots`` are the names of their house bots.

    Raises:
        CodecError: a game's types do not fit together, or beside those of the table.
    """

    def __init__(self, games: Mapping[str, GamePackage]) -> None:
        self.games = games
        self.bots = tuple(dict.fromkeys(name for game in games.values() for name in game.bots))
        rules = {id_: game.rules for id_, game in games.items()}
        self.table = Table(rules, frozenset(self.bots))
        self._rules = tags_of(rules)
        self._registries = {game: types_of(found) for game, found in rules.items()}

    @cached_property
    def table_types(self) -> Registry:
        """The table's own types alone: all that is readable of an unknown game."""
        return types_of(None)  # 24 ms that no service needs

    @property
    def event_types(self) -> tuple[type[Event], ...]:
        """The event types of the table and of all games; tags are unique within one game."""
        own = (kind for game in self.games.values() for kind in game.rules.events)
        return tuple(dict.fromkeys((*TABLE_EVENTS, *own)))

    def bot(self, game: str, name: str) -> HouseBot | None:
        """The house bot of a game by its name; None: the game has no such bot."""
        found = self.games.get(game)
        return None if found is None else found.bots.get(name)

    def registry(self, game: str) -> Registry:
        """All message types of a game's streams.

        Raises:
            UnknownGame: nobody plays that here.
        """
        return _of_game(self._registries, game)

    def registry_of(self, first: Event | Stored) -> Registry:
        """All message types of a stream whose first event is ``first``.

        Raises:
            UnknownGame: nobody plays that here.
            CodecError: it is not the opening of a table.
        """
        return self.registry(game_begun(first))

    def codecs(self, keys: Secrets | None) -> GameCodecs:
        """The codecs of all games; without ``keys`` they read the public side only."""
        return GameCodecs(self._registries, keys)

    def rules_for(self, game: str, rulebook: str) -> str | None:
        """The rules that a batch records: the table's tag and the rulebook's; None if unknown.

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
def installed_games() -> GameRegistry:
    """The games of this service, created once per process."""
    return GameRegistry(GAMES)
