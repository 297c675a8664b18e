"""What things are called, in every language that we speak (pure data and its loader).

A message key names a text. The words of a game begin with its id, ``room25/room.acid.name``, and
lie in the game's folder; those that every table has do not, ``decision.resign.title``, and lie
here. A key with a suffix, ``room25/room.cold.effect@prototype``, is the text of a rulebook that has
its own. A text of the section ``event`` is a sentence with holes, as ``games.sentences`` reads it.
Each language has one file, and all files have the same keys: a missing text is an error, never
another language's.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from typing import Final

import msgspec

LANGUAGES: Final = ("en", "fr", "pl")
"""The languages that there are catalogues for, by their BCP 47 tags; the first is the default."""

ENGLISH: Final = LANGUAGES[0]


SERVED: Final = (
    *("answer", "decision", "event", "list", "outcome", "problem", "reason", "side", "wait"),
)
"""The sections whose texts every rulebook's description brings along, if a game has them."""


class Catalogue:
    """Texts by language and message key: one JSON file for each language in a package.

    Args:
        package: where the files are.
        more: a catalogue whose texts belong to this one too.
    """

    def __init__(self, package: str, more: Catalogue | None = None) -> None:
        self._package = package
        self._more = more

    @cached_property
    def _texts(self) -> Mapping[str, Mapping[str, str]]:
        return {language: self._read(language) for language in LANGUAGES}

    def _read(self, language: str) -> Mapping[str, str]:
        content = (files(self._package) / f"{language}.json").read_bytes()
        own = msgspec.json.decode(content, type=dict[str, str])
        more = {} if self._more is None else self._more.texts(language)
        return dict(sorted({**more, **own}.items()))

    def texts(self, language: str) -> Mapping[str, str]:
        """All texts of a language by message key.

        Raises:
            KeyError: there is no catalogue for this language.
        """
        return self._texts[language]

    def word(
        self, language: str, key: str, variants: tuple[str, ...] = (), /, **values: object
    ) -> str:
        """The text of a message key, with ``values`` put into its placeholders.

        The first of ``variants`` that has a text of its own gives it.

        Raises:
            KeyError: there is no such language or key, or a placeholder has no value.
        """
        texts = self.texts(language)
        own = (f"{key}@{variant}" for variant in variants)
        found = texts[next((each for each in own if each in texts), key)]
        return found.format_map(values) if values else found

    def section(self, language: str, *names: str, game: str | None = None) -> dict[str, str]:
        """The texts of whole sections, as ``event`` or ``problem``, by message key.

        They are those of every table and, with ``game``, those of that game too.
        """
        wanted = {*names, *(f"{game}/{name}" for name in names if game is not None)}
        texts = self.texts(language)
        return {key: text for key, text in texts.items() if key.partition(".")[0] in wanted}


WORDS: Final = Catalogue("games.words")
"""What every table has, whatever is played at it."""


def named(key: str) -> str:
    """The id that a message key names, whosever it is: ``acid`` of ``room25/room.acid.name``."""
    return key.rpartition("/")[2].split(".")[1]
