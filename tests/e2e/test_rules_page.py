"""The page of rules: all that a rulebook says, to be read in one place, searched and printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.clients import Client, Json
from tests.e2e.layout import flaws, lasting
from tests.e2e.people import PHONE, Look, Person
from tests.e2e.watching import watch

SAID: Final = ("about", "effect", "text")
"""The members of a rulebook's entries that explain them."""

LISTS: Final = ("modes", "rules", "actions", "roles", "rooms", "cards")

PRINTS: Final = "() => { globalThis.printed = 0; globalThis.print = () => { printed += 1; }; }"


def explained(book: Json) -> Iterator[str]:
    """All that a rulebook says of what it names."""
    entries = [each for name in LISTS for each in book.get(name, [])]
    abilities = [each for one in book["characters"] for each in one.get("abilities", [])]
    for each in (*entries, *abilities):
        yield from (each[member] for member in SAID if member in each)


def shown(page: Page) -> list[str]:
    """The texts of the entries that are shown."""
    return page.locator(".rules-entry:visible p").all_inner_texts()


def test_all_that_a_rulebook_says_is_read_searched_and_printed(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada = client("Ada")
    game = ada.opens("cooperation", 2, "ultimate")
    ada.sits(game)
    page = watch(person("Eve", Look(language="fr", scheme="dark")), game)
    page.goto(page.locator(".rules-link").get_attribute("href") or "")
    page.evaluate(PRINTS)
    book = ada.get("/rulebooks/ultimate", game="room25", lang="fr")
    expect(page.locator(".rules h2")).to_have_text(book["name"])
    assert set(explained(book)) <= set(shown(page))
    assert violations(page) == []
    assert lasting(page, lambda: flaws(page)) == []
    room = next(each for each in book["rooms"] if each["id"] == "acid")
    page.locator("#rules-search").fill(room["name"].upper())
    assert room["effect"] in shown(page)
    assert len(shown(page)) < len(set(explained(book))) / 4
    expect(page.locator(".rules-found")).to_contain_text(str(len(shown(page))))
    page.locator("#rules-print").click()
    assert page.evaluate("printed") == 1
    page.emulate_media(media="print")
    expect(page.locator("#rules-search")).to_be_hidden()
    expect(page.locator("#top")).to_be_hidden()
    colours = page.locator("body").evaluate(
        "(body) => [getComputedStyle(body).backgroundColor, getComputedStyle(body).color]"
    )
    assert colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    chapter = page.locator(".rules-chapter").first
    assert chapter.evaluate("(chapter) => getComputedStyle(chapter).columnCount") == "2"
    page.emulate_media(media="screen")


def test_the_rules_of_every_game_are_one_press_away(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    page = person("Eve", PHONE).opens("/")
    page.locator("a[href='/?page=rules']").click()
    expect(page.locator(".rules h2")).to_be_visible()
    page.locator("#rules-book").select_option(label="Cerveauuu!")
    expect(page.locator(".rules h2")).to_have_text("Cerveauuu!")
    book = client("Ada").get("/rulebooks/prototype", game="cerveauuu", lang="en")
    assert set(explained(book)) <= set(shown(page))
    assert lasting(page, lambda: flaws(page)) == []
    assert violations(page) == []
