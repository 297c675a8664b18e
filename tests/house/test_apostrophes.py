"""Apostrophes are of one form in all texts: the curly one, as in print."""

from __future__ import annotations

import re
from typing import Final

import pytest

from games.words import LANGUAGES
from tests.house.test_plain_words import Texts, texts

STRAIGHT: Final = re.compile(r"['\u0060\u00b4\u2018]")
"""A straight apostrophe, and what is taken for one."""


def straight(catalogue: Texts) -> list[str]:
    """The keys of texts with an apostrophe of another form."""
    return [key for key, text in catalogue.items() if STRAIGHT.search(text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_apostrophes_are_curly(language: str) -> None:
    for name, catalogue in texts(language):
        assert straight(catalogue) == [], name


def test_a_straight_apostrophe_is_noticed() -> None:
    assert straight({"a": "the engine's notes", "b": "the engine’s notes"}) == ["a"]
