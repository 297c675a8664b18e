"""The page finds in every text of the games the names that our tests find there, in any form."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page

from tests import mentions
from tests.house.test_named_forms import GAMES, called, said

FIND: Final = """async ([entries, texts]) => {
    const { Mentions } = await import("/web/mentions.js");
    const named = new Mentions(entries.map((names) => ({ names, value: names[0] })));
    return texts.map((text) => named.in(text));
}"""


def found(page: Page, entries: list[list[str]], texts: list[str]) -> list[list[str]]:
    """The first name of all that each text names, as the page finds it."""
    answer: list[list[str]] = page.evaluate(FIND, [entries, texts])
    return answer


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_the_page_finds_what_our_tests_find(modules: Page, game: str, language: str) -> None:
    entries, texts = [*called(game, language).values()], said(game, language)
    own = {
        spelling: names[0]
        for names in reversed(entries)
        for name in names
        for spelling in mentions.spellings(name)
    }
    pattern = mentions.pattern(name for names in entries for name in names)
    expected = [[*dict.fromkeys(own[met] for met in pattern.findall(text))] for text in texts]
    assert any(expected)
    assert found(modules, entries, texts) == expected


def test_the_longest_name_counts_and_none_within_a_word(modules: Page) -> None:
    entries = [["Cela", "celi"], ["Pokój 25", "Pokoju 25"], ["Pokój 25 z kluczem"], ["Cela", "x"]]
    texts = ["Celi i z pokoju 25", "pokój 25 z kluczem", "cela, celiny, Pokoju 257", "Cela, cela"]
    assert found(modules, entries, texts) == [
        ["Cela", "Pokój 25"],
        ["Pokój 25 z kluczem"],
        [],
        ["Cela"],
    ]
    assert found(modules, [], texts) == [[], [], [], []]
