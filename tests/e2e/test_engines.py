"""What other engines than Chromium made us change, as far as Chromium can hold it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from playwright.sync_api import Page, Route, expect

from tests.e2e.people import Look, Person

REFUSED: Final = """() => {
    LockManager.prototype.request = () => Promise.reject(new DOMException("", "SecurityError"));
}"""
RESERVES: Final = """async (name) => {
    const { reserve } = await import("/web/calling/reserved.js");
    return reserve([name]);
}"""
WORKERLESS: Final = """
    window.tried = 0;
    ServiceWorkerContainer.prototype.register = () => {
        tried += 1;
        return Promise.reject(new DOMException("", "SecurityError"));
    };
"""
"""So do browsers that keep nothing for a site."""


def test_a_browser_that_knows_less_than_the_page_needs_is_told(
    person: Callable[..., Person],
) -> None:
    ada = person("Ada")
    page = ada.opens("/")
    notice = page.locator(".too-old")
    expect(page.locator("h1")).to_be_visible()
    expect(notice).to_be_hidden()
    for known in ("transition-behavior", "selector(:dir"):
        ada.context.route(re.compile(r"/chunks/style\.css$"), partial(lacks, known))
        page.reload()
        expect(notice).to_be_visible()
        expect(page.locator("h1")).to_be_visible()
        ada.context.unroute_all()


def lacks(known: str, route: Route) -> None:
    """Let a browser not know something that it is asked for."""
    answer = route.fetch()
    text = answer.text()
    assert text.count(known) == 1
    route.fulfill(response=answer, body=text.replace(known, known.replace("r", "x")))


def test_who_gets_no_lock_is_called_all_the_same(own_modules: Page) -> None:
    """Firefox does not where it keeps nothing for a site."""
    own_modules.evaluate(REFUSED)
    assert own_modules.evaluate(RESERVES, "first")
    assert not own_modules.evaluate(RESERVES, "first")


def test_a_worker_that_is_refused_again_and_again_breaks_no_policy(
    person: Callable[..., Person],
) -> None:
    """Each page asks anew, and its complaint would be found in the end."""
    one = person("Ada", Look(worker=True))
    one.runs_first(WORKERLESS)
    page = one.opens("/")
    page.wait_for_function("() => tried === 1")
    one.goes_to("/?page=rules")
    page.wait_for_function("() => tried === 2")


def test_the_page_draws_its_menus(person: Callable[..., Person]) -> None:
    """WebKit drew its own: white letters of the dark head on a white ground."""
    page = person("Ada").opens("/")
    menu = page.locator(".language select")
    expect(menu).to_have_css("appearance", "none")
    expect(menu).to_have_css("background-image", re.compile("gradient"))
    expect(menu).to_have_css("background-color", "rgb(23, 25, 28)")
