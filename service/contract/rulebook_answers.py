"""The answers about rulebooks, each built on first use and cached."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

import msgspec
from msgspec import Struct

from games.contract import JsonValue
from games.game_registry import GameRegistry
from games.package import GamePackage
from games.published import Published
from games.rulebooks import RulebookName, lacking
from games.words import ENGLISH, LANGUAGES
from service.contract.bodies import encode
from service.contract.rulebook_schemas import Rulebooks
from service.http.languages import Translated
from service.http.replies import Fixed

_OUTCOME: Final = "outcome."


def described(published: Published, rulebook: str, language: str) -> Struct:
    """A rulebook of a game in its published form.

    Raises:
        KeyError: the game does not have the rulebook.
        ValidationError: the game's description does not have the published form.
    """
    return msgspec.convert(published.rulebook(rulebook, language), published.description)


def _with_names(
    game: GamePackage, listed: Mapping[str, JsonValue], language: str
) -> dict[str, JsonValue]:
    """An entry of the list, with the names that the rulebook's own description has."""
    book = msgspec.to_builtins(described(game.published, str(listed["id"]), language))
    keys = {key.rpartition("/")[2]: text for key, text in book["words"].items()}
    outcomes = {
        key.removeprefix(_OUTCOME): text for key, text in keys.items() if key.startswith(_OUTCOME)
    }
    modes = {mode["id"]: mode["name"] for mode in book["modes"]}
    sides = {side: keys[f"side.{side}"] for side in game.rules.sides}
    names = {"mode_names": modes, "outcomes": outcomes, "sides": sides}
    return {**listed, "turn": book["turn"], **names}


class RulebookAnswers:
    """All rulebooks of a game registry as served.

    A rulebook's id belongs to its game: two games may have rulebooks of the same id.

    Args:
        game_registry: the games.

    Raises:
        ValueError: a game has two rulebooks with the same id, or its description lacks what every
            rulebook has.
    """

    def __init__(self, game_registry: GameRegistry) -> None:
        self._game_registry = game_registry
        self._made: dict[tuple[str, str], Translated] = {}
        self._short: dict[str, dict[tuple[str, str], RulebookName]] = {}
        self._owners: dict[tuple[str, str], Published] = {}
        for id_, game in game_registry.games.items():
            published = game.published
            for each in published.rulebooks(ENGLISH):
                key = id_, str(each["id"])
                if key in self._owners:
                    raise ValueError(f"{published.title} has two rulebooks with the same id")
                self._owners[key] = published
            if missing := ", ".join(lacking(published.description)):
                raise ValueError(f"the description of {published.title} lacks {missing}")

    @cached_property
    def names(self) -> Translated:
        """The list of all rulebooks."""
        return Translated({each: Fixed.of(encode(self._named(each))) for each in LANGUAGES})

    def name(self, game: str, rulebook: str, language: str) -> RulebookName | None:
        """A rulebook in short; None: the game does not exist, or does not have it."""
        if language not in self._short:
            listed = self._named(language).rulebooks
            self._short[language] = {(each.game, each.id): each for each in listed}
        return self._short[language].get((game, rulebook))

    def book(self, game: str, rulebook: str) -> Translated:
        """The description of a game's rulebook.

        Raises:
            KeyError: the game does not exist, or does not have the rulebook.
        """
        key = game, rulebook
        owner = self._owners[key]
        if key not in self._made:
            bodies = {each: encode(described(owner, rulebook, each)) for each in LANGUAGES}
            self._made[key] = Translated({each: Fixed.of(bodies[each]) for each in LANGUAGES})
        return self._made[key]

    def _named(self, language: str) -> Rulebooks:
        games = self._game_registry.games.values()
        names = [
            _with_names(game, each, language)
            for game in games
            for each in game.published.rulebooks(language)
        ]
        return Rulebooks(
            language=language,
            languages=LANGUAGES,
            rulebooks=msgspec.convert(names, tuple[RulebookName, ...]),
            bots=self._game_registry.bots,
        )
