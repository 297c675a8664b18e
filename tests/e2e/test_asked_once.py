"""What is asked is to be read once: in the strip, and on a card where several are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.clients import Client, begun
from tests.e2e.people import Person
from tests.e2e.planting import plant_all
from tests.e2e.programming import first_programmes
from tests.e2e.watching import move, watch

ALL_UNSEEN: Final = {"play/panel-cards.js": {"asked.length === 1": "asked.length > 0"}}
"""The heading of the first card goes, however many there are."""

WIDTHS: Final = """() => [...document.querySelectorAll("section[data-decision] .p-head")]
    .map((each) => each.getBoundingClientRect().width)"""

OUTLINED: Final = """() => getComputedStyle(document.querySelector("section[data-decision]"))
    .outlineStyle"""


def asks_two(page: Page) -> None:
    """Each of two cards has a heading that everybody sees."""
    widths = page.evaluate(WIDTHS)
    assert len(widths) == 2
    assert min(widths) > 1, widths


def asks_one(page: Page) -> None:
    """The only card leaves its heading to the strip; whoever goes there sees where the focus is."""
    card = page.locator("section[data-decision]")
    expect(card).to_have_count(1)
    heading = card.get_by_role("heading")
    assert page.evaluate(WIDTHS) == [1]
    assert heading.inner_text() == page.locator(".now-who").inner_text()
    assert page.evaluate(OUTLINED) == "none"
    move(page, "decide").press("Enter")
    expect(heading).to_be_focused()
    assert page.evaluate(OUTLINED) == "solid"


def test_one_card_has_its_question_in_the_strip_and_several_have_their_own(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    it = first_programmes(person, client)
    asks_two(it.page)
    watch(it.one, begun([it.ada, it.bob]))
    asks_one(it.page)


def test_headings_that_all_go_are_noticed(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    one = person("Ada")
    plant_all(one.page, ALL_UNSEEN)
    it = first_programmes(person, client, one=one)
    with pytest.raises(AssertionError):
        asks_two(it.page)
