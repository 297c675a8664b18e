"""What something on the board or in a form is: told by a click on no choice, or when asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, Position, expect

from tests.e2e.acting import card_of
from tests.e2e.axe import violations
from tests.e2e.clients import Client, begun
from tests.e2e.conftest import Finished
from tests.e2e.people import DESKTOP, PHONE, Look, Person
from tests.e2e.watching import replay, shows, speaks, watch

CORNER: Final[Position] = {"x": 12, "y": 10}
"""Where no figure stands on a room."""


def told(page: Page) -> Locator:
    """The window that tells what something is."""
    return page.locator("dialog[data-dialog=place]")


def shut(page: Page) -> None:
    """Close it."""
    page.keyboard.press("Escape")
    expect(told(page)).to_have_count(0)


@pytest.fixture
def clue(
    person: Callable[..., Person], client: Callable[..., Client]
) -> Callable[..., tuple[Page, Client, str]]:
    """Opens a game whose first decision is a room beside the centre, before somebody."""

    def opened(look: Look = DESKTOP, one: Person | None = None) -> tuple[Page, Client, str]:
        ada, bob = client("Ada"), client("Bob")
        game = ada.opens("cooperation", 2)
        for each in (ada, bob):
            each.sits(game)
        one = one or person("Ada", look)
        one.signs_in(ada)
        page = watch(one, game)
        expect(card_of(page, ada.asked(game)[0])).to_be_visible()
        return page, ada, game

    return opened


def tile(page: Page, cell: str) -> Locator:
    """A room on the board."""
    return page.locator(f".b-board [data-cell={cell}]")


def test_a_click_on_what_is_no_choice_tells_what_it_is_and_what_may_be_chosen_is_asked_about(
    clue: Callable[..., tuple[Page, Client, str]],
) -> None:
    page, ada, game = clue()
    tile(page, "r0c0").click()
    expect(told(page)).to_contain_text("It lies face-down")
    assert violations(page, "dialog[open]") == []
    shut(page)
    tile(page, "r2c2").click(position=CORNER)
    expect(told(page)).to_contain_text("Central Room")
    expect(told(page)).to_contain_text("1 of 1 known")
    shut(page)
    figure = page.locator(".b-board .b-figure").first
    name = (figure.locator("title").text_content() or "").split(" (")[0]
    figure.click()
    expect(told(page).get_by_role("heading")).to_have_text(name)
    shut(page)
    assert len(ada.asked(game)) == 1
    what_may_be_chosen_is_told_when_asked(page, ada, game)


def what_may_be_chosen_is_told_when_asked(page: Page, ada: Client, game: str) -> None:
    """And not chosen by that; a click chooses it."""
    choice, other = tile(page, "r1c2"), tile(page, "r2c1")

    def is_told_and_not_chosen(how: str) -> None:
        expect(told(page), how).to_contain_text("It lies face-down")
        expect(page.locator("dialog[open]"), how).to_have_count(1)
        shut(page)
        assert len(ada.asked(game)) == 1, how

    choice.click(button="right")
    is_told_and_not_chosen("by the other button of a mouse")
    other.focus()
    page.keyboard.press("?")
    is_told_and_not_chosen("where the focus is")
    page.evaluate("document.activeElement.blur()")
    choice.hover()
    page.keyboard.press("?")
    is_told_and_not_chosen("where the pointer is")
    # Without anything to ask about, it is the list of keys.
    page.locator("h1").hover()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    expect(page.locator("dialog[data-dialog=keys]")).to_be_visible()
    page.keyboard.press("Escape")
    choice.click()
    expect(page.locator("section[data-decision]:not(.p-answered)")).to_have_count(0)
    assert ada.asked(game) == []


SHORT: Final = """{
    const own = window.setTimeout;
    window.setTimeout = (act, ms = 0, ...given) =>
        own(act, window.brief ? 1000 * ms : ms, ...given);
}"""
"""A press is a short one while ``brief``, however long a busy machine takes over it."""


def test_a_long_press_asks_and_a_short_one_chooses(
    clue: Callable[..., tuple[Page, Client, str]], person: Callable[..., Person]
) -> None:
    one = person("Ada", PHONE)
    one.runs_first(SHORT)
    page, ada, game = clue(one=one)
    tile(page, "r1c2").tap(trial=True)  # it is in sight, and has come to rest
    box = tile(page, "r1c2").bounding_box()
    assert box
    at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for kind, points in (("touchStart", [at]), ("touchEnd", [])):
        one.touches(kind, *points)
        expect(told(page)).to_contain_text("It lies face-down")
    shut(page)
    assert len(ada.asked(game)) == 1
    page.evaluate("window.brief = true")
    tile(page, "r1c2").tap()
    page.evaluate("window.brief = false")
    expect(page.locator("section[data-decision]:not(.p-answered)")).to_have_count(0)
    assert ada.asked(game) == []
    expect(told(page)).to_have_count(0)


def test_an_action_card_tells_what_it_does(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begun([ada, bob])
    for each in (ada, bob):
        each.chooses(game, "r1c2")
    one = person("Ada")
    one.signs_in(ada)
    page = watch(one, game)
    card = page.locator(".p-card[data-card=control]").first
    card.click(button="right")
    expect(told(page)).to_contain_text("Shift your own row or column one step")
    shut(page)
    card.focus()
    page.keyboard.press("?")
    expect(told(page)).to_contain_text("Shift your own row or column one step")
    shut(page)
    expect(page.locator(".p-laid")).to_have_count(0)


def test_a_room_tells_its_effect_in_every_language(
    person: Callable[..., Person], finished: Finished
) -> None:
    effects = set()
    page = replay(person("Eve", Look(language="fr")), finished.game, "?at=60")
    for language in ("fr", "en", "pl"):
        speaks(page, language)
        shows(page, 60)
        tile(page, "r2c2").click(position=CORNER)
        effects.add(told(page).locator(".b-about p").first.inner_text())
        told(page).locator("summary").click()
        expect(told(page).locator("ol.changes li").first).to_be_visible()
        shut(page)
    assert len(effects) == 3


def test_a_place_of_the_other_game_is_told_as_well(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("standard", 2, "prototype", game="cerveauuu")
    for each in (ada, bob):
        each.sits(game)
    page = watch(person("Eve"), game)
    cell = page.locator(".cv-cell").nth(40)
    cell.click(button="right")
    expect(told(page)).to_contain_text(cell.get_attribute("aria-label") or "?")
    assert violations(page, "dialog[open]") == []
