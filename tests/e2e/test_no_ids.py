"""No text of a table's page shows an id: in the log, beside the board, in accessible names."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace
from playwright.sync_api import Page, expect

from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.people import DESKTOP, Person
from tests.e2e.town import CHASE, staged
from tests.e2e.watching import open_log, replay, speaks, watch

LANGUAGES: Final = ("en", "fr", "pl")

ID: Final = re.compile(
    r"""
      \b[rt]\d+-[a-z0-9]        # of a wait
    | \br\d+c\d+\b              # of a cell
    | \b[hkz]\d+\b              # of a piece, or a card's number
    | \b[gp][0-9a-f]{2}-\w{26}  # of a table or an account
    """,
    re.VERBOSE,
)

TEXTS: Final = """() => {
    const names = ["aria-label", "aria-valuetext", "title", "alt", "placeholder"];
    const told = (element) => names.map((name) => element.getAttribute(name)).filter(Boolean);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [...document.body.querySelectorAll("*")].flatMap(told);
    while (walker.nextNode()) {
        const { parentElement: around, textContent } = walker.currentNode;
        if (around.localName !== "noscript") found.push(textContent);
    }
    return found;
}"""
"""Everything that is read, hidden lines of the log included."""


def ids(page: Page) -> list[str]:
    """The texts of a page that show an id."""
    found: list[str] = page.evaluate(TEXTS)
    return [text for text in found if ID.search(text)]


def stays_without_ids(page: Page) -> None:
    """In no language the page, its log with all lines, shows an id."""
    for language in LANGUAGES:
        speaks(page, language)
        open_log(page)
        expect(page.locator(".log [data-kind=engine]")).not_to_have_count(0)
        assert ids(page) == [], language


def test_a_town_shows_no_id(person: Callable[..., Person], client: Callable[..., Client]) -> None:
    own, bob = client("Ada"), client("Bob")
    game = staged(own, bob, CHASE)
    ada = person("Ada", replace(DESKTOP, language=LANGUAGES[0]))
    ada.signs_in(own)
    page = watch(ada, game)
    expect(page.locator(".cv-hand .cv-card").first).to_be_visible()
    stays_without_ids(page)


def test_a_finished_complex_shows_no_id_and_a_planted_one_is_found(
    person: Callable[..., Person], finished: Finished
) -> None:
    look = replace(DESKTOP, language=LANGUAGES[0])
    page = replay(person("Eve", look), finished.game, "?as=full")
    stays_without_ids(page)
    # The control: in a text, in a name, in a hidden line.
    planted = (
        {"textContent": "a card (k3)"},
        {"title": "r1-w4"},
        {"hidden": True, "innerText": "h04"},
    )
    for number, parts in enumerate(planted, 1):
        plant = "parts => document.body.append(Object.assign(document.createElement('p'), parts))"
        page.evaluate(plant, parts)
        assert len(ids(page)) == number
