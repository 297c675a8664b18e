"""The answers about rulebooks, each built on first use and cached."""

from __future__ import annotations

from functools import cached_property

import msgspec
from msgspec import Struct

from games.game_registry import GameRegistry
from games.published import Published
from games.rulebooks import RulebookName, lacking
from games.words import ENGLISH, LANGUAGES
from service.contract.bodies import encode
from service.contract.rulebook_schemas import Rulebooks
from service.http.languages import Translated
from service.http.replies import Fixed


def described(published: Published, rulebook: str, language: str) -> Struct:
    """A rulebook of a game in its published form.

    Raises:
        KeyError: the game does not have the rulebook.
        ValidationError: the game's description does not have the published form.
    """
    return msgspec.convert(published.rulebook(rulebook, language), published.description)


class RulebookAnswers:
    """All rulebooks of a game registry as served.

    Args:
        game_registry: the games.

    Raises:
        ValueError: two games have a rulebook with the same id, or a game's description lacks what
            every rulebook has.
    """

    def __init__(self, game_registry: GameRegistry) -> None:
        self._game_registry = game_registry
        self._made: dict[str, Translated] = {}
        games = [game.published for game in game_registry.games.values()]
        owned = [(str(each["id"]), game) for game in games for each in game.rulebooks(ENGLISH)]
        self._owners = dict(owned)
        if len(self._owners) < len(owned):
            raise ValueError("two games have a rulebook with the same id")
        for game in games:
            if missing := ", ".join(lacking(game.description)):
                raise ValueError(f"the description of {game.title} lacks {missing}")

    @cached_property
    def names(self) -> Translated:
        """The list of all rulebooks."""
        return Translated({each: Fixed.of(encode(self._named(each))) for each in LANGUAGES})

    def book(self, rulebook: str) -> Translated:
        """The description of a rulebook.

        Raises:
            KeyError: the rulebook does not exist.
        """
        owner = self._owners[rulebook]
        if rulebook not in self._made:
            bodies = {each: encode(described(owner, rulebook, each)) for each in LANGUAGES}
            self._made[rulebook] = Translated({each: Fixed.of(bodies[each]) for each in LANGUAGES})
        return self._made[rulebook]

    def _named(self, language: str) -> Rulebooks:
        games = self._game_registry.games.values()
        names = [each for game in games for each in game.published.rulebooks(language)]
        return Rulebooks(
            language=language,
            languages=LANGUAGES,
            rulebooks=msgspec.convert(names, tuple[RulebookName, ...]),
            bots=self._game_registry.bots,
        )
