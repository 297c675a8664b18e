"""What things are called, in every language that we speak (pure data and its loader).

A message key names a text. The words of a game begin with its id, ``room25/room.acid.name``,
``room25/decision.move_target.title``; those that every table has do not, ``decision.resign.title``.
A key with a suffix, ``room25/room.cold.effect@prototype``, is the text of a rulebook that has its
own. Each language has one file, and all files have the same keys: a missing text is an error, never
another language's.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

LANGUAGES: Final = ("en", "fr", "pl")
"""The languages that there are catalogues for, by their BCP 47 tags; the first is the default."""

ENGLISH: Final = LANGUAGES[0]


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All texts of a language by message key.

    Raises:
        KeyError: there is no catalogue for this language.
    """
    if language not in LANGUAGES:
        raise KeyError(language)
    content = (files("games.words") / f"{language}.json").read_bytes()
    return msgspec.json.decode(content, type=dict[str, str])


def word(language: str, key: str, variants: tuple[str, ...] = (), /, **values: object) -> str:
    """The text of a message key, with ``values`` put into its placeholders.

    The first of ``variants`` that has a text of its own gives it.

    Raises:
        KeyError: there is no such language or key, or a placeholder has no value.
    """
    texts = catalogue(language)
    own = (f"{key}@{variant}" for variant in variants)
    found = texts[next((each for each in own if each in texts), key)]
    return found.format_map(values) if values else found


def section(language: str, *names: str, game: str | None = None) -> dict[str, str]:
    """The texts of whole sections, as ``event`` or ``problem``, by message key.

    They are those of every table and, with ``game``, those of that game too.
    """
    wanted = {*names, *(f"{game}/{name}" for name in names if game is not None)}
    return {
        key: text for key, text in catalogue(language).items() if key.partition(".")[0] in wanted
    }


def named(key: str) -> str:
    """The id that a message key names, whosever it is: ``acid`` of ``room25/room.acid.name``."""
    return key.rpartition("/")[2].split(".")[1]
