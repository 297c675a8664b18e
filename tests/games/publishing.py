"""A game of one rulebook and one mode, as the API shows it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from games.contract import JsonValue
from games.published import Refusal, Showcase
from games.rulebooks import RulebookInfo
from games.words import LANGUAGES, SERVED, WORDS


class PublishedPlainly:
    """What is published of a small game (``games.published.Published``).

    ``about`` is said of its rulebook in any language, before the language's name; ``words`` are its
    own, by language and message key.
    """

    situation: type[Struct] | None = None
    description: type[Struct] = RulebookInfo

    def __init__(
        self,
        *,
        game: str,
        title: str,
        book: str,
        about: str,
        state: type[Struct],
        refusals: tuple[Refusal, ...],
        unpromised: Mapping[type, Mapping[str, str]],
        words: Mapping[str, Mapping[str, str]] = {},
    ) -> None:
        self.title, self.state, self.refusals = title, state, refusals
        self.unpromised = unpromised
        self._game, self._book, self._about, self._words = game, book, about, words
        self.showcase = Showcase(rulebook=book, mode="plain", seats=2, bot="random")
        self.examples: Mapping[str, JsonValue] = {
            "NewGame": {"game": game, "rulebook": book, "mode": "plain", "seats": 2},
            "NewSeat": {},
            "Choice": {"option": "a"},
        }

    def rulebooks(self, language: str) -> list[dict[str, JsonValue]]:
        return [
            {
                "id": self._book,
                "game": self._game,
                "name": self.title,
                "about": f"{self._about} ({language})",
                "modes": ("plain",),
            }
        ]

    def rulebook(self, rulebook: str, language: str) -> dict[str, JsonValue]:
        if rulebook != self._book:
            raise KeyError(rulebook)
        (short,) = self.rulebooks(language)
        return {
            **{key: short[key] for key in ("id", "game", "name", "about")},
            "version": 1,
            "language": language,
            "languages": LANGUAGES,
            "turn": "turn",
            "modes": (),
            "rules": (),
            "waits": (),
            "paces": (),
            "phrases": (),
            "options": (),
            "words": {**WORDS.section(language, *SERVED), **self._words.get(language, {})},
        }
