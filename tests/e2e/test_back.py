"""The back button of a phone: it closes what lies over the page, and only then leads elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Finished
from tests.e2e.people import PHONE, Person
from tests.e2e.watching import complete, move, root, shown, shows

NOTES: Final = """(() => {
    const go = history.go.bind(history);
    window.goesBack = false;
    history.go = (steps) => {
        window.goesBack = true;
        go(steps);
    };
    addEventListener("popstate", () => {
        window.goesBack = false;
    });
})()"""
"""Lets a page note whether it is on its way back by itself."""

HAS_ITS_ENTRY: Final = "() => history.state?.layers > 0 && !window.goesBack"


@pytest.fixture
def page(person: Callable[..., Person], finished: Finished) -> Page:
    """A finished game on a phone, to which its reader has come from the lobby."""
    one = person("Eve", PHONE)
    one.runs_first(NOTES)
    one.opens("/")
    page = one.goes_to(f"/watch/{finished.game}")
    complete(page)
    return page


def drawer(page: Page) -> Locator:
    """Pull the log out; what is there as long as it is open."""
    move(page, "log").tap()
    return visible(page.locator(".drawer-open .log"))


def menu(page: Page, name: str) -> Locator:
    """Unfold a menu of the head; the same."""
    page.locator(f".{name} > summary").tap()
    return visible(page.locator(f".{name}[open] .foldout-body"))


def keys(page: Page) -> Locator:
    """Open the list of keys; the same."""
    menu(page, "watch-tools").locator("[data-move=keys]").tap()
    return visible(page.locator("dialog[open]"))


def legend(page: Page) -> Locator:
    """Unfold what the marks of the scrubber mean; the same."""
    page.locator(".legend > summary").tap()
    return visible(page.locator(".legend[open] ul"))


def visible(found: Locator) -> Locator:
    """What has opened, once the browser has an entry for it.

    It gets that a moment after it is seen: no finger is as quick as a test.
    """
    expect(found).to_be_visible()
    found.page.wait_for_function(HAS_ITS_ENTRY)
    return found


def leaves(page: Page) -> None:
    """The next Back leads away from the table."""
    page.go_back()
    expect(root(page)).to_have_count(0)


def test_back_closes_what_lies_over_a_table_and_then_leads_elsewhere(page: Page) -> None:
    closes_what_lies_over_it(page)
    comes_again(page)
    has_nothing_to_close(page)
    comes_again(page)
    goes_back_to_what_was_shown(page)


def comes_again(page: Page) -> None:
    """Come back from where Back has led to."""
    page.go_forward()
    complete(page)


def closes_what_lies_over_it(page: Page) -> None:
    """One layer after another is closed by Back before the table is left."""
    for open_layer in (drawer, partial(menu, name="site-menu"), keys, legend):
        layer = open_layer(page)
        page.go_back()
        expect(layer).to_be_hidden()
        expect(root(page)).to_be_visible()
    log = drawer(page)
    log.locator("[aria-haspopup=dialog]:visible").last.tap()
    about = visible(page.locator("dialog[open]"))
    page.go_back()
    expect(about).to_be_hidden()
    expect(log).to_be_visible()
    page.go_back()
    expect(log).to_be_hidden()
    leaves(page)


def has_nothing_to_close(page: Page) -> None:
    """What is closed otherwise takes nothing from the way back."""
    log = drawer(page)
    log.locator(".drawer-shut").tap()
    expect(log).to_be_hidden()
    about = keys(page)
    about.locator(".dialog-close").tap()
    expect(about).to_be_hidden()
    drawer(page)
    page.reload()
    complete(page)
    leaves(page)


def goes_back_to_what_was_shown(page: Page) -> None:
    """What is chosen in a layer is a step of the way back."""
    last = shown(page)
    log = drawer(page)
    line = log.locator("li[data-v]:visible").first
    version = int(line.get_attribute("data-v") or 0)
    line.locator("a[href]").tap()
    expect(log).to_be_hidden()
    shows(page, version)
    page.go_back()
    shows(page, last)
    menu(page, "site-menu").locator("a[href='/']").tap()
    expect(root(page)).to_have_count(0)
    page.go_back()
    complete(page)
    leaves(page)
