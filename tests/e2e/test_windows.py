"""A window that somebody has left is new to whoever has it next, but for what it has loaded."""

from __future__ import annotations

import re
import socket
from io import BytesIO
from typing import Final

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.clients import Client
from tests.e2e.loading import KEPT, waits_until
from tests.e2e.people import Look, Person
from tests.e2e.serving import Service
from tests.e2e.windows import Window, Windows

SMALL: Final = Look(width=640, height=480, scheme="dark", worker=True)
LEFT: Final = """async () => ({
    kept: [localStorage, sessionStorage].flatMap((each) => Object.keys(each))
        .filter((key) => key !== "parlour.fonts"),
    name: window.name,
    before: history.length,
    may: (await navigator.permissions.query({ name: "clipboard-read" })).state,
    size: [innerWidth, innerHeight],
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
})"""
"""What a window has of its last user; of its own accord the page keeps where its fonts are."""


WORKERS: Final = """async () => {
    const workers = await navigator.serviceWorker.getRegistrations();
    return [workers.length, (await caches.keys()).length];
}"""
"""How many service workers and caches a window has."""

NOTED: Final[list[str]] = []
"""What the window has asked for while its last user took notes."""


@pytest.fixture
def left(windows: Windows, service: Service) -> Window:
    """A window whose user has signed in, gone to and fro, and changed what can be changed."""
    window = windows.take(SMALL, service.url)
    one, ada = Person(window, "Ada"), Client(service.url, "Ada")
    one.signs_in(ada)
    ada.close()
    one.runs_first("window.name = 'spied on'")
    one.permits("clipboard-read")
    one.notes(lambda request: NOTED.append(request.url))
    page = one.page
    page.evaluate("sessionStorage.setItem('a', 'b'); window.name = 'c'")
    page.route("**/*", lambda route: route.abort())
    page.set_viewport_size({"width": 500, "height": 700})
    page.emulate_media(color_scheme="light")
    was = page.evaluate(LEFT)
    assert (len(was["kept"]) > 1, was["may"]) == (True, "granted")
    assert one.leaves() is window
    return window


def test_nothing_is_left_to_the_next(windows: Windows, left: Window, service: Service) -> None:
    windows.give_back(left)
    assert windows.take(SMALL, service.url) is left
    NOTED.clear()
    one = Person(left, "Eve")
    page = one.opens("/")
    expect(page.locator("#play-name")).to_be_visible()
    clean = {"kept": [], "name": "", "before": 2, "size": [640, 480], "dark": True}
    assert page.evaluate(LEFT) == clean | {"may": "prompt"}
    assert NOTED == []
    page.evaluate("console.error('somebody is here')")
    windows.give_back(one.leaves())
    assert [each for each in one.complaints if "somebody is here" in each] == one.complaints != []


TELLS: Final = """() => ({
    wishes: navigator.languages,
    number: (1234.5).toLocaleString(),
    size: [innerWidth, innerHeight],
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    still: matchMedia("(prefers-reduced-motion: reduce)").matches,
})"""


def test_the_next_has_a_look_of_their_own(windows: Windows, left: Window, service: Service) -> None:
    windows.give_back(left)
    look = Look(width=700, height=500, language="fr-FR", motion="no-preference", worker=True)
    assert windows.take(look, service.url) is left
    one = Person(left, "Eve")
    page = one.opens("/")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert page.evaluate(TELLS) == {
        "wishes": ["fr-FR"],
        "number": "1\u202f234,5",
        "size": [700, 500],
        "dark": False,
        "still": False,
    }
    windows.give_back(one.leaves())
    assert windows.take(SMALL, service.url) is left
    page = Person(left, "Ada").opens("/")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.evaluate(TELLS) == {
        "wishes": ["en-GB"],
        "number": "1,234.5",
        "size": [640, 480],
        "dark": True,
        "still": True,
    }
    phone = windows.take(Look(touch=True), service.url)
    assert phone is not left
    for window in (left, phone):
        windows.give_back(window)


# By day test_screens.py looks at pictures of the browser that draws.
@pytest.mark.nightly
def test_only_the_browser_for_pictures_draws(
    browser: Browser, drawing_browser: Browser, service: Service
) -> None:
    """Pixels that are drawn for nobody took a sixth of what it takes to load a table."""
    colours = []
    for each in (browser, drawing_browser):
        window = Window(each, service.url, SMALL)
        window.page.goto("/")
        expect(window.page.locator("#play-name")).to_be_visible()
        shown = Image.open(BytesIO(window.page.screenshot()))
        colours.append(len(shown.getcolors(shown.width * shown.height) or []))
        window.closes()
    assert colours[0] == 1 < colours[1]


def test_documents_are_kept_for_nobody_else(windows: Windows, service: Service) -> None:
    window = windows.take(SMALL, service.url)
    page = Person(window, "Ada").opens("/")
    waits_until(page, KEPT, "/")
    windows.give_back(window)
    assert windows.take(SMALL, service.url) is window
    assert page.evaluate(WORKERS) == [0, 0]
    windows.give_back(window)


def test_what_cannot_be_taken_back_is_not_kept(
    windows: Windows, left: Window, service: Service
) -> None:
    one = Person(left, "Eve")
    one.page.unroute_all()
    one.page.clock.install(time=0)
    one.opens("/")
    windows.give_back(one.leaves())
    other = windows.take(SMALL, service.url)
    assert other is not left
    Person(other, "Eve").context.add_init_script("window.name = 'spied on'")
    windows.give_back(other)
    assert windows.take(SMALL, service.url) is not other


LISTS: Final = re.compile(r"/v1/games\?")


def test_what_a_route_was_still_fetching_fails_nobody(windows: Windows, service: Service) -> None:
    window = windows.take(SMALL, service.url)
    one = Person(window, "Eve")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        nowhere = f"http://127.0.0.1:{silent.getsockname()[1]}"
        one.context.route(LISTS, lambda route: route.fetch(url=nowhere))
        with one.page.expect_request(LISTS):
            one.opens("/")
        expect(one.page.locator("#play-name")).to_be_visible()
        windows.give_back(one.leaves())
    windows.give_back(windows.take(SMALL, service.url))


def spoils(route: Route) -> None:
    """Answer with an empty file that is good for ever, as the service's own is."""
    route.fulfill(response=route.fetch(), body="")


def styles_of_the_next(windows: Windows, service: Service) -> int:
    """How many rules of style the next page has once one was given a sheet without any."""
    window = windows.take(Look(), service.url)
    window.page.route(re.compile(r"/chunks/style\.css$"), spoils)
    Person(window, "Ada").opens("/")
    windows.give_back(window)
    after = windows.take(Look(), service.url)
    page = Person(after, "Eve").opens("/")
    expect(page.locator("#play-name")).to_be_visible()
    rules: int = page.evaluate("document.styleSheets[0].cssRules.length")
    after.closes()
    return rules


def test_nobody_gets_a_window_in_which_a_file_was_changed(
    windows: Windows, service: Service
) -> None:
    assert styles_of_the_next(windows, service) > 0


def test_a_window_that_keeps_a_changed_file_is_noticed(
    windows: Windows, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Forgetful(set[Page]):
        def add(self, _: Page) -> None:
            """Note nothing."""

    monkeypatch.setattr("tests.e2e.windows._SPOILT", Forgetful())
    assert styles_of_the_next(windows, service) == 0
