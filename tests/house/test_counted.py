"""A number before a noun is counted: the text has the forms that its language needs.

French says "0 tour", "1 tour" and "2 tours", Polish "1 runda", "2 rundy" and "5 rund".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import pytest

from games.words import LANGUAGES
from tests.house.test_plain_words import texts

_NUMBER: Final = re.compile(
    r"\{(?:\w+\.)*"
    r"(?P<hole>count|last|last_turn|left|limit|minutes|needed?|points|cards|seats|size|steps"
    r"|strikes|total|turns|used|uses|version)"
    r"(?:, count)?\}[ \u00a0](?P<next>[^\W\d_]+)"
)
_FORM: Final = re.compile(r"\.(?:one|few|many|other)$")

NO_NOUNS: Final[Mapping[str, frozenset[str]]] = {
    "en": frozenset({"copied", "is", "known", "more", "of"}),
    "fr": frozenset({"copié", "d", "de", "est", "sur"}),
    "pl": frozenset({"jest", "z", "zakończonej"}),
}
"""What may follow a number, whichever it is."""

NEVER_ONE: Final = frozenset(
    {
        "cerveauuu/board.window.version",  # told from the second time on
        "room25/new.rooms.wrong",  # all the rooms of the complex
        "room25/rule.locks.yes",  # what a rulebook has
        "room25/rule.robots.yes",
    }
)


def uncounted(catalogue: Mapping[str, str], language: str) -> list[str]:
    """The keys of texts that put a noun behind a number and have one form of it."""
    return [
        key
        for key, text in catalogue.items()
        if not _FORM.search(key)
        and key not in NEVER_ONE
        and any(
            found["next"] not in NO_NOUNS[language] and f"{found['hole']}, select, " not in text
            for found in _NUMBER.finditer(text)
        )
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_before_a_noun_is_counted(language: str) -> None:
    for name, catalogue in texts(language):
        assert uncounted(catalogue, language) == [], name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_exception_is_needed(language: str) -> None:
    said = {key: text for _, catalogue in texts(language) for key, text in catalogue.items()}
    follows = {found["next"] for text in said.values() for found in _NUMBER.finditer(text)}
    assert NO_NOUNS[language] <= follows
    assert said.keys() >= NEVER_ONE


def test_a_noun_in_one_form_is_noticed() -> None:
    """A control, with the exceptions beside what they are not."""
    planted = {
        "a": "{last} tours au plus",
        "b": "{cards, count} cartes",
        "c.one": "{count} tour",
        "d": "{count} sur {need}",
        "e": "{size, select, 1 {1 carte} other {{size} cartes}}",
    }
    assert uncounted(planted, "fr") == ["a", "b"]
    assert uncounted({"a": "Do {count} zamków"}, "pl") == ["a"]
