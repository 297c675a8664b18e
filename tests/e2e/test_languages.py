"""English, French and Polish: every page, every event, every choice has its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.people import Look, Person
from tests.e2e.planting import plant
from tests.e2e.watching import PICTURES, choose_language, complete, move, open_tools, turn_to

LANGUAGES = ("en", "fr", "pl")


def test_the_browsers_language_is_taken_and_another_one_kept(
    person: Callable[..., Person],
) -> None:
    page = person("Zoé", Look(language="fr-FR")).opens("/")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    french = page.locator("#top nav").inner_text()
    choose_language(page, "pl")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    expect(page.locator("#top nav")).not_to_have_text(french)
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "pl")


def test_whoever_chooses_a_language_by_keys_goes_on_from_there(
    person: Callable[..., Person], finished: Finished
) -> None:
    zoe = person("Zoé")
    page = zoe.opens("/")
    menu = page.locator("#top .language select")
    menu.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("main h1")).to_be_visible()
    expect(menu).to_be_focused()

    turn_to(zoe, finished.game)
    folded = page.locator("#top .site-menu > summary")
    folded.press("Enter")
    menu.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    complete(page)
    expect(folded).to_be_focused()


WRITTEN: Final = """async (cases) => {
    const { moment, useWords } = await import("/web/words.js");
    return cases.map(([own, spoken]) => {
        Object.defineProperty(navigator, "languages", { value: [own], configurable: true });
        useWords(spoken, {});
        return moment(Date.UTC(2026, 10, 28, 12));
    });
}"""


def test_dates_are_written_as_the_reader_writes_them(own_modules: Page) -> None:
    cases = [["en-GB", "en"], ["en-US", "en"], ["en-US@posix", "en"], ["en-GB", "pl"]]
    british, american, no_tag, polish = own_modules.evaluate(WRITTEN, cases)
    assert british.startswith("28 Nov 2026")
    assert american.startswith("Nov 28, 2026")
    assert no_tag == american
    assert polish.startswith("28 lis 2026")


FETCHES: Final = """() => {
    window.fetched = [];
    const { fetch } = window;
    window.fetch = (what, how) => {
        fetched.push(new URL(what, location.href).href);
        return fetch(what, how);
    };
}"""
LEFT: Final = """() => [...document.querySelectorAll("link[rel=preload][as=fetch]")]
    .map(({ href }) => href).filter((href) => !fetched.includes(href))"""
"""What the document has fetched early and the page has not taken."""


def left_of_the_document(zoe: Person) -> list[str]:
    """What a page does not take that speaks another language than its document."""
    zoe.runs_first(f"({FETCHES})()")
    page = zoe.opens("/?page=nowhere")
    page.evaluate("localStorage.setItem('parlour.language', 'pl')")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    found: list[str] = page.evaluate(LEFT)
    return found


def test_what_the_document_has_fetched_is_taken_whatever_is_spoken(
    person: Callable[..., Person],
) -> None:
    """Otherwise a browser complains of it a few seconds later."""
    assert left_of_the_document(person("Zoé", Look(language="fr-FR"))) == []


def test_words_that_nobody_takes_are_noticed(person: Callable[..., Person]) -> None:
    zoe = person("Zoé", Look(language="fr-FR"))
    zoe.allow("preloaded using link preload")
    plant(zoe.page, "main.js", {"  takeWords();\n": ""})
    assert [each for each in left_of_the_document(zoe) if "/words/fr/" in each] != []


# By day house rules see that no language lacks a text, and all other tests read English.
@pytest.mark.parametrize(
    "language",
    ["pl", *(pytest.param(one, marks=pytest.mark.nightly) for one in LANGUAGES if one != "pl")],
)
def test_every_page_speaks(
    person: Callable[..., Person], client: Callable[..., Client], finished: Finished, language: str
) -> None:
    """A text that is missing throws, and what is thrown fails the test of the person."""
    zoe = person("Zoé", Look(language=language))
    zoe.signs_in(client("Zoé"))
    page = zoe.page
    zoe.opens("/")
    for address in ("/", "/?page=new", "/?page=account", "/?page=nowhere"):
        zoe.goes_to(address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("[role=alert]")).to_have_count(0)
    turn_to(zoe, finished.game, "?as=full")
    page.evaluate(PICTURES, [{"version": version} for version in range(1, finished.last, 7)])
    move(page, "text").click()
    expect(page.locator(".text-board table")).to_be_visible()
    for name in ("save", "keys"):
        move(page, name).click()
        expect(page.locator(f"dialog[data-dialog={name}]")).to_be_visible()
        page.keyboard.press("Escape")
    open_tools(page)
    page.locator("[data-badge]").click()
    expect(page.locator("html")).to_have_attribute("lang", language)
